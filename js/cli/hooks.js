// heed hooks: names of a model's activations, and statistics over a prompt.
import { Engine } from '../engine/wasm.js';
import { axisNames } from '../model/hooks.js';
import { idsOf, modelHelp, openModel, sayEngine, textHelp, textOptions } from './model-options.js';
import { interruptible, oneLine, printJson, promptOf, UsageError } from './terminal.js';

const NAME = 34; // width of a name in columns

/** @param {Float32Array} data */
function summary(data) {
  let low = Infinity;
  let high = -Infinity;
  let sum = 0;
  for (const value of data) {
    if (value < low) low = value;
    if (value > high) high = value;
    sum += value;
  }
  return { low, high, mean: sum / data.length };
}

/** @param {string} name  @param {string[]} columns */
function printRow(name, ...columns) {
  process.stdout.write(`${[oneLine(name).padEnd(NAME), ...columns].join(' ')}\n`);
}

/** @param {Record<string, import('../index.js').Activation>} cache */
function printSummaries(cache) {
  const row = (/** @type {string} */ name, /** @type {string} */ shape, /** @type {string[]} */ numbers) =>
    printRow(name, shape.padEnd(14), ...numbers.map((text) => text.padStart(10)));
  row('activation', 'shape', ['minimum', 'mean', 'maximum']);
  for (const [name, { data, shape }] of Object.entries(cache)) {
    const { low, high, mean } = summary(data.filter(Number.isFinite));
    row(name, shape.join(' × '), [low, mean, high].map((value) => value.toFixed(4)));
  }
}

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const hasPrompt = values.prompt !== undefined || values.ids !== undefined;
  if (values.name && !hasPrompt) throw new UsageError('--name needs --prompt TEXT or --ids 1,2,3');
  const prompt = hasPrompt ? await promptOf(values) : null;
  return interruptible(async (signal) => {
    const model = await openModel(values, signal);
    if (prompt === null) {
      const { abi } = await Engine.create();
      const hooks = model.hooks.map((name) => ({ name, axes: axisNames(abi, name) }));
      if (values.json) printJson({ hooks });
      else for (const { name, axes } of hooks) printRow(name, axes.map((axis) => `[${axis}]`).join(''));
    } else {
      const ids = await idsOf(model, prompt, values);
      const { cache } = await model.runWithCache(ids, values.name, { signal });
      if (!values.json) {
        sayEngine(model);
        printSummaries(cache);
      } else printJson({ ids, tokens: await model.tokens(ids), cache });
    }
    model.dispose();
    return 0;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'list the activations of a model, or their statistics',
  help: `usage: heed hooks [--prompt TEXT | --ids 1,2,3] [--name HOOK …] [OPTIONS]

Without a prompt: the names of all activations, as in TransformerLens, with their axes. With --json:
{ hooks: [{ name, axes }] }. With a prompt: shape, minimum, mean and maximum of each, without masked scores, which are
-Infinity. With --json: { ids, tokens, cache: { NAME: { data, shape } } }; -Infinity becomes null.

${textHelp}
  --name HOOK         only this activation, such as blocks.0.attn.hook_z; can be repeated
${modelHelp}`,
  options: {
    ...textOptions,
    name: { type: 'string', multiple: true },
  },
  positionals: 0,
  run,
};
