// Regular expressions of tokenizer files run in time that is linear in the text.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tokenizerFromJson } from '../../js/text/tokenizer.js';
import { LinearPattern } from '../../js/text/tokenizer/linear-pattern.js';
import { MORE_PRE_TOKENIZERS } from '../../js/text/tokenizer/more-pre-tokenizers.js';
import { PRE_TOKENIZERS } from '../../js/text/tokenizer/pre-tokenizers.js';
import { rejects } from '../support/expect.js';
import { randomFrom } from '../support/numbers.js';

/** A pattern in the form of a tokenizer.json. @param {string} source */
const native = (source) => new RegExp(source, 'gu');

/** Patterns of polynomial or exponential time in JavaScript’s engine, each with its repeated text. */
const HOSTILE = [
  ['a*a*a*a*a*a*a*a*b', 'a'], ['(?:a+)+(?![^])', 'a'], ['(?:a|a)*b', 'a'], ['(?:a|ab|b)*c', 'ab'], ['a*b|a', 'a'],
  [String.raw`\s+(?![^])`, ' '], [String.raw`\s*[\r\n]+`, ' '], ['(?:(?:a+b?)+c?)+d', 'ab'],
  ['(?:.?.?.?.?.?.?)a{9}b', 'a'], ['(?:a{1,9}){9}b', 'a'], ['(?:a*?b)*?c|a', 'a'], ['[^b]+b|[^c]+c|[^d]', 'x'],
];

describe('untrusted patterns', () => {
  for (const [source, unit] of HOSTILE) {
    test(`${source} takes a number of steps proportional to the text`, () => {
      const steps = [2000, 4000, 8000].map((length) => {
        const pattern = new LinearPattern(native(source));
        `${unit.repeat(length)}!`.match(pattern);
        return pattern.steps / length;
      });
      assert.ok(steps[2] < 1.1 * steps[0], `steps a character: ${steps}`);
    });
  }

  test('random patterns have the same matches as in JavaScript’s engine', () => {
    const next = randomFrom(31);
    let compared = 0;
    for (let round = 0; round < 3000; round++) {
      const source = randomPattern(next, 3);
      /** @type {LinearPattern} */
      let pattern;
      try {
        pattern = new LinearPattern(native(source));
      } catch (error) {
        assert.match(String(error), /repeats a part that can be empty/, source);
        continue;
      }
      compared++;
      for (let i = 0; i < 4; i++) {
        const text = randomText(next, ALPHABET, 12);
        assert.deepEqual(found(text, pattern), found(text, native(source)), `${source} in ${JSON.stringify(text)}`);
        const pieces = text.split(native(ungrouped(source)));
        assert.deepEqual(text.split(pattern), pieces, `${source} splits ${text}`);
        assert.equal(text.replaceAll(pattern, '_'), text.replaceAll(native(source), '_'), `${source} in ${text}`);
      }
    }
    assert.ok(compared > 1000, `${compared} patterns`);
  });

  test('every known pre-tokenizer gives the same words as in JavaScript’s engine', () => {
    const next = randomFrom(32);
    const units = ["'", 's', 'LL', 'a', 'Ö', '日', 'ǅ', 'ʰ', '\u0301', '7', '٣', ' ', '\u00a0', '\n', '\r', '\t',
      '!', '-', '🤚', '🏽', '_'];
    const all = [...PRE_TOKENIZERS.values(), ...MORE_PRE_TOKENIZERS.values()];
    const sources = new Set(all.flatMap(({ splits }) => splits));
    for (const source of sources) {
      const pattern = new LinearPattern(native(source));
      for (let i = 0; i < 200; i++) {
        const text = randomText(next, units, 40);
        assert.deepEqual(found(text, pattern), found(text, native(source)), `${source} in ${JSON.stringify(text)}`);
      }
    }
  });

  test('patterns with backreferences or without a size limit are refused', () => {
    const refused = [String.raw`(a)\1`, String.raw`(?<x>a)\k<x>`, '(?:a?)*', '(?:a{1000}){1000}', '(?=a*b)a',
      '(?<=ab)a', `${'('.repeat(99)}a${')'.repeat(99)}`];
    for (const source of refused) {
      assert.throws(() => new LinearPattern(native(source)), /its regular expression .* no bound/, source);
    }
  });
});

describe('a tokenizer.json with untrusted patterns', () => {
  const JSON_FILE = {
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab: { '?': 0, 'a': 1, 'b': 2, '_': 3 }, merges: [], unk_token: '?' },
  };
  /** @param {object} steps */
  const tokenizer = (steps) => tokenizerFromJson({ ...JSON_FILE, ...steps }, {}, 'tokenizer.json');
  const pattern = { Regex: 'a*a*a*a*a*a*a*a*b' };
  const text = 'a'.repeat(20_000);

  for (const [what, steps] of Object.entries({
    'cut out': { pre_tokenizer: { type: 'Split', pattern, behavior: 'Isolated' } },
    'taken away': { pre_tokenizer: { type: 'Split', pattern, behavior: 'Removed' } },
    'kept': { pre_tokenizer: { type: 'Sequence',
      pretokenizers: [{ type: 'Split', pattern, behavior: 'Removed', invert: true }] } },
    'replaced by a normalizer': { normalizer: { type: 'Replace', pattern, content: '_' } },
    'replaced in a sequence': {
      normalizer: { type: 'Sequence', normalizers: [{ type: 'Replace', pattern, content: '_' }] },
    },
    'replaced before words are cut': { pre_tokenizer: { type: 'Replace', pattern, content: '_' } },
  })) {
    test(`matches are ${what}: a long text is encoded`, () => {
      const expected = what === 'kept' ? 0 : 20_000;
      assert.equal(tokenizer(steps).encode(text).length, expected);
    });
  }

  test('special characters in a replacement are plain text', () => {
    const a = { Regex: 'a' };
    const replaced = tokenizer({ normalizer: { type: 'Replace', pattern: a, content: '$`' } });
    assert.deepEqual([...replaced.encode('bab')], [2, 0, 0, 2]);
    assert.deepEqual([...replaced.encode('aab')], [0, 0, 0, 0, 2]);
  });

  test('errors name a refused expression and an endless step', async () => {
    const split = (/** @type {string} */ Regex) => ({ pre_tokenizer: { type: 'Split', pattern: { Regex } } });
    await rejects(() => tokenizer(split(String.raw`(?:a?)*b`)), 'bad-tokenizer', /can be empty/);
    await rejects(() => tokenizer({ pre_tokenizer: { type: 'FixedLength', length: 0 } }), 'bad-tokenizer', /no length/);
    const grows = { type: 'Replace', pattern: { String: 'a' }, content: 'aaaa' };
    await rejects(() => tokenizer({ normalizer: { type: 'Sequence', normalizers: [grows, grows, grows] } }),
      'bad-tokenizer', /64 times longer/);
  });

  test('a Unigram vocabulary encodes a long text without spaces', async () => {
    /** @param {[string, number][]} more */
    const unigram = (...more) => tokenizerFromJson({
      decoder: { type: 'Metaspace' },
      model: { type: 'Unigram', unk_id: 0, vocab: [['?', 0], ['a', -1], ['b', -1], ...more] },
    }, {}, 'tokenizer.json');
    assert.equal(unigram().encode('ab'.repeat(100_000)).length, 200_000);
    await rejects(() => unigram(['a'.repeat(1000), -1]), 'bad-tokenizer', /piece 3 .* 512/);
  });
});

/** @param {() => number} next @param {string[]} units @param {number} most */
const randomText = (next, units, most) =>
  Array.from({ length: next() * most }, () => units[Math.floor(next() * units.length)]).join('');

/** @param {string} text @param {RegExp} pattern */
const found = (text, pattern) => [...text.matchAll(pattern)].map((match) => [match.index, match[0]]);

// No pairs of surrogates, because V8 finds empty matches between their halves, against the standard.
const ALPHABET = ['a', 'b', 'c', ' ', '日'];
const ATOMS = ['a', 'b', '[ab]', '[^a]', '.', String.raw`\s`, String.raw`\p{L}`, '日', '(?!a)', '(?=b)', '(?<=a)',
  '(?<!b)', '(?!a|bb)', '(?=(?!b).a)', '(?![^])'];
const QUANTIFIERS = ['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{2,}?', '{0,2}'];

/** @param {() => number} next @param {number} depth @returns {string} */
function randomPattern(next, depth) {
  const pick = (/** @type {string[]} */ list) => list[Math.floor(next() * list.length)];
  const part = () => {
    const atom = depth > 0 && next() < 0.4 ? `(${randomPattern(next, depth - 1)})` : pick(ATOMS);
    return atom.startsWith('(?') ? atom : atom + pick(QUANTIFIERS);
  };
  const sequence = () => Array.from({ length: 1 + next() * 3 }, part).join('');
  return Array.from({ length: 1 + next() * 2 }, sequence).join('|');
}

/** The pattern without captures, because `split` adds captures to its result. @param {string} source */
const ungrouped = (source) => source.replace(/\((?!\?)/g, '(?:');
