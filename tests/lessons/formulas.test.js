/** TeX in the text of lessons becomes MathML when the site is built. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Formulas } from '../../tools/build/formulas.js';

const LESSONS = fileURLToPath(new URL('../../web/lessons/', import.meta.url));

/** @param {string} html */
const render = (html) => new Formulas().render(html, 'page.html');

test('every formula of every lesson is TeX, and parses', async () => {
  const formulas = new Formulas();
  const pages = (await readdir(LESSONS)).filter((name) => name.endsWith('.html'));
  let count = 0;
  for (const name of pages) {
    const html = await readFile(LESSONS + name, 'utf8');
    assert.doesNotMatch(html, /<math\b/i, name);
    count += formulas.render(html, name).match(/<math\b/g)?.length ?? 0;
  }
  assert.ok(count > 90, `${count} formulas`);
});

test('$…$ is a formula inside a line, $$…$$ one on its own line', () => {
  assert.equal(render('<p>$x$</p>'), '<p><math><mi>x</mi></math></p>');
  assert.equal(render('$$x$$'), '<math display="block"><mi>x</mi></math>');
});

test('punctuation stays on the line of its formula', () => {
  assert.equal(render('($x$), then'), '<span class="whole">(<math><mi>x</mi></math>),</span> then');
});

test('\\$ is a dollar sign; code, tags and comments are left alone', () => {
  assert.equal(render('\\$5'), '$5');
  const html = '<!-- $ --><p title="$x$">a</p><pre><code>$("map")</code></pre>';
  assert.equal(render(html), html);
});

test('a prime stands beside its letter', () => {
  assert.equal(render("$W'_O$"),
    '<math><msub><mrow><mi>W</mi><mo lspace="0" rspace="0">′</mo></mrow><mi>O</mi></msub></math>');
});

test('styles become classes, because the page policy forbids style attributes', () => {
  const formulas = new Formulas();
  const html = formulas.render('$\\begin{pmatrix} a & b \\end{pmatrix}$ $\\hat x$ $\\color{red} x$', 'page.html');
  assert.doesNotMatch(html, /style=/);
  for (const name of html.match(/tex-\d+/g) ?? []) assert.ok(formulas.css().includes(`.${name} { `), name);
  assert.match(formulas.css(), /color:/);
});

test('errors name file and line', () => {
  /** @type {[html: string, message: RegExp][]} */
  const cases = [
    ['a\nb $\\frac{1}$', /^page\.html:2: Unexpected end of input.* in \$\\frac\{1\}\$$/],
    ['a\n\n$\\nothing$', /^page\.html:3: Unsupported function name: \\nothing/],
    ['<p>a $x</p>\n<p>$y$</p>', /^page\.html:1: a \$ without its second \$/],
    ['a\nb $x', /^page\.html:2: a \$ without its second \$/],
    ['$ $', /^page\.html:1: an empty formula/],
    ['a\n<math><mi>x</mi></math>', /^page\.html:2: MathML written by hand/],
    ['$\\a$\n$\\b$ $\\nothing$ $\\nor$', /page\.html:2: .*\\nothing[^]*\npage\.html:2: .*\\nor/],
  ];
  for (const [html, message] of cases) assert.throws(() => render(html), { message });
});
