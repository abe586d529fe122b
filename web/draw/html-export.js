/** A figure as one HTML page without scripts: the picture as SVG, and its numbers as a table and as JSON. */
import { escapeXml } from './map-export.js';

/** Style of the page. Its hash is in the policy of the page, which forbids other styles. */
export const STYLE = 'body{margin:2rem auto;padding:0 1rem;max-width:72rem;font:1rem/1.5 system-ui,sans-serif}'
  + 'svg{max-width:100%;height:auto}pre{overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}'
  + 'div{overflow:auto}table{border-collapse:collapse}th,td{padding:2px 8px;text-align:start;white-space:pre}';
const STYLE_HASH = 'sha256-pwuPj3colTTGn/ltRkGU/dlKfaOvZl81x3gz0XMDp0c=';
const POLICY = `default-src 'none'; img-src data:; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;
/** Most rows of the table. */
const ROWS = 2000;

/**
 * The fields of a CSV text (RFC 4180).
 * @param {string} csv
 * @param {number} [most] lines to read, default all
 * @returns {string[][]}
 */
export function parseCsv(csv, most = Infinity) {
  /** @type {string[][]} */
  const rows = [];
  /** @type {string[]} */
  let row = [];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (quoted === undefined && plain === '' && end === '' && row.length === 0) break;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    if (rows.length === most) break;
    row = [];
  }
  return rows;
}

/** Characters of a step. */
const PART = 1 << 18;

/**
 * Parts of a long text. No part ends between the halves of a surrogate pair.
 * @param {string} text
 */
function* partsOf(text) {
  for (let from = 0, to; from < text.length; from = to) {
    to = from + PART;
    if (/[\ud800-\udbff]/.test(text[to - 1] ?? '')) to++;
    yield text.slice(from, to);
  }
}

/**
 * Counts the lines of a CSV text, without the line breaks in quotes, in steps.
 * @param {string} csv
 * @returns {Generator<string, number>} steps without text; returns the number
 */
function* countLines(csv) {
  const quote = 34;
  const newline = 10; // ", \n
  let lines = 0;
  let isQuoted = false;
  for (const part of partsOf(csv)) {
    for (let i = 0; i < part.length; i++) {
      const code = part.charCodeAt(i);
      if (code === quote) isQuoted = !isQuoted;
      else if (code === newline && !isQuoted) lines++;
    }
    yield '';
  }
  return lines;
}

/**
 * A figure as an HTML document, in steps. A figure of a long text has half a million numbers, and each step takes some
 * milliseconds.
 * @param {{ title: string, svg: string, csv: string, json: string }} figure svg: a document whose texts are
 *   escaped; csv: with a line of names
 * @returns {Generator<string>}
 */
export function* figureHtmlSteps({ title, svg, csv, json }) {
  const [names = [], ...shown] = parseCsv(csv, ROWS + 1);
  const cells = (/** @type {string[]} */ texts, tag = 'td') =>
    `<tr>${texts.map((text) => `<${tag}>${escapeXml(text)}</${tag}>`).join('')}</tr>`;
  const total = (yield* countLines(csv)) - 1;
  const count = `${shown.length < total ? `${shown.length} of ` : ''}${total} lines`;
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${escapeXml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeXml(title)}</h1>
${svg.trim()}
<details><summary>Numbers as a table, ${count}</summary><div><table>
<thead>${cells(names, 'th')}</thead>
<tbody>
${shown.map((row) => cells(row)).join('\n')}
</tbody></table></div></details>
<details><summary>Numbers as JSON</summary><pre>`;
  for (const part of partsOf(json.trim())) yield escapeXml(part);
  yield `</pre></details>
</body>
</html>
`;
}
