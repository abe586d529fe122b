/** Workers as browsers and Node have them: their near end and their far end. */
import { HeedError } from '../errors.js';
import { nodeModule } from '../node.js';

/**
 * @typedef {object} NearPort
 * @property {(message: object) => void} post  throws 'bad-argument' where no message can carry what stands in it
 * @property {(onMessage: (message: any) => void, onError: (error: any) => void) => void} listen  onError: the worker
 *   could not start, failed or ended; in Node also after `terminate`
 * @property {() => void} terminate
 * @property {() => void} ref    in Node: the process lives as long as the worker does
 * @property {() => void} unref  a worker that waits for work keeps no process alive
 */
/**
 * @typedef {object} FarPort
 * @property {(message: object, transfer?: ArrayBuffer[]) => void} post
 * @property {(onMessage: (message: any) => void) => void} listen
 */

/**
 * Starts a Worker. Each caller creates its own Worker in one literal expression, because bundlers find the file by that
 * expression. A shared module with all of these expressions makes every worker import every other worker: a circle.
 * @param {() => Worker} start  where Worker is a global: browsers, Deno, Bun
 * @param {string} file         the same file for Node, relative to this module
 * @returns {Promise<NearPort>}
 */
export async function startWorker(start, file) {
  if (typeof Worker === 'function') return nearPort(start);
  const { Worker: Thread } = await workerThreads();
  const address = new URL(/* webpackIgnore: true */ /* @vite-ignore */ file, import.meta.url);
  // Flags like --input-type are for the program's own module.
  return nearPortOfNode(new Thread(address, { execArgv: [] }));
}

/**
 * The near end of a Worker.
 * @param {() => Worker} start
 * @returns {NearPort}
 * @throws {HeedError} 'unavailable' where the page's policy forbids it
 */
export function nearPort(start) {
  /** @type {Worker} */ let worker;
  try {
    worker = start();
  } catch (cause) { // Trusted Types and Content-Security-Policy
    const { message } = /** @type {Error} */ (cause);
    throw new HeedError('unavailable', `The page’s policy forbids heed’s worker (${message}). Allow it in ` +
      'worker-src, give Trusted Types a default policy with createScriptURL, or load with worker: false.', { cause });
  }
  return {
    post: (message) => send(worker, message),
    listen(onMessage, onError) {
      worker.addEventListener('message', ({ data }) => onMessage(data));
      worker.addEventListener('error', onError);
      worker.addEventListener('messageerror', () => onError(new Error('its answer cannot be read')));
    },
    terminate: () => worker.terminate(),
    ref: () => {},
    unref: () => {},
  };
}

/**
 * What is used of `node:worker_threads`, whose types a program for browsers need not have.
 * @typedef {object} NodePort
 * @property {(message: any, transfer?: any) => void} postMessage
 * @property {(event: string, listener: (value: any) => void) => unknown} on
 * @typedef {NodePort & { terminate: () => unknown, ref: () => void, unref: () => void }} NodeWorker
 * @typedef {object} WorkerThreads
 * @property {new (address: URL, options?: any) => NodeWorker} Worker
 * @property {NodePort | null} parentPort
 */

/** The near end of a thread of Node.js. @param {NodeWorker} worker @returns {NearPort} */
export function nearPortOfNode(worker) {
  return {
    post: (message) => send(worker, message),
    listen(onMessage, onError) {
      worker.on('message', onMessage);
      worker.on('error', onError);
      worker.on('messageerror', onError);
      worker.on('exit', (code) => onError(new Error(`it ended with status ${code}`)));
    },
    terminate: () => void worker.terminate(),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
  };
}

/** @param {{ postMessage: (message: object) => void }} worker @param {object} message */
function send(worker, message) {
  try {
    worker.postMessage(message);
  } catch (cause) {
    throw new HeedError('bad-argument', 'An argument cannot be sent to the worker: it holds a function or an object ' +
      'of a class.', { cause });
  }
}

/** The far end, in the worker itself.
 *  @returns {Promise<FarPort>} */
export async function openPort() {
  if (typeof self === 'object' && typeof self.postMessage === 'function') {
    return {
      post: (message, transfer = []) => self.postMessage(message, { transfer }),
      listen: (f) => self.addEventListener('message', ({ data }) => f(data)),
    };
  }
  const { parentPort } = await workerThreads();
  if (!parentPort) throw new Error('this module runs in a Worker');
  return {
    post: (message, transfer = []) => parentPort.postMessage(message, transfer),
    listen: (f) => parentPort.on('message', f),
  };
}

/** @returns {Promise<WorkerThreads>} */
const workerThreads = () => nodeModule('node:worker_threads');
export { workerThreads };
