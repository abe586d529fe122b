/** Limits of a training in the page, and its state in sentences. */
import { formatBytes, formatCount, formatInteger, pluralize } from '../format.js';

/** @typedef {import('../../../js/train/index.js').FineTuned} FineTuned */
/** @typedef {import('../../../js/train/fine-tune.js').TuningBegan} TuningBegan */
/** @typedef {import('../../../js/train/trainer.js').Progress} Progress */

/** Most characters of a text: a training reads some thousand tokens, and a longer text only takes longer to open. */
export const MAX_CHARACTERS = 1_000_000;
/** Largest text file in bytes: a character of UTF-8 has at most 4. */
export const MAX_FILE_BYTES = 4 * MAX_CHARACTERS;
/** Tokens of a window. A step learns from one window. */
export const WINDOW = 128;
/** Memory from which the page asks before it trains. */
const ASK_BYTES = 1e9;
/** Loss of a text known by heart, at most, in nats per token: its tokens have a probability of 0.6 on average. */
const BY_HEART = 0.5;

/**
 * Why a text cannot be learned.
 * @param {string} text
 * @returns {string} a sentence; empty if it can
 */
export function problemOf(text) {
  if (text.trim() === '') return 'There is no text to learn. Paste one, or choose a file.';
  if (text.length <= MAX_CHARACTERS) return '';
  return `The text has ${pluralize(text.length, 'character')}, and the page takes at most ${
    formatInteger(MAX_CHARACTERS)}. Use a part of it, or train with ‘heed train --from’.`;
}

/**
 * The weights that learn, and their memory.
 * @param {boolean} all whether all weights learn
 * @param {boolean} isFloat whether they can
 */
export function describeChoice(all, isFloat) {
  if (all) return 'All weights of the model learn. This takes 16 bytes of memory for each number.';
  const adapter = 'Small additional matrices learn (an adapter of low rank), and the weights of the model do not ' +
    'change. A larger rank can learn more, and takes more memory.';
  const refusal = 'All weights can learn in models in F32, F16 or BF16. Those of this model are quantized.';
  return isFloat ? adapter : `${adapter} ${refusal}`;
}

/** Memory of a training in bytes. @param {TuningBegan} began */
const bytesOf = ({ memory: { weightsBytes, learningBytes, stepBytes } }) => weightsBytes + learningBytes + stepBytes;

/** The question before a training that takes much memory; empty otherwise. @param {TuningBegan} began */
export const questionOf = (began) => (bytesOf(began) < ASK_BYTES ? ''
  : `This training takes up to ${formatBytes(bytesOf(began))} of memory, which may be more than the browser allows.`);

/** Numbers that learn, tokens, windows and memory. @param {TuningBegan} began */
export function describeBegan(began) {
  const { parameters, context, tokens: { train, heldOut } } = began;
  const windows = train <= WINDOW
    ? `The text has fewer tokens than a window of ${WINDOW}, so a window is the text`
    : `A window has ${pluralize(context, 'token')}`;
  const held = heldOut > 0 ? ` The last ${pluralize(heldOut, 'token')} are held out to test it.`
    : ' The text is too short to hold a part out.';
  const memory = `Memory: up to ${formatBytes(bytesOf(began))}.`;
  return `${formatCount(parameters)} numbers learn from ${pluralize(train, 'token')}. ${windows}.${held} ${memory}`;
}

/** @param {Progress} progress @param {number} perSecond tokens */
export function describeProgress({ step, steps, loss, secondsLeft }, perSecond) {
  const speed = `${formatInteger(Math.round(perSecond))} tokens per second`;
  return `Step ${step} of ${steps} · loss ${loss.toFixed(2)} · ${speed} · ${describeTime(secondsLeft)} left`;
}

/** @param {number} seconds */
const describeTime = (seconds) =>
  (seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.round(seconds / 60)} min`);

/** Name of the loss that validations measure. @param {TuningBegan['tokens']} tokens */
const lossName = ({ heldOut }) => (heldOut > 0 ? 'held-out loss' : 'loss of the text itself');

/** Caption of the losses by step. @param {TuningBegan['tokens']} tokens */
export const describeFigure = ({ heldOut }) => 'Loss by step. Line: the text that the model learns. Points: the ' +
  `${heldOut > 0 ? 'held-out text' : 'same text after the step'}.`;

/**
 * The loss of a validation.
 * @param {Pick<Progress, 'step' | 'steps'>} progress
 * @param {number} loss
 * @param {TuningBegan['tokens']} tokens
 */
export const describeValidation = ({ step, steps }, loss, tokens) =>
  `Step ${step} of ${steps}: the ${lossName(tokens)} is ${loss.toFixed(2)}.`;

/**
 * The loss before and after, its meaning, and advice.
 * @param {Pick<FineTuned, 'losses' | 'heldOutBefore' | 'heldOut'>} tuned
 * @param {TuningBegan['tokens']} tokens
 */
export function describeLosses({ losses, heldOutBefore: before, heldOut: after }, tokens) {
  const direction = after < before ? 'fell' : 'rose';
  const change = `The ${lossName(tokens)} ${direction} from ${before.toFixed(2)} to ${after.toFixed(2)} nats per token`;
  if (after < before) {
    const next = `the next token of the text${tokens.heldOut > 0 ? ' held out' : ''}`;
    const ratio = Math.exp(before - after);
    return `${change}: on average the model finds ${next} ${ratio.toFixed(ratio < 2 ? 2 : 1)} times as probable.`;
  }
  if (tokens.heldOut === 0) return `${change}. More steps may help.`;
  const advice = 'Fewer steps or a longer text may help.';
  const last = losses.slice(-Math.ceil(losses.length / 10));
  const learned = last.reduce((sum, loss) => sum + loss, 0) / last.length;
  if (learned > BY_HEART || learned > losses[0] / 2) return `${change}. ${advice}`;
  return `${change}, and the training loss fell to ${learned.toFixed(2)}: the model learned the text by heart. ${
    advice}`;
}
