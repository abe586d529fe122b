// Reading GGUF files: types, weights, metadata and configuration.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openGguf } from '../../js/files/gguf-file.js';
import { readHeader } from '../../js/files/gguf/header.js';
import { Strings, stringEnds } from '../../js/text/tokenizer/strings.js';
import { openModelFile } from '../../js/files/model-file.js';
import { openSource } from '../../js/files/source.js';
import { StreamReader } from '../../js/files/stream.js';
import { array, bool, float32, string, uint32 } from '../../js/files/gguf/writer.js';
import { rejects } from '../support/expect.js';
import { BYTE_LEVEL, PIECES, tinyGguf } from '../support/tiny-gguf.js';

const SHARED = fileURLToPath(new URL('../../../shared/data/llama-2-tiny-random.gguf', import.meta.url));

const skip = !existsSync(SHARED) && '../shared/data is not there';

/** A value of the metadata, with lists as arrays.
 *  @param {any} value @returns {any} */
const listed = (value) =>
  (value instanceof Strings || ArrayBuffer.isView(value) ? [.../** @type {any} */ (value)] : value);

/** The weights of an open file, by name. @param {import('../../js/files/model-file.js').ModelFile} file */
async function weightsOf(file) {
  /** @type {Record<string, Uint8Array>} */
  const weights = {};
  for await (const [entry, reader] of file.weights()) {
    weights[entry.name] = new Uint8Array(entry.bytes);
    await reader.readInto(weights[entry.name]);
  }
  return weights;
}

/** @param {{ name: string, shape: number[] }[]} tensors */
const namesAndShapes = (tensors) => tensors.map(({ name, shape }) => [name, shape]);

/** The bytes in small chunks, size unknown, as from a network. @param {Uint8Array} bytes @param {number} size */
function trickle(bytes, size) {
  const blob = new Blob([]);
  blob.stream = () => new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  Object.defineProperty(blob, 'size', { value: null });
  return blob;
}

describe('GGUF', () => {
  for (const version of /** @type {const} */ ([2, 3])) {
    for (const type of /** @type {const} */ (['f32', 'f16', 'bf16', 'q8_0', 'q4_0'])) {
      test(`version ${version}, ${type}: every tensor has its shape and bytes`, async () => {
        /** @type {import('../../js/files/gguf/writer.js').Tensor[]} */
        let written = [];
        const bytes = await tinyGguf({ version, type, tensors: (all) => (written = all) });
        const file = await openGguf(bytes);
        assert.equal(file.version, version);
        assert.equal(file.architecture, 'llama');
        assert.deepEqual(namesAndShapes(file.tensors), namesAndShapes(written));
        const weights = await weightsOf(file);
        for (const { name, data } of written) assert.deepEqual(weights[name], data, name);
      });
    }
  }

  test('chunks of any size, other alignments, gaps between tensors', async () => {
    const expected = await weightsOf(await openGguf(await tinyGguf()));
    for (const alignment of [1, 8, 64, 4096]) {
      const bytes = await tinyGguf({ alignment });
      for (const size of [1, 7, 64, 1000, 1 << 20]) {
        assert.deepEqual(await weightsOf(await openGguf(trickle(bytes, size))), expected, `${alignment}, ${size}`);
      }
    }
  });

  test('tensors are read in the order of the file, for every order of the header', async () => {
    const bytes = await tinyGguf();
    const { tensors } = await openGguf(bytes);
    const shuffled = await openGguf(await tinyGguf({ tensors: (all) => all.toReversed() }));
    assert.deepEqual(namesAndShapes(shuffled.tensors), namesAndShapes(tensors.toReversed()));
  });

  test('configuration: given settings, and defaults of missing settings', async () => {
    const { config } = await openGguf(await tinyGguf());
    assert.deepEqual(config, {
      layers: 1, heads: 2, kv_heads: 1, d_model: 32, d_head: 16, d_ff: 64, vocabulary: PIECES.length,
      context_length: 24, norm: 'rmsnorm', norm_eps: Math.fround(1e-5), position: 'rope_adjacent',
      rope_theta: 10000, rope_dims: 16, rope_scale: 1, window: 0, activation: 'silu', gated: 'yes',
    });
  });

  test('configuration: RoPE, window, sizes of heads', async () => {
    const { config } = await openGguf(await tinyGguf({
      metadata: {
        'llama.rope.freq_base': float32(500000),
        'llama.rope.dimension_count': uint32(8),
        'llama.rope.scaling.type': string('linear'),
        'llama.rope.scaling.factor': float32(4),
        'llama.attention.sliding_window': uint32(7),
        'llama.attention.head_count_kv': array('uint32', [1]),
        'llama.attention.key_length': uint32(16),
        'llama.attention.value_length': uint32(16),
      },
    }));
    const { rope_theta, rope_dims, rope_scale, window, kv_heads } = config;
    assert.deepEqual({ rope_theta, rope_dims, rope_scale, window, kv_heads },
      { rope_theta: 500000, rope_dims: 8, rope_scale: 4, window: 7, kv_heads: 1 });
    const wide = await openGguf(await tinyGguf({ metadata: { 'llama.attention.sliding_window': uint32(24) } }));
    assert.equal(wide.config.window, 0, 'a window of the whole context is off');
  });

  test('configuration: Qwen2 and GPT-2', async () => {
    const qwen = await openGguf(await tinyGguf({
      architecture: 'qwen2', metadata: { 'qwen2.attention.layer_norm_rms_epsilon': float32(2 ** -20) },
    }));
    assert.equal(qwen.config.position, 'rope_halves');
    assert.equal(qwen.config.norm_eps, 2 ** -20);
    const gpt = await openGguf(await tinyGguf({
      architecture: 'gpt2', tokenizer: BYTE_LEVEL, metadata: { 'gpt2.attention.layer_norm_epsilon': float32(2 ** -17) },
    }));
    const { norm, norm_eps, position, rope_dims, activation, gated, kv_heads } = gpt.config;
    assert.deepEqual({ norm, norm_eps, position, rope_dims, activation, gated, kv_heads }, {
      norm: 'layernorm', norm_eps: 2 ** -17, position: 'learned', rope_dims: 0, activation: 'gelu_tanh', gated: 'no',
      kv_heads: 1,
    });
  });

  test('a long vocabulary survives the boundaries of the parser’s two-megabyte chunks', async () => {
    const tokens = Array.from({ length: 60_000 }, (_, i) => `${i}:${'ü'.repeat(i % 40)}`);
    const long = 'x'.repeat(3_000_000);
    const bytes = await tinyGguf({
      metadata: {
        'some.list': array('string', tokens),
        'some.text': string(long),
        'some.numbers': array('int32', [1, -2, 3]),
        'some.more': array('float32', new Float32Array(100_000).fill(0.5)),
        'the.end': uint32(17),
      },
    });
    const { metadata } = await openGguf(trickle(bytes, 65536));
    assert.deepEqual(listed(metadata['some.list']), tokens);
    assert.equal(metadata['some.text'], long);
    assert.deepEqual(metadata['some.numbers'], [1, -2, 3]);
    assert.deepEqual(listed(metadata['some.more']), new Array(100_000).fill(0.5));
    assert.equal(metadata['the.end'], 17);
  });

  test('a byte order mark is a character of a token', async () => {
    const list = ['\ufeffa', '\ufeff'];
    const { metadata } = await openGguf(await tinyGguf({ metadata: { 'some.list': array('string', list) } }));
    assert.deepEqual(listed(metadata['some.list']), list);
  });

  test('every type of metadata, short and long, read by the parser and by heed', async () => {
    /** @type {[import('../../js/files/gguf/writer.js').ScalarType, any[]][]} */
    const samples = [
      ['uint8', [0, 255]], ['int8', [-128, 127]], ['uint16', [0, 65535]], ['int16', [-32768, 32767]],
      ['uint32', [0, 4294967295]], ['int32', [-2147483648, 2147483647]], ['float32', [-0.5, 1e30].map(Math.fround)],
      ['bool', [true, false]], ['string', ['', 'Zürich 😀']], ['uint64', [0n, 2n ** 64n - 1n]],
      ['int64', [-(2n ** 63n), 1n]], ['float64', [0.1, -1e300]],
    ];
    const metadata = Object.fromEntries(samples.flatMap(([type, values]) => [
      [`short.${type}`, array(type, values)],
      [`long.${type}`, array(type, Array.from({ length: 80_000 }, (_, i) => values[i % 2]))],
      [`one.${type}`, { type, value: values[1] }],
    ]));
    const read = (await openGguf(await tinyGguf({ metadata }))).metadata;
    for (const [type, values] of samples) {
      assert.deepEqual(listed(read[`short.${type}`]), values, type);
      assert.deepEqual(read[`one.${type}`], values[1], type);
      const long = listed(read[`long.${type}`]);
      assert.equal(long.length, 80_000, type);
      assert.ok(long.every((value, i) => Object.is(value, values[i % 2])), type);
    }
  });

  test('progress counts every byte once, up to the end of the last tensor', async () => {
    const bytes = await tinyGguf({ type: 'f32' });
    /** @type {number[]} */
    const seen = [];
    const file = await openGguf(trickle(bytes, 1000), {
      onProgress: ({ phase, loadedBytes, totalBytes }) => {
        assert.equal(phase, 'weights');
        assert.equal(totalBytes, file.fileBytes);
        seen.push(loadedBytes);
      },
    });
    await weightsOf(file);
    assert.ok(seen.length > 10);
    assert.deepEqual(seen, seen.toSorted((a, b) => a - b));
    assert.equal(seen.at(-1), file.fileBytes);
    assert.ok(file.fileBytes <= bytes.length && file.fileBytes > bytes.length - 32);
  });

  test('an abort in the middle of the weights', async () => {
    const controller = new AbortController();
    const file = await openGguf(trickle(await tinyGguf({ type: 'f32' }), 1000), { signal: controller.signal });
    const reading = (async () => {
      for await (const [entry, reader] of file.weights()) {
        await reader.skip(entry.bytes);
        controller.abort();
      }
    })();
    await rejects(reading, 'aborted');
  });

  test('unneeded masks and tables are skipped', async () => {
    /** @type {import('../../js/files/gguf/writer.js').Tensor} */
    const extra = { name: 'blk.0.attn_rot_embd', type: 'f32', shape: [8], data: new Float32Array(8) };
    const file = await openGguf(await tinyGguf({ tensors: (all) => [all[0], extra, ...all.slice(1)] }));
    assert.ok(!file.tensors.some(({ name }) => name === extra.name));
    assert.deepEqual(await weightsOf(file), await weightsOf(await openGguf(await tinyGguf())));
  });

  test('a header without tensors is readable but is not a model', { skip }, async () => {
    const path = SHARED.replace('llama-2-tiny-random', 'ggml-vocab-gpt-2');
    const source = openSource(path);
    const reader = new StreamReader(source.stream());
    const { tensors, metadata } = await readHeader(reader, source.name);
    await reader.close();
    assert.equal(tensors.length, 0);
    assert.equal(listed(metadata['tokenizer.ggml.tokens']).length, 50257);
    await rejects(openModelFile(path), 'bad-tensor', /token_embd/);
  });

  test('a file of another program', { skip }, async () => {
    const file = await openModelFile(SHARED);
    assert.equal(file.config.vocabulary, 32000);
    assert.equal(file.tokenizer?.size, 32000);
    assert.equal(file.tensors.length, 12);
    const weights = await weightsOf(file);
    assert.deepEqual([...new Float32Array(weights['output_norm.weight'].buffer)], new Array(8).fill(1));
  });
});

describe('GGUF files that heed refuses', () => {
  /** @type {[string, Parameters<typeof tinyGguf>[0], string, RegExp][]} */
  const cases = [
    ['an unknown architecture', { metadata: { 'general.architecture': string('mamba') } },
      'unsupported', /‘mamba’.*llama, .*qwen2, .*gpt2/],
    ['no architecture', { without: ['general.architecture'] }, 'bad-file', /general\.architecture/],
    ['a mixture without its choice', { metadata: { 'llama.expert_count': uint32(8) } }, 'bad-config',
      /llama\.expert_used_count/],
    ['unknown scaling', { metadata: { 'llama.rope.scaling.type': string('ntk') } }, 'unsupported', /‘ntk’/],
    ['values of another size', { metadata: { 'llama.attention.value_length': uint32(8) } }, 'unsupported', /values/],
    ['other heads in each layer', { metadata: { 'llama.attention.head_count': array('uint32', [2, 4]) } },
      'unsupported', /each layer/],
    ['one part of several', { metadata: { 'split.count': { type: 'uint16', value: 3 } } }, 'bad-source', /Give all/],
    ['a missing number', { without: ['llama.block_count'] }, 'bad-config', /llama\.block_count/],
    ['text for a number', { metadata: { 'llama.block_count': string('1') } },
      'bad-config', /llama\.block_count.*string/],
    ['zero layers', { metadata: { 'llama.block_count': uint32(0) } }, 'bad-config', /layers/],
    ['zero heads', { metadata: { 'llama.attention.head_count': uint32(0) } }, 'bad-config', /heads/],
    ['zero key/value heads', { metadata: { 'llama.attention.head_count_kv': uint32(0) } }, 'bad-config', /kv_heads/],
    ['heads that do not divide', { metadata: { 'llama.attention.head_count': uint32(3) } }, 'bad-config', /3 heads/],
    ['heads that cannot share', { metadata: { 'llama.attention.head_count_kv': uint32(3) } }, 'bad-config',
      /not a multiple of 3/],
    ['negative layers', { metadata: { 'llama.block_count': { type: 'int32', value: -1 } } }, 'bad-config', /layers/],
    ['half a layer', { metadata: { 'llama.block_count': float32(1.5) } }, 'bad-config', /layers/],
    ['a huge width', { metadata: { 'llama.embedding_length': uint32(4294967294) } }, 'bad-config', /d_model/],
    ['a context of 2^60', { metadata: { 'llama.context_length': { type: 'uint64', value: 2n ** 60n } } },
      'bad-config', /context_length/],
    ['an epsilon of NaN', { metadata: { 'llama.attention.layer_norm_rms_epsilon': float32(NaN) } },
      'bad-config', /epsilon/],
    ['a negative epsilon', { metadata: { 'llama.attention.layer_norm_rms_epsilon': float32(-1) } },
      'bad-config', /epsilon/],
    ['an infinite RoPE base', { metadata: { 'llama.rope.freq_base': float32(Infinity) } }, 'bad-config', /RoPE base/],
    ['odd RoPE', { metadata: { 'llama.rope.dimension_count': uint32(7) } }, 'bad-config', /rotated elements .* not 7/],
    ['RoPE of more elements than a head has', { metadata: { 'llama.rope.dimension_count': uint32(32) } }, 'bad-config',
      /rotated elements .* not 32/],
    ['a negative RoPE scale', { metadata: { 'llama.rope.scaling.factor': float32(-2) } }, 'bad-config', /RoPE scale/],
    ['a vocabulary and an embedding of different sizes', { vocabulary: 13 }, 'bad-tokenizer', /12 tokens.*13/],
    ['a vocab_size that differs from the embedding', { metadata: { 'llama.vocab_size': uint32(99) } },
      'bad-config', /99.*12/],
    ['an alignment of three', { metadata: { 'general.alignment': uint32(3) } }, 'bad-file', /power of two/],
    ['an alignment of zero', { metadata: { 'general.alignment': uint32(0) } }, 'bad-file', /alignment/],
    ['no embedding', { tensors: (all) => all.slice(1) }, 'bad-tensor', /token_embd/],
  ];
  for (const [what, options, code, says] of cases) {
    test(what, async () => rejects(openModelFile(await tinyGguf(options)), code, says));
  }

  test('other types of weights are named', async () => {
    const iq2 = { name: 'blk.0.x', type: 16, shape: [8, 256], data: new Uint8Array(528) };
    const known = await tinyGguf({ tensors: (all) => [...all, iq2] });
    await rejects(openModelFile(known), 'unsupported', /‘blk\.0\.x’.*IQ2_XXS.*Q8_0/s);
    const unknown = await tinyGguf({ tensors: (all) => [...all, { ...iq2, name: 'y', type: 77 }] });
    await rejects(openModelFile(unknown), 'unsupported', /number 77/);
  });

  test('the name of a part does not matter, only its header', async () => {
    await openModelFile(new File([await tinyGguf()], 'model-00001-of-00003.gguf'));
    await openModelFile(new File([await tinyGguf()], 'model-00001-of-00001.gguf'));
  });

  test('a flag as text instead of a boolean', async () => {
    const text = await tinyGguf({ metadata: { 'tokenizer.ggml.add_bos_token': string('yes') } });
    await rejects(openModelFile(text), 'bad-tokenizer', /neither true nor false/);
    await openModelFile(await tinyGguf({ metadata: { 'tokenizer.ggml.add_bos_token': bool(false) } }));
  });
});

describe('strings of an array', () => {
  /** Strings, each after its length in eight bytes. @param {number[][]} strings */
  const listOf = (strings) => Uint8Array.from(strings.flatMap((bytes) => {
    const length = [bytes.length & 255, bytes.length >> 8, 0, 0, 0, 0, 0, 0];
    return [...length, ...bytes];
  }));
  /** @param {number[][]} strings */
  const each = (strings) => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return strings.map((bytes) => decoder.decode(Uint8Array.from(bytes)));
  };
  /** @param {number[][]} strings */
  const decode = (strings) => {
    const bytes = listOf(strings);
    return new Strings(bytes, stringEnds(bytes, 0, strings.length));
  };
  const encoder = new TextEncoder();

  test('equal single decodings', () => {
    const texts = ['', 'a', 'Ġthe', '\uFEFF', 'é', '漢字', '😀', 'a😀é', '', '\0', 'x'.repeat(300), '\u{10FFFF}'];
    const strings = texts.map((text) => [...encoder.encode(text)]);
    const decoded = decode(strings);
    assert.deepEqual([...decoded], texts);
    assert.deepEqual(texts.map((_, i) => decoded.at(i)), texts);
    assert.deepEqual([...Strings.from(texts)], texts);
    assert.deepEqual([...decode([])], []);
  });
  test('of invalid UTF-8 become U+FFFD and do not change adjacent characters', () => {
    const [lead, inner, last] = encoder.encode('€');
    for (const strings of [
      [[lead], [inner, last], [0x61]], // together they are one character
      [[lead, inner], [], [last]],
      [[0x61, lead], [0x62]],
      [[0x61], [0xff, 0x62], [0xf8, 0x80, 0x80, 0x80, 0x80]],
      [[0xed, 0xa0, 0x80], [0xed, 0xb0, 0x80]], // surrogates
      [[0xc0, 0x80], [0xe0, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80]], // too long, too large
      [[0x61], [lead]],
    ]) {
      assert.deepEqual([...decode(strings)], each(strings), JSON.stringify(strings));
    }
  });
});
