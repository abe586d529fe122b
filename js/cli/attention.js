// heed attention: the map of one head, or of every head, over a prompt.
import { writeFile } from 'node:fs/promises';
import { idsOf, modelHelp, openModel, promptHelp, promptOptions, sayEngine } from './model-options.js';
import { interruptible, number, oneLine, printJson, promptOf, say, UsageError } from './terminal.js';

const SHADES = [' ', '·', '░', '▒', '▓', '█'];
const LABEL = 14; // columns for a token's text

/** @param {string} token */
function label(token) {
  const text = [...oneLine(token)];
  return (text.length > LABEL ? [...text.slice(0, LABEL - 1), '…'] : text).join('').padStart(LABEL);
}

/** One weight of a pattern in three columns: .42, and 1. for what rounds to one.
 *  @param {number} weight */
function digits(weight) {
  if (weight < 0.005) return '  ·';
  return weight >= 0.995 ? ' 1.' : weight.toFixed(2).slice(1);
}

/** @param {number} score */
const scoreDigits = (score) => (score === -Infinity ? '·' : score.toFixed(1)).padStart(6);

/** A map as text: a row a query, with digits where they fit into the width, else one shade a key.
 *  @param {import('../index.js').AttentionMap} map
 *  @param {number} width columns of the terminal */
export function mapText({ data, queries, keys, firstQuery, kind, tokens }, width) {
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
    const weights = Array.from(data.subarray(q * keys, q * keys + Math.min(position + 1, keys)));
    const cells = shaded
      ? weights.map((w) => SHADES[w <= 0 ? 0 : Math.min(SHADES.length - 1, 1 + Math.floor(w * (SHADES.length - 1)))])
      : weights.map((w) => ` ${cell(w)}`);
    rows.push(`${label(tokens[position])} ${String(position).padStart(4)} ${cells.join('')}`);
  }
  if (shaded) rows.push(`${' '.repeat(LABEL + 6)}one column a key; ${SHADES.slice(1).join(' ')} in steps of 0.2`);
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

const FORMATS = ['text', 'csv', 'svg', 'png'];

/** What was asked for, before anything is loaded.
 *  @param {import('./terminal.js').Values} values */
function askedOf(values) {
  const { all = false, kind = 'pattern', format = 'text', out } = values;
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
    throw new UsageError('a PNG is not for a terminal: give --out FILE');
  }
  const at = (/** @type {string} */ name) =>
    /** @type {number} */ (number(values, name, { min: 0, integer: true, needed: !all }));
  return { all, kind, format, out, layer: at('layer'), head: at('head'), queries: rangeOf(values.queries) };
}

/** @typedef {ReturnType<typeof askedOf>} Asked */

/** Every head of every layer, or the one that was asked for.
 *  @param {import('../index.js').Model} model  @param {Asked} asked
 *  @returns {Promise<import('./attention-file.js').Maps>} */
async function mapsOf(model, { all, layer, head }) {
  const { layers, heads, name, file } = model.info;
  const tokens = await model.tokens(model.ids);
  const [queries, keys] = [tokens.length, tokens.length];
  const provenance = { model: name, file, prompt: await textOf(model) };
  if (!all) {
    const { data } = await model.attention({ layer, head });
    const title = `Attention of layer ${layer}, head ${head}`;
    return { heads: [{ layer, head, data }], layers: 1, queries, keys, tokens, title, provenance };
  }
  const { data } = await model.attentionRows();
  const size = queries * keys;
  const every = Array.from({ length: layers * heads }, (_, at) =>
    ({ layer: Math.floor(at / heads), head: at % heads, data: data.subarray(at * size, (at + 1) * size) }));
  return { heads: every, layers, queries, keys, tokens, title: 'Attention of every head', provenance };
}

/** The prompt as a text, where the model knows texts. @param {import('../index.js').Model} model */
const textOf = async (model) => (model.info.tokenizer ? model.decode(model.ids) : model.ids.join(', '));

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const asked = askedOf(values);
  const prompt = await promptOf(values);
  return interruptible(async (signal) => {
    const model = await openModel(values, signal);
    await model.forward(await idsOf(model, prompt), { signal });
    if (asked.format !== 'text') await writeFormat(await mapsOf(model, asked), asked);
    else if (asked.all) await printAll(model, asked);
    else await printMap(model, asked, values.json);
    model.dispose();
    return 0;
  });
}

/** @param {import('./attention-file.js').Maps} maps  @param {Asked} asked */
async function writeFormat(maps, { format, out }) {
  const { attentionFile } = await import('./attention-file.js');
  const file = attentionFile(/** @type {import('./attention-file.js').Format} */ (format), maps);
  if (out === undefined) {
    process.stdout.write(file);
  } else {
    await writeFile(out, file);
    say(`wrote ${out}`);
  }
}

/** @param {import('../index.js').Model} model  @param {Asked} asked */
async function printAll(model, { kind, queries }) {
  const rows = await model.attentionRows({ kind, queries });
  printJson({ ...rows, tokens: await model.tokens(model.ids) });
}

/** @param {import('../index.js').Model} model  @param {Asked} asked  @param {boolean} json */
async function printMap(model, { layer, head, kind, queries }, json) {
  const map = await model.attention({ layer, head, kind, queries });
  if (json) return printJson(map);
  sayEngine(model);
  process.stdout.write(`layer ${layer}, head ${head}, ${kind}: a row for each query, a column for each key\n`);
  process.stdout.write(`${mapText(map, process.stdout.columns ?? 120)}\n`);
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'show what one head, or every head, attends to',
  help: `usage: heed attention (--prompt TEXT | --ids 1,2,3) (--layer L --head H | --all) [OPTIONS]

Prints the map of one head over the prompt. With --json: { data, queries, keys, firstQuery, layer, head, kind, tokens },
data [query][key]; a score that the mask forbids is null. With --all --json: { data, layers, heads, queries, keys,
firstQuery, tokens }, data [layer][head][query][key].

${promptHelp}
  --layer L  --head H counted from 0
  --all               every head of every layer, with --json or --format
  --kind K            pattern (after softmax, the default) or scores (before it)
  --queries FROM:TO   only these rows, TO not included
  --format F          text (the default); csv with one line for each weight; svg with labels and colour bar; png of the
                      cells alone
  --out FILE          write the csv, svg or png there, not to standard output
${modelHelp}`,
  options: {
    ...promptOptions,
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
