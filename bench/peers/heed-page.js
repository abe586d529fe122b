// The page in which bench/peers/heed.mjs measures. peerbench's server serves it.
import { oneRun } from './one-run.js';

window.bench = async (arg) => {
  const start = performance.now();
  const { load } = await import('/heed/dist/heed.js');
  const { measure } = await import('/lib/prompt.js');
  const { model, one } = await oneRun(load, location.origin + arg.url, arg);
  const load_ms = performance.now() - start;
  const cases = await measure(arg, one, window.cpuNow);
  const { engine } = model.info;
  model.dispose();
  return { load_ms, cases, info: { ...engine, isolated: crossOriginIsolated } };
};
