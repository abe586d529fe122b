/** The far end of js/remote.js: a Model in a Worker's thread, driven by messages. */
import { HeedError, posted } from './errors.js';
import { Model } from './model.js';
import { openPort } from './port.js';

/** @typedef {{ call: number, method: string, parameters: any[] }} Request */

/** @type {import('./port.js').FarPort} */
let port;
/** @type {Model | undefined} */
let model;
/** Calls that the page may abort. @type {Map<number, AbortController>} */
const running = new Map();
/** @type {Map<number, ReturnType<Model['generate']>>} */
const generations = new Map();

/** What can be asked, by name.
 *  @type {Record<string, (signal: AbortSignal, call: number, ...parameters: any[]) => unknown>} */
const methods = {
  async load(signal, call, source, options) {
    const onProgress = (/** @type {object} */ progress) => port.post({ call, progress });
    model = await Model.load(source, { ...options, signal, onProgress });
    return { info: model.info, hooks: model.hooks };
  },
  encode: (_, __, text) => ready().encode(text),
  decode: (_, __, ids) => ready().decode(ids),
  tokens: (_, __, ids) => ready().tokens(ids),
  forward: (signal, _, ids, options) => ready().forward(ids, { ...options, signal }),
  attention: (_, __, at) => ready().attention(at),
  attentionRows: (_, __, at) => ready().attentionRows(at),
  runWithCache: (signal, _, ids, names, options) => ready().runWithCache(ids, names, { ...options, signal }),
  rewind: (_, __, position) => ready().rewind(position),
  /** Opens a generation; its steps are asked for by `next` with this call's number. */
  generate(signal, call, prompt, options) {
    generations.set(call, ready().generate(prompt, { ...options, signal }));
  },
  next: (_, __, generation) => generations.get(generation)?.next(),
  async finish(_, __, generation) {
    await generations.get(generation)?.return(/** @type {any} */ (undefined));
    generations.delete(generation);
    running.delete(generation);
  },
};

function ready() {
  if (!model) throw new HeedError('disposed', 'The model is not loaded.');
  return model;
}

/** @param {Request | { abort: number }} message */
async function answer(message) {
  if ('abort' in message) return running.get(message.abort)?.abort();
  const { call, method, parameters } = message;
  const controller = new AbortController();
  running.set(call, controller);
  try {
    const result = await methods[method](controller.signal, call, ...parameters);
    port.post({ call, result, ids: model?.ids }, transferable(result));
  } catch (error) {
    port.post({ call, error: posted(error), ids: model?.ids });
  } finally {
    if (!generations.has(call)) running.delete(call);
  }
}

/** Arrays that are moved to the page instead of copied.
 *  @param {any} result @returns {ArrayBuffer[]} */
function transferable(result) {
  if (result instanceof Float32Array) return [/** @type {ArrayBuffer} */ (result.buffer)];
  if (result?.data instanceof Float32Array) return [result.data.buffer];
  if (result?.cache) {
    const activations = /** @type {import('./hooks.js').Activation[]} */ (Object.values(result.cache));
    return [result.logits.buffer, ...activations.map(({ data }) => data.buffer)];
  }
  return [];
}

// Not awaited at the top level: bundlers make classic scripts of workers.
openPort().then((opened) => {
  port = opened;
  port.listen(answer);
  port.post({ ready: true });
});
