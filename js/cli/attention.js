// heed attention: the attention map of one head, or of all heads, over a prompt.
import { writeGiven } from './given-files.js';
import { idsOf, modelHelp, openModel, sayEngine, textHelp, textOptions } from './model-options.js';
import { interruptible, number, oneLine, printJson, promptOf, say, UsageError } from './terminal.js';

const SHADES = [' ', '·', '░', '▒', '▓', '█'];
const LABEL = 14; // width of a token's text in columns

/** @param {string} token */
function label(token) {
  const text = [...oneLine(token)];
  return (text.length > LABEL ? [...text.slice(0, LABEL - 1), '…'] : text).join('').padStart(LABEL);
}

/** A weight in three columns: .42, and 1. for weights that round to one.
 *  @param {number} weight */
function digits(weight) {
  if (weight < 0.005) return '  ·';
  return weight >= 0.995 ? ' 1.' : weight.toFixed(2).slice(1);
}

/** @param {number} score */
const scoreDigits = (score) => (score === -Infinity ? '·' : score.toFixed(1)).padStart(6);

/** A map as text, one row per query: digits if they fit into the width, else one shade per key.
 *  @param {import('../index.js').AttentionMap} map
 *  @param {number} width  width of the terminal in columns
 *  @param {boolean} causal  whether a query attends to no later key */
function mapText({ data, queries, keys, firstQuery, kind, tokens, queryTokens = tokens }, width, causal) {
  const cell = kind === 'scores' ? scoreDigits : digits;
  const cellWidth = cell(0).length + 1;
  const room = width - LABEL - 6;
  const shaded = kind === 'pattern' && keys * cellWidth > room;
  const rows = [];
  if (!shaded) {
    const heads = tokens.slice(0, keys).map((token) => [...oneLine(token).trim()].slice(0, cellWidth - 1).join(''));
    rows.push(' '.repeat(LABEL + 6) + heads.map((text) => text.padStart(cellWidth)).join(''));
  }
  for (let q = 0; q < queries; q++) {
    const position = firstQuery + q;
    const weights = Array.from(data.subarray(q * keys, q * keys + (causal ? Math.min(position + 1, keys) : keys)));
    const cells = shaded
      ? weights.map((w) => SHADES[w <= 0 ? 0 : Math.min(SHADES.length - 1, 1 + Math.floor(w * (SHADES.length - 1)))])
      : weights.map((w) => ` ${cell(w)}`);
    rows.push(`${label(queryTokens[position])} ${String(position).padStart(4)} ${cells.join('')}`);
  }
  if (shaded) rows.push(`${' '.repeat(LABEL + 6)}one column per key; ${SHADES.slice(1).join(' ')} in steps of 0.2`);
  return rows.join('\n');
}

/** `--queries 3:8` as [3, 8].
 *  @param {string | undefined} text  @returns {[number, number] | undefined} */
function rangeOf(text) {
  if (text === undefined) return undefined;
  const match = /^(\d+):(\d+)$/.exec(text);
  if (!match) throw new UsageError(`--queries ${text}: expected FROM:TO, such as 3:8`);
  return [Number(match[1]), Number(match[2])];
}

const PARTS = ['encoder', 'decoder', 'cross'];
const FORMATS = ['text', 'csv', 'svg', 'png'];

/** The checked options of the command, before a model is loaded.
 *  @param {import('./terminal.js').Values} values */
function requestOf(values) {
  const { all = false, kind = 'pattern', format = 'text', out, of } = values;
  if (of !== undefined && !PARTS.includes(of)) throw new UsageError(`--of ${of}: expected one of ${PARTS.join(', ')}`);
  if (kind !== 'pattern' && kind !== 'scores') throw new UsageError(`--kind ${kind}: expected pattern or scores`);
  if (!FORMATS.includes(format)) throw new UsageError(`--format ${format}: expected one of ${FORMATS.join(', ')}`);
  if (values.json && values.format !== undefined) throw new UsageError('expected either --json or --format');
  if (out !== undefined && format === 'text') throw new UsageError('--out needs --format csv, svg or png');
  if (all && format === 'text' && !values.json) throw new UsageError('--all needs --json or --format csv, svg or png');
  if (all && (values.layer ?? values.head) !== undefined) {
    throw new UsageError('expected either --all or --layer and --head');
  }
  if (format !== 'text' && kind !== 'pattern') throw new UsageError(`--format ${format} shows patterns, not scores`);
  if (format !== 'text' && values.queries !== undefined) throw new UsageError(`--format ${format} takes all queries`);
  if (format === 'png' && out === undefined && process.stdout.isTTY) {
    throw new UsageError('a PNG cannot be shown in a terminal: give --out FILE');
  }
  const at = (/** @type {string} */ name) =>
    /** @type {number} */ (number(values, name, { min: 0, integer: true, needed: !all }));
  return { all, kind, format, out, of, layer: at('layer'), head: at('head'), queries: rangeOf(values.queries) };
}

/** @typedef {ReturnType<typeof requestOf>} Request */

/** Whether queries attend to no later key. @param {import('../index.js').Model} model  @param {Request} request */
const isCausal = ({ info }, { of = 'decoder' }) => !info.bidirectional && of === 'decoder';

/** The maps of all heads, or of the selected head.
 *  @param {import('../index.js').Model} model  @param {Request} request
 *  @returns {Promise<import('./attention-file.js').Maps>} */
async function mapsOf(model, request) {
  const { all, of, layer, head } = request;
  const { name, file } = model.info;
  const first = await model.attention({ of, layer: all ? 0 : layer, head: all ? 0 : head });
  const { tokens, queryTokens, queries, keys } = first;
  const provenance = { model: name, file, prompt: await textOf(model) };
  const part = of === undefined ? '' : `, ${of}`;
  const ofAll = { tokens, queryTokens, queries, keys, provenance, causal: isCausal(model, request) };
  if (!all) {
    const title = `Attention of layer ${layer}, head ${head}${part}`;
    return { ...ofAll, heads: [{ layer, head, data: first.data }], layers: 1, title };
  }
  const { data, layers, heads } = await model.attentionRows({ of });
  const size = queries * keys;
  const every = Array.from({ length: layers * heads }, (_, at) =>
    ({ layer: Math.floor(at / heads), head: at % heads, data: data.subarray(at * size, (at + 1) * size) }));
  return { ...ofAll, heads: every, layers, title: `Attention of every head${part}` };
}

/** The prompt as text, or as ids without a tokenizer. @param {import('../index.js').Model} model */
const textOf = async (model) => (model.info.tokenizer ? model.decode(model.ids) : model.ids.join(', '));

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const request = requestOf(values);
  const prompt = await promptOf(values);
  return interruptible(async (signal) => {
    const model = await openModel(values, signal);
    await model.forward(await idsOf(model, prompt, values), { signal });
    if (request.format !== 'text') await writeFormat(await mapsOf(model, request), request);
    else if (request.all) await printAll(model, request);
    else await printMap(model, request, values.json);
    model.dispose();
    return 0;
  });
}

/** @param {import('./attention-file.js').Maps} maps  @param {Request} request */
async function writeFormat(maps, { format, out }) {
  const { attentionFile } = await import('./attention-file.js');
  const file = attentionFile(/** @type {import('./attention-file.js').Format} */ (format), maps);
  if (out === undefined) {
    process.stdout.write(file);
  } else {
    writeGiven('out', out, file);
    say(`wrote ${out}`);
  }
}

/** @param {import('../index.js').Model} model  @param {Request} request */
async function printAll(model, { kind, queries, of }) {
  const rows = await model.attentionRows({ kind, queries, of });
  const { tokens, queryTokens } = await model.attention({ layer: 0, head: 0, queries: [0, 0], of });
  printJson({ ...rows, tokens, queryTokens });
}

/** @param {import('../index.js').Model} model  @param {Request} request  @param {boolean} json */
async function printMap(model, request, json) {
  const { layer, head, kind, queries, of } = request;
  const map = await model.attention({ layer, head, kind, queries, of });
  if (json) return printJson(map);
  sayEngine(model);
  const part = of === undefined ? '' : `${of}, `;
  process.stdout.write(`${part}layer ${layer}, head ${head}, ${kind}: a row for each query, a column for each key\n`);
  process.stdout.write(`${mapText(map, process.stdout.columns ?? 120, isCausal(model, request))}\n`);
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'show the attention map of one head or of all heads',
  help: `usage: heed attention (--prompt TEXT | --ids 1,2,3) (--layer L --head H | --all) [OPTIONS]

Prints the map of one head over the prompt. With --json: { data, queries, keys, firstQuery, layer, head, kind, tokens },
data [query][key]; masked scores are null. With --all --json: { data, layers, heads, queries, keys,
firstQuery, tokens }, data [layer][head][query][key]. Maps of --of cross have queryTokens, too.

${textHelp}
  --layer L --head H  layer and head, both from 0
  --all               all heads of all layers, with --json or --format
  --of PART           of an encoder–decoder: decoder (default), encoder or cross, from the text to the source
  --kind K            pattern (after softmax, the default) or scores (before it)
  --queries FROM:TO   rows from FROM up to, but not including, TO
  --format F          text (default); csv with one line per weight; svg with labels and color bar; png of the cells
  --out FILE          file for the csv, svg or png; default: standard output
${modelHelp}`,
  options: {
    ...textOptions,
    of: { type: 'string' },
    layer: { type: 'string' },
    head: { type: 'string' },
    all: { type: 'boolean' },
    kind: { type: 'string' },
    queries: { type: 'string' },
    format: { type: 'string' },
    out: { type: 'string' },
  },
  positionals: 0,
  run,
};
