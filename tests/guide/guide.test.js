// Texts under a guide: grammars and schemas as automata, random models whose JSON always parses, banned words, biases.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { Automaton } from '../../js/guide/automaton.js';
import { automatonWithout } from '../../js/guide/banned.js';
import { readGrammar } from '../../js/guide/gbnf.js';
import { rulesOfSchema } from '../../js/guide/json-schema.js';
import { chatModel } from '../support/chat-model.js';
import { collect, heedError, STORIES } from '../support/model.js';
import { randomFrom } from '../support/numbers.js';

const encoder = new TextEncoder();

/** Whether an automaton accepts a whole text. @param {any} automaton @param {string | Uint8Array} text */
function accepts(automaton, text) {
  let place = automaton.start;
  for (const byte of typeof text === 'string' ? encoder.encode(text) : text) {
    place = place && automaton.step(place, byte);
  }
  return place !== null && automaton.isEnd(place);
}

describe('grammars in GBNF', () => {
  /** @type {[string, string[], string[]][]} grammar, texts that fulfill it, texts that do not */
  const CASES = [
    ['root ::= "yes" | "no"', ['yes', 'no'], ['', 'ye', 'yesno']],
    ['root ::= [a-c]+ "." # a comment\n', ['a.', 'abc.'], ['.', 'ad.']],
    ['root ::= item ("," item)*\nitem ::= [0-9]{1,3}\n', ['1', '1,23,456'], ['1,', '1234']],
    ['root ::=\n  "a" |\n  "b"\n', ['a', 'b'], ['ab']],
    ['root ::= "a"\n  | "b"\n\nother ::= "c"', ['a', 'b'], ['c']],
    ['root ::= "(" root ")" | ""', ['', '()', '((()))'], ['(', '())']],
    ['root ::= [^a-z]{2}', ['A1', 'é日', '😀\n'], ['Ab', 'A', 'ABC']],
    ['root ::= [α-ω]* "\\u00e9\\x21\\n\\""', ['αβγé!\n"', 'é!\n"'], ['aé!\n"']],
    ['root ::= .{3}', ['abc', '日本語', '😀😀😀'], ['ab', 'abcd']],
    ['root ::= ("a" | "b" "c"){2,}  "d"?', ['aa', 'abcd', 'bcbca'], ['a', 'ad', 'dd']],
    ['root ::= [x\\]-]', ['x', ']', '-'], ['a']],
  ];
  for (const [grammar, good, bad] of CASES) {
    test(JSON.stringify(grammar), () => {
      const automaton = new Automaton(readGrammar(grammar));
      for (const text of good) assert.ok(accepts(automaton, text), text);
      for (const text of bad) assert.ok(!accepts(automaton, text), text);
    });
  }

  test('any character is every valid UTF-8 and nothing else', () => {
    const automaton = new Automaton(readGrammar('root ::= .'));
    for (let code = 0; code <= 0x10ffff; code += code < 0x900 ? 1 : 251) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      assert.ok(accepts(automaton, String.fromCodePoint(code)), code.toString(16));
    }
    for (const code of [0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff]) {
      assert.ok(accepts(automaton, String.fromCodePoint(code)), code.toString(16));
    }
    for (const bytes of [[0x80], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xff],
      [0xf0, 0x80, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
      assert.ok(!accepts(automaton, Uint8Array.from(bytes)), bytes.join());
    }
  });

  for (const [what, grammar, says] of /** @type {[string, string, RegExp][]} */ ([
    ['a rule without a definition', 'root ::= "a"\n  b', /line 2: there is no rule ‘b’|line 2/],
    ['a rule that begins with itself', 'root ::= item\nitem ::= item "a" | "b"', /line \d: a rule begins with itself/],
    ['a rule that begins with itself after nothing', 'root ::= "x"? root "a" | "b"', /begins with itself/],
    ['no end', 'root ::= "a" root', /line 1: no text of finite length/],
    ['a text without an end', 'root ::= "a\n', /line 1: a text without an end/],
    ['an open group', 'root ::= ("a"\n', /expected \)/],
    ['a rule twice', 'root ::= "a"\nroot ::= "b"', /line 2: the rule ‘root’ occurs twice/],
    ['an unknown escape', 'root ::= "\\q"', /escape/],
    ['a long repetition', 'root ::= "a"{9999999}', /line 1/],
    ['no root', 'start ::= "a"', /no rule ‘root’/],
  ])) {
    test(`an error points at its line: ${what}`, () => {
      assert.throws(() => readGrammar(grammar), heedError('bad-argument', says));
    });
  }

  test('many rules and many ways are refused', () => {
    assert.throws(() => readGrammar(`root ::= ${'"a"{0,1000} '.repeat(20)}`), heedError('too-large'));
    const ways = new Automaton(readGrammar(`root ::= ${'("a" | "a" "b")*'.repeat(40)}`));
    assert.throws(() => accepts(ways, 'a'.repeat(30)), heedError('too-large', /ways to read/));
  });
});

const NESTED = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 12 },
    kind: { enum: ['cat', 'dog', 7, null] },
    age: { type: 'integer' },
    weights: { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 3 },
    parent: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
    tags: { type: 'object', additionalProperties: { type: 'boolean' } },
    any: true,
  },
  required: ['name', 'weights', 'parent'],
};

/** Whether a value fulfills NESTED. @param {any} value @returns {boolean} */
function isNested(value) {
  const { name, kind, age, weights, parent, tags, ...rest } = value;
  const isKind = kind === undefined || NESTED.properties.kind.enum.includes(kind);
  return typeof name === 'string' && [...name].length <= 12 && isKind &&
    (age === undefined || Number.isInteger(age)) && Array.isArray(weights) && weights.length >= 1 &&
    weights.length <= 3 && weights.every(Number.isFinite) && (parent === null || isNested(parent)) &&
    (tags === undefined || Object.values(tags).every((tag) => typeof tag === 'boolean')) &&
    Object.keys(rest).every((key) => key === 'any');
}

describe('schemas', () => {
  test('JSON of a schema is accepted, other JSON is not', () => {
    const automaton = new Automaton(rulesOfSchema(NESTED));
    const good = { name: 'a"\\\n', kind: null, age: -3, weights: [1.5, 2e9], parent: null, tags: { x: true },
      any: [{}] };
    assert.ok(accepts(automaton, JSON.stringify(good)));
    assert.ok(accepts(automaton, JSON.stringify(good, null, 1)));
    assert.ok(accepts(automaton, JSON.stringify({ name: '', weights: [0], parent: { ...good, any: 'x' } })));
    for (const bad of [{}, { ...good, name: 'x'.repeat(13) }, { ...good, weights: [] }, { ...good, kind: 'cow' },
      { ...good, more: 1 }, { ...good, age: 1.5 }]) {
      assert.ok(!accepts(automaton, JSON.stringify(bad)), JSON.stringify(bad));
    }
    for (const text of ['{"a":01}', '{"a":1,}', "{'a':1}", '[1 2]', '"a"', '{"a":"\t"}', '[1.]', '{"a":tru}']) {
      assert.ok(!accepts(new Automaton(rulesOfSchema(true)), text), text);
    }
  });

  for (const [what, schema, code, says] of /** @type {[string, any, string, RegExp][]} */ ([
    ['an unknown keyword', { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } }, 'unsupported',
      /‘#\/properties\/a’ has ‘pattern’/],
    ['an unknown type', { type: 'text' }, 'bad-argument', /‘#’ has the type ‘text’/],
    ['a missing reference', { $ref: '#/$defs/x' }, 'bad-argument', /does not exist/],
    ['another file', { $ref: 'http://example.com/x' }, 'bad-argument', /another file/],
    ['a required property that is not there', { type: 'object', properties: { a: true }, required: ['b'] },
      'bad-argument', /requires ‘b’/],
    ['limits out of order', { type: 'array', minItems: 3, maxItems: 1 }, 'bad-argument', /in order/],
    ['no schema', { type: 'array', items: 3 }, 'bad-argument', /is not a schema/],
  ])) test(what, () => assert.throws(() => rulesOfSchema(schema), heedError(code, says)));
});

test('an automaton without words equals a search', () => {
  const next = randomFrom(5);
  const text = (/** @type {number} */ n) => Array.from({ length: n }, () => 'ab'[Math.floor(next() * 2)]).join('');
  for (let round = 0; round < 200; round++) {
    const words = Array.from({ length: 3 }, () => text(1 + Math.floor(next() * 5)));
    const all = text(12);
    const isFree = !words.some((word) => all.includes(word));
    assert.equal(accepts(automatonWithout(words), all), isFree, `${words} in ${all}`);
  }
});

for (const worker of [false, true]) {
  describe(worker ? 'generation in a Worker' : 'generation in this thread', () => {
    /** @type {any} */ let model;
    /** @type {any} */ let stories;
    before(async () => {
      model = await load(await chatModel(), { worker });
      stories = await load(STORIES, { worker, contextLength: 256 });
    });
    after(() => {
      model.dispose();
      stories.dispose();
    });

    test('JSON of a random model always parses and fulfills its schema', async () => {
      for (let seed = 1; seed <= (worker ? 2 : 12); seed++) {
        const maxTokens = 60 + 20 * seed;
        const { summary } = await collect(model.generate('x', { json: NESTED, seed, temperature: 2, topK: 0, topP: 1,
          maxTokens }));
        assert.ok(isNested(JSON.parse(summary.text)), summary.text);
        assert.ok(summary.ids.length <= maxTokens);
      }
      const messages = [{ role: 'user', content: 'Hi' }];
      const { summary } = await collect(model.chat(messages, { json: true, seed: 1, maxTokens: 40 }));
      assert.equal(typeof JSON.parse(summary.text), 'object');
    });

    test('JSON and a grammar of a trained model', async () => {
      const json = { type: 'array', items: { type: 'string' } };
      const { summary } = await collect(stories.generate('Once', { json, seed: 3, maxTokens: 60 }));
      const items = JSON.parse(summary.text);
      assert.ok(items.every((/** @type {unknown} */ item) => typeof item === 'string'), summary.text);
      const grammar = 'root ::= " there was a " ("big" | "small") " " ("dog" | "cat") "."';
      const options = { grammar, temperature: 0, top: 2 };
      const { summary: sentence, steps } = await collect(stories.generate('Once upon a time', options));
      assert.match(sentence.text, /^ there was a (big|small) (dog|cat)\.$/);
      assert.equal(sentence.reason, 'end');
      assert.equal(steps.map((/** @type {any} */ step) => step.text).join(''), sentence.text);
      assert.equal(steps[0].top.length, 2);
    });

    test('banned words do not occur, also across tokens', async () => {
      const options = { temperature: 0, maxTokens: 60, repeatPenalty: 1 };
      const { summary: free } = await collect(stories.generate('Once upon a time', options));
      const banned = ['girl', 'Lily', ' She', 'he'];
      assert.ok(banned.some((word) => free.text.includes(word)), free.text);
      const { summary } = await collect(stories.generate('Once upon a time', { ...options, banned }));
      for (const word of banned) assert.ok(!summary.text.includes(word), `${word} in ${summary.text}`);
    });

    test('a bias of zero changes nothing, and others raise or exclude a token', async () => {
      const options = { maxTokens: 20, seed: 4, repeatPenalty: 1.3 };
      const { summary: plain } = await collect(stories.generate('The', options));
      const { summary: same } = await collect(stories.generate('The', { ...options, logitBias: { 5: 0 } }));
      assert.deepEqual(same.ids, plain.ids);
      const first = plain.ids[0];
      const without = { ...options, logitBias: { [first]: -Infinity } };
      const { summary: other } = await collect(stories.generate('The', without));
      assert.ok(!other.ids.includes(first));
      const raising = { ...options, maxTokens: 3, logitBias: { 77: 100 } };
      const { summary: raised } = await collect(stories.generate('The', raising));
      assert.deepEqual([...raised.ids], [77, 77, 77]);
      const { summary: again } = await collect(stories.generate('The', options));
      assert.deepEqual(again.ids, plain.ids, 'the bias ends with its text');
    });

    test('wrong options, and a text that cannot fit', async () => {
      for (const [options, says] of /** @type {[any, RegExp][]} */ ([
        [{ json: true, grammar: 'root ::= "a"' }, /both/], [{ banned: [''] }, /not empty/], [{ banned: 'x' }, /array/],
        [{ logitBias: { 99999: 1 } }, /logitBias/], [{ logitBias: { a: 1 } }, /got ‘1’ for ‘a’/],
        [{ logitBias: { 1: NaN } }, /logitBias/],
        [{ logitBias: { 1: 1e39 } }, /logitBias .*below 3\.4e38/],
        [{ json: true, rows: true }, /rows/], [{ json: true, maxTokens: 1 }, /at least 2 bytes/],
        [{ json: true, frob: 1 }, /no option ‘frob’/],
      ])) await assert.rejects(collect(stories.generate('a', options)), heedError('bad-argument', says));
    });
  });
}
