/** LaTeX and HTML files of figures: exact escapes of hostile tokens, structure, and limits. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { paletteFor } from '../../web/draw/color.js';
import { figureHtmlSteps, parseCsv, STYLE } from '../../web/draw/html-export.js';
import { mapToCsv, mapToJson, mapToSvg } from '../../web/draw/map-export.js';
import { escapeTex, mapToTikz, TIKZ_LIMIT, tikzDocument } from '../../web/draw/map-tikz.js';
import { shadingOf } from '../../web/draw/raster.js';
import { Rows } from '../../web/draw/rows.js';

/** Tokens that would end a script, a tag, a section, a group, a comment or a line. */
const HOSTILE = ['</script><script>alert(1)</script>', '<b>', ']]>', '-->', '\\end{document}', '\\input{/etc/passwd}',
  '{', '}', '%', '#', '$', '&', '_', '^', '^^5c', '~', '\\', '"', "'", '`', '\0', '\n', '\u202e', '\ud800', 'ö', '中',
  '🙂', '\u2028', '€', '--', '?`', '" onload="alert(1)', '&lt;'];

/** @param {string[]} tokens */
function figureOf(tokens) {
  const rows = new Rows();
  const { length } = tokens;
  rows.add({ data: Float32Array.from({ length: length * length }, (_, i) => {
    const query = Math.floor(i / length);
    const key = i % length;
    return key > query ? 0 : 1 / (query + 1);
  }), queries: length, keys: length, firstQuery: 0 });
  return { rows, tokens, layer: 0, head: 0, title: 'attention </title> 100 %', caption: ['Model a_b'],
    provenance: { model: '</metadata><script>' } };
}
const palette = paletteFor([255, 255, 255]);
/** @param {ReturnType<typeof figureOf>} figure */
const shadingFor = ({ rows }) => shadingOf(rows, { kind: 'linear', leaveFirstOut: false });

describe('TikZ', () => {
  test('escapes every special character of TeX', () => {
    assert.equal(escapeTex('\\{}%#$&_^~'),
      '\\textbackslash{}\\{\\}\\%\\#\\$\\&\\_\\textasciicircum{}\\textasciitilde{}');
    assert.equal(escapeTex('a b--,?`!'), 'a\\ b-{}-{},{}?{}\\textasciigrave{}!{}');
    assert.equal(escapeTex('<|"\'>'), '\\textless{}\\textbar{}\\char34{}\\textquotesingle{}\\textgreater{}');
    assert.equal(escapeTex('ö中🙂'), '\\heedchar{00F6}\\heedchar{4E2D}\\heedchar{1F642}');
    assert.equal(escapeTex('\0\n\r\t\x7f\u202e\ud800\u2028'), ['0000', '000A', '000D', '0009', '007F', '202E', 'D800',
      '2028'].map((code) => `\\heedcode{${code}}`).join(''));
    assert.equal(escapeTex('__proto__constructor'), '\\_\\_proto\\_\\_constructor');
  });

  test('every ASCII character and hostile token gives ASCII with balanced braces and no new command', () => {
    const all = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    for (const text of [...all, ...all.map((a) => `^^${a}`), ...HOSTILE]) {
      const escaped = escapeTex(text);
      assert.match(escaped, /^[\x20-\x7e]*$/);
      const plain = escaped.replace(/\\[{}%#$&_ ]/g, '');
      assert.equal(plain.split('{').length, plain.split('}').length, text);
      for (const [, command] of plain.matchAll(/\\([A-Za-z]+)/g)) {
        assert.match(command, /^(text[a-z]+|char|heedchar|heedcode)$/);
      }
      assert.doesNotMatch(plain, /[%#&_^~]/);
    }
  });

  test('a map with hostile tokens: one picture, one node per token, all lines closed', () => {
    const figure = figureOf(HOSTILE);
    const tikz = mapToTikz(figure, shadingFor(figure), palette, 14);
    const { picture } = tikz;
    assert.match(picture, /^[\x0a\x20-\x7e]*$/);
    assert.equal(picture.split('\\begin{tikzpicture}').length, 2);
    assert.equal(picture.split('\\end{tikzpicture}').length, 2);
    assert.doesNotMatch(picture, /\\input|\\end\{document\}/);
    const nodes = picture.split('\n').filter((line) => line.startsWith('\\node'));
    assert.equal(nodes.filter((line) => line.includes('\\ttfamily')).length, 2 * HOSTILE.length);
    assert.ok(nodes.every((line) => line.endsWith('};')));
    assert.ok(picture.includes('{\\textless{}b\\textgreater{}};') && picture.includes(']]\\textgreater{}};'));
    assert.ok(picture.includes('{attention\\ \\textless{}/title\\textgreater{}\\ 100\\ \\%};'));
    const document = tikzDocument(tikz);
    assert.equal(document, `\\documentclass{article}\n${document.slice(document.indexOf('\\usepackage'),
      document.indexOf('\\begin{document}'))}\\begin{document}\n${picture}\\end{document}\n`);
  });

  test('cells have the places and colors of the SVG; options apply', () => {
    const figure = figureOf(['a', 'b']);
    const { picture } = mapToTikz(figure, shadingFor(figure), palette, 20);
    const svg = mapToSvg(figure, shadingFor(figure), palette, 20);
    const [, left, top] = /translate\((\S+) (\S+)\) scale\(20\)/.exec(svg) ?? [];
    const x = Number(left);
    const y = Number(top);
    assert.ok(picture.includes(`\\fill[heedlevel] (${x},${y}) rectangle (${x + 20},${y + 20});`));
    assert.ok(picture.includes(`(${x},${y + 20}) rectangle (${x + 40},${y + 40})`),
      'two equal cells are one rectangle');
    const [, color] = /fill="rgb\(([^)]*)\)" d="M0 0h1/.exec(svg) ?? [];
    assert.ok(picture.includes(`\\definecolor{heedlevel}{RGB}{${color.replaceAll(' ', '')}}`));
    assert.match(picture, /pattern=north east lines/);
    const bare = mapToTikz(figure, shadingFor(figure), palette, 20, { fontSize: 16, hatch: false, transparent: true,
      caption: false }).picture;
    assert.doesNotMatch(bare, /pattern|fill\[heedpaper\]|Model/);
    assert.match(bare, /\\fontsize\{12bp\}/);
  });

  test('a map beyond the memory of TeX is refused', () => {
    const figure = figureOf(Array.from({ length: TIKZ_LIMIT + 1 }, String));
    assert.throws(() => mapToTikz(figure, shadingFor(figure), palette, 14), /129 tokens.*at most 128.*SVG/);
  });
});

describe('HTML', () => {
  const page = (/** @type {string[]} */ tokens) => {
    const figure = figureOf(tokens);
    return [...figureHtmlSteps({ title: figure.title, svg: mapToSvg(figure, shadingFor(figure), palette, 14),
      csv: mapToCsv(figure), json: mapToJson(figure) })].join('');
  };

  test('a long file has many steps, and none splits a character', () => {
    const json = `${'x'.repeat(2 ** 18 - 1)}${'🙂'.repeat(2 ** 18)}`;
    const steps = [...figureHtmlSteps({ title: 't', svg: '<svg/>', csv: `a\r\n${'1\r\n'.repeat(2 ** 18)}`, json })];
    const html = steps.join('');
    assert.ok(steps.length > 6, `${steps.length}`);
    assert.ok(html.includes(`<pre>${json}</pre>`));
    assert.ok(html.includes(`2000 of ${2 ** 18} lines`));
  });

  test('hostile tokens are text: they add no element, attribute or section', () => {
    const html = page(HOSTILE);
    assert.doesNotMatch(html, /<script|<b>|\]\]>|-->|<!--|<!\[CDATA|\son\w+=(?![&\\])/i);
    assert.equal(html.match(/<\/?(html|head|body|title|style|table|thead|tbody|svg|metadata)\b/g)?.length, 22);
    assert.ok(html.includes('<td>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</td>'));
    assert.ok(html.includes('<td>&quot; onload=&quot;alert(1)</td>') && html.includes('<td>&amp;lt;</td>'));
    assert.ok(html.includes('<td>\ufffd</td>'), 'a control character or half a surrogate pair is replaced');
  });

  test('the policy allows one style sheet and nothing else; the file has no address', () => {
    const html = page(['a', 'b']);
    const hash = createHash('sha256').update(STYLE).digest('base64');
    assert.ok(html.includes(`content="default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; `
      + 'form-action \'none\'">'));
    assert.ok(html.includes(`<style>${STYLE}</style>`));
    assert.doesNotMatch(html.replaceAll('xmlns="http://www.w3.org/2000/svg"', ''), /https?:|href=|src=|url\((?!#)/);
    assert.equal(html.match(/<tr>/g)?.length, 1 + 3, 'header and three cells');
    const [, json] = /<pre>([^<]*)<\/pre>/.exec(html) ?? [];
    assert.deepEqual(JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>').replaceAll('&amp;', '&')).tokens, ['a', 'b']);
  });

  test('parsing written CSV gives the same cells', () => {
    assert.deepEqual(parseCsv(mapToCsv(figureOf(HOSTILE))).slice(1).filter(([, , query, , key]) => query === key)
      .map((cells) => cells[5]), HOSTILE);
    assert.deepEqual(parseCsv('a,b\r\n,\r\n'), [['a', 'b'], ['', '']]);
  });

  test('a long table is cut, and its title gives both line counts', () => {
    const html = page(Array.from({ length: 100 }, String));
    assert.ok(html.includes('Numbers as a table, 2000 of 5050 lines'));
    assert.ok(page(['a\n', '"\r\n"']).includes('Numbers as a table, 3 lines'), 'line breaks in tokens are no lines');
  });
});
