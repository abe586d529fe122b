// Tokenizers of GGUF and tokenizer.json files: byte-level BPE, SentencePiece and Unigram, against other
// implementations.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { openSource } from '../../js/files/source.js';
import { readHeader } from '../../js/files/gguf/header.js';
import { StreamReader } from '../../js/files/stream.js';
import { tokenizerFromGguf, tokenizerFromJson } from '../../js/text/tokenizer.js';
import { Utf8Stream } from '../../js/text/utf8.js';
import { rejects } from '../support/expect.js';
import { randomFrom } from '../support/numbers.js';

const DATA = new URL('../../../shared/data/', import.meta.url);
const skip = !existsSync(DATA) && '../shared/data is not there';

/** @typedef {import('../../js/files/gguf/header.js').Metadata} Metadata */
/** @typedef {import('../../js/text/tokenizer/strings.js').Strings} Strings */
/** @typedef {NonNullable<ReturnType<typeof tokenizerFromGguf>>} Tokenizer */

/** @param {Record<string, any>} fields without ‘tokenizer.ggml.’ @returns {Tokenizer} */
function fromFields(fields) {
  const metadata = Object.fromEntries(Object.entries(fields).map(([key, value]) => [`tokenizer.ggml.${key}`, value]));
  const tokenizer = tokenizerFromGguf(metadata, 'test');
  assert.ok(tokenizer);
  return tokenizer;
}

/** Metadata of a GGUF file in ../shared/data. @param {string} name @returns {Promise<Metadata>} */
async function metadataOf(name) {
  const source = openSource(new URL(name, DATA));
  const reader = new StreamReader(source.stream());
  const { metadata } = await readHeader(reader, name);
  await reader.close();
  return metadata;
}

/** @param {string} name */
const textOf = (name) => readFileSync(new URL(name, DATA), 'utf8');

/** The visible characters that stand for bytes, in order: Radford et al. 2019. */
const ALPHABET = (() => {
  const printable = [...Array(256).keys()].filter((b) => (b > 32 && b < 127) || (b > 160 && b !== 173));
  let next = 256;
  return Array.from({ length: 256 }, (_, b) => String.fromCodePoint(printable.includes(b) ? b : next++));
})();

/** A byte-level vocabulary: all bytes, then the merged tokens.
 *  @param {string[]} merges @param {Record<string, any>} [more] */
function byteLevel(merges, more = {}) {
  const tokens = [...ALPHABET, ...merges.map((merge) => merge.replace(' ', ''))];
  return fromFields({ model: 'gpt2', pre: 'gpt-2', tokens, merges, token_type: tokens.map(() => 1), ...more });
}

/** Tokens of a text in the vocabulary's notation, joined by |. @param {Tokenizer} tokenizer @param {string} text */
function split(tokenizer, text) {
  return Array.from(tokenizer.encode(text, { special: false }), (id) => tokenizer.token(id)).join('|');
}

const TRICKY = [
  '', ' ', '  x ', 'Hello, world!', 'Zürich\n\n\tnaïve', '日本語のテキスト', '🤚🏽👨‍👩‍👧', 'a\u0301', 'I’m',
  "we'll  DON'T", '1234567', '\u0000\u0001', '\ufeffx', '\u00a0\u2003\u0085x', '<|endoftext|>', '▁a▁', '<0x41>',
];

describe('byte-level BPE', () => {
  test('every vector of ggml-vocab-gpt-2', { skip }, async () => {
    const tokenizer = tokenizerFromGguf(await metadataOf('ggml-vocab-gpt-2.gguf'), 'gpt-2');
    assert.ok(tokenizer);
    const inputs = textOf('ggml-vocab-gpt-2.gguf.inp').split('\n__ggml_vocab_test__\n');
    const outputs = textOf('ggml-vocab-gpt-2.gguf.out').split('\n').slice(0, inputs.length);
    assert.ok(inputs.length > 40);
    inputs.forEach((text, i) => {
      const ids = tokenizer.encode(text, { special: false });
      assert.equal(ids.join(' '), outputs[i].trim(), JSON.stringify(text));
      assert.equal(tokenizer.decode(ids), text);
    });
  });

  test('every byte has a token, and decoding restores any text', () => {
    const tokenizer = byteLevel(['h e', 'Ġ t', 'Ġt he', 'ã ģ']);
    for (let byte = 0; byte < 256; byte++) assert.deepEqual([...tokenizer.bytes(byte)], [byte]);
    assert.equal(Buffer.from(tokenizer.bytes(258)).toString(), ' the');
    assert.deepEqual([...tokenizer.bytes(259)], [0xe3, 0x81]);
    for (const text of TRICKY) assert.equal(tokenizer.decode(tokenizer.encode(text)), text, JSON.stringify(text));
  });

  test('merges follow the list from the left, as in the plain algorithm', () => {
    const next = randomFrom(11);
    for (let round = 0; round < 60; round++) {
      const merges = randomMerges(next);
      const tokenizer = byteLevel(merges);
      for (let i = 0; i < 20; i++) {
        const word = randomText('abc', next() * 30, next);
        assert.equal(split(tokenizer, word), plainBpe(word, merges).join('|'), `${word} with ${merges}`);
      }
    }
  });

  test('text survives merges outside of the vocabulary', () => {
    const tokens = [...ALPHABET, 'abc'];
    const tokenizer = fromFields({ model: 'gpt2', tokens, merges: ['a b', 'ab c', 'x y'], pre: 'gpt-2' });
    assert.equal(split(tokenizer, 'abcab'), 'abc|a|b');
    assert.equal(split(tokenizer, 'xyz'), 'x|y|z');
  });

  test('pre-tokenizers split words as in their models', () => {
    const merges = ['1 2', '12 3', '123 4', "' S", 'Ġ Ġ', 'x y', '- xy', '! Ċ', 'Ċ Ċ', 'Ġ !'];
    /** @type {Record<string, string[]>} what 1234, 'S, -xy, !\n, three spaces and a word become */
    const expected = {
      'gpt-2': ['1234', "'|S", '-|xy', '!|Ċ', 'ĠĠ|Ġ|a', 'Ċ|Ċ|a'],
      'smollm': ['1|2|3|4', "'|S", '-|xy', '!|Ċ', 'ĠĠ|Ġ|a', 'Ċ|Ċ|a'],
      'llama-bpe': ['123|4', "'S", '-xy', '!Ċ', 'ĠĠ|Ġ|a', 'ĊĊ|a'],
      'qwen2': ['1|2|3|4', "'S", '-xy', '!Ċ', 'ĠĠ|Ġ|a', 'ĊĊ|a'],
      'tekken': ['1|2|3|4', "'S", '-xy', '!Ċ', 'ĠĠ|Ġ|a', 'ĊĊ|a'],
      'gpt-4o': ['123|4', "'S", '-xy', '!Ċ', 'ĠĠ|Ġ|a', 'ĊĊ|a'],
      'falcon': ['123|4', "'|S", '-|xy', '!|Ċ', 'ĠĠ|Ġ|a', 'Ċ|Ċ|a'],
      'bloom': ['1234', "'S", '-xy', '!Ċ', 'ĠĠ|Ġ|a', 'ĊĊ|a'],
      'viking': ['1|2|3|4', "'S", '-xy', '!Ċ', 'ĠĠ|Ġ|a', 'ĊĊ|a'],
      'deepseek-coder': ['1|2|3|4', "'|S", '-|xy', '!|Ċ', 'ĠĠ|Ġ|a', 'Ċ|Ċ|a'],
      'deepseek-v3': ['123|4', "'S", '-xy', '!Ċ', 'ĠĠ|Ġ|a', 'ĊĊ|a'],
      'default': ['123|4', "'|S", '-|xy', '!|Ċ', 'ĠĠ|Ġ|a', 'Ċ|Ċ|a'],
    };
    for (const [pre, words] of Object.entries(expected)) {
      const tokenizer = byteLevel(merges, { pre });
      const texts = ['1234', "'S", '-xy', '!\n', '   a', '\n\na'];
      assert.deepEqual(texts.map((text) => split(tokenizer, text)), words, pre);
    }
  });

  test('without a pre-tokenizer the default applies; ignore_merges takes a complete word', () => {
    const whole = { tokens: [...ALPHABET, 'xyz'], merges: [], token_type: undefined };
    assert.equal(split(byteLevel([], { ...whole, pre: undefined }), 'xyz'), 'x|y|z');
    assert.equal(split(byteLevel([], { ...whole, pre: 'llama-bpe', add_bos_token: false }), 'xyz'), 'xyz');
  });

  test('control and user tokens', () => {
    const tokens = [...ALPHABET, '<|start|>', '<|im_end|>', '<tool>', '<|pad|>'];
    const token_type = tokens.map((_, i) => (i < 256 ? 1 : [3, 3, 4, 5][i - 256]));
    const ends = { bos_token_id: 256, eos_token_id: 256, add_bos_token: true };
    const tokenizer = byteLevel([], { tokens, token_type, ...ends });
    assert.deepEqual([...tokenizer.encode('a<|im_end|><tool>')], [256, 97, 257, 258]);
    assert.equal(split(tokenizer, 'a<|im_end|>'), 'a|<|||i|m|_|e|n|d|||>', 'control tokens are plain text here');
    assert.equal(split(tokenizer, 'a<tool>'), 'a|<tool>', 'added tokens are matched');
    assert.deepEqual([tokenizer.bos, tokenizer.eos], [256, [256, 257]], 'an end of turn ends the text');
    assert.deepEqual([...tokenizer.bytes(256)], []);
    assert.deepEqual([...tokenizer.bytes(259)], [], 'an unused token has no text');
    assert.equal(Buffer.from(tokenizer.bytes(258)).toString(), '<tool>');
    assert.equal(tokenizer.decode([256, 97, 257]), 'a');
    assert.equal(tokenizer.token(257), '<|im_end|>');
    const ended = byteLevel([], { tokens, token_type, eos_token_id: 257, add_eos_token: true });
    assert.deepEqual([...ended.encode('a')], [97, 257]);
  });
});

describe('SentencePiece', () => {
  test('empty tokens have no bytes', () => {
    const tokenizer = fromFields({ model: 'llama', tokens: ['<unk>', '<s>', '</s>', '', 'a', '▁', ''] });
    assert.equal(split(tokenizer, 'a'), '▁|a');
    assert.deepEqual([...tokenizer.bytes(3)], []);
  });

  test('stories260K: the same ids as llama2.c', { skip }, () => {
    const { tokens, scores } = readLlama2c(readFileSync(new URL('tok512.bin', DATA)));
    const pieces = tokens.map((token, id) => ['<unk>', '<s>', '</s>'][id] ?? token.replaceAll(' ', '▁'));
    const token_type = pieces.map((_, id) => (id === 0 ? 2 : id < 3 ? 3 : id < 259 ? 6 : 1));
    const tokenizer = fromFields({ model: 'llama', tokens: pieces, scores, token_type });
    const texts = [...TRICKY, ...textOf('tinyshakespeare.txt').slice(0, 30_000).split('\n')];
    for (const text of texts) {
      if (text.includes('▁')) continue; // a space in heed, an ordinary character in llama2.c
      const ids = tokenizer.encode(text);
      assert.deepEqual([...ids], llama2cEncode(text, tokens, scores), JSON.stringify(text));
      assert.equal(tokenizer.decode(ids), text, JSON.stringify(text));
    }
  });

  test('the best score merges first, and the leftmost of equal scores', () => {
    const next = randomFrom(21);
    for (let round = 0; round < 100; round++) {
      const pieces = new Set(['a', 'b', 'c', '▁']);
      while (pieces.size < 20) pieces.add(randomText('abc▁', 2 + next() * 4, next));
      const tokens = ['<unk>', '<s>', '</s>', ...pieces];
      const scores = tokens.map(() => -Math.floor(next() * 6));
      const token_type = tokens.map((_, i) => (i < 3 ? 3 : 1));
      const tokenizer = fromFields({ model: 'llama', tokens, scores, token_type });
      for (let i = 0; i < 20; i++) {
        const text = randomText('abc ', next() * 25, next);
        const expected = text === '' ? [] : mergeByScore([...` ${text}`.replaceAll(' ', '▁')], tokens, scores);
        assert.equal(split(tokenizer, text), expected.join('|'), text);
      }
    }
  });

  test('spaces, bytes and unknown characters', () => {
    const bytes = Array.from({ length: 256 }, (_, b) => `<0x${b.toString(16).toUpperCase().padStart(2, '0')}>`);
    const tokens = ['<unk>', '<s>', '</s>', ...bytes, '▁', 'a', '▁a'];
    const token_type = tokens.map((_, i) => (i === 0 ? 2 : i < 3 ? 3 : i < 259 ? 6 : 1));
    const tokenizer = fromFields({ model: 'llama', tokens, token_type });
    assert.deepEqual([...tokenizer.encode('a')], [1, 261], 'a start token and a space come first');
    assert.equal(split(tokenizer, ' a'), '▁|▁a');
    assert.equal(split(tokenizer, 'é'), '▁|<0xC3>|<0xA9>');
    assert.equal(Buffer.from(tokenizer.bytes(261)).toString(), ' a');
    assert.deepEqual([...tokenizer.bytes(3 + 0xc3)], [0xc3]);
    for (const text of TRICKY.filter((text) => !/▁|<0x/.test(text))) {
      assert.equal(tokenizer.decode(tokenizer.encode(text)), text);
    }
    assert.equal(split(tokenizer, 'a<s>a'), '▁a|<0x3C>|<0x73>|<0x3E>|a');
    assert.deepEqual([...tokenizer.encode('a<s>a')], [1, 261, 1, 261], 'a space comes after a control token, too');
    const bare = fromFields({ model: 'llama', tokens, token_type, add_space_prefix: false, add_bos_token: false });
    assert.deepEqual([...bare.encode('a a')], [260, 261]);
    assert.equal(bare.decode([261]), ' a');
    const noBytes = fromFields({ model: 'llama', tokens: ['<unk>', '<s>', '</s>', 'a'], token_type: [2, 3, 3, 1] });
    assert.deepEqual([...noBytes.encode('é', { special: false })], [0, 0]);
  });
});

describe('WordPiece', () => {
  const pieces = ['[UNK]', '[CLS]', '[SEP]', 'a', 'b', 'ab', '##a', '##b', '##ba', '##c', 'hello', '##s', '!', ','];
  const json = {
    model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])) },
    added_tokens: [0, 1, 2].map((id) => ({ id, content: pieces[id], special: true })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'TemplateProcessing', single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '[SEP]', type_id: 0 } }],
    special_tokens: { '[CLS]': { ids: [1], tokens: ['[CLS]'] }, '[SEP]': { ids: [2], tokens: ['[SEP]'] } } },
  };

  /** The longest piece first, or the unknown token for a word without pieces. @param {string} word */
  function longestFirst(word) {
    const found = [];
    for (let at = 0; at < word.length;) {
      let end = word.length;
      while (end > at && !pieces.includes((at ? '##' : '') + word.slice(at, end))) end--;
      if (end === at) return ['[UNK]'];
      found.push((at ? '##' : '') + word.slice(at, end));
      at = end;
    }
    return found;
  }

  test('words, punctuation, unknown words, marks around the text, decoding', () => {
    const tokenizer = tokenizerFromJson(json, {}, 'tokenizer.json');
    assert.deepEqual([...tokenizer.encode('Hellos, a!')], [1, 10, 11, 13, 3, 12, 2]);
    assert.equal(tokenizer.decode(tokenizer.encode('hellos aba')), 'hellos aba');
    assert.equal(split(tokenizer, 'xyz [CLS]'), '[UNK]|[UNK]|[UNK]|[UNK]', 'the name of a control token is text');
    const next = randomFrom(31);
    for (let round = 0; round < 300; round++) {
      const word = `a${randomText('abc', next() * 12, next)}`;
      assert.equal(split(tokenizer, word), longestFirst(word).join('|'), word);
    }
  });

  test('inconsistent vocabularies', async () => {
    for (const [change, says] of /** @type {[any, RegExp][]} */ ([
      [{ vocab: { a: 0, b: 0 } }, /distinct/], [{ vocab: { a: 0 } }, /unknown text/], [{ vocab: null }, /distinct/],
      [{ max_input_chars_per_word: 1e9 }, /characters/],
    ])) {
      const changed = { ...json, model: { ...json.model, ...change } };
      await rejects(() => tokenizerFromJson(changed, {}, 'tokenizer.json'), 'bad-tokenizer', says);
    }
  });
});

describe('tokenizer.json', () => {
  test('the same ids as the same vocabulary in GGUF', { skip }, async () => {
    const metadata = await metadataOf('ggml-vocab-gpt-2.gguf');
    const tokens = [.../** @type {Strings} */ (metadata['tokenizer.ggml.tokens'])];
    const merges = [.../** @type {Strings} */ (metadata['tokenizer.ggml.merges'])];
    const json = {
      added_tokens: [{ id: 50256, content: '<|endoftext|>', special: true, normalized: true, lstrip: false }],
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
      post_processor: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: false },
      decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true },
      model: { vocab: Object.fromEntries(tokens.map((token, id) => [token, id])), merges },
    };
    const tokenizer = tokenizerFromJson(json, { bos_token_id: 50256, eos_token_id: 50256 }, 'tokenizer.json');
    const other = tokenizerFromGguf(metadata, 'gguf');
    assert.equal(tokenizer.size, 50257);
    assert.deepEqual([tokenizer.bos, tokenizer.eos], [50256, [50256]]);
    for (const text of [...textOf('ggml-vocab-gpt-2.gguf.inp').split('\n__ggml_vocab_test__\n'), ...TRICKY]) {
      assert.deepEqual(tokenizer.encode(text), other?.encode(text), JSON.stringify(text));
      assert.equal(tokenizer.decode(tokenizer.encode(text, { special: false })), text);
    }
    for (let id = 0; id < tokenizer.size; id += 7) assert.deepEqual(tokenizer.bytes(id), other?.bytes(id));
  });

  /** A tokenizer.json in the form of Llama 2. */
  const LLAMA = {
    added_tokens: [
      { id: 0, content: '<unk>', special: true },
      { id: 1, content: '<s>', special: true },
      { id: 2, content: '<tool>', special: false, normalized: false },
    ],
    normalizer: {
      type: 'Sequence',
      normalizers: [{ type: 'Prepend', prepend: '▁' }, { type: 'Replace', pattern: { String: ' ' }, content: '▁' }],
    },
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
    },
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        { type: 'Strip', content: ' ', start: 1, stop: 0 },
      ],
    },
    model: {
      type: 'BPE', byte_fallback: true, unk_token: '<unk>', merges: [['▁', 'a'], ['▁a', 'b']],
      vocab: { '<unk>': 0, '<s>': 1, '<tool>': 2, '▁': 3, 'a': 4, 'b': 5, '▁a': 6, '▁ab': 7, '<0xC3>': 8, '<0xA9>': 9 },
    },
  };

  test('SentencePiece with merges, byte fallback and a template', () => {
    const tokenizer = tokenizerFromJson(LLAMA, { bos_token_id: 1, eos_token_id: [0, 1] }, 'tokenizer.json');
    assert.deepEqual([...tokenizer.encode('ab é')], [1, 7, 3, 8, 9]);
    assert.deepEqual([...tokenizer.encode('ab é', { special: false })], [7, 3, 8, 9]);
    assert.deepEqual([...tokenizer.encode('<s>a')], [1, 1, 6]);
    assert.equal(split(tokenizer, '<tool>a'), '<tool>|▁a');
    assert.equal(tokenizer.decode([1, 7, 3, 8, 9]), 'ab é');
    assert.equal(Buffer.from(tokenizer.bytes(6)).toString(), ' a');
    assert.deepEqual([...tokenizer.bytes(8)], [0xc3]);
    assert.deepEqual([...tokenizer.bytes(1)], []);
    assert.equal(Buffer.from(tokenizer.bytes(2)).toString(), '<tool>');
    assert.deepEqual(tokenizer.eos, [0, 1]);
  });

  test('merges of tokens with spaces keep their two parts apart', () => {
    const vocab = { '<unk>': 0, 'a': 1, ' ': 2, 'b': 3, ' b': 4, 'a ': 5, 'a b': 6 };
    const merges = [[' ', 'b'], ['a', ' '], ['a ', 'b']]; // not ‘a’ and ‘ b’
    const tokenizer = tokenizerFromJson({ ...LLAMA, normalizer: null, added_tokens: [],
      model: { type: 'BPE', unk_token: '<unk>', vocab, merges } }, {}, 'tokenizer.json');
    assert.equal(split(tokenizer, 'a b'), 'a| b');
  });

  test('added tokens are decoded like pieces, as in the tokenizers library; not in an alphabet of bytes', () => {
    const spaces = { id: 10, content: '▁▁', special: false, normalized: false };
    const added = { ...LLAMA, normalizer: LLAMA.normalizer.normalizers[1], post_processor: null,
      added_tokens: [...LLAMA.added_tokens, spaces] };
    const tokenizer = tokenizerFromJson(added, {}, 'tokenizer.json');
    assert.deepEqual([...tokenizer.encode('a▁▁b')], [4, 10, 5]);
    assert.equal(tokenizer.decode([4, 10, 5]), 'a  b');
    const bytes = { added_tokens: [{ id: 256, content: 'Ġé', special: false }], pre_tokenizer: { type: 'ByteLevel' },
      model: { vocab: Object.fromEntries(ALPHABET.map((token, id) => [token, id])), merges: [] } };
    assert.equal(tokenizerFromJson(bytes, {}, 'tokenizer.json').decode([97, 256]), 'aĠé');
  });

  /** @type {[string, any, string, RegExp][]} */
  const cases = [
    ['nothing', null, 'bad-tokenizer', /model/],
    ['a list', [], 'bad-tokenizer', /model/],
    ['WordLevel', { ...LLAMA, model: { type: 'WordLevel', vocab: {} } }, 'unsupported', /WordLevel/],
    ['no vocabulary', { ...LLAMA, model: { type: 'BPE', merges: [] } }, 'bad-tokenizer', /vocabulary/],
    ['an id twice', { ...LLAMA, model: { ...LLAMA.model, vocab: { a: 1, b: 1 } } }, 'bad-tokenizer', /ids/],
    ['a negative id', { ...LLAMA, model: { ...LLAMA.model, vocab: { a: -1 } } }, 'bad-tokenizer', /ids/],
    ['an id of 2^40', { ...LLAMA, model: { ...LLAMA.model, vocab: { a: 2 ** 40 } } }, 'bad-tokenizer', /ids/],
    ['unknown merges', { ...LLAMA, model: { ...LLAMA.model, merges: ['x y'] } }, 'bad-tokenizer', /‘x y’/],
    ['merges that are numbers', { ...LLAMA, model: { ...LLAMA.model, merges: [1, 2] } }, 'bad-tokenizer', /merge/],
    ['merges as text', { ...LLAMA, model: { ...LLAMA.model, merges: 'a b' } }, 'bad-tokenizer', /merges/],
    ['added tokens without ids', { ...LLAMA, added_tokens: [{ content: 'x' }] }, 'bad-tokenizer', /added_tokens/],
    ['an added token with id 2^40', { ...LLAMA, added_tokens: [{ content: 'x', id: 2 ** 40 }] },
      'bad-tokenizer', /added_tokens/],
    ['an unknown normalizer', { ...LLAMA, normalizer: { type: 'Mine' } }, 'bad-tokenizer', /Mine/],
    ['an invalid regular expression', { ...LLAMA, pre_tokenizer: { type: 'Split', pattern: { Regex: '(' } } },
      'bad-tokenizer', /expression/],
    ['an unknown encoding of bytes', { ...LLAMA, decoder: { type: 'CTC' } }, 'unsupported', /byte-level/],
  ];
  for (const [what, json, code, says] of cases) {
    test(what, () => rejects(() => tokenizerFromJson(json, {}, 'tokenizer.json'), code, says));
  }

  /** @param {string} Regex */
  function splitBy(Regex) {
    return { ...LLAMA, normalizer: null, pre_tokenizer: { type: 'Split', pattern: { Regex }, behavior: 'Isolated' } };
  }

  test('the regular expressions of real models are accepted', () => {
    const letters = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`;
    for (const pattern of [
      String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+(?!\S)`,
      String.raw`${letters}(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+`,
      String.raw`[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_\`{|}~][A-Za-z]+|[^\r\n\p{L}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+`,
      String.raw` ?[^(\s|[.,!?…。，、।۔،])]+`,
    ]) {
      tokenizerFromJson(splitBy(pattern), {}, 'tokenizer.json');
    }
  });

  test('steps that lengthen the text are refused', async () => {
    const replace = { type: 'Replace', pattern: { String: 'a' }, content: 'a'.repeat(1000) };
    await rejects(() => tokenizerFromJson({ ...LLAMA, normalizer: replace }, {}, 't'), 'bad-tokenizer', /more than 4/);
    const many = { type: 'Sequence', normalizers: new Array(99).fill({ ...replace, content: 'aa' }) };
    await rejects(() => tokenizerFromJson({ ...LLAMA, normalizer: many }, {}, 't'), 'bad-tokenizer', /99 steps/);
    const nested = { type: 'Sequence', normalizers: [many] };
    await rejects(() => tokenizerFromJson({ ...LLAMA, normalizer: nested }, {}, 't'), 'bad-tokenizer', /sequence/);
    const empty = { ...replace, pattern: { String: '' }, content: 'a' };
    await rejects(() => tokenizerFromJson({ ...LLAMA, normalizer: empty }, {}, 't'), 'bad-tokenizer', /no pattern/);
  });

  test('a template with an unknown token is refused', async () => {
    const template = { type: 'TemplateProcessing', single: [{ SpecialToken: { id: '<nobody>', type_id: 0 } }] };
    const broken = { ...LLAMA, post_processor: { ...template, single: [null] } };
    await rejects(() => tokenizerFromJson(broken, {}, 't'), 'bad-tokenizer', /cannot be used/);
    const strange = { ...LLAMA, model: { ...LLAMA.model, unk_token: undefined }, post_processor: template };
    await rejects(() => tokenizerFromJson(strange, {}, 't'), 'bad-tokenizer', /not in its vocabulary/);
  });
});

describe('any text', () => {
  const tokenizer = byteLevel(['a a', 'aa aa', 'Ġ a']);

  test('half a surrogate pair becomes a replacement character', () => {
    for (const text of ['\ud83d', 'x\udc00y', '\udc00\ud83d']) {
      assert.equal(tokenizer.decode(tokenizer.encode(text)), text.replace(/[\ud800-\udfff]/g, '\ufffd'));
    }
    assert.equal(tokenizer.decode(tokenizer.encode('😀')), '😀');
  });

  test('long words and long texts', () => {
    for (const part of ['a', ' ', 'ab ', '\n', 'é']) {
      const text = part.repeat(100_000 / part.length);
      assert.equal(tokenizer.decode(tokenizer.encode(text)), text, JSON.stringify(part));
    }
  });

  test('values that are not text, and texts that are too long, are refused', async () => {
    await rejects(() => tokenizer.encode(/** @type {any} */ (5)), 'bad-argument', /number/);
    await rejects(() => tokenizer.encode('x'.repeat((1 << 21) + 1)), 'too-large', /2097153/);
  });

  test('ids that do not exist', async () => {
    for (const id of [-1, tokenizer.size, 1.5, NaN, 2 ** 40]) {
      await rejects(() => tokenizer.bytes(id), 'bad-argument');
      await rejects(() => tokenizer.token(id), 'bad-argument');
      await rejects(() => tokenizer.decode([id]), 'bad-argument');
    }
  });
});

describe('Utf8Stream', () => {
  test('returns only complete characters, for every split of the bytes', () => {
    const text = 'aé日😀\ufeffz👨‍👩‍👧';
    const bytes = new TextEncoder().encode(text);
    const next = randomFrom(31);
    for (let round = 0; round < 200; round++) {
      const stream = new Utf8Stream();
      let seen = '';
      for (let at = 0; at < bytes.length; ) {
        const n = Math.floor(next() * 4);
        const piece = stream.push(bytes.subarray(at, at + n));
        assert.ok(piece.isWellFormed?.() ?? true);
        assert.ok(!piece.includes('\ufffd'));
        seen += piece;
        at += n;
        assert.ok(text.startsWith(seen));
      }
      assert.equal(seen + stream.end(), text);
    }
  });

  test('half a character returns nothing until the rest arrives', () => {
    const stream = new Utf8Stream();
    const [a, b, c, d] = new TextEncoder().encode('😀');
    const pieces = [[a, b], [c], [d]].map((bytes) => stream.push(Uint8Array.from(bytes)));
    assert.deepEqual(pieces, ['', '', '😀']);
  });

  test('invalid bytes are replaced as soon as they cannot complete a character', () => {
    const stream = new Utf8Stream();
    assert.equal(stream.push(Uint8Array.of(0xe2, 0x82)), '');
    assert.equal(stream.push(Uint8Array.of(0x41)), '\ufffdA');
    assert.equal(stream.push(Uint8Array.of(0xff)), '\ufffd');
    assert.equal(stream.push(Uint8Array.of(0xf0, 0x9f)), '');
    assert.equal(stream.end(), '\ufffd');
  });
});

/** @param {string} alphabet @param {number} length @param {() => number} next */
function randomText(alphabet, length, next) {
  return Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('');
}

/** Merges of random tokens over a, b, c. @param {() => number} next */
function randomMerges(next) {
  const tokens = ['a', 'b', 'c'];
  /** @type {string[]} */
  const merges = [];
  while (merges.length < 8) {
    const [left, right] = [0, 0].map(() => tokens[Math.floor(next() * tokens.length)]);
    if (tokens.includes(left + right)) continue;
    tokens.push(left + right);
    merges.push(`${left} ${right}`);
  }
  return merges;
}

/** The definition of BPE: join the leftmost pair of the lowest rank until no pair has a rank.
 *  @param {string} word @param {string[]} merges */
function plainBpe(word, merges) {
  const pieces = [...word];
  for (;;) {
    let best = { rank: Infinity, at: -1 };
    for (let at = 0; at + 1 < pieces.length; at++) {
      const rank = merges.indexOf(`${pieces[at]} ${pieces[at + 1]}`);
      if (rank >= 0 && rank < best.rank) best = { rank, at };
    }
    if (best.at < 0) return pieces;
    pieces.splice(best.at, 2, pieces[best.at] + pieces[best.at + 1]);
  }
}

/** The definition of SentencePiece's BPE: join the pair with the best score of its piece, leftmost first.
 *  @param {string[]} pieces @param {string[]} tokens @param {number[]} scores */
function mergeByScore(pieces, tokens, scores) {
  for (;;) {
    let best = { score: -Infinity, at: -1 };
    for (let at = 0; at + 1 < pieces.length; at++) {
      const id = tokens.indexOf(pieces[at] + pieces[at + 1]);
      if (id >= 0 && scores[id] > best.score) best = { score: scores[id], at };
    }
    if (best.at < 0) return pieces;
    pieces.splice(best.at, 2, pieces[best.at] + pieces[best.at + 1]);
  }
}

/** llama2.c's tokenizer file: the length of the longest token, then score, length and bytes of each token.
 *  @param {Buffer} file */
function readLlama2c(file) {
  /** @type {string[]} */
  const tokens = [];
  /** @type {number[]} */
  const scores = [];
  for (let at = 4; at < file.length; ) {
    const length = file.readInt32LE(at + 4);
    scores.push(file.readFloatLE(at));
    tokens.push(file.toString('utf8', at + 8, at + 8 + length));
    at += 8 + length;
  }
  return { tokens, scores };
}

/** llama2.c, run.c, `encode`: a start token, a space, characters or their bytes, then merges.
 *  @param {string} text @param {string[]} tokens @param {number[]} scores */
function llama2cEncode(text, tokens, scores) {
  const pieces = text === '' ? [] : [...` ${text}`];
  const merged = mergeByScore(pieces, tokens, scores);
  const bytes = (/** @type {string} */ piece) => [...Buffer.from(piece)].map((byte) => byte + 3);
  return [1, ...merged.flatMap((piece) => (tokens.includes(piece) ? tokens.indexOf(piece) : bytes(piece)))];
}
