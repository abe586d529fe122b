// heed attention: the map of one head over a prompt.
import { idsOf, modelHelp, openModel, promptHelp, promptOptions, sayEngine } from './model-options.js';
import { interruptible, number, oneLine, printJson, promptOf, UsageError } from './terminal.js';

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

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const prompt = await promptOf(values);
  const at = {
    layer: /** @type {number} */ (number(values, 'layer', { min: 0, integer: true, needed: true })),
    head: /** @type {number} */ (number(values, 'head', { min: 0, integer: true, needed: true })),
    kind: values.kind ?? 'pattern',
    queries: rangeOf(values.queries),
  };
  if (at.kind !== 'pattern' && at.kind !== 'scores') {
    throw new UsageError(`--kind ${at.kind}: expected pattern or scores`);
  }
  return interruptible(async (signal) => {
    const model = await openModel(values, signal);
    await model.forward(await idsOf(model, prompt), { signal });
    const map = await model.attention(at);
    if (values.json) {
      printJson(map);
    } else {
      sayEngine(model);
      process.stdout.write(`layer ${map.layer}, head ${map.head}, ${map.kind}: a row a query, a column a key\n`);
      process.stdout.write(`${mapText(map, process.stdout.columns ?? 120)}\n`);
    }
    model.dispose();
    return 0;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'show what one head attends to',
  help: `usage: heed attention (--prompt TEXT | --ids 1,2,3) --layer L --head H [OPTIONS]

Prints the map of one head over the prompt. With --json: { data, queries, keys, firstQuery, layer, head, kind, tokens },
data [query][key]; a score that the mask forbids is null.

${promptHelp}
  --layer L  --head H counted from 0
  --kind K            pattern (after softmax, the default) or scores (before it)
  --queries FROM:TO   only these rows, TO not included
${modelHelp}`,
  options: {
    ...promptOptions,
    layer: { type: 'string' },
    head: { type: 'string' },
    kind: { type: 'string' },
    queries: { type: 'string' },
  },
  positionals: 0,
  run,
};
