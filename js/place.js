import { HeedError, quoted } from './errors.js';

/** @typedef {import('./wasm.js').Engine} Engine */
/** @typedef {import('./model-file.js').ModelFile} ModelFile */
/** @typedef {import('./weights.js').TensorEntry} TensorEntry */

/**
 * Puts a model's weights where the kernels will read them: each goes from the stream straight to its place.
 * @param {Engine} engine
 * @param {ModelFile} file
 * @returns {Promise<{ model: number, weightsBytes: number, parameters: number }>} model: its address in the engine
 * @throws {HeedError} 'bad-config', 'bad-tensor', 'out-of-memory', or what the source reports
 */
export async function placeWeights(engine, file) {
  const mark = engine.mark;
  const config = engine.reserve(engine.structBytes('config'), 'the configuration');
  engine.writeStruct('config', config, configFields(file.config));
  const tables = engine.call('heed_model_bytes', config);
  const rooms = file.tensors.map((entry) => roomOf(engine, entry));
  const bytes = rooms.reduce((sum, room) => sum + room, tables);
  const memory = engine.reserve(bytes, 'the weights');
  const model = engine.call('heed_model_create', memory, bytes, config);
  const nBytes = engine.reserve(4, 'a size');
  try {
    for await (const [entry, reader] of file.weights()) {
      const at = locate(engine, model, entry, nBytes);
      if (entry.transpose) await readTransposed(engine, at, entry, reader);
      else await reader.readInto(engine.u8(at, entry.bytes), `tensor ${quoted(entry.name)}`);
    }
    engine.call('heed_model_ready', model);
  } catch (error) {
    engine.release(mark);
    throw error;
  }
  const weightsBytes = file.tensors.reduce((sum, entry) => sum + entry.bytes, 0);
  return { model, weightsBytes, parameters: countParameters(file.tensors) };
}

/** Without RoPE its fields have no meaning, and the core wants them zero.
 *  @param {import('./config.js').Config} config @returns {Record<string, string | number>} */
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

/** @param {Engine} engine @param {TensorEntry} entry */
function roomOf(engine, entry) {
  const room = engine.ask('heed_weight_bytes', entry.dtype, ...rowsAndColumns(entry));
  if (room !== 0xffffffff) return room;
  throw new HeedError(
    'bad-tensor',
    `Tensor ${quoted(entry.name)} of shape [${entry.shape.join('][')}] cannot have data type ${entry.dtype}.`,
  );
}

/** The address at which a tensor's bytes belong.
 *  @param {Engine} engine @param {number} model @param {TensorEntry} entry
 *  @param {number} nBytes where the core says how many */
function locate(engine, model, entry, nBytes) {
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
  const [rows, columns] = rowsAndColumns(entry);
  const at = engine.call('heed_model_weight', model, layer, slot, entry.dtype, rows, columns, nBytes);
  const wanted = new Uint32Array(engine.memory.buffer, nBytes, 1)[0];
  if (wanted !== entry.bytes) {
    throw new HeedError(
      'bad-tensor',
      `Tensor ${quoted(entry.name)} has ${entry.bytes} bytes; its shape and type need ${wanted}.`,
    );
  }
  return at;
}

/**
 * A matrix stored [inputs][outputs], as GPT-2's files have them, turned to [outputs][inputs].  Rows come in pieces, so
 * that only a piece is held.
 * @param {Engine} engine
 * @param {number} at
 * @param {TensorEntry} entry of F32, F16 or BF16
 * @param {import('./stream.js').StreamReader} reader
 */
async function readTransposed(engine, at, entry, reader) {
  const [outputs, inputs] = entry.shape;
  const size = entry.bytes / (outputs * inputs);
  const Numbers = size === 4 ? Uint32Array : Uint16Array;
  const rows = Math.max(1, Math.min(inputs, Math.floor(2 ** 20 / (outputs * size))));
  const piece = new Numbers(rows * outputs);
  const target = new Numbers(engine.memory.buffer, at, outputs * inputs);
  for (let first = 0; first < inputs; first += rows) {
    const count = Math.min(rows, inputs - first);
    await reader.readInto(new Uint8Array(piece.buffer, 0, count * outputs * size), `tensor ${quoted(entry.name)}`);
    for (let o = 0; o < outputs; o++) {
      for (let i = 0; i < count; i++) target[o * inputs + first + i] = piece[i * outputs + o];
    }
  }
}
