/**
 * A family of decoders or encoders: configuration and tensor names, in GGUF and in Hugging Face's files.
 *
 * @typedef {import('../families.js').Family & FilesOfFamily} Decoder
 *
 * @typedef {object} FilesOfFamily
 * @property {(read: import('../gguf/config.js').Reader, config: Config, rowsOf: (name: string) => number) =>
 *   Partial<Config>} [gguf]  settings
 *   of GGUF in addition to sizes, epsilon, RoPE and window.  rowsOf: the rows of a tensor; 0: the file lacks it
 * @property {(name: string, has: (name: string) => boolean) => string[]} [slots]  the engine's names of a tensor in
 *   GGUF; two for a matrix whose two halves are two weights; none: the weight is not used.  has: whether blocks have a
 *   tensor of this name
 * @property {(read: import('../gguf/config.js').Reader, config: Config) => import('./parts.js').Parts} [parts]  of an
 *   encoder–decoder in GGUF
 * @property {boolean} [mixture]  whether feed-forward networks are experts, in GGUF by `expert_count`
 * @property {boolean} [hubOnly]  whether there are no GGUF files of the family
 * @property {Record<string, HuggingFaceType>} [types]  by `model_type` of config.json
 *
 * @typedef {object} HuggingFaceType
 * @property {Readonly<Record<string, import('../settings.js').Fate>>} keys  how settings are handled
 * @property {import('../safetensors/names.js').Layout} layout  names of its tensors, if `read` does not say it
 * @property {(json: import('../safetensors/fields.js').Fields) => Described} read
 *
 * @typedef {import('../config.js').Config} Config
 * @typedef {{ family?: Decoder, config: Partial<Config>, tied: boolean, said?: import('../families.js').Said,
 *   rope?: import('./rope.js').Scaling, layout?: import('../safetensors/names.js').Layout,
 *   parts?: import('./parts.js').Parts, labelHeads?: number }} Described
 */

/** Constants of families with Llama's feed-forward network. */
export const LIKE_LLAMA = /** @type {const} */ ({
  norm: 'rmsnorm', position: 'rope_halves', activation: 'silu', gated: 'yes',
});

/** Constants of families with LayerNorm and one matrix before the activation. */
export const LIKE_GPT = /** @type {const} */ ({
  norm: 'layernorm', position: 'rope_halves', activation: 'gelu_tanh', gated: 'no',
});

/** Biases of queries, keys, values and output, by `attention_bias`; of the feed-forward network, by `mlp_bias`.
 *  @param {import('../safetensors/fields.js').Fields} json @param {boolean} mlp
 *  @returns {import('../families.js').Said} */
export function biases(json, mlp) {
  const attention = json.biases('attention_bias');
  return { qkvBiases: attention, outputBias: attention, ...(mlp && { feedForwardBiases: json.biases('mlp_bias') }) };
}

/**
 * The layers of a model with a period: one of `every` layers is global, the last of each period.
 * @param {number} every
 */
export const lastOfEach = (every) => ({ global_every: every, global_first: every - 1 });
