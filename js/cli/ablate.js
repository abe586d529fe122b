// heed ablate: removes each head in turn and measures the effect.
import { stacksOf } from '../insight/stacks.js';
import { divergence, logProbabilities, named, percent } from './candidates.js';
import { idsOf, innerIds, modelHelp, openModel, sayEngine, textHelp, textOptions } from './model-options.js';
import { interruptible, number, printJson, promptOf, UsageError } from './terminal.js';

const SHOWN = 10; // heads in the printed list

/** @typedef {import('../index.js').Model} Model */
/** change: log-probability of the target after minus before, in nats; divergence: of the distributions, in nats
 *  @typedef {{ part?: string, layer: number, head: number, change: number, divergence: number }} Effect */

/** The token of `--target` after a text: the prompt, or the text of an encoder–decoder.
 *  @param {Model} model  @param {string} text  @param {Int32Array} ids  of the text @param {string} target */
async function targetOf(model, text, ids, target) {
  const { parts } = model.info;
  const whole = parts ? [...parts.start, ...await innerIds(model, text + target)] : await model.encode(text + target);
  if (whole.length === ids.length + 1 && ids.every((id, i) => id === whole[i])) return whole[ids.length];
  throw new UsageError(`--target ${target}: expected a text that is one token after this prompt; most words begin ` +
    'with their space. --target-id takes any token');
}

/** Values that replace the output of a head. @type {Record<string, { scale: 0 } | { mean: true }>} */
const ABLATIONS = { zero: { scale: 0 }, mean: { mean: true } };

/** Runs the prompt with each head's output replaced in turn.
 *  @param {Model} model  @param {Int32Array} ids  @param {number} target  @param {Float64Array} before
 *  @param {{ scale: 0 } | { mean: true }} ablation  @param {AbortSignal} signal
 *  @returns {Promise<Effect[]>} layer by layer */
async function ablateHeads(model, ids, target, before, ablation, signal) {
  const { heads } = model.info;
  /** @type {Effect[]} */
  const effects = [];
  for (const { part, layers, hook } of stacksOf(model.info)) {
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        const edit = { hook: hook(layer, 'attn.hook_z'), head, ...ablation };
        const after = logProbabilities(await model.runWithHooks(ids, [edit], { signal }));
        effects.push({ ...(part && { part }), layer, head, change: after[target] - before[target],
          divergence: divergence(before, after) });
      }
    }
  }
  return effects;
}

/** @param {Effect[]} effects  @param {number} heads  heads per layer */
function printEffects(effects, heads) {
  const line = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);
  const cell = (/** @type {number} */ change) => change.toFixed(3).padStart(8);
  line('change of its log-probability when one head is removed, in nats');
  const names = Array.from({ length: heads }, (_, head) => `head ${head}`.padStart(8)).join('');
  for (let at = 0; at < effects.length; at += heads) {
    const row = effects.slice(at, at + heads);
    const [{ part, layer }] = row;
    if (layer === 0) line(`${part ? `${part}\n` : ''}layer ${names}`);
    line(`${String(layer).padStart(5)} ${row.map(({ change }) => cell(change)).join('')}`);
  }
  line('largest changes');
  const sorted = effects.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change));
  for (const { part = '', layer, head, change } of sorted.slice(0, SHOWN)) {
    line(`${part.padEnd(part ? 8 : 0)}${`${layer}.${head}`.padStart(5)} ${cell(change)}`);
  }
}

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const prompt = await promptOf(values);
  if (values.target !== undefined && values['target-id'] !== undefined) {
    throw new UsageError('expected at most one of --target and --target-id');
  }
  if (values.target !== undefined && (typeof prompt !== 'string' || values['text-ids'] !== undefined)) {
    throw new UsageError('--target needs --prompt; with --ids or --text-ids, give --target-id');
  }
  const { ablation = 'zero' } = values;
  if (!Object.hasOwn(ABLATIONS, ablation)) throw new UsageError(`--ablation ${ablation}: expected zero or mean`);
  const targetId = number(values, 'target-id', { min: 0, integer: true });
  return interruptible(async (signal) => {
    const model = await openModel(values, signal);
    const { heads, vocabulary, parts } = model.info;
    if (targetId !== undefined && targetId >= vocabulary) {
      throw new UsageError(`--target-id ${targetId}: the vocabulary ends at ${vocabulary - 1}`);
    }
    const ids = await idsOf(model, prompt, values);
    const before = logProbabilities(await model.runWithHooks(ids, [], { signal }));
    const id = values.target !== undefined
      ? await targetOf(model, parts ? values.text ?? '' : /** @type {string} */ (prompt), ids, values.target)
      : targetId ?? before.indexOf(before.reduce((a, b) => Math.max(a, b)));
    const effects = await ablateHeads(model, ids, id, before, ABLATIONS[ablation], signal);
    const [text] = await model.tokens([id]);
    if (values.json) {
      printJson({ ids, target: { id, text, logprob: before[id] }, heads: effects });
    } else {
      sayEngine(model);
      process.stdout.write(`next token ${named(text)}: ${percent(Math.exp(before[id])).trim()}\n`);
      printEffects(effects, heads);
    }
    model.dispose();
    return 0;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'remove each head in turn and list the effects',
  help: `usage: heed ablate (--prompt TEXT | --ids 1,2,3) [--target TEXT | --target-id N] [OPTIONS]

Runs the prompt once for each head with that head's output (hook_z) replaced, and lists how the log-probability of
one next token changes: below zero, the head supports the token. With --json: { ids, target: { id, text, logprob },
heads: [{ layer, head, change, divergence }] }; change in nats, divergence is D(before ‖ after) of the whole
distributions, in nats. Heads of an encoder–decoder have a part, too: encoder, decoder or cross.

${textHelp}
  --target TEXT       next token to measure, with its leading space, if any; default: the likeliest
  --target-id N       id of the next token to measure
  --ablation KIND     zero (default), or mean: the mean of the output over the prompt
${modelHelp}`,
  options: {
    ...textOptions,
    target: { type: 'string' },
    'target-id': { type: 'string' },
    ablation: { type: 'string' },
  },
  positionals: 0,
  run,
};
