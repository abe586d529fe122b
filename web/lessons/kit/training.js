/** Connects `<heed-training>`, which shows a training, with the Worker that runs it. */
import { HeedError } from '../../../js/errors.js';

/** @typedef {import('../../../js/train/remote.js').RemoteTraining} RemoteTraining */
/** @typedef {import('../../../js/train/remote.js').TrainingOptions} TrainingOptions */
/** @typedef {import('../../../js/train/remote.js').Ended} Ended */
/** @typedef {import('../../../js/train/remote.js').Frame} Frame */

/**
 * Lets the buttons of the element start, pause, resume and cancel a training. One training runs at a time.
 * @param {import('../../elements/index.js').HeedTraining} element
 * @param {(options: TrainingOptions) => Promise<RemoteTraining>} startTraining called at each start, with listeners; if
 *   it throws, the last training stays on screen
 * @param {(ended: Ended, signal: AbortSignal) => string | Promise<string>} onEnd called with the result; returns a
 *   sentence for the reader. The signal aborts its work when the reader cancels or starts another training
 * @param {(frame: Frame) => void} [onFrame] called with each frame, which then has the weights as a file
 */
export function connectTraining(element, startTraining, onEnd, onFrame) {
  /** @type {RemoteTraining | null} */
  let running = null;
  let starts = 0;
  /** Aborts the work of onEnd. */
  let ending = new AbortController();

  function cancel() {
    running?.cancel();
    ending.abort(new HeedError('aborted', 'The test of the trained model was cancelled.'));
  }

  /** A second start cancels the first training; its later events are ignored. */
  async function start() {
    const starting = startTraining({
      files: Boolean(onFrame),
      onBegan: (began) => {
        element.begin(began);
        onFrame?.(began.frame);
      },
      onLearned: (learned) => {
        element.learned(learned);
        if (learned.frame) onFrame?.(learned.frame);
      },
    });
    const mine = ++starts;
    cancel();
    const { signal } = ending = new AbortController();
    element.start();
    const training = await starting;
    if (mine !== starts) return training.cancel();
    running = training;
    try {
      const ended = await training.ended;
      if (mine !== starts) return;
      const sentence = await onEnd(ended, signal);
      if (mine === starts) element.end('done', sentence);
    } catch (error) {
      if (mine === starts) fail(/** @type {import('../../../js/errors.js').HeedError} */ (error));
    }
  }

  /** @param {import('../../../js/errors.js').HeedError} error */
  function fail({ code, message }) {
    if (code !== 'aborted') return element.end('failed', message);
    element.end('cancelled', `${message} The maps up to this step are still available.`);
  }

  element.addEventListener('heed-training-start', () => {
    start().catch(fail); // for example, the browser cannot start a Worker
  });
  element.addEventListener('heed-training-cancel', cancel);
  element.addEventListener('heed-training-pause', () => {
    running?.pause();
    element.pause();
  });
  element.addEventListener('heed-training-resume', () => {
    element.resume();
    running?.resume();
  });
  // Leaving the page ends the training, also if the browser keeps the page in its back/forward cache.
  addEventListener('pagehide', cancel);
}
