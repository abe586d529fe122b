/** The plain object `model.info`: one description for models of both formats, which pages and analyses read. */
import { DTYPES } from '../files/dtypes.js';
import { architectureOf } from './count.js';

/**
 * Sizes of a loaded model, and how it runs.
 * @typedef {object} ModelInfo
 * @property {string} name                 name of the model: `general.name` of GGUF, or the file's name
 * @property {string} file                 name of the file, or of the first file
 * @property {'gguf' | 'safetensors'} format  file format
 * @property {string} architecture         family, by GGUF's name: 'llama', 'gpt2', 'qwen2', …
 * @property {number} parameters           number of learned weights
 * @property {number} layers               number of blocks; in an encoder–decoder, of the decoder
 * @property {number} encoderLayers        number of the encoder's blocks, in an encoder–decoder; otherwise 0
 * @property {number} heads                number of query heads per block
 * @property {number} kvHeads              number of key and value heads per block; divides `heads`
 * @property {number} dModel               width of the residual stream
 * @property {number} dHead                width of a head
 * @property {number} dFeedForward         hidden width of the feed-forward network
 * @property {number} experts              number of feed-forward networks of a block, in a mixture of experts; 0: one
 * @property {number} expertsUsed          number of them that a token uses
 * @property {number} dShared              hidden width of the network that every token uses beside its experts; 0: none
 * @property {number} vocabulary           number of tokens
 * @property {number} learnedPositions     number of learned position embeddings, in each part; 0 with RoPE
 * @property {number} relativeBuckets      number of learned biases of distances of each head and part, as in T5
 * @property {boolean} normBiases          whether norms have a bias beside their weight
 * @property {boolean} rotary              whether queries and keys are rotated by their positions (RoPE)
 * @property {number} rotaryDims           number of elements of a head that are rotated
 * @property {number} rotaryBase           base of the frequencies of RoPE; 0 without RoPE
 * @property {number} rotaryScale          divisor of positions; 0 without RoPE
 * @property {'adjacent' | 'halves'} rotaryPairs  pairs that are rotated: elements 0 and 1, or 0 and rotaryDims / 2
 * @property {number} alibi                largest exponent of the slopes of ALiBi; 0: scores ignore the distance
 * @property {boolean} gated               whether the feed-forward network has a gate (SwiGLU)
 * @property {'layernorm' | 'rmsnorm'} norm  kind of the norms
 * @property {number} normEpsilon          added to the variance or the mean square in a norm
 * @property {'gelu_tanh' | 'gelu_erf' | 'silu' | 'relu' | 'quick_gelu'} activation  function of the hidden units of
 *   the feed-forward network
 * @property {{ embedding: number, attention: number, residual: number, logits: number }} scales  factors of embeddings,
 *   of scores of attention, of the outputs of attention and feed-forward network, and of logits
 * @property {{ attention: number, logits: number }} softcaps  c of the soft caps c·tanh(x / c) of scores and of logits;
 *   0: none
 * @property {import('./count.js').Biases} biases  matrix products that have biases
 * @property {boolean} tied                whether the output head is the token embedding
 * @property {boolean} parallel            whether attention and the feed-forward network read the same residual
 * @property {boolean} preNorms            whether they read a norm of it
 * @property {boolean} sumNorms            whether blocks normalize sums, as in BERT
 * @property {number} blockNorms           number of norms of the residual stream in a block, without that of
 *   cross-attention
 * @property {'none' | 'head' | 'all'} qkNorm  norms of queries and keys: of each head, or of all heads together
 * @property {boolean} embeddingNorm       whether embeddings are normalized
 * @property {boolean} headBias            whether logits have a bias
 * @property {boolean} bidirectional       whether queries see keys on both sides: an encoder
 * @property {number} segments             rows of the embedding of segments, of which row 0 is added; 0: none
 * @property {boolean} firstNorm           whether the first block has the norm before attention that others have
 * @property {boolean} finalNorm           whether a norm follows the last block
 * @property {'none' | 'dense' | 'dense and norm'} headLayer  layer before the output head of an encoder
 * @property {number} outputs              number of logits of a row: the vocabulary, or labels
 * @property {'words' | 'labels' | 'vector' | 'none'} head  meaning of the logits: scores of the word at each position,
 *   scores of the labels of a text, or a vector (CLIP).  Encoders for embeddings have no logits
 * @property {string[] | null} labels      names of the labels of a classifier
 * @property {number} labelHeads           heads for labels: 1, or 2 in DeiT with distillation.  Head i reads token i,
 *   and the mean counts.  Rows of logits have all labels of head 0, then of head 1
 * @property {'mean' | 'cls' | 'last' | null} pooling  how the file recommends to pool embeddings of tokens
 * @property {import('../files/picture-format.js').PictureFormat | null} picture  format of the pictures that the model
 *   reads
 * @property {number} patch                numbers of a patch of a picture; 0 for texts
 * @property {string | null} otherPooling  what heed does not compute of the file's pooling; `embed` then needs its
 *   option `pooling`
 * @property {import('../files/families/parts.js').Parts} [parts]  parts of an encoder–decoder
 * @property {number | null} mask          id of the mask token, for `fillMask`
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
 * @property {{ kept: boolean, why: string }} [kept]  whether the files of `load` with `keep` or `offline` are stored
 *   here, and why
 */
/**
 * A weight of the model, which `model.weight(name)` reads.
 * @typedef {object} Weight
 * @property {string} name     name in the GGUF format, such as 'blk.0.attn_q.weight'
 * @property {number[]} shape  [outputs, inputs] of a matrix, or [elements] of a vector
 * @property {string} type     type in the file, such as 'Q8_0'
 */

/** The weights of a file. @param {import('../files/model-file.js').ModelFile} file @returns {Weight[]} */
export const weightsOf = ({ tensors }) => tensors.map(({ name, shape, dtype }) =>
  ({ name, shape: shape[0] === 1 ? shape.slice(-1) : shape, type: DTYPES[dtype].name }));

/** By llama.cpp's numbers (enum llama_pooling_type). */
export const POOLINGS = /** @type {const} */ ([null, 'mean', 'cls', 'last']);

/**
 * The head of a model.  @param {import('../files/model-file.js').ModelFile} file
 * @returns {Pick<ModelInfo, 'head' | 'labels' | 'labelHeads' | 'pooling' | 'otherPooling' | 'mask'>}
 */
function headOf({ architecture, config, metadata, tensors, tokenizer, pooling, head, labelHeads = 1 }) {
  const hasLayer = tensors.some(({ name }) => name === 'cls.weight');
  const names = /** @type {any} */ (metadata['config.json'])?.id2label ??
    metadata[`${architecture}.classifier.output_labels`] ?? {};
  const count = (config.labels ?? 0) / labelHeads;
  const type = Number(metadata[`${architecture}.pooling_type`] ?? (config.patch ? 2 : 0));
  return {
    head: head ?? (count > 0 ? 'labels' : config.bidirectional !== 'yes' || hasLayer ? 'words' : 'none'),
    labels: count > 0 && !head ? Array.from({ length: count }, (_, i) => String(names[i] ?? `LABEL_${i}`)) : null,
    labelHeads,
    pooling: pooling?.mode ?? POOLINGS[type] ?? null,
    otherPooling: pooling?.other ?? (type > 3 ? `‘pooling_type’ ${type}` : null),
    mask: tokenizer?.mask ?? null,
  };
}

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
    ...architectureOf(config, file.tensors, file.parts),
    ...(file.parts && { parts: file.parts }),
    expertsUsed: config.experts_used ?? 0,
    rotary: config.position.startsWith('rope'),
    rotaryDims: config.rope_dims,
    rotaryBase: config.rope_theta,
    rotaryScale: config.rope_scale,
    rotaryPairs: config.position === 'rope_halves' ? 'halves' : 'adjacent',
    alibi: config.alibi ?? 0,
    parallel: config.parallel === 'yes',
    preNorms: file.tensors.some(({ name }) => /\.(attn|attn_output)_norm\.weight$/.test(name)),
    sumNorms: file.tensors.some(({ name }) => name === 'blk.0.attn_output_norm.weight'),
    bidirectional: config.bidirectional === 'yes',
    ...headOf(file),
    norm: config.norm,
    normEpsilon: config.norm_eps,
    activation: config.activation,
    scales: {
      embedding: config.embedding_scale || 1,
      attention: config.attention_scale || 1 / Math.sqrt(config.d_head),
      residual: config.residual_scale || 1,
      logits: config.logit_scale || 1,
    },
    softcaps: { attention: config.attention_softcap ?? 0, logits: config.logit_softcap ?? 0 },
    modelContextLength: config.context_length,
    picture: file.picture ?? null,
    tokenizer: file.tokenizer !== null,
    ...session,
  };
}
