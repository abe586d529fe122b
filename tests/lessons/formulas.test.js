/** TeX in the text of lessons becomes MathML when the site is built. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Formulas } from '../../tools/build/formulas.js';

const LESSONS = fileURLToPath(new URL('../../web/lessons/', import.meta.url));

/** @param {string} html */
const render = (html) => new Formulas().render(html, 'page.html');

test('every formula of every lesson is valid TeX', async () => {
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

/** MathML Core: elements with a fixed number of children. */
const CHILDREN = { mfrac: 2, mroot: 2, msub: 2, msup: 2, msubsup: 3, munder: 2, mover: 2, munderover: 3 };

test('every element of every formula has all its children', async () => {
  const formulas = new Formulas();
  let counted = 0;
  for (const name of (await readdir(LESSONS)).filter((each) => each.endsWith('.html'))) {
    const html = formulas.render(await readFile(LESSONS + name, 'utf8'), name);
    for (const [math] of html.matchAll(/<math\b[^]*?<\/math>/g)) {
      /** @type {{ tag: string, children: number }[]} */ const open = [{ tag: '', children: 0 }];
      for (const [, end, tag, empty] of math.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
        if (!end) open[open.length - 1].children++;
        if (!end && !empty) open.push({ tag, children: 0 });
        if (!end) continue;
        const { tag: opened, children } = /** @type {typeof open[number]} */ (open.pop());
        assert.equal(opened, tag, `${name}: ${math}`);
        if (!(tag in CHILDREN)) continue;
        assert.equal(children, CHILDREN[/** @type {keyof typeof CHILDREN} */ (tag)], `${name}: <${tag}> in ${math}`);
        counted++;
      }
      assert.equal(open.length, 1, `${name}: ${math}`);
    }
  }
  assert.ok(counted > 200, `${counted} elements`);
});

test('$…$ is a formula inside a line, $$…$$ a formula on a separate line', () => {
  assert.equal(render('<p>$x$</p>'), '<p><math><mi>x</mi></math></p>');
  assert.equal(render('$$x$$'), '<math display="block"><mi>x</mi></math>');
});

test('punctuation stays on the line of its formula', () => {
  assert.equal(render('($x$), then'), '<span class="whole">(<math><mi>x</mi></math>),</span> then');
  assert.equal(render('$x$&nbsp;=&nbsp;<output data-value="x"></output>. Then'),
    '<span class="whole"><math><mi>x</mi></math>&nbsp;=&nbsp;<output data-value="x"></output>.</span> Then');
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
