// Tokenizers of encoders: WordPiece, RoBERTa's byte-level BPE and Unigram have the ids of llama.cpp and of Hugging
// Face's tokenizers (tools/goldens/encoder-tokenizers.js).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readHeader } from '../../js/files/gguf/header.js';
import { string, writeGguf } from '../../js/files/gguf/writer.js';
import { openSource } from '../../js/files/source.js';
import { StreamReader } from '../../js/files/stream.js';
import { Charsmap } from '../../js/text/tokenizer/charsmap.js';
import { tokenizerFromGguf, tokenizerFromJson } from '../../js/text/tokenizer.js';
import { charsmapOf } from '../support/charsmap.js';
import { GGUF_CASES, JSON_CASES, ORIGINAL_TEXTS, REPLACEMENTS, TEXTS, bertJson, unigramJson }
  from '../support/encoder-tokenizers.js';
import { rejects } from '../support/expect.js';
import { randomFrom } from '../support/numbers.js';

const GOLDENS = JSON.parse(readFileSync(new URL('../goldens/encoder-tokenizers.json', import.meta.url), 'utf8'));

/** The tokenizer of a GGUF file. @param {import('../../js/files/gguf/writer.js').Metadata} metadata */
async function fromFile(metadata) {
  const bytes = await writeGguf({ metadata: { 'general.architecture': string('bert'), ...metadata }, tensors: [] });
  const reader = new StreamReader(openSource(bytes).stream());
  const header = await readHeader(reader, 'test');
  await reader.close();
  return tokenizerFromGguf(header.metadata, 'test') ?? assert.fail();
}

/** Texts for which llama.cpp differs from BERT: it drops Hangul after the first letter of a syllable, and some control
 *  characters divide words. */
const DIFFERENT = ['한', 'a\u007fb\u0085c'];

describe('GGUF: llama.cpp', () => {
  for (const [name, metadata] of Object.entries(GGUF_CASES)) {
    test(name, async () => {
      const tokenizer = await fromFile(metadata);
      TEXTS.forEach((text, i) => {
        if (name.startsWith('bert') && DIFFERENT.includes(text)) {
          assert.deepEqual(Array.from(tokenizer.encode(text)), GOLDENS[`${name}, tokenizers`][i].ids, text);
          return;
        }
        const { ids, plain, text: decoded } = GOLDENS[`${name}, llama.cpp`][i];
        assert.deepEqual(Array.from(tokenizer.encode(text)), ids, text);
        assert.deepEqual(Array.from(tokenizer.encode(text, { special: false })), plain, `without control: ${text}`);
        assert.equal(tokenizer.decode(plain).trimStart(), decoded.trimStart(), `decoded: ${text}`);
      });
    });
  }
});

describe('tokenizer.json: the tokenizers library', () => {
  for (const [name, json] of Object.entries(JSON_CASES)) {
    test(name, () => {
      const tokenizer = tokenizerFromJson(json, {}, 'tokenizer.json');
      [...TEXTS, ...ORIGINAL_TEXTS].forEach((text, i) => {
        const { ids } = GOLDENS[`${name}, tokenizers`][i];
        assert.deepEqual(Array.from(tokenizer.encode(text)), ids, text);
      });
    });
  }
});

describe('hostile files and texts', () => {
  test('a long word takes linear time', () => {
    const word = 'ab'.repeat(100_000);
    for (const json of [bertJson(false), unigramJson(true)]) {
      assert.ok(tokenizerFromJson(json, {}, 'tokenizer.json').encode(word).length > 0);
    }
  });

  test('charsmaps: damaged lengths, endless replacements, and bytes at random', () => {
    const good = charsmapOf(REPLACEMENTS);
    assert.equal(new Charsmap(good).replace('ﬁne ①'), 'fine 1');
    const short = [new Uint8Array(0), good.subarray(0, 4), good.subarray(0, 100), Uint8Array.of(3, 0, 0, 0, 1, 1)];
    for (const bytes of short) {
      assert.throws(() => new Charsmap(bytes), /damaged/);
    }
    const endless = good.slice();
    endless.fill(65, 4 + new DataView(good.buffer).getUint32(0, true));
    assert.throws(() => new Charsmap(endless).replace('ﬁne'), /without an end/);
    const random = randomFrom(1);
    for (let round = 0; round < 200; round++) {
      const damaged = good.map((byte, i) => (i >= 4 && random() < 0.05 ? random() * 256 : byte));
      try {
        new Charsmap(damaged).replace(TEXTS.join(' '));
      } catch (error) {
        assert.match(String(error), /precompiled_charsmap/);
      }
    }
  });

  test('a vocabulary without its control tokens is refused by name', async () => {
    /** @param {string} model @param {string[]} tokens @param {object} more @param {RegExp} says */
    const refused = (model, tokens, more, says) => rejects(async () => tokenizerFromGguf(
      { 'tokenizer.ggml.model': model, 'tokenizer.ggml.tokens': tokens, ...more }, 'test'), 'bad-tokenizer', says);
    await refused('bert', ['a', 'b'], {}, /lacks tokens for unknown words/);
    await refused('t5', ['a', 'b', 'c'], { 'tokenizer.ggml.precompiled_charsmap': [1, 2] },
      /precompiled_charsmap’ is damaged/);
    await refused('t5', ['a', 'b', 'x'.repeat(600)], {}, /token 2 has more than 512 bytes/);
  });
});
