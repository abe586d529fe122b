/** Gives one order to a Worker of js/train/worker.js, which ends with its answer. */
import { reasonOf, startWorker } from '../engine/port.js';
import { HeedError, revived, throwIfAborted } from '../errors.js';
import { ourError } from '../guard.js';

const start = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/**
 * @typedef {object} WorkerCall
 * @property {AbortSignal} [signal]  ends the worker
 * @property {(post: (message: object) => void) => void} [onStarted]  called after the order was sent
 * @property {(message: any, post: (message: object) => void) => unknown} [onMessage]  called with messages before the
 *   answer.  An error in it ends the worker
 */

/**
 * @param {string} order @param {object} parameters @param {WorkerCall} [call]
 * @returns {Promise<any>} the answer
 */
export async function callWorker(order, parameters, { signal, onStarted, onMessage } = {}) {
  const worker = await startWorker(start, '../train/worker.js');
  /** @type {(() => void) | undefined} */
  let cancel;
  try {
    return await new Promise((resolve, reject) => {
      cancel = () => {
        try {
          throwIfAborted(signal);
        } catch (error) {
          reject(error);
        }
      };
      signal?.addEventListener('abort', cancel);
      cancel(); // aborted while the worker started
      /** @param {any} message */
      const receive = async (message) => {
        if (message.ready) {
          worker.post({ order, parameters });
          onStarted?.(worker.post);
        } else if (message.error) reject(revived(message.error));
        else if ('done' in message) resolve(message.done);
        else await onMessage?.(message, worker.post);
      };
      worker.listen((message) => receive(message).catch((error) => reject(ourError('a listener', error))),
        (cause) => reject(new HeedError('unavailable', 'The worker that trains could not start or has died: ' +
          `${reasonOf(cause)}. Start the training again.`, { cause })));
    });
  } finally {
    if (cancel) signal?.removeEventListener('abort', cancel);
    worker.terminate();
  }
}
