// RASP: programs of the paper against plain JavaScript, compiled transformers against the interpreter, errors, limits.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HeedError, RaspError, lab, randomFrom, rasp } from '../../js/lab/index.js';
import { COMPARISONS } from '../../js/lab/rasp/values.js';
import { RASP_TASKS } from '../../js/lab/rasp/tasks.js';

/** Strings of each length up to `length`, the same in every run. */
function* inputs(vocabulary, length, each, seed = 1) {
  const random = randomFrom(seed);
  for (let size = 1; size <= length; size++) {
    for (let i = 0; i < each; i++) {
      yield Array.from({ length: size }, () => vocabulary[Math.floor(random() * vocabulary.length)]);
    }
  }
}

/** After each bracket: balanced (T), can become balanced (P) or cannot (F), by a stack. */
function balance(tokens) {
  const stack = [];
  let failed = false;
  return tokens.map((token) => {
    if ('(['.includes(token)) stack.push(token);
    else if ('(['[')]'.indexOf(token)] !== stack.pop()) failed = true;
    return failed ? 'F' : stack.length === 0 ? 'T' : 'P';
  });
}

const countOf = (tokens, token) => tokens.filter((each) => each === token).length;

/** The tasks in plain JavaScript. */
const ANSWERS = {
  identity: (tokens) => tokens,
  shift: (tokens) => ['-', ...tokens.slice(0, -1)],
  histogram: (tokens) => tokens.map((token) => countOf(tokens, token)),
  reverse: (tokens) => tokens.toReversed?.() ?? [...tokens].reverse(),
  sort: (tokens) => [...tokens].sort(),
  frequent: (tokens) => {
    const different = [...new Set(tokens)].sort((a, b) => countOf(tokens, b) - countOf(tokens, a));
    return tokens.map((_, i) => different[i] ?? '-');
  },
  dyck1: balance,
  dyck2: balance,
  induction: (tokens) => tokens.map((token, i) => {
    const last = tokens.slice(0, i).lastIndexOf(token);
    return last < 0 ? '-' : tokens[last + 1];
  }),
};

let l;
before(async () => { l = await lab(); });
after(() => l.dispose());

const refusal = (code, pattern, line, column) => (error) => {
  assert.ok(error instanceof HeedError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, pattern);
  if (line !== undefined) {
    assert.ok(error instanceof RaspError);
    assert.deepEqual([error.line, error.column], [line, column], error.message);
  }
  return true;
};

describe('the tasks of the paper', () => {
  assert.deepEqual(Object.keys(RASP_TASKS).sort(), Object.keys(ANSWERS).sort());
  for (const [name, { source, vocabulary, length, example }] of Object.entries(RASP_TASKS)) {
    test(`${name}: the interpreter and the transformer give the answer of plain JavaScript`, () => {
      const program = rasp(source);
      const model = program.compile({ vocabulary, length }).open(l);
      for (const tokens of [[...example], ...inputs(vocabulary, length, 20)]) {
        const expected = ANSWERS[name](tokens);
        assert.deepEqual(program.run(tokens), expected, tokens.join(''));
        assert.deepEqual(model.run(tokens).output, expected, tokens.join(''));
      }
    });
  }

  test('each task has the number of heads in its lesson', () => {
    const heads = Object.fromEntries(Object.entries(RASP_TASKS).map(([name, { source, vocabulary, length }]) =>
      [name, rasp(source).compile({ vocabulary, length }).size.heads]));
    assert.deepEqual(heads, { identity: [1], shift: [1], histogram: [1], reverse: [1, 0, 1], sort: [0, 1, 1],
      frequent: [2, 0, 1, 1], dyck1: [1, 1, 0], dyck2: [2, 0, 1, 1, 1, 0], induction: [1, 2, 1] });
  });
});

describe('the language', () => {
  const CASES = {
    'indices; # a comment': [0, 1, 2, 3],
    'length;': [4, 4, 4, 4],
    '1 + 2 * 3 - 4 / 2;': [5, 5, 5, 5],
    '-indices % 3;': [0, 2, 1, 0],
    '(1 / 49) * 49 == 1;': [true, true, true, true],
    'indices < 2 and not tokens == "a";': [false, true, false, false],
    'tokens in ["a", "c"] or indices == 1;': [true, true, true, true],
    '"x" if indices > 1 else tokens + "!";': ['a!', 'b!', 'x', 'x'],
    'indicator(tokens == "a") + round(2.6);': [4, 3, 4, 3],
    'x = indices; x = x + 1; x;': [1, 2, 3, 4],
    'def twice(x) { y = x + x; return y; } twice(twice(indices));': [0, 4, 8, 12],
    'aggregate(select(indices, indices, <), indices);': [0, 0, 0.5, 1],
    'aggregate(select(indices, indices + 1, ==), tokens);': ['b', 'a', 'c', ''],
    'aggregate(select(indices, 9, ==), indices, 7);': [7, 7, 7, 7],
    'aggregate(select(indices, 0, ==), tokens == "a");': [true, true, true, true],
    'selector_width(not (select(indices, indices, <) or select(tokens, "a", ==)));': [2, 2, 1, 1],
    '0 if indices == 0 else 6 / indices;': [0, 6, 3, 2],
    'selector_width(select(True, True, ==) and select(tokens, tokens, !=));': [2, 3, 2, 3],
    '3;': [3, 3, 3, 3],
  };
  for (const [source, expected] of Object.entries(CASES)) {
    test(`${source} gives ${JSON.stringify(expected)}, interpreted and compiled`, () => {
      const program = rasp(source);
      const close = (found) => found.forEach((value, i) => (typeof value === 'number'
        ? assert.ok(Math.abs(value - expected[i]) < 1e-9, `${found}`) : assert.equal(value, expected[i])));
      close(program.run('abac'));
      close(program.compile({ vocabulary: 'abc', length: 4 }).open(l).run('abac').output);
    });
  }

  test('every comparison, on keys and queries, with conjunctions and disjunctions, at every length', () => {
    const names = Object.keys(COMPARISONS);
    for (const [i, first] of names.entries()) {
      const second = names[(i + 2) % names.length];
      const source = `a = select(tokens, tokens, ${first}); b = select(indices, 3 - indices, ${second});
        x = aggregate(a or not b, indicator(tokens == "a"));
        y = selector_width(not (a and b) and select(x, 0.5, >=));
        aggregate(select(y, indices, ${first}) or a, indices - 2, -3) + y;`;
      const program = rasp(source);
      const model = program.compile({ vocabulary: 'abc', length: 5 }).open(l);
      for (const tokens of inputs('abc', 5, 6, i)) {
        const wanted = program.run(tokens);
        const found = model.run(tokens).output;
        wanted.forEach((value, at) => assert.ok(Math.abs(value - found[at]) < 1e-6,
          `${first} ${tokens}: ${found}, ${wanted}`));
      }
    }
  });

  test('averages of different fractions are distinct, up to the longest length', () => {
    const program = rasp(`up_to_self = select(indices, indices, <=);
      aggregate(up_to_self, indicator(tokens == "a") - indicator(tokens == "b"));`);
    const model = program.compile({ vocabulary: 'abc', length: 24 }).open(l);
    for (const tokens of inputs('abc', 24, 3)) {
      const wanted = program.run(tokens);
      const found = model.run(tokens).output;
      wanted.forEach((value, at) => assert.ok(Math.abs(value - found[at]) < 1e-9, `${tokens}: ${found[at]}, ${value}`));
    }
  });

  test('a map has equal shares of the selected keys, or ⊢', () => {
    const model = rasp('aggregate(select(tokens, "a", ==) and select(indices, indices, <), tokens, "-");')
      .compile({ vocabulary: 'ab', length: 6 }).open(l);
    const { layers, tokens } = model.run('baab');
    assert.deepEqual(tokens, ['⊢', 'b', 'a', 'a', 'b']);
    assert.equal(layers.length, 1);
    const [{ selector, line, pattern }] = layers[0];
    assert.equal(selector, 'select(tokens, "a", ==) and select(indices, indices, <)');
    assert.equal(line, 1);
    assert.deepEqual(Array.from(pattern), [
      [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0.5, 0.5, 0]].flat());
  });

  test('a changed weight changes the answer', () => {
    const compiled = rasp(RASP_TASKS.histogram.source).compile({ vocabulary: 'ab', length: 4 });
    const model = compiled.open(l);
    const { data, shape } = compiled.weights()['blocks.0.attn.query.weight'];
    assert.deepEqual(shape, [3, compiled.size.width]);
    assert.equal(compiled.variables.reduce((sum, { dimensions }) => sum + dimensions, 0), compiled.size.width);
    assert.deepEqual(model.run('aab').output, [2, 2, 1]);
    model.weights['blocks.0.attn.query.weight'].set(data.map(() => 0));
    assert.deepEqual(model.run('aab').output, [3, 3, 3]);
  });

  test('a head that can share a layer does, and equal selectors share a head', () => {
    const source = `s = select(tokens, tokens, ==);
      a = aggregate(s, indices); b = aggregate(s, indicator(indices == 0));
      c = selector_width(select(indices, indices, <));
      a + b + c;`;
    const { size } = rasp(source).compile({ vocabulary: 'ab', length: 4 });
    assert.deepEqual(size.heads, [2, 0]);
  });
});

describe('a mistake is named with its line and column', () => {
  const CASES = [
    ['', 1, 1, /no result.*End it/],
    ['x = select(tokens, tokens, ==);', 1, 5, /the result of the program is a selector/],
    ['tokens\nindices;', 2, 1, /expected ‘;’ after the statement, got ‘indices’/],
    ['x = tokenz;', 1, 5, /there is no ‘tokenz’.*tokens, indices, length/],
    ['indices;\n  counts(tokens);', 2, 3, /there is no function ‘counts’.*selector_width/],
    ['select(tokens, tokens);', 1, 22, /expected ‘,’ and a comparison/],
    ['select(tokens, tokens, =);', 1, 24, /expected a comparison, one of ==/],
    ['select(tokens, indices, ==);', 1, 1, /compares a string with a number.*"a"/],
    ['aggregate(tokens, tokens);', 1, 11, /aggregate needs a selector first, and ‘tokens’ is a sequence/],
    ['aggregate(select(indices, 0, ==));', 1, 1, /1 arguments do not fit aggregate\(selector, sequence\)/],
    ['aggregate(select(indices, 0, ==), tokens, 0);', 1, 43, /needs a string, and ‘0’ is a number/],
    ['aggregate(select(indices, 0, ==), indices, indices);', 1, 44, /is a constant/],
    ['tokens + 1;', 1, 1, /‘\+’ needs a number, and ‘tokens’ is a string/],
    ['1 + (tokens == "a");', 1, 5, /is a boolean\. indicator\(…\)/],
    ['"a" if indices else "b";', 1, 8, /‘if’ needs a boolean.*==/],
    ['"a" if indices == 0 else 1;', 1, 1, /a string and a number/],
    ['select(indices, 0, ==) and indices == 0;', 1, 1, /joins two selectors or two conditions/],
    ['select(indices, 0, ==) + 1;', 1, 1, /selector stands where a sequence is needed/],
    ['tokens in [indices];', 1, 12, /holds constants of the type string/],
    ['tokens = indices;', 1, 1, /‘tokens’ belongs to the language/],
    ['if = 1;', 1, 1, /expected a name that is not a word of the language/],
    ['def f(x) { x; } f(1);', 1, 15, /expected ‘return’/],
    ['def f(x) { return x; } f();', 1, 24, /f\(x\) takes 1 argument, not 0/],
    ['def f(x) { return f(x); } f(1);', 1, 19, /‘f’ calls itself.*Write the/],
    ['def f(x) { return g(x); } f(1);', 1, 19, /no function ‘g’/],
    ['def f(a, a) { return a; } f(1, 2);', 1, 1, /two parameters of ‘f’ are named ‘a’/],
    ['def f(x) { return x; } f;', 1, 24, /‘f’ is a function\. Call it/],
    ['tokens(1);', 1, 1, /‘tokens’ is not a function/],
    ['tokens == "a;', 1, 11, /this string has no end/],
    ['tokens ? 1;', 1, 8, /‘\?’ has no meaning here/],
    ['(indices;', 1, 9, /expected ‘\)’ after the expression/],
    ['not indices;', 1, 1, /needs a condition or a selector, not a number/],
  ];
  for (const [source, line, column, pattern] of CASES) {
    test(JSON.stringify(source), () => {
      assert.throws(() => rasp(source), refusal('bad-argument', pattern, line, column));
    });
  }

  test('mistakes that appear with an input', () => {
    const run = (source, input) => () => rasp(source).run(input);
    assert.throws(run('x = indices;\n1 / x;', 'ab'), refusal('bad-argument', /division by zero.* position 0/, 2, 1));
    assert.throws(run('aggregate(select(indices, indices, <=), tokens);', 'ab'),
      refusal('bad-argument', /different values ‘a’ and ‘b’/, 1, 1));
    assert.deepEqual(rasp('aggregate(select(indices, indices, <=), tokens);').run('aa'), ['a', 'a']);
  });

  test('inputs and options', () => {
    const program = rasp('tokens;');
    for (const input of ['', [], [1], null, undefined, 7]) {
      assert.throws(() => program.run(input), refusal('bad-argument', /expected a string or a list/));
    }
    assert.throws(() => program.run('a'.repeat(257)), refusal('too-large', /257 tokens; the maximum is 256/));
    assert.throws(() => program.compile(), refusal('bad-argument', /compile: vocabulary is ‘undefined’; expected/));
    assert.throws(() => program.compile({ vocabulary: 'aba' }),
      refusal('bad-argument', /3 tokens, 2 of them different/));
    assert.throws(() => program.compile({ vocabulary: 'ab', length: 33 }), refusal('bad-argument', /from 1 to 32/));
    assert.throws(() => program.compile({ vocabulary: 'ab', length: '4' }),
      refusal('bad-argument', /the length of compile .* got the string ‘4’/));
    const compiled = program.compile({ vocabulary: 'ab' });
    for (const none of [undefined, Promise.resolve(l)]) {
      assert.throws(() => compiled.open(none), refusal('bad-argument', /open: expected a lab, such as await lab\(\)/));
    }
    assert.throws(() => program.compile({ vocabulary: 'ab', size: 3 }), refusal('bad-argument', /no option ‘size’/));
    assert.throws(() => rasp(7), refusal('bad-argument', /not a string/));
    const model = program.compile({ vocabulary: ['one', 'two'], length: 2 }).open(l);
    assert.deepEqual(model.run(['two', 'one']).output, ['two', 'one']);
    assert.throws(() => model.run(['three']), refusal('bad-argument', /no ‘three’; there are one two/));
    assert.throws(() => model.run(['one', 'one', 'one']), refusal('bad-argument', /3 tokens; .* at most 2/));
    model.weights['head.weight'].set(model.weights['head.weight'].data.map(() => NaN));
    assert.throws(() => model.run(['one']), refusal('not-finite', /a weight was changed to NaN/));
  });
});

describe('hostile programs fail fast', () => {
  const soon = (source, pattern, run = (program) => program.compile({ vocabulary: 'abcdefgh', length: 32 })) => {
    assert.throws(() => run(rasp(source)), refusal('too-large', pattern));
  };
  const doubled = (count) => `def f0(x) { return x; } ${Array.from({ length: count }, (_, i) =>
    `def f${i + 1}(x) { return f${i}(f${i}(x)); }`).join(' ')} f${count}(indices);`;

  test('long, deep and exploding programs', () => {
    soon(' '.repeat(10_001), /10001 characters/);
    soon(`${'('.repeat(200)}1${')'.repeat(200)};`, /more than 100 deep/);
    soon(`${'-'.repeat(200)}1;`, /more than 100 signs/);
    soon(`${'1+'.repeat(200)}1;`, /more than 100 operators/);
    soon(doubled(20), /more than 20000 steps/);
    soon(`x = indices; ${'x=x+1;'.repeat(1001)}x;`, /more than 1000 steps that wait/);
  });

  test('shared selectors and functions are visited once', () => {
    const source = `s = select(indices, indices, <); ${'s = s or not s; '.repeat(200)} selector_width(s);`;
    assert.deepEqual(rasp(source).run('abc'), [3, 3, 3]);
    const model = rasp(source).compile({ vocabulary: 'abc', length: 3 }).open(l);
    assert.deepEqual(model.run('abc').output, [3, 3, 3]);
    const conjunction = `s = select(indices, indices, <); ${'s = s and s; '.repeat(200)} selector_width(s);`;
    assert.deepEqual(rasp(conjunction).compile({ vocabulary: 'abc', length: 3 }).open(l).run('abc').output, [0, 1, 2]);
  });

  test('too many selectors for the interpreter', () => {
    const many = Array.from({ length: 100 }, (_, i) => `selector_width(select(indices + ${i}, indices, ==))`);
    soon(`x = ${many.slice(0, 50).join(' + ')}; x + ${many.slice(50).join(' + ')};`, /pairs of a query and a key/,
      (program) => program.run('a'.repeat(256)));
  });

  test('variables with too many values, and models that are too large', () => {
    soon('aggregate(select(indices, indices, <=), indices * indices);', /possible values; the maximum is 600/);
    soon(`share = aggregate(select(indices, indices, <=), indicator(tokens == "a"));
      share * selector_width(select(tokens, tokens, ==));`,
      /look up \d+ combinations \(325 values of agg.*maximum is 4096/);
    const counts = Array.from({ length: 40 }, (_, i) => `select(indices + ${i}, indices, <)`);
    soon(`length * ${counts.map((each) => `selector_width(${each})`).join(' + ')};`, /width|wide|values|combinations/);
    const program = rasp(`x = selector_width(select(tokens, tokens, ==)); ${Array.from({ length: 60 }, (_, i) =>
      `x = x + selector_width(select(indices, x + ${i}, ==) and select(tokens, "a", ==));`).join(' ')} x;`);
    soon('0;', /./, () => program.compile({ vocabulary: 'ab', length: 32 }));
  });
});
