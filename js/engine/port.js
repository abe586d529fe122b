/** Workers of browsers and of Node behind one interface: a port for the client, and a port inside the worker. */
import { HeedError } from '../errors.js';
import { nodeModule } from '../node.js';

/**
 * The port through which a client talks to its worker.
 * @typedef {object} ClientPort
 * @property {(message: object) => void} post  sends a message; throws 'bad-argument' for values that cannot be cloned
 * @property {(onMessage: (message: any) => void, onError: (error: any) => void) => void} listen  onError: the worker
 *   could not start, failed or ended; in Node also after `terminate`
 * @property {() => void} terminate  ends the worker
 * @property {() => void} ref    in Node: the worker keeps the process alive
 * @property {() => void} unref  in Node: the worker does not keep the process alive
 */
/**
 * The port inside a worker.
 * @typedef {object} WorkerPort
 * @property {(message: object, transfer?: ArrayBuffer[]) => void} post  sends a message to the client
 * @property {(onMessage: (message: any) => void) => void} listen
 */

/** Whether this is a page. A model then runs in a Worker by default. */
export const IN_PAGE = typeof document === 'object' && typeof Worker === 'function';

/**
 * Starts a Worker.  Each caller creates its Worker in one literal expression, because bundlers find the file by that
 * expression.  If one module held all of these expressions, every worker would import every other worker.
 * @param {() => Worker} start  creates the worker where Worker is a global: in browsers, Deno and Bun
 * @param {string} file         the same file for Node, relative to this module
 * @returns {Promise<ClientPort>}
 */
export async function startWorker(start, file) {
  if (typeof Worker === 'function') return clientPort(start);
  const { Worker: Thread } = await workerThreads();
  const address = new URL(/* webpackIgnore: true */ /* @vite-ignore */ file, import.meta.url);
  // Without execArgv, flags such as --input-type would apply to the worker, too.
  return clientPortOfNode(new Thread(address, { execArgv: [] }));
}

/** Why a worker could not start, or ended. In a browser, the event of a failed fetch lacks a message.
 *  @param {any} cause  of `onError` @returns {string} */
export const reasonOf = (cause) => cause?.message || 'its file did not load';

/**
 * The client's port to a Worker.
 * @param {() => Worker} start
 * @returns {ClientPort}
 * @throws {HeedError} 'unavailable' when the page's policy or another origin forbids the worker
 */
export function clientPort(start) {
  /** @type {Worker} */ let worker;
  try {
    worker = start();
  } catch (cause) { // Trusted Types, Content-Security-Policy, or an origin other than that of heed
    const { message } = /** @type {Error} */ (cause);
    throw new HeedError('unavailable', `heed’s worker cannot start (${message}): worker-src, Trusted Types or ` +
      'another origin forbids it. Load with worker: false, or see docs/web.md.', { cause });
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
 * The part of `node:worker_threads` that is used here, because programs for browsers lack the types of Node.
 * @typedef {object} NodePort
 * @property {(message: any, transfer?: any) => void} postMessage
 * @property {(event: string, listener: (value: any) => void) => unknown} on
 * @typedef {NodePort & { terminate: () => unknown, ref: () => void, unref: () => void }} NodeWorker
 * @typedef {object} WorkerThreads
 * @property {new (address: URL, options?: any) => NodeWorker} Worker
 * @property {NodePort | null} parentPort
 */

/** The client's port to a thread of Node. @param {NodeWorker} worker @returns {ClientPort} */
export function clientPortOfNode(worker) {
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
    throw new HeedError('bad-argument', 'Arguments for a worker cannot contain functions or instances of classes. ' +
      'Pass plain data.', { cause });
  }
}

/** The port inside this worker.
 *  @returns {Promise<WorkerPort>} */
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
