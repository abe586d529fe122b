// heed logits: what the model expects after a prompt.
import { modelHelp, modelOptions, openModel, sayEngine } from './model-options.js';
import { interruptible, oneLine, printJson, promptOf } from './terminal.js';

const SHOWN = 10; // candidates in the printed list

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const prompt = await promptOf(values);
  return interruptible(async (signal) => {
    const model = await openModel(values, signal);
    const ids = typeof prompt === 'string' ? await model.encode(prompt) : prompt;
    const logits = await model.forward(ids, { all: Boolean(values.all) });
    const { vocabulary } = model.info;
    if (values.json) {
      printJson({ ids, rows: logits.length / vocabulary, vocabulary, logits });
    } else {
      sayEngine(model);
      for (let row = 0; row < logits.length; row += vocabulary) {
        const values = logits.subarray(row, row + vocabulary);
        const best = Array.from(values.keys()).sort((a, b) => values[b] - values[a]).slice(0, SHOWN);
        const texts = await model.tokens(best);
        if (values.length < logits.length) process.stdout.write(`after position ${row / vocabulary}\n`);
        best.forEach((id, i) => {
          const logit = values[id].toFixed(4).padStart(10);
          process.stdout.write(`${logit}  ${String(id).padStart(6)}  ${oneLine(texts[i])}\n`);
        });
      }
    }
    model.dispose();
    return 0;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'what the model expects next',
  help: `usage: heed logits --model FILE (--prompt TEXT | --ids 1,2,3) [--all] [OPTIONS]

Lists the ${SHOWN} likeliest next tokens. With --json: { ids, rows, vocabulary, logits }, logits [row][vocabulary]: one
row for the last id, or with --all one for each.

  --prompt TEXT       the text to look at; - reads it from standard input
  --ids 1,2,3         the same as token ids
  --all               after every position, not only the last
${modelHelp}`,
  options: {
    ...modelOptions,
    prompt: { type: 'string' },
    ids: { type: 'string' },
    all: { type: 'boolean' },
  },
  positionals: 0,
  run,
};
