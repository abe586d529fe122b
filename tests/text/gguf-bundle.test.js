// The tokenizers package without the parts that GGUF files do not need gives the same ids as the whole package.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { usualTokenizer } from '../../js/text/tokenizer/gguf.js';
import { PRE_TOKENIZERS } from '../../js/text/tokenizer/pre-tokenizers.js';
import { ROOT, tokenizersOfGguf } from '../../tools/build/bundle.js';

/** White space of Unicode only (U+0085) and of JavaScript only (U+FEFF), digits, marks, cases, scripts, punctuation. */
const TEXT = 'It\'s we\'LL  12345 a\u0085b \uFEFFc !\uFEFF! ?\u0085?\u00a0\u3000d\t\n\r\n\n e\u0301 \u0661\u0662 日本語テスト'
  + ' 中文，好！ Привет МИР straße Ǆ x² ½ <|tag|> $5+3=8 [a](b) //c/*d*/ __e__ 👍🏽 ක්‍ෂ …—  \n   \v\f z ';

/** Bytes of TEXT in the alphabet of byte-level vocabularies, and all pairs of them as merges. */
function vocabulary() {
  const bytes = [...Array(256).keys()];
  const printable = bytes.filter((b) => (b > 32 && b < 127) || (b > 160 && b !== 173));
  let next = 256;
  const letters = bytes.map((b) => String.fromCodePoint(printable.includes(b) ? b : next++));
  const used = [...new TextEncoder().encode(TEXT)].map((b) => letters[b]);
  const merges = [...new Set(used.slice(1).map((letter, i) => `${used[i]} ${letter}`))];
  return { merges, tokens: [...letters, ...merges.map((merge) => merge.replace(' ', ''))] };
}

/** @param {Record<string, unknown>} fields */
const metadata = (fields) =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [`tokenizer.ggml.${key}`, value]));

test('the small tokenizer package splits text as the whole one, for every pre-tokenizer', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'heed-tokenizers-'));
  t.after(() => rm(folder, { recursive: true }));
  const outfile = join(folder, 'gguf.mjs');
  await build({ entryPoints: [join(ROOT, 'js/text/tokenizer/gguf.js')], outfile, bundle: true, format: 'esm',
    platform: 'node', minify: true, plugins: [tokenizersOfGguf], logLevel: 'warning' });
  const small = await import(pathToFileURL(outfile).href);
  const same = (/** @type {Record<string, any>} */ fields) => {
    const [expected, ids] = [usualTokenizer, small.usualTokenizer].map((make) =>
      Array.from(make(metadata(fields), 'test').encode(TEXT)));
    assert.deepEqual(ids, expected, String(fields.pre ?? fields.model));
    return expected;
  };

  const { tokens, merges } = vocabulary();
  const bytes = { model: 'gpt2', tokens: [...tokens, '<|tag|>'], merges, token_type: [...tokens.map(() => 1), 3] };
  const splits = new Set([...PRE_TOKENIZERS.keys()].map((pre) => same({ ...bytes, pre }).join()));
  assert.ok(splits.size > 3, 'the text tells the pre-tokenizers apart');

  const pieces = ['<unk>', '<s>', '</s>', ...new Set([...TEXT.replaceAll(' ', '\u2581')])];
  const types = pieces.map((_, i) => (i ? 1 : 2));
  same({ model: 'llama', tokens: pieces, scores: pieces.map((_, i) => -i), token_type: types });
});
