import { HeedError, quoted } from '../errors.js';
import { DTYPES } from '../files/dtypes.js';
import { keptAs } from './quantize.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */
/** @typedef {import('../files/model-file.js').ModelFile} ModelFile */
/** @typedef {import('../files/weights.js').TensorEntry} TensorEntry */

/** All of WebAssembly's memory. */
const MEMORY_BYTES = 2 ** 32;

/**
 * What the weights of a file will be in memory, and a model that knows its sizes and has no weights yet.
 * @typedef {object} Plan
 * @property {number} config   its address in the engine
 * @property {number} model    tables alone: enough to ask what a session takes
 * @property {number} bytes    of the model with its weights
 * @property {Map<string, number>} dtypes  what each tensor is kept as
 * @property {WeightsInfo} info
 *
 * @typedef {object} WeightsInfo
 * @property {number} weightsBytes          in memory
 * @property {number} parameters
 * @property {Record<string, { tensors: number, bytes: number }>} types  by the type that the weights have in memory
 * @property {string[]} unquantized         matrices that could not become what was asked for
 */

/**
 * @param {Engine} engine
 * @param {ModelFile} file
 * @param {import('./quantize.js').Quantize} quantize
 * @returns {Plan}
 * @throws {HeedError} 'bad-config', 'bad-tensor', 'too-large'
 */
export function planWeights(engine, file, quantize) {
  const config = engine.reserve(engine.structBytes('config'), 'the configuration');
  engine.writeStruct('config', config, configFields(file.config));
  const tables = engine.call('heed_model_bytes', config);
  const model = engine.call('heed_model_create', engine.reserve(tables, 'the tables of a model'), tables, config);
  const dtypes = new Map();
  const unquantized = [];
  const weights = [];
  let weightsBytes = 0;
  for (const entry of file.tensors) {
    const { dtype, asked } = keptAs(entry, quantize, file.config, engine.limit('panel_rows'));
    const bytes = roomOf(engine, entry, dtype);
    dtypes.set(entry.name, dtype);
    weights.push({ dtype, bytes });
    weightsBytes += bytes;
    if (!asked) unquantized.push(entry.name);
  }
  const parameters = countParameters(file.tensors);
  needRoom(file, weightsBytes, quantize);
  const info = { weightsBytes, parameters, types: countTypes(weights), unquantized };
  return { config, model, bytes: tables + weightsBytes, dtypes, info };
}

/**
 * Puts a model's weights where the kernels will read them: in pieces, each straight from the stream.
 * @param {Engine} engine
 * @param {ModelFile} file
 * @param {Plan} plan
 * @param {number} kernels  the set that turns them into what it reads
 * @returns {Promise<number>} the model's address in the engine
 * @throws {HeedError} 'bad-tensor', 'out-of-memory', or what the source reports
 */
export async function placeWeights(engine, file, { config, bytes, dtypes }, kernels) {
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
  const size = engine.i32(nBytes, 1); // the memory grows no more
  for await (const [entry, reader] of file.weights()) {
    begin(engine, loader, entry, dtypes.get(entry.name) ?? 0);
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

/** Without RoPE its fields have no meaning, and the core wants them zero.
 *  @param {import('../files/config.js').Config} config @returns {Record<string, string | number>} */
function configFields(config) {
  return config.position.startsWith('rope')
    ? { ...config }
    : { ...config, rope_dims: 0, rope_theta: 0, rope_scale: 0 };
}

/** Numbers that were learned: the divisors of RoPE's frequencies were computed.
 *  @param {TensorEntry[]} tensors */
function countParameters(tensors) {
  return tensors
    .filter(({ name }) => name !== 'rope_freqs.weight')
    .reduce((sum, { shape }) => sum + shape.reduce((product, n) => product * n, 1), 0);
}

/** A vector is one row.
 *  @param {TensorEntry} entry @returns {[rows: number, columns: number]} */
function rowsAndColumns({ shape, name }) {
  if (shape.length === 1) return [1, shape[0]];
  if (shape.length === 2) return [shape[0], shape[1]];
  throw new HeedError(
    'bad-tensor',
    `Tensor ${quoted(name)} has ${shape.length} axes; the weights of these models have one or two.`,
  );
}

/** @param {ModelFile} file @param {number} bytes of its weights in memory
 *  @param {import('./quantize.js').Quantize} quantize */
function needRoom(file, bytes, quantize) {
  if (bytes <= MEMORY_BYTES) return;
  const advice = quantize === 'q4_0' ? 'Take a smaller model.' : quantize === 'q8_0'
    ? 'Load it with quantize: ‘q4_0’, or take a smaller model.'
    : 'Load it with quantize: ‘q8_0’ or ‘q4_0’, or take a smaller model.';
  throw new HeedError('too-large', `The weights of ${quoted(file.name)} take ${inGigabytes(bytes)} in memory; ` +
    `WebAssembly can hold 4. ${advice}`);
}

const inGigabytes = (/** @type {number} */ bytes) => `${(bytes / 2 ** 30).toFixed(1)} GB`;

/** @param {Engine} engine @param {TensorEntry} entry @param {number} kept its type in memory */
function roomOf(engine, entry, kept) {
  const [rows, columns] = rowsAndColumns(entry);
  const { elements, bytes } = DTYPES[kept];
  const least = (rows * columns / elements) * bytes; // panels take no less than the rows of a file
  if (least > MEMORY_BYTES) return least;
  const room = engine.ask('heed_weight_bytes', kept, rows, columns);
  if (room !== 0xffffffff) return room;
  if (columns % elements === 0) return Math.max(least, MEMORY_BYTES + 1);
  throw new HeedError(
    'bad-tensor',
    `Tensor ${quoted(entry.name)} of shape [${entry.shape.join('][')}] cannot have data type ${entry.dtype}.`,
  );
}

/** @param {Engine} engine @param {number} loader @param {TensorEntry} entry @param {number} kept */
function begin(engine, loader, entry, kept) {
  const [, block, text] = /^blk\.(\d{1,6})\.(.+)$/.exec(entry.name) ?? [null, null, entry.name];
  const layer = block === null ? -1 : Number(block);
  const slot = (block === null ? engine.abi.slots : engine.abi.blocks).indexOf(text ?? '');
  if (slot < 0) {
    throw new HeedError(
      'bad-tensor',
      `Tensor ${quoted(entry.name)} has no place in this architecture. The file may be of a variant that heed does ` +
        'not run.',
    );
  }
  const shape = rowsAndColumns(entry);
  const transposed = Number(entry.transpose ?? false);
  const [rows, columns] = shape;
  const line = engine.call('heed_loader_begin', loader, layer, slot, entry.dtype, kept, rows, columns, transposed);
  const wanted = line * (entry.transpose ? columns : rows);
  if (wanted === entry.bytes) return;
  throw new HeedError(
    'bad-tensor',
    `Tensor ${quoted(entry.name)} has ${entry.bytes} bytes; its shape and type need ${wanted}.`,
  );
}
