/** Replaces js/engine/port.js in the single module, which contains the source text of its workers. */
import BINARIES from 'heed:binaries';
import WORKERS from 'heed:workers';
import { clientPort, clientPortOfNode, workerThreads } from '../../../js/engine/port.js';

export { IN_PAGE, openPort, reasonOf } from '../../../js/engine/port.js';

/**
 * Starts a Worker from a blob; the page's policy needs `worker-src blob:`.
 * @param {unknown} _    creates the worker from a file in other bundles; not used here
 * @param {string} name  of the worker's file, relative to js/engine
 * @returns {Promise<import('../../../js/engine/port.js').ClientPort>}
 */
export async function startWorker(_, name) {
  // One worker opens all sources here, because a second one would repeat most of its text.
  const file = name === '../model/gguf-worker.js' ? '../model/worker.js' : name;
  const binaries = file === '../model/worker.js' ? `globalThis.heedBinaries = ${JSON.stringify(BINARIES)};` : '';
  const source = binaries + WORKERS[file];
  if (typeof Worker !== 'function') {
    const { Worker: Thread } = await workerThreads();
    return clientPortOfNode(new Thread(source, { eval: true, execArgv: [] }));
  }
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const port = clientPort(() => new Worker(address));
  port.listen(() => URL.revokeObjectURL(address), () => URL.revokeObjectURL(address));
  return port;
}
