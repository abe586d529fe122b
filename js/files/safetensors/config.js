/** Reads GPT-2, Llama, Mistral and Qwen2 here, and other types of models by the families in js/files/families. */
import { HeedError, quoted } from '../../errors.js';
import { NO_ROPE, attentionWindow, checkConfig, headSize } from '../config.js';
import { llama as llamaFamily } from '../families.js';
import { gpt2 as gpt2Family } from '../families/gpt-like.js';
import { groupsOf } from '../families/groups.js';
import { DECODERS } from '../families/index.js';
import { qwen2 as qwen2Family } from '../families/llama-like.js';
import { Fields } from './fields.js';
import { checkHead } from './heads.js';
import { CONFIG_KEYS, checkConfigKeys } from './keys.js';

/**
 * Converts config.json of Hugging Face to the engine's configuration.  Defaults come from the classes of
 * `transformers`.
 */

/** @typedef {import('../config.js').Config} Config */

/**
 * @typedef {object} Architecture
 * @property {import('../families.js').Family} family
 * @property {import('../families.js').Said} said  rules for biases, if config.json decides them
 * @property {import('./names.js').Layout} layout  naming scheme of weights
 * @property {Config} config
 * @property {boolean} tied              whether the embedding is also the output head
 * @property {import('../families/rope.js').Scaling} [rope]  computed divisors of RoPE's frequencies
 * @property {import('../families/parts.js').Parts} [parts]  of an encoder–decoder
 * @property {number} [labelHeads]  heads for labels; default 1
 */

/** @type {Readonly<Record<string, (json: Fields) => Architecture>>} */
const MODELS = Object.freeze({ gpt2, llama, mistral, qwen2 });

/** Types of further families. @type {Readonly<Record<string, { family: Decoder, type: HuggingFaceType }>>} */
const MORE = Object.freeze(Object.fromEntries(DECODERS.flatMap((family) =>
  Object.entries(family.types ?? {}).map(([name, type]) => [name, { family, type }]))));

/** @typedef {import('../families/decoder.js').Decoder} Decoder */
/** @typedef {import('../families/decoder.js').HuggingFaceType} HuggingFaceType */

/**
 * The configuration of a Hugging Face model.
 * @param {unknown} json  the parsed config.json
 * @param {string} name   name of the file, for messages
 * @returns {Architecture}
 * @throws {HeedError} 'unsupported', 'bad-config'
 */
export function configFromHuggingFace(json, name) {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new HeedError('bad-config', `${quoted(name)} is not a config.json, because it contains no JSON object.`);
  }
  const fields = new Fields(/** @type {Record<string, unknown>} */ (json), name);
  const type = fields.json.model_type;
  if (type === undefined) {
    throw new HeedError('bad-config', `${quoted(name)} has no model_type, which names the family of a model. Give ` +
      'the config.json from the folder of the model.');
  }
  const own = typeof type === 'string' && Object.hasOwn(MODELS, type);
  const more = typeof type === 'string' && Object.hasOwn(MORE, type) ? MORE[type] : null;
  if (!own && !more) {
    throw new HeedError('unsupported', `${quoted(name)} describes a model of the type ${quoted(type)}. heed runs ` +
      `${[...Object.keys(MODELS), ...Object.keys(MORE)].join(', ')}.`);
  }
  checkConfigKeys(fields.json, more ? more.type.keys : CONFIG_KEYS[String(type)], name);
  const model = more ? described(fields, more) : MODELS[String(type)](fields);
  checkConfig(model.config, name);
  checkHead(fields, model.config);
  return { ...model, family: { ...model.family, groups: groupsOf(model.config.experts) } };
}

/**
 * A model of a further family.
 * @param {Fields} json @param {{ family: Decoder, type: HuggingFaceType }} of @returns {Architecture}
 */
function described(json, { family: usual, type }) {
  const { family = usual, config, tied, said = {}, rope, parts, labelHeads, layout = type.layout } = type.read(json);
  return { family, layout, said, tied, ...(rope && { rope }), ...(parts && { parts }),
    ...(labelHeads && { labelHeads }),
    config: /** @type {Config} */ ({ ...NO_ROPE, window: 0, ...family.config, ...config }) };
}

/** @param {Fields} json @returns {Architecture} */
function gpt2(json) {
  const d_model = json.renamed('n_embd', 'hidden_size', 768);
  const heads = json.renamed('n_head', 'num_attention_heads', 12);
  return {
    family: gpt2Family,
    said: {},
    layout: 'gpt2',
    tied: json.flag('tie_word_embeddings', true),
    config: {
      layers: json.renamed('n_layer', 'num_hidden_layers', 12),
      heads,
      kv_heads: heads,
      d_model,
      d_head: headSize(d_model, heads, json.name),
      d_ff: json.number('n_inner', 4 * d_model),
      vocabulary: json.number('vocab_size', 50257),
      context_length: json.renamed('n_positions', 'max_position_embeddings', 1024),
      norm: 'layernorm',
      norm_eps: json.number('layer_norm_epsilon', 1e-5),
      position: 'learned',
      ...NO_ROPE,
      window: 0,
      activation: json.activation('activation_function', 'gelu_new'),
      gated: 'no',
    },
  };
}

/** @param {Fields} json @returns {Architecture} */
function llama(json) {
  const model = decoder(json, { kvHeads: null, context: 2048 });
  const attention = json.biases('attention_bias');
  model.said = { qkvBiases: attention, outputBias: attention, feedForwardBiases: json.biases('mlp_bias') };
  const window = attentionWindow(json.number('sliding_window', 0), model.config.context_length);
  if (window) throw json.unsupported(`sets ‘sliding_window’ to ${window}, which the class Llama does not have`);
  json.layerTypes(model.config.layers, 0);
  return model;
}

/** Mistral has Llama's names, but its class has no biases.  @type {import('../families.js').Said} */
const NO_BIASES = Object.fromEntries(['qkvBiases', 'outputBias', 'feedForwardBiases'].map((group) =>
  [group, { rule: 'absent', because: 'no Mistral has it' }]));

/** @param {Fields} json @returns {Architecture} */
function mistral(json) {
  const model = decoder(json, { kvHeads: 8, context: 4096 * 32 });
  model.said = NO_BIASES;
  const window = json.window();
  const types = json.layerTypes(model.config.layers, window);
  if (window && types?.includes('full_attention')) {
    // The class uses the window and ignores the types.
    throw json.unsupported(`sets ‘sliding_window’ to ${window}, and ‘layer_types’ to full attention`);
  }
  model.config.window = attentionWindow(window, model.config.context_length);
  return model;
}

/** @param {Fields} json @returns {Architecture} */
function qwen2(json) {
  const model = decoder(json, { kvHeads: 32, context: 32768 });
  model.family = qwen2Family;
  model.config.window = json.switchedWindow(model.config);
  return model;
}

/** The parts that Llama, Mistral and Qwen2 share.
 *  @param {Fields} json @param {Parameters<Fields['decoder']>[0]} defaults @returns {Architecture} */
function decoder(json, defaults) {
  const { config, rope } = json.decoder(defaults);
  return {
    family: llamaFamily,
    layout: 'llama',
    said: {},
    tied: json.flag('tie_word_embeddings', false),
    rope,
    config: { ...llamaFamily.config, ...config, window: 0, position: 'rope_halves' },
  };
}
