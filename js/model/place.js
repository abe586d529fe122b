/** Weights of a file in the memory of the engine. */
import { HeedError, quoted } from '../errors.js';
import { DTYPES } from '../files/dtypes.js';
import { keptAs } from './quantize.js';
import { placeOfWeight } from './slots.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */
/** @typedef {import('../files/model-file.js').ModelFile} ModelFile */
/** @typedef {import('../files/weights.js').TensorEntry} TensorEntry */

/**
 * The layout of a file's weights in memory, before they are loaded.
 * @typedef {object} Plan
 * @property {number} config   address of the configuration in the engine
 * @property {number} model    address of a model without weights, which determines the size of a session
 * @property {number} bytes    bytes of the model with its weights
 * @property {Map<string, number>} dtypes  type of each tensor in memory, by name
 * @property {WeightsInfo} info
 *
 * @typedef {object} WeightsInfo
 * @property {number} weightsBytes          bytes of the weights in memory
 * @property {number} parameters            number of learned weights
 * @property {Record<string, { tensors: number, bytes: number }>} types  number and bytes of tensors, by type in memory
 * @property {string[]} unquantized         names of matrices that could not be converted
 */

/**
 * Plans the memory of a file's weights.
 * @param {Engine} engine
 * @param {ModelFile} file
 * @param {import('./quantize.js').Quantize} quantize
 * @returns {Plan}
 * @throws {HeedError} 'bad-config', 'bad-tensor'
 */
export function planWeights(engine, file, quantize) {
  const config = modelConfig(engine, file);
  const tables = engine.call('heed_model_bytes', config);
  const model = engine.call('heed_model_create', engine.reserve(tables, 'the tables of a model'), tables, config);
  const dtypes = new Map();
  const unquantized = [];
  const weights = [];
  let weightsBytes = 0;
  for (const entry of file.tensors) {
    const { dtype, isWanted } = keptAs(entry, quantize, file.config, engine.limit('panel_rows'));
    const bytes = bytesInMemory(engine, entry, dtype);
    dtypes.set(entry.name, dtype);
    weights.push({ dtype, bytes });
    weightsBytes += bytes;
    if (!isWanted) unquantized.push(entry.name);
  }
  const parameters = countParameters(file.tensors);
  const info = { weightsBytes, parameters, types: countTypes(weights), unquantized };
  return { config, model, bytes: tables + weightsBytes, dtypes, info };
}

/**
 * Reads the weights from the stream to their places in memory, in pieces.
 * @param {Engine} engine
 * @param {ModelFile} file
 * @param {Plan} plan
 * @param {number} kernels  address of the kernel set, which repacks the weights into its layout
 * @param {number} [positions]  number of positions of the session
 * @returns {Promise<number>} address of the model in the engine
 * @throws {HeedError} 'bad-tensor', 'out-of-memory', and the errors of the source
 */
export async function placeWeights(engine, file, { config, bytes, dtypes }, kernels, positions) {
  const memory = engine.reserve(bytes, 'the weights');
  const model = engine.call('heed_model_create', memory, bytes, config);
  const placed = engine.mark;
  const loader = engine.ask(
    'heed_loader_create',
    engine.reserve(engine.ask('heed_loader_bytes', model, engine.pool), 'a piece of the weights'),
    model,
    kernels,
    engine.pool,
  );
  const nBytes = engine.reserve(4, 'a size');
  const size = engine.i32(nBytes, 1); // the view stays valid, because the memory no longer grows
  for await (const [entry, reader] of file.weights(positions)) {
    begin(engine, loader, entry, dtypes.get(entry.name) ?? 0, file.config);
    const what = `tensor ${quoted(entry.name)}`;
    for (let at; (at = engine.call('heed_loader_next', loader, nBytes)) !== 0; ) {
      const later = reader.readInto(engine.u8(at, size[0]), what);
      if (later) await later;
    }
  }
  engine.call('heed_model_ready', model);
  engine.release(placed);
  return model;
}

/** @param {{ dtype: number, bytes: number }[]} weights */
function countTypes(weights) {
  /** @type {WeightsInfo['types']} */
  const types = {};
  for (const { dtype, bytes } of weights) {
    const count = (types[DTYPES[dtype].name] ??= { tensors: 0, bytes: 0 });
    count.tensors++;
    count.bytes += bytes;
  }
  return types;
}

/** Writes the configuration of a model. @param {Engine} engine @param {ModelFile} file @returns {number} its address */
export function modelConfig(engine, file) {
  const config = engine.reserve(engine.structBytes('config'), 'the configuration');
  engine.writeStruct('config', config, configFields(file.config));
  return config;
}

/** The configuration for the core, which requires zeros for RoPE in models without it.
 *  @param {import('../files/config.js').Config} config @returns {Record<string, string | number>} */
function configFields(config) {
  return config.position.startsWith('rope')
    ? { ...config }
    : { ...config, rope_dims: 0, rope_theta: 0, rope_scale: 0 };
}

/** The number of learned weights, without the computed divisors of RoPE's frequencies.
 *  @param {readonly TensorEntry[]} tensors */
export function countParameters(tensors) {
  return tensors
    .filter(({ name }) => name !== 'rope_freqs.weight')
    .reduce((sum, { shape, learned }) => sum + (learned ?? shape.reduce((product, n) => product * n, 1)), 0);
}

/** The shape of a tensor; a vector is one row.
 *  @param {TensorEntry} entry @returns {[rows: number, columns: number]} */
function rowsAndColumns({ shape, name }) {
  if (shape.length === 1) return [1, shape[0]];
  if (shape.length === 2) return [shape[0], shape[1]];
  throw new HeedError(
    'bad-tensor',
    `Expected tensor ${quoted(name)} to have one or two axes, got ${shape.length}.`,
  );
}

/** Checks that a model, or a gradient, fits into the memory of the engine.
 *  @param {Engine} engine @param {string} what @param {number} bytes  of the whole memory @param {string} [advice]
 *  @throws {HeedError} 'needs-memory', like the engine: large.js takes 64-bit memory, or says why not */
export function needMemory(engine, what, bytes, advice = '') {
  if (bytes <= engine.memoryLimit) return;
  throw new HeedError('needs-memory', `${what} needs ${(bytes / 2 ** 30).toFixed(1)} GB of memory${advice}.`);
}

/** Bytes of a weight in memory.
 *  @param {Engine} engine @param {TensorEntry} entry @param {number} kept  its type in memory */
function bytesInMemory(engine, entry, kept) {
  const [rows, columns] = rowsAndColumns(entry);
  const { elements, bytes } = DTYPES[kept];
  const least = (rows * columns / elements) * bytes; // repacked rows are not smaller than the rows of the file
  if (least > engine.memoryLimit) return least;
  const bytesThere = engine.ask('heed_weight_bytes', kept, rows, columns);
  if (bytesThere < engine.memoryLimit - 1) return bytesThere; // else SIZE_MAX
  if (columns % elements === 0) return Math.max(least, engine.memoryLimit + 1);
  throw new HeedError(
    'bad-tensor',
    `Tensor ${quoted(entry.name)} of shape [${entry.shape.join('][')}] cannot have data type ${entry.dtype}.`,
  );
}

/** Starts to load one tensor.
 *  @param {Engine} engine @param {number} loader @param {TensorEntry} entry @param {number} kept
 *  @param {import('../files/config.js').Config} sizes */
function begin(engine, loader, entry, kept, sizes) {
  const { layer, slot } = placeOfWeight(engine, entry.name, sizes);
  if (slot < 0) {
    throw new HeedError(
      'bad-tensor',
      `Tensor ${quoted(entry.name)} does not belong to this architecture. The file may be of a variant that heed ` +
        'does not run.',
    );
  }
  const shape = rowsAndColumns(entry);
  const transposed = Number(entry.transpose ?? false);
  const [rows, columns] = shape;
  const rowBytes = engine.call('heed_loader_begin', loader, layer, slot, entry.dtype, kept, rows, columns, transposed);
  const needed = rowBytes * (entry.transpose ? columns : rows);
  if (needed === entry.bytes) return;
  throw new HeedError(
    'bad-tensor',
    `Tensor ${quoted(entry.name)} has ${entry.bytes} bytes; its shape and type need ${needed}.`,
  );
}
