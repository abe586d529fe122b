/** Adds up the bytes of weights, adapters, session and buffers, grows the memory once, and fills it. */
import { quoted, throwIfAborted } from '../errors.js';
import { chooseCache } from './cache.js';
import { batchOf, chooseContext, hasEncoder } from './context.js';
import { infoOf } from './info.js';
import { needMemory, placeWeights, planWeights } from './place.js';
import { samplingOf } from './sampling.js';
import { callBufferSizes, Session } from './session.js';

/** Options of load() whose adapter was read.  adapting: the code for adapters; only an adapter needs it.
 *  Engine64: the engine with 64-bit memory, which only `memory64` needs.
 *  @typedef {Omit<import('./load.js').LoadOptions, 'adapter'> & { adapter?: AdapterFile,
 *    adapting?: typeof import('./adapter.js'), Engine64?: Memory64['Engine64'] }} OpenOptions */
/** @typedef {typeof import('../engine/wasm64.js')} Memory64 */
/** @typedef {import('../files/adapter.js').AdapterFile} AdapterFile */

/** Upper bound of the bytes that aligning the weights, the session and the call buffers takes. */
const ALIGNMENT_BYTES = 512;

/**
 * Places the weights of an open file in the engine's memory, and a session after them.
 * @param {import('../engine/wasm.js').Engine} engine
 * @param {import('../files/model-file.js').ModelFile} file
 * @param {import('../engine/choose.js').EngineInfo} chosen
 * @param {OpenOptions} options
 * @returns {Promise<{ session: Session, info: import('./info.js').ModelInfo }>}
 */
export async function createSession(engine, file, chosen, options) {
  const { threads } = chosen;
  const kernels = engine.kernels(chosen.kernels);
  const sampling = samplingOf(file.metadata, file.name);
  const plan = planWeights(engine, file, options.quantize ?? 'keep');
  const maps = options.maps ?? true;
  const cache = chooseCache(options.cache, plan.info.types);
  const cacheType = engine.enumValue('cache', cache);
  const wanted = options.contextLength;
  const contextLength = chooseContext(engine, plan.model, maps, cacheType, threads, file.config, wanted);
  const batch = batchOf(hasEncoder(file.config), contextLength, threads);
  const shape = [contextLength, batch, Number(maps), cacheType];
  const sessionBytes = engine.call('heed_session_bytes', plan.model, ...shape, threads);
  const buffers = callBufferSizes(engine, file.config, batch);
  const adapting = /** @type {NonNullable<OpenOptions['adapting']>} */ (options.adapting);
  const adapters = options.adapter && adapting.fitAdapter(options.adapter, file, engine.limit('max_rank'));
  const adapterBytes = adapters ? adapting.adapterBytes(engine, adapters) : 0;
  const bufferBytes = Object.values(buffers).reduce((sum, bytes) => sum + bytes, 0);
  const bytes = plan.bytes + adapterBytes + sessionBytes + bufferBytes + ALIGNMENT_BYTES;
  needMemory(engine, `${quoted(file.name)} with its session`, engine.mark + bytes);
  engine.growBy(bytes);
  const model = await placeWeights(engine, file, plan, kernels, contextLength);
  if (adapters) adapting.placeAdapters(engine, model, file.config, adapters);
  throwIfAborted(options.signal);
  const memory = engine.reserve(sessionBytes, `a session of ${contextLength} positions`);
  const address = engine.call('heed_session_create', memory, sessionBytes, model, ...shape, kernels, engine.pool);
  const info = infoOf(file, plan.info, { contextLength, sessionBytes, maps, cache, sampling, engine: chosen });
  return { session: new Session(engine, model, address, info), info };
}
