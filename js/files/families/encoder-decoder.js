/** Families of encoder–decoders: an encoder reads the source, and a decoder with cross-attention writes the text. */
import { HeedError, quoted } from '../../errors.js';
import { CONFIG_LIMITS, NO_ROPE, headSize } from '../config.js';
import { SHARED } from '../gguf/keys.js';
import { COMMON } from '../safetensors/keys.js';
import { all, only } from '../settings.js';
import { partsOf } from './parts.js';

/** @typedef {import('./decoder.js').Decoder} Decoder */
/** @typedef {import('./decoder.js').Described} Described */
/** @typedef {import('../safetensors/fields.js').Fields} Fields */

/** Ids of config.json: one, several, or none. @param {unknown} value @returns {number[]} */
const idsOf = (value) => [value ?? []].flat().map(Number);

/** Largest distance of relative biases, and number of their buckets. */
const MOST_REACH = 1 << 14;
const MOST_BUCKETS = 1 << 12;
/** Most numbers of computed positions, which a short file can ask for; opus-mt has 2^18. */
const MAX_SINUSOIDS = 1 << 22;

/** Activations of `feed_forward_proj`, and whether there is a gate.  The class computes gelu_new for gated-gelu.
 *  @type {Readonly<Record<string, [import('../config.js').Config['activation'], boolean]>>} */
const PROJECTIONS = Object.freeze({
  'relu': ['relu', false], 'gelu': ['gelu_erf', false], 'gated-gelu': ['gelu_tanh', true], 'gated-silu': ['silu', true],
});

/** The largest distance of every T5 in GGUF: llama.cpp's relative_position_bucket has no setting for it. */
const GGUF_REACH = 128;

/** The number of layers of a part, in GGUF.
 *  @param {import('../gguf/config.js').Reader} read @param {string} key @param {number} [usual] */
function layersOf(read, key, usual) {
  const most = Math.floor(CONFIG_LIMITS.layers / 3);
  const count = usual === undefined ? read.number(key) : read.number(key, usual);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new HeedError('bad-config', `Expected an integer from 1 to ${most} at ${quoted(`t5.${key}`)} of ` +
    `${quoted(read.name)}, got ${count}.`);
}

/** Names of T5's tensors in GGUF; its class does not read biases of cross-attention.
 *  @param {string} name @returns {string[]} */
function t5Slots(name) {
  if (/^dec\.blk\.\d+\.cross_attn_rel_b\./.test(name)) return [];
  return [name.replace(/^dec\.output_norm\./, 'output_norm.')
    .replace(/^(enc\.|dec\.)blk\.0\.attn_rel_b\./, (_, part) => `${part === 'enc.' ? part : ''}attn_rel_b.`)
    .replace(/^dec\.blk\.(\d+)\.(cross_attn_|(?=ffn_))/, (_, layer, attention) =>
      `cross.${layer}.${attention && 'attn_'}`)
    .replace(/^(enc|dec)\.blk\./, '$1.')
    .replace(/\.attn_o\./, '.attn_output.')];
}

/** T5 and Flan-T5 (Raffel et al. 2020; Shazeer 2020): norms before both parts, biases by distance instead of positions.
 *  @type {Decoder} */
export const t5 = {
  name: 't5',
  config: { norm: 'rmsnorm', position: 'none', activation: 'relu', gated: 'no', attention_scale: 1 },
  weights: { encoderOutputNorm: 'needed', relativeBiases: 'needed', gate: 'uniform' },
  keys: { ...SHARED, ...all('applied', `attention.layer_norm_epsilon attention.layer_norm_rms_epsilon
    attention.relative_buckets_count decoder_block_count decoder_start_token_id`) },
  slots: t5Slots,
  gguf(read, { layers: encoder, d_model }, rowsOf) {
    const decoder = layersOf(read, 'decoder_block_count', layersOf(read, 'block_count'));
    const isGated = rowsOf('enc.blk.0.ffn_gate.weight') > 0;
    return {
      layers: encoder + 2 * decoder,
      encoder_layers: encoder,
      relative_reach: GGUF_REACH,
      activation: isGated ? 'gelu_tanh' : 'relu',
      gated: isGated ? 'yes' : 'no',
      ...(rowsOf('output.weight') === 0 && { logit_scale: d_model ** -0.5 }),
    };
  },
  parts: (read, { layers, encoder_layers: encoder = 0, gated }) =>
    partsOf({ encoder, decoder: (layers - encoder) / 2 }, { gated: gated === 'yes', sumNorms: false },
      { start: [read.number('decoder_start_token_id', 0)], excluded: [],
        buckets: read.number('attention.relative_buckets_count', 32) }),
  types: {
    t5: {
      layout: 't5',
      keys: {
        ...COMMON,
        ...all('applied', `vocab_size d_model d_kv d_ff num_layers num_decoder_layers num_heads
          relative_attention_num_buckets relative_attention_max_distance layer_norm_epsilon feed_forward_proj
          tie_word_embeddings decoder_start_token_id n_positions`),
        ...all('harmless', `dropout_rate classifier_dropout dense_act_fn is_gated_act initializer_factor
          output_past`),
        is_encoder_decoder: only(true),
      },
      read(json) {
        const d_model = json.number('d_model', 512);
        const heads = json.number('num_heads', 8);
        const encoder = json.layers('num_layers', 6);
        const decoder = json.layers('num_decoder_layers', encoder);
        const projection = String(json.json.feed_forward_proj ?? 'relu');
        if (!Object.hasOwn(PROJECTIONS, projection)) {
          throw json.unsupported(`has the ‘feed_forward_proj’ ${projection} (heed supports ` +
            `${Object.keys(PROJECTIONS).join(', ')})`);
        }
        const [activation, isGated] = PROJECTIONS[projection];
        const tied = json.flag('tie_word_embeddings', true);
        return {
          tied,
          said: { gate: { rule: isGated ? 'needed' : 'absent', because: `‘feed_forward_proj’ is ${projection}` } },
          parts: partsOf({ encoder, decoder }, { gated: isGated, sumNorms: false },
            { start: idsOf(json.json.decoder_start_token_id ?? json.json.pad_token_id ?? 0), excluded: [],
              buckets: json.count('relative_attention_num_buckets', 32, MOST_BUCKETS) }),
          config: {
            layers: encoder + 2 * decoder,
            encoder_layers: encoder,
            relative_reach: json.count('relative_attention_max_distance', 128, MOST_REACH),
            heads,
            kv_heads: heads,
            d_model,
            d_head: json.number('d_kv', 64),
            d_ff: json.number('d_ff', 2048),
            vocabulary: json.number('vocab_size', 32128),
            context_length: json.number('n_positions', 512),
            norm_eps: json.number('layer_norm_epsilon', 1e-6),
            activation,
            gated: isGated ? 'yes' : 'no',
            ...(tied && { logit_scale: d_model ** -0.5 }),
            ...NO_ROPE,
          },
        };
      },
    },
  },
};

/** Constants of BART. */
const LIKE_BART = /** @type {const} */ ({
  norm: 'layernorm', position: 'learned', activation: 'gelu_erf', gated: 'no',
});
/** @type {Decoder['weights']} */
const BART_WEIGHTS = { attnNorm: 'absent', ffnNorm: 'absent', outputNorm: 'absent', sumNorms: 'needed',
  qkvBiases: 'needed', outputBias: 'needed', feedForwardBiases: 'needed', headBias: 'optional' };
const BART_KEYS = {
  ...COMMON,
  ...all('applied', `vocab_size d_model encoder_layers decoder_layers encoder_attention_heads decoder_attention_heads
    encoder_ffn_dim decoder_ffn_dim max_position_embeddings activation_function scale_embedding tie_word_embeddings
    decoder_start_token_id forced_bos_token_id num_hidden_layers bad_words_ids`),
  ...all('harmless', `dropout attention_dropout activation_dropout classif_dropout classifier_dropout encoder_layerdrop
    decoder_layerdrop init_std extra_pos_embeddings force_bos_token_to_be_generated gradient_checkpointing
    add_bias_logits num_labels id2label label2id _num_labels decoder_vocab_size`),
  ...all(only(false), 'normalize_before add_final_layer_norm'),
  ...all(only(true), 'is_encoder_decoder share_encoder_decoder_embeddings'),
};

/**
 * Sizes and parts of BART and Marian.
 * @param {Fields} json
 * @param {{ heads: number, context: number, vocabulary: number, activation: string, start: number,
 *   sinusoids?: boolean }} of  defaults of the class
 * @returns {Described}
 */
function bartLike(json, { heads: usual, context, vocabulary, activation, start, sinusoids = false }) {
  const both = (/** @type {string} */ key, /** @type {number} */ fallback) => {
    const [one, other] = ['encoder', 'decoder'].map((part) => json.number(`${part}_${key}`, fallback));
    if (one === other) return one;
    throw json.unsupported(`has another ${key} in its encoder than in its decoder`);
  };
  const d_model = json.number('d_model', 1024);
  const heads = both('attention_heads', usual);
  const encoder = json.layers('encoder_layers', 12);
  const decoder = json.layers('decoder_layers', 12);
  const positions = json.number('max_position_embeddings', context);
  if (sinusoids && !(positions * d_model <= MAX_SINUSOIDS)) {
    throw new HeedError('too-large', `${quoted(json.name)} has ${positions} computed positions of ${d_model} ` +
      `numbers; the limit is ${MAX_SINUSOIDS} numbers.`);
  }
  const excluded = idsOf(/** @type {unknown[]} */ (json.json.bad_words_ids ?? [])
    .flatMap((word) => (Array.isArray(word) && word.length === 1 ? word : [])));
  return {
    tied: json.flag('tie_word_embeddings', true),
    parts: partsOf({ encoder, decoder }, { gated: false, sumNorms: true }, { excluded, sinusoids,
      start: [...idsOf(json.json.decoder_start_token_id ?? start), ...idsOf(json.json.forced_bos_token_id)] }),
    config: {
      layers: encoder + 2 * decoder,
      encoder_layers: encoder,
      heads,
      kv_heads: heads,
      d_model,
      d_head: headSize(d_model, heads, json.name),
      d_ff: both('ffn_dim', 4096),
      vocabulary: json.number('vocab_size', vocabulary),
      context_length: positions,
      norm_eps: 1e-5,
      activation: json.activation('activation_function', activation),
      ...(json.flag('scale_embedding', false) && { embedding_scale: Math.sqrt(d_model) }),
      ...NO_ROPE,
    },
  };
}

/** BART (Lewis et al. 2020): the Transformer of Vaswani et al. with learned positions and a norm of embeddings.
 *  @type {Decoder} */
export const bart = {
  name: 'bart',
  config: LIKE_BART,
  weights: { ...BART_WEIGHTS, positions: 'needed', encoderPositions: 'needed', embeddingNorm: 'needed',
    encoderEmbeddingNorm: 'needed' },
  hubOnly: true,
  types: {
    bart: {
      layout: 'bart',
      keys: { ...BART_KEYS, static_position_embeddings: only(false), normalize_embedding: only(true) },
      read: (json) => bartLike(json, { heads: 16, context: 1024, vocabulary: 50265, activation: 'gelu', start: 2 }),
    },
  },
};

/** Marian (Junczys-Dowmunt et al. 2018), such as opus-mt: the Transformer of Vaswani et al. with its sinusoids.
 *  @type {Decoder} */
export const marian = {
  name: 'marian',
  config: { ...LIKE_BART, activation: 'silu' },
  weights: { ...BART_WEIGHTS, positions: 'optional', encoderPositions: 'optional' },
  hubOnly: true,
  types: {
    marian: {
      layout: 'marian',
      keys: { ...BART_KEYS, static_position_embeddings: only(true), normalize_embedding: only(false) },
      read: (json) => bartLike(json, { heads: 16, context: 1024, vocabulary: 58101, activation: 'gelu', start: 58100,
        sinusoids: true }),
    },
  },
};
