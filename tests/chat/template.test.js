// Chat templates: what they compute, and that a hostile one ends soon, with an error and without access to JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTemplate } from '../../js/chat/template.js';
import { heedError } from '../support/model.js';

/** @param {string} source @param {Record<string, unknown>} [variables] */
const render = (source, variables = {}) => readTemplate(source).render(variables);

test('loops, conditions, filters, methods, macros and namespaces as in Jinja', () => {
  const messages = [{ role: 'user', content: ' Hi ' }, { role: 'assistant', content: '<think>x</think>Yes' }];
  assert.equal(render('{% for m in messages %}[{{ m.role }}:{{ m.content | trim }}]\n{% endfor %}', { messages }),
    '[user:Hi]\n[assistant:<think>x</think>Yes]\n');
  assert.equal(render("{{ messages[-1]['content'].split('</think>')[-1].upper() }}", { messages }), 'YES');
  assert.equal(render('{% set ns = namespace(n=0) %}{% for m in messages if m.role == "user" %}' +
    '{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}', { messages }), '1');
  assert.equal(render('{% macro f(a, b=2) %}{{ a + b }}{% endmacro %}{{ f(1) }}{{ f(1, b=3) }}'), '34');
  assert.equal(render('{{ tools | tojson(indent=2) }}', { tools: [{ name: '</s>' }] }),
    '[\n  {\n    "name": "</s>"\n  }\n]');
  assert.equal(render("{{ range(2, 9, 3) | list | join(' ') }}{{ 'a-b'.replace('-', '+') }}"), '2 5 8a+b');
  assert.match(render("{{ strftime_now('%d %b %Y %%') }}"),
    /^\d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} %$/);
  assert.deepEqual(readTemplate("{{ 'a' }}{% if x in ['</b>'] %}'c'{% endif %}").quotes, ['a', '</b>']);
});

test('raise_exception refuses the messages in the template’s words', () => {
  assert.throws(() => render("{{ raise_exception('Roles must alternate') }}"),
    heedError('bad-argument', /refuses these messages: Roles must alternate/));
});

test('a template sees values and nothing of JavaScript', () => {
  const names = ['constructor', '__proto__', 'prototype', 'toString', 'value', 'builtins', '__class__'];
  for (const name of names) {
    for (const value of ["''", '[]', 'x', 'range', '1', 'none', 'namespace()']) {
      assert.equal(render(`{{ ${value}.${name} }}`, { x: { a: 1 } }), '', `${value}.${name}`);
    }
  }
  assert.equal(render('{{ globalThis }}{{ process }}{{ this }}{{ window }}{{ constructor }}{{ require }}'), '');
  assert.throws(() => render("{{ ''['constructor']['constructor']('return 1')() }}"), heedError('unsupported'));
});

const DOUBLE = (/** @type {number} */ times) => "{% set ns = namespace(s='xxxxxxxxxxxxxxxx') %}{% for i in range(" +
  `${times}) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}`;
/** @type {[string, string, RegExp][]} */
const HOSTILE = [
  ['a long range', '{% for i in range(100000000) %}x{% endfor %}', /range of 100000000/],
  ['loops in loops', '{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}', /steps/],
  ['a doubled text', DOUBLE(1000), /value of more than/],
  ['doubled arrays', '{% set ns = namespace(s=[1]) %}{% for i in range(50) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}',
    /value of more than/],
  ['a wide indent', "{{ 'a\nb' | indent(1000000000) }}", /too much time/],
  ['a wide indent in JSON', '{{ [1, [2]] | tojson(indent=1000000000) }}', /too much time/],
  ['a wide indent by a spread', "{{ 'a\nb' | indent(*[1000000000]) }}", /too much time/],
  ['replacing nothing by much', `${DOUBLE(17)}{{ ns.s.replace('', ns.s) }}`, /too much time/],
  ['a long separator', `${DOUBLE(17)}{{ ns.s | join(ns.s) }}`, /too much time/],
  ['many searches', `${DOUBLE(17)}{% for i in range(9999) %}{{ 'y' in ns.s }}{% endfor %}`, /too much time/],
  ['many copies', `${DOUBLE(17)}{% set ns.a = [] %}{% for i in range(9999) %}{% set ns.a = ns.a + [ns.s | upper] %}` +
    '{% endfor %}', /too much time|value of more than/],
  ['branching recursion',
    '{% macro f(x) %}{% if x < 60 %}{{ f(x + 1) }}{{ f(x + 1) }}{% endif %}{% endmacro %}{{ f(1) }}',
    /steps/],
  ['a namespace in itself', '{% set ns = namespace() %}{% set ns.self = ns %}{{ ns }}', /namespace/],
  ['endless recursion', '{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}', /./],
  ['much white space', `${' '.repeat(60_000)}x`, /spaces/],
  ['deep nesting', `{{ ${'['.repeat(20_000)}${']'.repeat(20_000)} }}`, /./],
  ['a long template', 'x'.repeat(70_000), /70000 characters/],
  ['syntax of something else', '{% frob %}', /cannot be rendered/],
];
for (const [what, source, says] of HOSTILE) {
  test(`hostile: ${what}`, () => {
    assert.throws(() => render(source), (/** @type {any} */ error) =>
      error.name === 'HeedError' && ['too-large', 'unsupported'].includes(error.code) && says.test(error.message));
  });
}
