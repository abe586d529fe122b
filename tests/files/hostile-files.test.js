/** Malicious and damaged files: each gives a HeedError, soon and with little memory. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { HeedError } from '../../js/errors.js';
import { MAX_HEADER_BYTES } from '../../js/files/gguf/walk.js';
import { load } from '../../js/index.js';
import { openModelFile } from '../../js/files/model-file.js';
import { array, float32, string, uint32, writeGguf } from '../../js/files/gguf/writer.js';
import { spread } from '../../js/files/safetensors/change.js';
import { tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { rejects } from '../support/expect.js';
import { randomFrom } from '../support/numbers.js';
import { BYTE_LEVEL, SENTENCE_PIECE, describedAt, tinyGguf } from '../support/tiny-gguf.js';
import { tinySafetensors } from '../support/tiny-safetensors.js';

/** @param {Uint8Array} file @param {(view: DataView, file: Uint8Array) => void} change */
function changed(file, change) {
  const copy = file.slice();
  change(new DataView(copy.buffer), copy);
  return copy;
}

/** Opens a model and reads all its weights. @param {any} source */
async function readWhole(source) {
  const file = await openModelFile(source);
  for await (const [entry, reader] of file.weights()) await reader.readInto(new Uint8Array(entry.bytes));
  return file;
}

/** Opens a file that may be damaged: it loads, or fails with a HeedError. @param {any} source */
async function survives(source) {
  try {
    const { tokenizer } = await readWhole(source);
    tokenizer?.encode('abc <s> é');
    return true;
  } catch (error) {
    assert.ok(error instanceof HeedError, String(/** @type {Error} */ (error).stack));
    return false;
  }
}

/** Bytes of unknown length. @param {Uint8Array} bytes */
function stream(bytes) {
  const blob = new Blob([]);
  blob.stream = () => new Response(bytes).body;
  Object.defineProperty(blob, 'size', { value: null });
  return blob;
}

const MODEL = await tinyGguf();
const BYTE_LEVEL_MODEL = await tinyGguf({ tokenizer: BYTE_LEVEL });
const { fileBytes: FILE_BYTES, tensors: TENSORS } = await openModelFile(MODEL);
const HEADER_BYTES = FILE_BYTES - TENSORS.reduce((sum, { bytes }) => sum + bytes, 0);

describe('damaged GGUF', () => {
  test('truncated at every byte of the header', async () => {
    for (let length = 0; length < HEADER_BYTES; length++) {
      await rejects(openModelFile(MODEL.subarray(0, length)), 'truncated');
    }
  });

  test('truncated in the weights, with and without a known size', async () => {
    for (let length = HEADER_BYTES; length < FILE_BYTES; length += 211) {
      await rejects(openModelFile(MODEL.subarray(0, length)), 'truncated', /ends at byte/);
      await rejects(readWhole(stream(MODEL.subarray(0, length))), 'truncated', /in the middle of/);
    }
    await readWhole(stream(MODEL.subarray(0, FILE_BYTES)));
  });

  for (const [what, file] of /** @type {const} */ ([['SentencePiece', MODEL], ['byte-level', BYTE_LEVEL_MODEL]])) {
    test(`changed bytes of the header: ${what}`, async () => {
      const next = randomFrom(99);
      let good = 0;
      for (let i = 0; i < 2000; i++) {
        const mutant = file.slice();
        for (let flips = 1 + Math.floor(next() * 3); flips > 0; flips--) {
          const extreme = [0, 255, 128, 127][Math.floor(next() * 4)];
          mutant[Math.floor(next() * HEADER_BYTES)] = next() < 0.3 ? extreme : next() * 256;
        }
        if (await survives(mutant)) good++;
      }
      assert.ok(good > 100 && good < 1900, `${good} of 2000 mutants still opened`);
    });
  }

  test('removed, doubled and swapped parts', async () => {
    const next = randomFrom(5);
    for (let i = 0; i < 1000; i++) {
      const [from, to] = [next() * HEADER_BYTES, next() * HEADER_BYTES].map(Math.floor).sort((a, b) => a - b);
      const parts = [
        [MODEL.subarray(0, from), MODEL.subarray(to)],
        [MODEL.subarray(0, to), MODEL.subarray(from)],
        [MODEL.subarray(0, from), MODEL.subarray(to, to + 64), MODEL.subarray(from)],
      ][i % 3];
      await survives(new Uint8Array(await new Blob(parts).arrayBuffer()));
    }
  });

  test('wrong magic numbers, and the formats that they suggest', async () => {
    const lookalikes = {
      'GGML file from before GGUF': 'tjgg\x01\x00\x00\x00', 'a web page': '<!DOCTYPE html><html>', 'ZIP': 'PK\x03\x04',
      'gzip': '\x1f\x8b\x08', 'pickle': '\x80\x02}q', 'Git LFS': 'version https://git-lfs.github.com/spec/v1\n',
      'neither GGUF nor safetensors': 'hello, world',
    };
    for (const [says, text] of Object.entries(lookalikes)) {
      await rejects(openModelFile(Buffer.from(text, 'latin1')), 'bad-file', new RegExp(says, 'i'));
    }
    await rejects(openModelFile(new Uint8Array(0)), 'truncated', /empty/);
  });

  test('versions and byte orders', async () => {
    for (const version of [0, 1, 4, 255]) {
      const says = version === 0 ? /big-endian/ : /version/;
      await rejects(openModelFile(changed(MODEL, (view) => view.setUint32(4, version, true))), 'unsupported', says);
    }
    await rejects(openModelFile(changed(MODEL, (view) => view.setUint32(4, 3, false))), 'unsupported', /big-endian/);
  });

  test('counts that overflow', async () => {
    for (const count of [2n ** 64n - 1n, 2n ** 63n, 2n ** 53n, 2n ** 32n, 2n ** 31n, 70_000n]) {
      await rejects(openModelFile(changed(MODEL, (view) => view.setBigUint64(8, count, true))),
        'too-large', /number of tensors/);
      await rejects(openModelFile(changed(MODEL, (view) => view.setBigUint64(16, count, true))),
        'too-large', /metadata/);
      await rejects(openModelFile(changed(MODEL, (view) => view.setBigUint64(24, count, true))), 'too-large', /key/);
    }
    for (const at of [8, 16]) {
      const error = await openModelFile(changed(MODEL, (view) => view.setBigUint64(at, 4000n, true))).catch((e) => e);
      assert.ok(error instanceof HeedError);
    }
  });

  test('lengths of lists and strings that overflow', async () => {
    const at = Buffer.from(MODEL).indexOf('tokenizer.ggml.tokens') + 'tokenizer.ggml.tokens'.length;
    for (const length of [2n ** 64n - 1n, 2n ** 32n, 2n ** 31n]) {
      await rejects(openModelFile(changed(MODEL, (view) => view.setBigUint64(at + 8, length, true))),
        'too-large', /tokens/);
    }
    await rejects(openModelFile(changed(MODEL, (view) => view.setBigUint64(at + 16, 2n ** 40n, true))),
      'bad-file', /4 GB/);
    await rejects(openModelFile(changed(MODEL, (view) => view.setBigUint64(at + 16, 2n ** 31n, true))),
      'too-large', /40 MB/);
    await rejects(openModelFile(changed(MODEL, (view) => view.setUint32(at, 13, true))), 'bad-file', /type 13/);
    await rejects(openModelFile(changed(MODEL, (view) => view.setUint32(at + 4, 13, true))), 'bad-file', /type 13/);
    await rejects(openModelFile(changed(MODEL, (view) => view.setUint32(at + 4, 9, true))),
      'bad-file', /array of arrays/);
  });

  test('lists within the limit, but too long together', async () => {
    const list = array('uint8', new Uint8Array(1e6));
    const metadata = { 'list.1': list, 'list.2': list, 'list.3': list, 'list.4': list, 'list.5': list };
    await rejects(openModelFile(await tinyGguf({ metadata })), 'too-large', /in total/);
  });

  test('an endless header is read up to its limit', async () => {
    let sent = 0;
    const blob = new Blob([]);
    const start = changed(MODEL, (view) => view.setBigUint64(16, 4096n, true)).slice(0, 24);
    // Long and different keys: reading continues up to the limit.
    blob.stream = () => new ReadableStream({
      start: (controller) => controller.enqueue(start),
      pull(controller) {
        const entry = Buffer.alloc(8 + 60_000 + 4 + 1);
        entry.writeBigUInt64LE(60_000n);
        entry.write(`key ${sent}`, 8);
        sent += entry.length;
        controller.enqueue(entry);
      },
    });
    Object.defineProperty(blob, 'size', { value: null });
    await rejects(openModelFile(blob), 'too-large', /40 MB/);
    assert.ok(sent < MAX_HEADER_BYTES + (1 << 20), `${sent} bytes read`);
  });

  test('tensors that overlap, leave the file or are not aligned', async () => {
    const { offset } = describedAt(MODEL, 'blk.0.attn_q.weight');
    /** @param {bigint} to */
    const moved = (to) => changed(MODEL, (view) => view.setBigUint64(offset, to, true));
    await rejects(openModelFile(moved(0n)), 'bad-file', /overlap/);
    await rejects(openModelFile(moved(32n)), 'bad-file', /overlap/);
    await rejects(openModelFile(moved(33n)), 'bad-file', /alignment/);
    await rejects(openModelFile(moved(1n << 30n)), 'truncated', /ends at byte/);
    for (const far of [2n ** 64n - 32n, 2n ** 63n, 2n ** 53n]) await rejects(openModelFile(moved(far)),
      'bad-file', /offset/);
    await rejects(readWhole(stream(moved(1n << 40n))), 'truncated');
  });

  test('shapes that overflow, are empty or have too many axes', async () => {
    const { dims, type } = describedAt(MODEL, 'blk.0.ffn_up.weight');
    /** @param {bigint} columns @param {bigint} rows */
    const shaped = (columns, rows) => changed(MODEL, (view) => {
      view.setBigUint64(dims, columns, true);
      view.setBigUint64(dims + 8, rows, true);
    });
    await rejects(openModelFile(shaped(2n ** 32n, 2n ** 32n)), 'too-large', /1024 GB/);
    await rejects(openModelFile(shaped(2n ** 31n, 2n ** 31n)), 'too-large', /1024 GB/);
    await rejects(openModelFile(shaped(2n ** 63n, 2n)), 'bad-file');
    await rejects(openModelFile(shaped(0n, 64n)), 'bad-tensor', /shape/);
    await rejects(openModelFile(shaped(31n, 64n)), 'bad-tensor', /numbers in a block of Q8_0/);
    await rejects(openModelFile(changed(MODEL, (view) => view.setUint32(dims - 4, 5, true))),
      'bad-file', /5 dimensions/);
    await rejects(openModelFile(changed(MODEL, (view) => view.setUint32(type, 4294967295, true))),
      'unsupported', /number 4294967295/);
    const cube = { name: 'cube', type: /** @type {const} */ ('f32'), shape: [2, 2, 8], data: new Float32Array(32) };
    await rejects(openModelFile(await tinyGguf({ tensors: (all) => [...all, cube] })), 'bad-tensor', /\[2,2,8\]/);
  });

  test('duplicate keys and tensors', async () => {
    const twice = await tinyGguf({ tensors: (all) => [...all, all[1]] });
    await rejects(openModelFile(twice), 'bad-file', /‘blk\.0\.attn_norm\.weight’ occurs twice/);
    const keys = await tinyGguf({ metadata: { 'llama.block_counu': uint32(7) } });
    keys[Buffer.from(keys).indexOf('llama.block_counu') + 16] = 't'.charCodeAt(0);
    await rejects(openModelFile(keys), 'bad-file', /‘llama\.block_count’ occurs twice/);
  });

  test('keys with a meaning in JavaScript', async () => {
    const file = await openModelFile(await tinyGguf({ metadata: {
      '__proto__.x': string('x'), ['__proto__']: array('uint32', [1]), constructor: string('x'), toString: uint32(1),
    } }));
    assert.equal(Object.getPrototypeOf(file.metadata), null);
    assert.equal(/** @type {any} */ ({}).x, undefined);
    const named = { name: '__proto__', type: /** @type {const} */ ('f32'), shape: [8], data: new Float32Array(8) };
    await rejects(openModelFile(await tinyGguf({ tensors: (all) => [...all, named] })), 'bad-tensor', /‘__proto__’/);
  });
});

describe('vocabularies that contradict themselves', () => {
  /** @typedef {import('../../js/files/gguf/writer.js').Metadata} Metadata */
  /** @param {Metadata} base @param {Metadata} change */
  const model = (base, change) => tinyGguf({ tokenizer: { ...base, ...change } });
  const nans = new Float32Array(12).fill(NaN);
  const twelve = Array.from({ length: 12 }, (_, i) => `t${i}`);

  /** @type {[string, Metadata, Metadata, string, RegExp][]} */
  const cases = [
    ['a token twice', SENTENCE_PIECE, { 'tokenizer.ggml.tokens': array('string', [...twelve.slice(1), 't5']) },
      'bad-tokenizer', /‘t5’/],
    ['no tokens', SENTENCE_PIECE, { 'tokenizer.ggml.tokens': array('string', []) }, 'bad-tokenizer', /0 tokens/],
    ['tokens that are numbers', SENTENCE_PIECE, { 'tokenizer.ggml.tokens': array('uint32', [1, 2, 3]) },
      'bad-tokenizer', /not a string/],
    ['tokens that are not an array', SENTENCE_PIECE, { 'tokenizer.ggml.tokens': string('abc') },
      'bad-tokenizer', /not an array/],
    ['too few scores', SENTENCE_PIECE, { 'tokenizer.ggml.scores': array('float32', [1, 2]) },
      'bad-tokenizer', /2 entries/],
    ['a score of NaN', SENTENCE_PIECE, { 'tokenizer.ggml.scores': array('float32', nans) },
      'bad-tokenizer', /scores/],
    ['too few types', SENTENCE_PIECE, { 'tokenizer.ggml.token_type': array('int32', [1]) },
      'bad-tokenizer', /1 entries/],
    ['a start token that does not exist', SENTENCE_PIECE, { 'tokenizer.ggml.bos_token_id': uint32(12) },
      'bad-tokenizer', /12/],
    ['an end token that does not exist', SENTENCE_PIECE, { 'tokenizer.ggml.eos_token_id': float32(NaN) },
      'bad-tokenizer', /NaN/],
    ['a missing start token', BYTE_LEVEL, { 'tokenizer.ggml.add_bos_token': { type: 'bool', value: true } },
      'bad-tokenizer', /start token/],
    ['a merge of one', BYTE_LEVEL, { 'tokenizer.ggml.merges': array('string', ['ab']) }, 'bad-tokenizer', /‘ab’/],
    ['cyclic merges', BYTE_LEVEL, { 'tokenizer.ggml.merges': array('string', ['a b', 'ab ', ' ab']) },
      'bad-tokenizer', /‘ab ’/],
    ['merges that are empty', BYTE_LEVEL, { 'tokenizer.ggml.merges': array('string', ['', ' ', '  ']) },
      'bad-tokenizer', /‘’/],
    ['merges that are missing', BYTE_LEVEL, { 'tokenizer.ggml.merges': uint32(1) }, 'bad-tokenizer', /merges/],
    ['an unknown pre-tokenizer', BYTE_LEVEL, { 'tokenizer.ggml.pre': string('mine') }, 'unsupported', /‘mine’.*gpt-2/s],
    ['an unknown kind', BYTE_LEVEL, { 'tokenizer.ggml.model': string('rwkv') }, 'unsupported', /‘rwkv’/],
    ['a number instead of a flag', SENTENCE_PIECE, { 'tokenizer.ggml.add_space_prefix': uint32(1) },
      'bad-tokenizer', /neither true nor false/],
  ];
  for (const [what, base, change, code, says] of cases) {
    test(what, async () => rejects(openModelFile(await model(base, change)), code, says));
  }

  test('control tokens of a megabyte', async () => {
    const tokens = ['x'.repeat(1 << 20), ...twelve.slice(1)];
    const change = {
      'tokenizer.ggml.tokens': array('string', tokens),
      'tokenizer.ggml.token_type': array('int32', new Int32Array(12).fill(3)),
    };
    await rejects(openModelFile(await model(SENTENCE_PIECE, change)), 'bad-tokenizer', /characters of added tokens/);
  });

  test('names in messages are short and on one line', async () => {
    const name = `evil\u202e\n\u0000${'x'.repeat(5000)}`;
    const file = await tinyGguf({ metadata: { 'general.architecture': string(name) } });
    const error = await openModelFile(file).catch((thrown) => thrown);
    const [beforeList] = String(error.message).split('heed runs');
    assert.ok(error instanceof HeedError && beforeList.length < 400);
    assert.doesNotMatch(error.message, /x{60}|[\u0000-\u001f\u202e]/);
  });
});

describe('damaged safetensors', () => {
  test('truncated at every byte', async () => {
    const { weights, config } = tinySafetensors();
    for (let length = 0; length < weights.length; length += length < 4000 ? 1 : 997) {
      await rejects(openModelFile({ weights: weights.subarray(0, length), config }), 'truncated');
      if (length > 8 && length % 31 === 0) {
        await rejects(readWhole({ weights: stream(weights.subarray(0, length)), config }), 'truncated');
      }
    }
    await readWhole({ weights, config });
  });

  test('changed bytes of the header', async () => {
    const { weights, config, headerBytes } = tinySafetensors();
    const next = randomFrom(3);
    let good = 0;
    for (let i = 0; i < 3000; i++) {
      const mutant = weights.slice();
      mutant[Math.floor(next() * headerBytes)] = next() < 0.5 ? next() * 256 : 48 + next() * 10;
      if (await survives({ weights: mutant, config })) good++;
    }
    assert.ok(good > 10 && good < 2900, `${good} of 3000 mutants still opened`);
  });

  /** @param {number} offset */
  const later = (offset) => offset + 64;

  /** @type {[string, (header: any) => any, string, RegExp][]} */
  const cases = [
    ['overlapping', (h) => { h['lm_head.weight'].data_offsets = h['model.embed_tokens.weight'].data_offsets; },
      'bad-file', /overlaps/],
    ['a gap', (h) => { for (const tensor of Object.values(h)) tensor.data_offsets = tensor.data_offsets.map(later); },
      'bad-file', /gap/],
    ['offsets that go backwards', (h) => { h['model.norm.weight'].data_offsets.reverse(); }, 'bad-file', /bytes for/],
    ['offsets past a double', (h) => { h['model.norm.weight'].data_offsets = [2 ** 60, 2 ** 60 + 128]; },
      'bad-file', /place/],
    ['negative offsets', (h) => { h['model.norm.weight'].data_offsets = [-128, 0]; }, 'bad-file', /place/],
    ['a shape of another size', (h) => { h['model.norm.weight'].shape = [33]; }, 'bad-file', /132/],
    ['a shape that overflows', (h) => { h['model.norm.weight'].shape = [2 ** 40, 2 ** 40]; }, 'bad-file', /takes/],
    ['a negative shape', (h) => { h['model.norm.weight'].shape = [-32]; }, 'bad-file', /shape/],
    ['a string instead of a shape', (h) => { h['model.norm.weight'].shape = '32'; }, 'bad-file', /shape/],
    ['an unknown type', (h) => { h['model.norm.weight'].dtype = 'F33'; }, 'bad-file', /F33/],
    ['an unsupported type', (h) => { Object.assign(h['model.norm.weight'], { dtype: 'F64', shape: [16] }); },
      'unsupported', /F64/],
    ['a tensor that is null', (h) => { h['model.norm.weight'] = null; }, 'bad-file', /model\.norm\.weight/],
    ['a tensor of another model', (h) => { h['h.0.x'] = h['model.norm.weight']; delete h['model.norm.weight']; },
      'bad-tensor', /h\.0\.x/],
    ['no head', (h) => { h['a.rotary_emb.inv_freq'] = h['lm_head.weight']; delete h['lm_head.weight']; },
      'bad-tensor', /tie_word/],
  ];
  for (const [what, change, code, says] of cases) {
    test(what, async () => {
      const { weights, config } = tinySafetensors({ header: change });
      await rejects(openModelFile({ weights, config }), code, says);
    });
  }

  test('headers that are not a JSON object or have an implausible length', async () => {
    const { config } = tinySafetensors();
    /** @param {bigint} length @param {string} text */
    const file = (length, text) => Buffer.concat([Buffer.from(new BigUint64Array([length]).buffer), Buffer.from(text)]);
    await rejects(openModelFile({ weights: file(4n, '{"a"'), config }), 'bad-file', /JSON/);
    await rejects(openModelFile({ weights: file(2n, '{]'), config }), 'bad-file', /JSON/);
    for (const length of [2n ** 64n - 1n, 2n ** 53n, 1n << 30n]) {
      await rejects(openModelFile({ weights: file(length, '{"a":1}'), config }), 'bad-file');
    }
    await rejects(openModelFile({ weights: file(2n, '[]'), config }), 'bad-file');
  });

  test('bytes after the last tensor', async () => {
    const { weights, config } = tinySafetensors();
    const longer = new Uint8Array([...weights, 0]);
    await rejects(openModelFile({ weights: longer, config }), 'bad-file', /1 bytes after/);
  });
});

describe('sets of weights', () => {
  /** @typedef {import('../../js/files/gguf/writer.js').Tensor} Tensor */
  /** @param {(tensors: Tensor[]) => Tensor[]} tensors @param {'f32' | 'f16' | 'bf16' | 'q8_0' | 'q4_0'} [type] */
  const loaded = async (tensors, type) => load(await tinyGguf({ tensors, ...(type && { type }) }));
  /** @param {string} name @param {Partial<Tensor>} change @returns {(tensors: Tensor[]) => Tensor[]} */
  const changing = (name, change) => (all) =>
    all.map((tensor) => (tensor.name === name ? { ...tensor, ...change } : tensor));
  const up = 'blk.0.ffn_up.weight';

  test('a complete model loads', async () => {
    const model = await loaded((all) => all);
    assert.ok((await model.forward([1, 5, 6])).every(Number.isFinite));
    model.dispose();
  });

  test('missing and unknown tensors, blocks beyond the last, and wrong shapes', async () => {
    await rejects(loaded((all) => all.filter(({ name }) => name !== up)), 'bad-tensor', /lacks.*ffn_up/);
    await rejects(loaded((all) => [...all, { ...all[2], name: 'blk.0.mystery.weight' }]),
      'bad-tensor', /mystery/);
    await rejects(loaded((all) => [...all, { ...all[2], name: 'blk.1.attn_q.weight' }]),
      'bad-tensor', /‘blk\.1\.attn_q\.weight’: .*blocks 0 to 0/);
    const narrow = { shape: [32, 32], data: new Uint8Array(32 * 34) };
    await rejects(loaded(changing(up, narrow)), 'bad-tensor', /\[32\]\[32\].*\[64\]\[32\]/);
  });

  for (const [type, bytes] of /** @type {const} */ ([
    ['q8_0', [0x00, 0x7e]], ['q4_0', [0x00, 0xfc]], ['f16', [0x00, 0x7e]], ['bf16', [0xc0, 0x7f]],
    ['f32', [0, 0, 0x80, 0x7f]],
  ])) {
    test(`a number or scale that is NaN: ${type}`, async () => {
      const damaged = (/** @type {Tensor[]} */ all) => all.map((tensor) => {
        if (tensor.name !== up) return tensor;
        const data = Uint8Array.from(/** @type {Uint8Array} */ (tensor.data));
        data.set(bytes, data.length - (type === 'q8_0' ? 34 : type === 'q4_0' ? 18 : bytes.length));
        return { ...tensor, data };
      });
      await rejects(loaded(damaged, type), 'bad-tensor', /ffn_up.*NaN/i);
    });
  }

  test('a connection that ends in the middle of a tensor', async () => {
    await rejects(load(stream(MODEL.subarray(0, FILE_BYTES - 100))), 'truncated', /output_norm/);
  });
});

describe('counts of a short file that size lists', () => {
  /** @param {Record<string, import('../../js/files/gguf/writer.js').Metadata[string]>} settings
   *  @param {[name: string, shape: number[]][]} tensors */
  const llama = (settings, tensors) => writeGguf({
    metadata: { 'general.architecture': string('llama'), ...settings },
    tensors: tensors.map(([name, shape]) =>
      ({ name, type: 'f32', shape, data: new Float32Array(shape.reduce((product, n) => product * n)) })),
  });
  /** A config.json alone, with weights that are not of it. @param {object} config */
  const ofConfig = (config) => openModelFile({ weights: tinySafetensors().weights, config });
  const SIZES = { hidden_size: 32, num_attention_heads: 4, intermediate_size: 48, vocab_size: 12 };

  test('experts of a block', async () => {
    const count = 3_000_000;
    const whole = await llama({ 'llama.expert_count': uint32(count) }, [['blk.0.ffn_up_exps.weight', [count, 1, 1]]]);
    const header = Buffer.from(whole.subarray(0, whole.length - 4 * count)).toString('base64');
    const program = `const { openModelFile } = await import(${JSON.stringify(import.meta.resolve(
      '../../js/files/model-file.js'))});
      const bytes = new Uint8Array(Buffer.from('${header}', 'base64'));
      const source = { name: 'x', kind: 'bytes', address: null, size: null, async *stream() { yield bytes; } };
      console.log((await openModelFile(source).catch((error) => error)).code);`;
    const { stdout } = await promisify(execFile)(process.execPath,
      ['--max-old-space-size=64', '--input-type=module', '--eval', program]);
    assert.equal(stdout.trim(), 'bad-tensor');
  });

  test('experts of all blocks: by the settings, and by the tensors', async () => {
    const settings = { block_count: uint32(65), context_length: uint32(8), embedding_length: uint32(8),
      feed_forward_length: uint32(8), 'attention.head_count': uint32(1), expert_count: uint32(512),
      expert_used_count: uint32(1), 'attention.layer_norm_rms_epsilon': float32(1e-5) };
    const named = Object.fromEntries(Object.entries(settings).map(([key, value]) => [`llama.${key}`, value]));
    const many = /33280 experts in all blocks/;
    await rejects(openModelFile(await llama(named, [['token_embd.weight', [4, 8]]])), 'too-large', many);
    const stacks = Array.from({ length: 195 }, (_, i) => /** @type {[string, number[]]} */ (
      [`blk.${i}.ffn_up_exps.weight`, [512, 1, 1]]));
    await rejects(openModelFile(await llama({ 'llama.expert_count': uint32(512) }, stacks)), 'too-large', many);
    await rejects(ofConfig({ ...SIZES, model_type: 'qwen3_moe', num_hidden_layers: 65, num_experts: 512,
      num_key_value_heads: 4 }), 'too-large', many);
  });

  test('computed positions of Marian', async () => {
    const model = (/** @type {number} */ positions) =>
      openModelFile(tinyEncoderDecoder('marian', { config: { max_position_embeddings: positions } }));
    await (await model(1 << 17)).close();
    await rejects(model((1 << 17) + 1), 'too-large', /131073 computed positions of 32 numbers/);
  });

  test('offsets of T5: one bucket of each distance, not of each head and distance', () => {
    const entry = { name: 'attn_rel_b.weight', dtype: 0, shape: [32, 1024], bytes: 4 * 32 * 1024 };
    const { change } = spread(entry, /** @type {any} */ ({ heads: 1024, relative_reach: 100 }), 32);
    const { log } = Math;
    let calls = 0;
    Math.log = (x) => (calls++, log(x));
    try {
      change?.(new Uint8Array(entry.bytes));
    } finally {
      Math.log = log;
    }
    assert.ok(calls > 0 && calls <= 202, `${calls} logarithms`);
  });

  test('layers of SmolLM3 and GPT-Neo', async () => {
    await rejects(ofConfig({ ...SIZES, model_type: 'smollm3', num_hidden_layers: 2 ** 32 }), 'bad-config', /layers/);
    const neo = { ...SIZES, model_type: 'gpt_neo', num_heads: 4, num_layers: 2 };
    for (const attention_types of [[[['global'], 1000], [['local'], 1000]], [[['global', 'local'], 1000]]]) {
      await rejects(ofConfig({ ...neo, attention_types }), 'unsupported', /2000 layers/);
    }
    await rejects(ofConfig({ ...neo, attention_types: [1] }), 'unsupported', /attention_types/);
  });
});
