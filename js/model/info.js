import { architectureOf } from './count.js';

/**
 * Sizes of a loaded model, and how it runs.
 * @typedef {object} ModelInfo
 * @property {string} name                 name of the model: `general.name` of GGUF, or the file's name
 * @property {string} file                 name of the file, or of the first file
 * @property {'gguf' | 'safetensors'} format  file format
 * @property {string} architecture         family, by GGUF's name: 'llama', 'gpt2', 'qwen2', …
 * @property {number} parameters           number of learned weights
 * @property {number} layers               number of blocks
 * @property {number} heads                number of query heads per block
 * @property {number} kvHeads              number of key and value heads per block; divides `heads`
 * @property {number} dModel               width of the residual stream
 * @property {number} dHead                width of a head
 * @property {number} dFeedForward         hidden width of the feed-forward network
 * @property {number} vocabulary           number of tokens
 * @property {number} learnedPositions     number of learned position embeddings; 0 with RoPE
 * @property {boolean} normBiases          whether norms have a bias beside their weight
 * @property {boolean} rotary              whether queries and keys are rotated by their positions (RoPE)
 * @property {boolean} gated               whether the feed-forward network has a gate (SwiGLU)
 * @property {'layernorm' | 'rmsnorm'} norm  kind of the norms
 * @property {number} normEpsilon          added to the variance or the mean square in a norm
 * @property {'gelu_tanh' | 'gelu_erf' | 'silu' | 'relu'} activation  activation function of the feed-forward network
 * @property {import('./count.js').Biases} biases  matrix products that have biases
 * @property {boolean} tied                whether the output head is the token embedding
 * @property {number} contextLength        largest number of positions in the session
 * @property {number} modelContextLength   number of positions that the model was trained for
 * @property {number} weightsBytes         bytes of the weights in memory; Q8_0 takes 6 % more there than in a file
 * @property {Record<string, { tensors: number, bytes: number }>} types  number and bytes of tensors, by weight type in
 *   memory
 * @property {string[]} unquantized        names of matrices that `quantize` could not convert
 * @property {number} sessionBytes         bytes of the session: KV cache and scratch memory
 * @property {boolean} maps                whether the session keeps queries, so that `attention()` works
 * @property {import('./cache.js').CacheType} cache  number type of cached queries, keys and values
 * @property {boolean} tokenizer           whether the model has a tokenizer
 * @property {Readonly<import('./sampling.js').Sampling>} sampling  defaults of `generate`: the recommendations of the
 *   file (GGUF: general.sampling.temp, top_k, top_p, min_p, penalty_repeat), and SAMPLING for the rest
 * @property {import('../engine/choose.js').EngineInfo} engine  kernel set, threads, and why they were chosen
 */
/**
 * The info of a model, from its file and the choices of load().
 * @param {import('../files/model-file.js').ModelFile} file
 * @param {import('./place.js').WeightsInfo} weights
 * @param {Pick<ModelInfo, 'contextLength' | 'sessionBytes' | 'maps' | 'cache' | 'sampling' | 'engine'>} session
 * @returns {ModelInfo}
 */
export function infoOf(file, weights, session) {
  const { config, metadata } = file;
  return {
    name: typeof metadata['general.name'] === 'string' ? metadata['general.name'] : file.name,
    file: file.name,
    format: file.format,
    architecture: file.architecture,
    ...weights,
    ...architectureOf(config, file.tensors),
    rotary: config.position.startsWith('rope'),
    norm: config.norm,
    normEpsilon: config.norm_eps,
    activation: config.activation,
    modelContextLength: config.context_length,
    tokenizer: file.tokenizer !== null,
    ...session,
  };
}
