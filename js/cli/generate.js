// heed generate: continues a prompt.
import { SAMPLING } from '../model/sampling.js';
import { modelHelp, openModel, promptHelp, promptOptions, sayEngine } from './model-options.js';
import { interruptible, number, printable, printJson, promptOf, say } from './terminal.js';

/** @param {import('./terminal.js').Values} values  @returns {import('../index.js').GenerateOptions} */
function generateOptions(values) {
  const given = {
    maxTokens: number(values, 'max-tokens', { min: 0, integer: true }),
    temperature: number(values, 'temperature', { min: 0 }),
    topK: number(values, 'top-k', { min: 0, integer: true }),
    topP: number(values, 'top-p', { min: 0, max: 1 }),
    minP: number(values, 'min-p', { min: 0, max: 1 }),
    repeatPenalty: number(values, 'repeat-penalty', { min: 0 }),
    samplerOrder: values['sampler-order'],
    seed: number(values, 'seed', { min: 0, max: 0xffffffff, integer: true }),
    top: number(values, 'top', { min: 0, integer: true }),
    stop: values.stop,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const prompt = await promptOf(values);
  const options = generateOptions(values);
  return interruptible(async (signal) => {
    const model = await openModel(values, signal);
    if (!values.json) sayEngine(model);
    const steps = [];
    const stream = model.generate(prompt, { ...options, signal });
    let next = await stream.next();
    for (; !next.done; next = await stream.next()) {
      const { text } = next.value;
      if (values.json) steps.push(next.value);
      else process.stdout.write(process.stdout.isTTY ? printable(text) : text);
    }
    const summary = next.value;
    if (values.json) {
      printJson({ ...summary, ...(options.top && { steps }), engine: model.info.engine });
    } else {
      process.stdout.write('\n');
      const count = summary.ids.length;
      const rate = count > 1 ? `, ${((1000 * count) / summary.decodeMs).toFixed(1)} tokens/s` : '';
      const prefill = `prompt of ${summary.promptIds.length} in ${summary.prefillMs.toFixed(1)} ms`;
      say(`${count} tokens (${summary.reason}), ${prefill}${rate}`);
    }
    model.dispose();
    return summary.reason === 'abort' ? 130 : 0;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'continue a prompt',
  help: `usage: heed generate (--prompt TEXT | --ids 1,2,3) [OPTIONS]

Writes the text as it is made. With --json: { text, ids, promptIds, reason, seed, prefillMs, decodeMs, engine }, and
the steps with their candidates where --top asks for them.

A model file may recommend sampling settings, which then replace the defaults below (not with --temperature 0).

${promptHelp}
  --max-tokens N      how many tokens to make at most; 256 by default
  --temperature T     divides the logits; ${SAMPLING.temperature} by default, 0 takes the likeliest token always
  --top-k K           keep the K likeliest tokens; ${SAMPLING.topK} by default, 0 keeps all
  --top-p P           keep the smallest set with this probability; ${SAMPLING.topP} by default, 1 keeps all
  --min-p P           keep tokens with this share of the likeliest's probability; ${SAMPLING.minP} by default
  --repeat-penalty R  on tokens that are there already; ${SAMPLING.repeatPenalty} by default, which changes nothing
  --sampler-order O   ${SAMPLING.samplerOrder} by default: temperature after the cuts; transformers: before them
  --seed S            the same seed gives the same text; random by default, and said in the summary
  --stop TEXT         end where this appears; may be given more than once
  --top N             list the N likeliest candidates of each step (with --json)
${modelHelp}`,
  options: {
    ...promptOptions,
    'max-tokens': { type: 'string' },
    temperature: { type: 'string' },
    'top-k': { type: 'string' },
    'top-p': { type: 'string' },
    'min-p': { type: 'string' },
    'repeat-penalty': { type: 'string' },
    'sampler-order': { type: 'string' },
    seed: { type: 'string' },
    stop: { type: 'string', multiple: true },
    top: { type: 'string' },
  },
  positionals: 0,
  run,
};
