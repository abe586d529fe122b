/** Dense layers, which change the pooled vector of a text (module Dense of sentence-transformers). */
import { HeedError, quoted } from '../errors.js';
import { DTYPES } from './dtypes.js';
import { TYPES, decode } from './gguf/quantize.js';
import { readHeader } from './safetensors/header.js';
import { openSource } from './source.js';
import { StreamReader } from './stream.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./weights.js').TensorEntry} TensorEntry */
/** @typedef {import('./model-file.js').ModelFile} ModelFile */
/**
 * y = activation(W·x + b).
 * @typedef {object} Dense
 * @property {Float32Array} weight       [outputs][inputs]
 * @property {Float32Array | null} bias  [outputs]
 * @property {'identity' | 'tanh'} activation
 */

/** Largest size of a tensor of a layer. */
const MAX_DENSE_BYTES = 256 << 20;
/** The class of PyTorch for layers without an activation, as all layers in GGUF. */
export const IDENTITY = 'torch.nn.modules.linear.Identity';
/** @type {Map<unknown, Dense['activation']>} */
const ACTIVATIONS = new Map([[IDENTITY, 'identity'],
  ['torch.nn.modules.activation.Tanh', 'tanh']]);
/** Tensors of the layers in GGUF, in the order of the pass. */
const LAYERS = ['dense_2.weight', 'dense_3.weight'];

/** The name of a type that `decode` may know. @param {TensorEntry} entry */
const typeOf = ({ dtype }) => /** @type {keyof typeof TYPES} */ (DTYPES[dtype].name.toLowerCase());

/** Checks the shape of a matrix. @param {string} tensor @param {string} name @param {number[]} shape
 *  @param {number} inputs @returns {number} outputs @throws {HeedError} 'bad-tensor' */
function outputsOf(tensor, name, shape, inputs) {
  if (shape.length === 2 && shape[1] === inputs) return shape[0];
  throw new HeedError('bad-tensor', `Tensor ${quoted(tensor)} of ${quoted(name)} has the shape ` +
    `[${shape.join('][')}]; the vectors before it have ${inputs} numbers.`);
}

/**
 * Reads a layer in the files of sentence-transformers.
 * @param {Record<string, any>} settings  config.json of the module
 * @param {Source} weights  its model.safetensors
 * @param {number} inputs   width of the vectors before it
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<Dense | string>} the layer, or the setting that heed does not compute
 * @throws {HeedError} 'bad-file', 'bad-tensor', 'truncated', 'too-large', and the errors of the source
 */
export async function readDense(settings, weights, inputs, signal) {
  const { activation_function: given, use_residual: sums, module_input_name: from = 'sentence_embedding' } = settings;
  const activation = given === undefined ? 'tanh' : ACTIVATIONS.get(given);
  if (!activation) return `the activation ${quoted(given)}`;
  if (sums || from !== 'sentence_embedding') return 'the module ‘Dense’ with ‘use_residual’ or ‘module_input_name’';
  const source = openSource(weights);
  const reader = new StreamReader(source.stream(signal), { name: quoted(source.name), signal });
  /** @type {Record<string, { shape: number[], numbers: Float32Array }>} */
  const found = {};
  try {
    const { tensors } = await readHeader(reader, source.name, source.size);
    for (const { name, type, shape, bytes } of tensors) {
      const known = /** @type {keyof typeof TYPES} */ (type.toLowerCase());
      if (!Object.hasOwn(TYPES, known)) return `the module ‘Dense’ with the type ${type}`;
      if (bytes > MAX_DENSE_BYTES) {
        throw new HeedError('too-large', `Tensor ${quoted(name)} of ${quoted(source.name)} has ${bytes} bytes; the ` +
          `limit is ${MAX_DENSE_BYTES}.`);
      }
      const stored = new Uint8Array(bytes);
      await reader.readInto(stored, `tensor ${quoted(name)}`);
      found[name] = { shape, numbers: decode(stored, known) };
    }
  } finally {
    await reader.close();
  }
  const { 'linear.weight': matrix, 'linear.bias': bias = null } = found;
  const outputs = outputsOf('linear.weight', source.name, matrix?.shape ?? [], inputs);
  if (Boolean(bias) !== (settings.bias ?? true) || (bias && String(bias.shape) !== String(outputs))) {
    throw new HeedError('bad-tensor', `The tensor ‘linear.bias’ of ${quoted(source.name)} is not as ‘bias’ of its ` +
      'config.json says. Do the files belong together?');
  }
  return { weight: matrix.numbers, bias: bias && bias.numbers, activation };
}

/**
 * A GGUF file whose stream of weights reads the layers aside.  llama.cpp's converter leaves the layers out, unless an
 * option names them.
 * @param {ModelFile} file
 * @returns {ModelFile}
 * @throws {HeedError} 'bad-tensor'
 */
export function withoutDense(file) {
  const isLayer = (/** @type {TensorEntry} */ { name }) => LAYERS.includes(name);
  const layers = LAYERS.flatMap((layer) => file.tensors.filter(({ name }) => name === layer));
  const unsupported = (/** @type {string} */ other) => ({ mode: null, other });
  if (layers.length === 0) return { ...file, pooling: unsupported('Dense layers that its file lacks') };
  let width = file.config.d_model;
  for (const { name, shape } of layers) width = outputsOf(name, file.name, shape, width);
  const other = layers.find((entry) => !Object.hasOwn(TYPES, typeOf(entry)));
  /** @type {Dense[]} */
  const dense = [];
  return {
    ...file,
    whole: file,
    tensors: file.tensors.filter((entry) => !isLayer(entry)),
    pooling: other ? unsupported(`the tensor ${quoted(other.name)} of the type ${DTYPES[other.dtype].name}`)
      : { mode: null, other: null, dense },
    async* weights(positions) {
      for await (const [entry, reader] of file.weights(positions)) {
        if (!isLayer(entry)) yield [entry, reader];
        else if (other) await reader.skip(entry.bytes);
        else {
          const stored = new Uint8Array(entry.bytes);
          await reader.readInto(stored, `tensor ${quoted(entry.name)}`);
          dense[layers.indexOf(entry)] = { weight: decode(stored, typeOf(entry)), bias: null, activation: 'identity' };
        }
      }
    },
  };
}
