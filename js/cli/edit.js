// heed edit: compares the next token with and without edits of activations.
import { divergence, likeliest, logProbabilities, named, percent } from './candidates.js';
import { idsOf, modelHelp, openModel, sayEngine, textHelp, textOptions } from './model-options.js';
import { interruptible, number, printJson, promptOf, UsageError } from './terminal.js';

const EXAMPLE = '{"hook":"blocks.3.attn.hook_z","head":5,"scale":0}';

/** @param {string} text of one --edit  @returns {import('../index.js').Edit} */
function editOf(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new UsageError(`--edit ${text}: expected JSON such as ${EXAMPLE} (${message})`);
  }
}

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  if (!values.edit) throw new UsageError('--edit is missing');
  const edits = values.edit.map(editOf);
  const count = number(values, 'top', { min: 1, max: 1000, integer: true }) ?? 10;
  const prompt = await promptOf(values);
  return interruptible(async (signal) => {
    const model = await openModel(values, signal);
    const ids = await idsOf(model, prompt, values);
    const rows = {
      before: await model.runWithHooks(ids, [], { signal }),
      after: await model.runWithHooks(ids, edits, { signal }),
    };
    const before = await likeliest(model, rows.before, count);
    const after = await likeliest(model, rows.after, count);
    const nats = divergence(logProbabilities(rows.before), logProbabilities(rows.after));
    if (values.json) {
      printJson({ ids, edits, before, after, divergence: nats });
    } else {
      sayEngine(model);
      process.stdout.write(`${'before'.padEnd(36)}after\n`);
      before.forEach(({ text, probability }, i) => {
        const left = `${percent(probability)}  ${named(text)}`;
        process.stdout.write(`${left.padEnd(36)}${percent(after[i].probability)}  ${named(after[i].text)}\n`);
      });
      process.stdout.write(`divergence of the two distributions: ${nats.toFixed(4)} nats\n`);
    }
    model.dispose();
    return 0;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'edit activations and compare the next token',
  help: `usage: heed edit (--prompt TEXT | --ids 1,2,3) --edit JSON [--edit JSON …] [OPTIONS]

Runs the prompt twice, without and with the edits, and lists the likeliest next tokens of both runs. An edit is
x ← scale·x + values on one activation: { "hook", "head"?, "positions"?: [from, to], "keys"?, "columns"?, "scale"?,
"coefficient"?, "values"?, "mean"?: true, "renormalize"?: true, … }; docs/model.md lists all fields. heed hooks
lists the names. Edits apply in the given order. With --json: { ids, edits, before, after, divergence }, each candidate
{ id, text, logit, logprob, probability }; divergence is D(before ‖ after) of the whole distributions, in nats.

${textHelp}
  --edit JSON         such as '${EXAMPLE}', which removes one head
  --top N             number of candidates; default 10
${modelHelp}`,
  options: {
    ...textOptions,
    edit: { type: 'string', multiple: true },
    top: { type: 'string' },
  },
  positionals: 0,
  run,
};
