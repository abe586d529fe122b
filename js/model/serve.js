/** The far end of remote.js: a Model in a Worker's thread, driven by messages. Workers differ in what they open. */
import { openPort } from '../engine/port.js';
import { HeedError, posted } from '../errors.js';
import { superseded } from './generate.js';
import { Model } from './model.js';

/** @typedef {{ call: number, method: string, parameters: any[] }} Request */
/**
 * Steps of a generation that travel together, and how it ended.
 * @typedef {object} Bunch
 * @property {import('./generate.js').Step[]} steps
 * @property {Int32Array} ids  in the session after the last of them
 * @property {import('./generate.js').Summary} [summary]
 * @property {ReturnType<typeof posted>} [error]
 */

/** How long steps are gathered before they travel: a frame of the page.  A message for each step would cost more than
 *  the step of a small model. */
const BUNCH_MS = 16;
/** Calls after which the session may hold other tokens. */
const CHANGING = new Set(['forward', 'runWithCache', 'rewind', 'finish']);

/** @type {typeof import('../files/model-file.js').openModelFile} */
let open;
/** @type {import('../engine/port.js').FarPort} */
let port;
/** @type {Model | undefined} */
let model;
/** Calls that the page may abort. @type {Map<number, AbortController>} */
const running = new Map();
/** @type {Map<number, { steps: ReturnType<Model['generate']>, last: Promise<unknown> }>} */
const generations = new Map();

/** What can be asked, by name.
 *  @type {Record<string, (signal: AbortSignal, call: number, ...parameters: any[]) => unknown>} */
const methods = {
  async load(signal, call, source, options) {
    const onProgress = (/** @type {object} */ progress) => port.post({ call, progress });
    model = await Model.load(open, source, { ...options, signal, onProgress });
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
    generations.set(call, { steps: ready().generate(prompt, { ...options, signal }), last: Promise.resolve() });
  },
  /** The next steps.  The page asks again before it has read them, and each answer waits for the one before it. */
  next(_, __, call) {
    const generation = generations.get(call);
    if (!generation) throw superseded();
    const bunch = generation.last.then(() => bunchOf(generation.steps));
    generation.last = bunch;
    return bunch;
  },
  /** Ends a generation.  `position` is where the page stopped reading, if it did before the end: the session goes back
   *  to there at once, before any later message. */
  async finish(_, __, call, position) {
    if (position !== undefined) ready().rewind(position);
    running.get(call)?.abort();
    await generations.get(call)?.steps.return(/** @type {any} */ (undefined)).catch(() => {});
    generations.delete(call);
    running.delete(call);
  },
};

/**
 * @param {ReturnType<Model['generate']>} generation
 * @returns {Promise<Bunch>}
 */
async function bunchOf(generation) {
  /** @type {Bunch['steps']} */
  const steps = [];
  const end = performance.now() + BUNCH_MS;
  try {
    do {
      const { done, value } = await generation.next();
      if (done) return { steps, ids: ready().ids, summary: value };
      steps.push(value);
    } while (performance.now() < end);
    return { steps, ids: ready().ids };
  } catch (error) {
    return { steps, ids: ready().ids, error: posted(error) };
  }
}

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
  const ids = () => (CHANGING.has(method) ? { ids: model?.ids } : {});
  try {
    const result = await methods[method](controller.signal, call, ...parameters);
    port.post({ call, result, ...ids() }, transferable(result));
  } catch (error) {
    port.post({ call, error: posted(error), ...ids() });
  } finally {
    if (!generations.has(call)) running.delete(call);
  }
}

/** Arrays that are moved to the page instead of copied.
 *  @param {any} result @returns {ArrayBuffer[]} */
function transferable(result) {
  if (result instanceof Float32Array) return [/** @type {ArrayBuffer} */ (result.buffer)];
  if (result?.data instanceof Float32Array) return [result.data.buffer];
  if (result?.steps) {
    const { steps } = /** @type {Bunch} */ (result);
    return steps.flatMap(({ rows }) => (rows ? [/** @type {ArrayBuffer} */ (rows.data.buffer)] : []));
  }
  if (result?.cache) {
    const activations = /** @type {import('./hooks.js').Activation[]} */ (Object.values(result.cache));
    return [result.logits.buffer, ...activations.map(({ data }) => data.buffer)];
  }
  return [];
}

/**
 * Answers the page from now on.
 * @param {typeof import('../files/model-file.js').openModelFile} opener  of the sources that the page will give
 */
export async function serve(opener) {
  open = opener;
  port = await openPort();
  port.listen(answer);
  port.post({ ready: true });
}
