// The loop of a training on the command line: progress, checkpoints, Ctrl-C.
import { rm, stat } from 'node:fs/promises';
import { HeedError } from '../errors.js';
import { writeWhole } from './checkpoints.js';
import { say } from './terminal.js';

/** Time between two checkpoints: the largest loss by a power cut. */
const CHECKPOINT_MS = 60_000;
/** Time between two lines of progress, in milliseconds. */
const LINE_MS = 2_000;

/** @param {Record<string, number>} figures */
export const figuresText = (figures) =>
  Object.entries(figures).map(([name, value]) => `${name} ${Number(value.toPrecision(5))}`).join(', ');

/** @param {number} seconds */
const timeText = (seconds) =>
  (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

/** Checks before the training that its result can be written.
 *  @param {string} path of a file */
async function needPlace(path) {
  const there = await stat(path).catch(() => null);
  if (there && !there.isFile()) {
    throw new HeedError('unavailable', `${path} is not a file, so it cannot be written. Move it, or choose other ` +
      'folders with --out and --checkpoints.');
  }
  await writeWhole(`${path}.try`, new Uint8Array(1));
  await rm(`${path}.try`);
}

/**
 * Trains to the last step and writes the result.  A stopped training is kept as a checkpoint, and so is a result that
 * cannot be written.
 * @template T
 * @param {import('../train/trainer.js').Trainer} trainer
 * @param {object} options
 * @param {string} options.name          in lines of progress
 * @param {import('./checkpoints.js').Checkpoints} options.saved
 * @param {boolean | undefined} options.fresh  whether to ignore checkpoints
 * @param {string[]} options.places      paths of the files that `write` writes
 * @param {() => Promise<T>} options.write
 * @param {AbortSignal} options.signal
 * @returns {Promise<T | null>} result of `write`; null if the signal stopped the training
 */
export async function learn(trainer, { name, saved, fresh, places, write, signal }) {
  if (!fresh) await saved.restore(trainer);
  for (const path of [...places, saved.path]) await needPlace(path);
  let written = performance.now();
  let shown = 0;
  for await (const progress of trainer.run({ signal })) {
    const now = performance.now();
    if (progress.figures || now - shown > LINE_MS) {
      const { step, loss, secondsLeft, figures } = progress;
      say(`${name}  step ${step} of ${trainer.steps}  loss ${loss.toFixed(4)}  ${timeText(secondsLeft)} left` +
        `${figures ? `  | ${figuresText(figures)}` : ''}`);
      shown = now;
    }
    if (now - written > CHECKPOINT_MS) {
      await saved.write(trainer.checkpoint())
        .catch(({ message }) => say(`${name}: ${message} The training continues, and tries again in a minute.`));
      written = now;
    }
  }
  if (signal.aborted) {
    await saved.write(trainer.checkpoint());
    say(`stopped at step ${trainer.step}; the same command continues from ${saved.path}`);
    return null;
  }
  try {
    const result = await write();
    await saved.remove();
    return result;
  } catch (error) {
    await saved.write(trainer.checkpoint());
    say(`${name}: the trained weights are in ${saved.path}; the same command writes the model from them`);
    throw error;
  }
}
