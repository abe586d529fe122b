// heed logits: the model's predictions after a prompt.
import { likeliest, named, percent } from './candidates.js';
import { idsOf, modelHelp, openModel, sayEngine, textHelp, textOptions } from './model-options.js';
import { interruptible, printJson, promptOf } from './terminal.js';

const SHOWN = 10; // candidates in the printed list

/** @param {import('./candidates.js').Candidate[]} candidates */
function printCandidates(candidates) {
  process.stdout.write('probability      logit      id  token\n');
  for (const { id, text, logit, probability } of candidates) {
    const numbers = [percent(probability).padStart(11), logit.toFixed(4).padStart(10), String(id).padStart(7)];
    process.stdout.write(`${numbers.join(' ')}  ${named(text)}\n`);
  }
}

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const prompt = await promptOf(values);
  return interruptible(async (signal) => {
    const model = await openModel(values, signal);
    const ids = await idsOf(model, prompt, values);
    const logits = await model.forward(ids, { all: Boolean(values.all), signal });
    const { vocabulary } = model.info;
    const rows = logits.length / vocabulary;
    if (values.json) {
      printJson({ ids, rows, vocabulary, logits });
    } else {
      sayEngine(model);
      for (let row = 0; row < rows; row++) {
        if (rows > 1) process.stdout.write(`after position ${row}\n`);
        printCandidates(await likeliest(model, logits.subarray(row * vocabulary, (row + 1) * vocabulary), SHOWN));
      }
    }
    model.dispose();
    return 0;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'list the likeliest next tokens',
  help: `usage: heed logits (--prompt TEXT | --ids 1,2,3) [--all] [OPTIONS]

Lists the ${SHOWN} likeliest next tokens with their probability, before any sampling setting. With --json:
{ ids, rows, vocabulary, logits }, logits [row][vocabulary]: one row for the last id, or with --all one for each.

${textHelp}
  --all               after every position, not only the last
${modelHelp}`,
  options: {
    ...textOptions,
    all: { type: 'boolean' },
  },
  positionals: 0,
  run,
};
