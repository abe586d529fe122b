/** js/engine/port.js of the single module: workers start from text that is in it. */
import BINARIES from 'heed:binaries';
import WORKERS from 'heed:workers';
import { nearPort, nearPortOfNode, workerThreads } from '../../../js/engine/port.js';

export { openPort } from '../../../js/engine/port.js';

/**
 * Starts a Worker from a blob; the page's policy needs `worker-src blob:`.
 * @param {unknown} _    the expression for bundlers, which has no file here
 * @param {string} name  of the worker's file, relative to js/engine
 * @returns {Promise<import('../../../js/engine/port.js').NearPort>}
 */
export async function startWorker(_, name) {
  // One worker opens all sources here, because a second one would repeat most of its text.
  const file = name === '../model/gguf-worker.js' ? '../model/worker.js' : name;
  const binaries = file === '../model/worker.js' ? `globalThis.heedBinaries = ${JSON.stringify(BINARIES)};` : '';
  const source = binaries + WORKERS[file];
  if (typeof Worker !== 'function') {
    const { Worker: Thread } = await workerThreads();
    return nearPortOfNode(new Thread(source, { eval: true, execArgv: [] }));
  }
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const port = nearPort(() => new Worker(address));
  port.listen(() => URL.revokeObjectURL(address), () => URL.revokeObjectURL(address));
  return port;
}
