// The calls of an application, in a page and in a runtime without a page.
import { load } from 'heed';

/** Generates eight tokens and computes one map.
 *  @param {string} model address or path @param {object} [options] of load */
export async function run(model, options) {
  const loaded = await load(model, options);
  const ids = [];
  for await (const { id } of loaded.generate('Once upon a time', { maxTokens: 8, temperature: 0 })) ids.push(id);
  const map = await loaded.attention({ layer: 2, head: 1 });
  const { threads } = loaded.info.engine;
  loaded.dispose();
  return { ids, map, threads };
}
