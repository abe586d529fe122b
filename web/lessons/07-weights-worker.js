/** Times the loops of bench/limits.c in a Worker, so that the page responds meanwhile. */
import { timeLoops } from '../../js/cli/limit-loops.js';
import { openPort } from '../../js/engine/port.js';
import { posted } from '../../js/errors.js';

/** Runs of each loop, and bytes that one run reads: together about a second. */
const TIMES = 8;
const READ = 8 * (2 ** 24 - 17 * 64);

openPort().then((port) => {
  /** @param {{ binary: ArrayBuffer, kernels: import('../../js/engine/wasm.js').KernelSet }} message */
  const measure = async ({ binary, kernels }) => {
    try {
      port.post({ limits: await timeLoops(binary, kernels, { times: TIMES, readBytes: READ }) });
    } catch (error) {
      port.post({ error: posted(error) });
    }
  };
  port.listen(measure);
});
