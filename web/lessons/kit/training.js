/** Joins `<heed-training>`, which shows, with a Worker, which trains. */
import { RemoteTraining } from '../../../js/train/remote.js';

/** @typedef {import('../../../js/train/remote.js').Ended} Ended */

/**
 * @param {import('../../elements/index.js').HeedTraining} element
 * @param {() => { name: string, seed: number }} what is to be trained when training is asked for
 * @param {(ended: Ended) => string} words that say what has become of it
 */
export function trainHere(element, what, words) {
  /** @type {RemoteTraining | null} */
  let running = null;
  let starts = 0;

  /** A second start ends the first, of which nothing is heard any more. */
  async function start() {
    const { name, seed } = what(); // nothing is forgotten where that throws
    const mine = ++starts;
    running?.cancel();
    element.start();
    const training = await RemoteTraining.start(name, {
      seed,
      onBegan: (began) => element.begin(began),
      onLearned: (learned) => element.learned(learned),
    });
    if (mine !== starts) return training.cancel();
    running = training;
    try {
      const ended = await training.ended;
      if (mine === starts) element.end('done', words(ended));
    } catch (error) {
      if (mine === starts) fail(/** @type {import('../../../js/errors.js').HeedError} */ (error));
    }
  }

  /** @param {import('../../../js/errors.js').HeedError} error */
  function fail({ code, message }) {
    if (code !== 'aborted') return element.end('failed', message);
    element.end('cancelled', `${message} What was learned until then can still be looked at.`);
  }

  element.addEventListener('heed-training-start', () => {
    start().catch(fail); // where no Worker can be made
  });
  element.addEventListener('heed-training-cancel', () => running?.cancel());
  element.addEventListener('heed-training-pause', () => {
    running?.pause();
    element.pause();
  });
  element.addEventListener('heed-training-resume', () => {
    element.resume();
    running?.resume();
  });
  // A page that is left trains no more, also where the browser keeps it to come back to.
  addEventListener('pagehide', () => running?.cancel());
}
