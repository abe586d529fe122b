// heed generate: continues a prompt, or a saved session.
import { HeedError, quoted } from '../errors.js';
import { sayDropped } from './dropped.js';
import { readGiven, writeGiven } from './given-files.js';
import { innerIds, modelHelp, openModel, promptHelp, promptOptions, sayEngine } from './model-options.js';
import { interruptible, printable, printJson, promptOf, say } from './terminal.js';
import { generateOptions, writingHelp, writingOptions } from './writing-options.js';

/** @typedef {import('../index.js').Model} Model */

/** Ids of a saved session, which the model restores, and of the text to append.
 *  @param {Model} model  @param {string} file  @param {string | Int32Array} prompt */
async function restored(model, file, prompt) {
  if (model.info.parts) {
    throw new HeedError('unsupported', `${quoted(model.info.name)} is an encoder–decoder, whose texts begin with a ` +
      'source: heed generate does not continue them. In JavaScript, restoreSession and forward do.');
  }
  await model.restoreSession(readGiven('restore', file));
  if (typeof prompt !== 'string') return Int32Array.of(...model.ids, ...prompt);
  return Int32Array.of(...model.ids, ...await innerIds(model, prompt));
}

/** Writes the session with the last id of its text, unless this is an end token.
 *  @param {Model} model  @param {string} file  @param {import('../index.js').Summary} summary */
async function save(model, file, { ids, reason }) {
  const fits = ids.length > 0 && model.position < model.info.contextLength;
  if (fits && reason !== 'end') await model.forward(ids.subarray(-1));
  writeGiven('save', file, await model.saveSession());
}

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const isMore = values.restore !== undefined && (values.prompt ?? values.ids) === undefined;
  const prompt = isMore ? '' : await promptOf(values);
  const options = generateOptions(values);
  return interruptible(async (signal) => {
    const model = await openModel(values, signal);
    if (!values.json) sayEngine(model);
    if (typeof prompt === 'string') await sayDropped(model, prompt);
    const steps = [];
    const text = values.restore === undefined ? prompt : await restored(model, values.restore, prompt);
    const stream = model.generate(text, { ...options, signal });
    let next = await stream.next();
    for (; !next.done; next = await stream.next()) {
      const { text } = next.value;
      if (values.json) steps.push(next.value);
      else process.stdout.write(process.stdout.isTTY ? printable(text) : text);
    }
    const summary = next.value;
    if (!values.json) process.stdout.write('\n');
    if (values.save !== undefined) await save(model, values.save, summary);
    if (values.json) {
      printJson({ ...summary, ...(options.top && { steps }), engine: model.info.engine });
    } else {
      const count = summary.ids.length;
      const rate = count > 1 ? `, ${((1000 * count) / summary.decodeMs).toFixed(1)} tokens/s` : '';
      const prefill = `prompt of ${summary.promptIds.length} in ${summary.prefillMs.toFixed(1)} ms`;
      say(`${count} tokens (${summary.reason}), ${prefill}${rate}, seed ${summary.seed}`);
    }
    model.dispose();
    return summary.reason === 'abort' ? 130 : 0;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'continue a prompt',
  help: `usage: heed generate (--prompt TEXT | --ids 1,2,3 | --restore FILE) [OPTIONS]

Writes the text token by token, and then a summary with the seed on standard error. With --json:
{ text, ids, promptIds, reason, seed, prefillMs, decodeMs, engine }, and the steps with their candidates if --top is
given.

A model file may recommend sampling settings, which then replace the defaults below (not with --temperature 0).

${promptHelp}
  --save FILE         write the session with the text to a file
  --restore FILE      continue the text of such a file, with the same model; --prompt or --ids are appended to it
${writingHelp}${modelHelp}`,
  options: {
    ...promptOptions,
    ...writingOptions,
    save: { type: 'string' },
    restore: { type: 'string' },
  },
  positionals: 0,
  run,
};
