/** The worker side of remote.js: a Model in a Worker's thread, driven by messages. */
import { openPort } from '../engine/port.js';
import { HeedError, posted } from '../errors.js';
import { Model } from './model.js';
import { superseded } from './superseded.js';

/** @typedef {{ call: number, method: string, parameters: any[] }} Request */
/**
 * Steps of a generation in one message.
 * @typedef {object} StepGroup
 * @property {import('./generate.js').Step[]} steps
 * @property {Int32Array} ids  ids of the session after the last of these steps
 * @property {import('./generate.js').Summary} [summary]  summary after the last step of the text
 * @property {ReturnType<typeof posted>} [error]  the error that ended the text
 */

/** Duration of a group of steps: one frame of the page.  With a small model, one message per step would take longer
 *  than the step. */
const GROUP_MS = 16;
/** Calls that may change the tokens of the session. */
const CHANGING = new Set(['forward', 'runWithCache', 'sweep', 'rewind', 'finish', 'guidedBegin', 'guidedNext',
  'setInput', 'cached']);

/** @type {typeof import('../files/model-file.js').openModelFile} */
let open;
/** @type {import('./create-session.js').OpenOptions['adapting']} */
let adapting;
/** @type {Record<string, (session: import('./session.js').Session, ...values: any[]) => Promise<void>>} */
let inputs;
/** @type {import('./create-session.js').OpenOptions['Engine64']} */
let Engine64;
/** @type {import('../engine/port.js').WorkerPort} */
let port;

/** @type {Model | undefined} */
let model;
/** Running calls, which the client may abort. @type {Map<number, AbortController>} */
const running = new Map();
/** Generations, by the number of their call; ms: duration of the next group.
 *  @type {Map<number, { steps: ReturnType<Model['generate']>, last: Promise<unknown>, ms: number }>} */
const generations = new Map();

/** A listener that sends the progress of a call to the client. @param {number} call */
const reportOf = (call) => (/** @type {object} */ progress) => port.post({ call, progress });

/** Calls of the client, by name, that are not calls of Model with the same values.
 *  @type {Record<string, (signal: AbortSignal, call: number, ...parameters: any[]) => unknown>} */
const methods = {
  async load(signal, call, source, options) {
    model = await Model.load(open, source, { ...options, adapting, Engine64, signal, onProgress: reportOf(call) });
    told = model.info.engine;
    const { info, hooks, weights, chatFormat, dense } = model;
    return { info, hooks, weights, chatFormat, dense };
  },
  forward: (signal, _, ids, options) => ready().forward(ids, { ...options, signal }),
  runWithCache: (signal, _, ids, names, options) => ready().runWithCache(ids, names, { ...options, signal }),
  gradients: (signal, call, ids, options) =>
    ready().gradients(ids, { ...options, signal, onProgress: reportOf(call) }),
  sweep: (signal, call, ids, variants, options) =>
    ready().sweep(ids, variants, { ...options, signal, onProgress: reportOf(call) }),
  cached: (_, __, ...rows) => Model.sessionOf(ready()).cached(.../** @type {[any, any]} */ (rows)),
  guidedBegin: (signal, _, ids, options) => ready().guidedBegin(ids, { ...options, signal }),
  setInput: (_, __, kind, ...values) => inputs[kind](Model.sessionOf(ready()), ...values),
  /** Starts a generation.  `next` with the number of this call returns its steps. */
  generate(signal, call, prompt, options) {
    generations.set(call, { steps: ready().generate(prompt, { ...options, signal }), last: Promise.resolve(), ms: 0 });
  },
  /** The next group of steps.  The client requests groups before its reader needs them; each group starts
   *  after the group before it. */
  next(_, __, call) {
    const generation = generations.get(call);
    if (!generation) throw superseded();
    const { steps, last, ms } = generation;
    const group = last.then(() => nextGroup(steps, ms));
    Object.assign(generation, { last: group, ms: GROUP_MS }); // only the first step comes alone, at once
    return group;
  },
  /** Ends a generation.  If its reader stopped early, at `position`, the session is rewound to there before any later
   *  message. */
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
 * @param {number} ms  duration of the group; at least one step
 * @returns {Promise<StepGroup>}
 */
async function nextGroup(generation, ms) {
  /** @type {StepGroup['steps']} */
  const steps = [];
  const end = performance.now() + ms;
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

/** The engine as the client knows it. Any call may change it. @type {Model['info']['engine'] | undefined} */
let told;
/** The engine, if it has changed since the last answer. */
function engineChange() {
  const engine = model?.info.engine;
  if (engine === told) return {};
  told = engine;
  return { engine };
}

/** @param {Request | { abort: number }} message */
async function answer(message) {
  if ('abort' in message) return running.get(message.abort)?.abort();
  const { call, method, parameters } = message;
  const controller = new AbortController();
  running.set(call, controller);
  const ids = () => (CHANGING.has(method) ? { ids: model?.ids } : {});
  try {
    const result = await (method in methods ? methods[method](controller.signal, call, ...parameters)
      : /** @type {any} */ (ready())[method](...parameters));
    port.post({ call, result, ...ids(), ...engineChange() }, transferable(result));
  } catch (error) {
    port.post({ call, error: posted(error), ...ids(), ...engineChange() });
  } finally {
    if (!generations.has(call)) running.delete(call);
  }
}

/** Buffers that are moved to the client instead of copied.
 *  @param {any} result @returns {ArrayBuffer[]} */
function transferable(result) {
  if (ArrayBuffer.isView(result)) return [/** @type {ArrayBuffer} */ (result.buffer)];
  if (result?.data instanceof Float32Array) return [result.data.buffer];
  if (result?.steps) {
    const { steps } = /** @type {StepGroup} */ (result);
    return steps.flatMap(({ rows }) => (rows ? [/** @type {ArrayBuffer} */ (rows.data.buffer)] : []));
  }
  if (result?.cache ?? result?.gradients) {
    const { cache, gradients, activations } = result;
    const all = /** @type {import('./hooks.js').Activation[]} */ (
      [cache, gradients, activations].flatMap((part) => Object.values(part ?? {})));
    return [...(result.logits ? [result.logits.buffer] : []), ...all.map(({ data }) => data.buffer)];
  }
  return [];
}

/**
 * Starts to answer the client.
 * @param {typeof import('../files/model-file.js').openModelFile} opener  opens the sources of this worker's models
 * @param {typeof adapting} [adapters]  the code for adapters
 * @param {typeof inputs} [ofModels]  the code for inputs beside the ids of a text
 * @param {typeof Engine64} [ofMemory64]  the engine with 64-bit memory
 */
export async function serve(opener, adapters, ofModels = {}, ofMemory64) {
  open = opener;
  adapting = adapters;
  inputs = ofModels;
  Engine64 = ofMemory64;
  port = await openPort();
  port.listen(answer);
  port.post({ ready: true });
}
