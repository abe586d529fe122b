// The page in which bench/loading.js measures a browser.
import { load } from '/dist/heed.js';

const keeper = new Worker(new URL('./keeper.js', import.meta.url), { type: 'module' });

/** @type {Record<string, (address: string) => Promise<number>>} reads or loads, and returns the bytes that it keeps */
const ways = {
  keep: (address) =>
    new Promise((resolve) => {
      keeper.onmessage = ({ data }) => resolve(data);
      keeper.postMessage(address);
    }),
  async load(address) {
    const model = await load(address, { threads: 1, contextLength: 640 });
    const { weightsBytes } = model.info;
    model.dispose();
    return weightsBytes;
  },
};

Object.assign(globalThis, {
  /** Milliseconds. @param {string} way @param {string} address */
  async timed(way, address) {
    const start = performance.now();
    const bytes = await ways[way](address);
    return { wall: performance.now() - start, bytes };
  },
  isolated: crossOriginIsolated,
});
document.documentElement.dataset.ready = '';
