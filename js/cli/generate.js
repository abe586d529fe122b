// heed generate: continues a prompt.
import { modelHelp, openModel, promptHelp, promptOptions, sayEngine } from './model-options.js';
import { interruptible, printable, printJson, promptOf, say } from './terminal.js';
import { generateOptions, writingHelp, writingOptions } from './writing-options.js';

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

Writes the text token by token. With --json: { text, ids, promptIds, reason, seed, prefillMs, decodeMs, engine }, and
the steps with their candidates if --top is given.

A model file may recommend sampling settings, which then replace the defaults below (not with --temperature 0).

${promptHelp}
${writingHelp}${modelHelp}`,
  options: {
    ...promptOptions,
    ...writingOptions,
  },
  positionals: 0,
  run,
};
