/** Families of encoders: every query sees every key, and a text is read as a whole. */
import { NO_ROPE, headSize } from '../config.js';
import { ROPE_KEYS, SHARED } from '../gguf/keys.js';
import { COMMON } from '../safetensors/keys.js';
import { all, only } from '../settings.js';

/** @typedef {import('./decoder.js').Decoder} Decoder */
/** @typedef {import('./decoder.js').Described} Described */
/** @typedef {import('../safetensors/fields.js').Fields} Fields */
/** @typedef {import('../safetensors/names.js').Layout} Layout */
/** @typedef {import('../config.js').Config} Config */
/** The logits of an encoder: of words at each position, of labels of the text, or none.
 *  @typedef {'words' | 'labels' | 'none'} Head */

/** Constants of BERT (Devlin et al. 2019). */
const LIKE_BERT = /** @type {const} */ ({
  norm: 'layernorm', position: 'learned', activation: 'gelu_erf', gated: 'no', bidirectional: 'yes',
});
/** Weights of every BERT. */
const BERT_WEIGHTS = /** @type {const} */ ({
  attnNorm: 'absent', ffnNorm: 'absent', outputNorm: 'absent', sumNorms: 'needed', positions: 'needed',
  embeddingNorm: 'needed', qkvBiases: 'needed', outputBias: 'needed', feedForwardBiases: 'needed',
});

/** The head of a class of `transformers`, by the name of the class in config.json.
 *  @param {Fields} json @returns {Head} */
function headOf(json) {
  const name = json.className();
  if (/ForSequenceClassification$/.test(name)) return 'labels';
  return /For(MaskedLM|PreTraining)$/.test(name) ? 'words' : 'none';
}

/** @param {number} segments @returns {{ rule: import('../families.js').Rule, because: string }} */
const ruleOfSegments = (segments) =>
  ({ rule: segments > 0 ? 'needed' : 'absent', because: `config.json has ${segments} types of tokens` });

/**
 * The parts of a description that depend on the head.
 * @param {Fields} json
 * @param {Record<Head, Layout>} layouts
 * @param {{ words: Config['cls_activation'], labels: Config['cls_activation'], segments?: number }} of  activations of
 *   the layer before the head, and rows of the embedding of segments
 * @returns {Pick<Described, 'layout' | 'tied' | 'said'> & { config: Partial<Config> }}
 */
function withHead(json, layouts, { words, labels, segments = 0 }) {
  const head = headOf(json);
  const because = `config.json names the class ${JSON.stringify(json.json.architectures ?? 'of the model alone')}`;
  const rule = (/** @type {boolean} */ isNeeded) =>
    ({ rule: /** @type {import('../families.js').Rule} */ (isNeeded ? 'needed' : 'absent'), because });
  return {
    layout: layouts[head],
    tied: head === 'words' ? json.flag('tie_word_embeddings', true) : head === 'none',
    said: { headLayer: rule(head !== 'none'), headNorm: rule(head === 'words'), headBias: rule(head !== 'none'),
      segments: ruleOfSegments(segments) },
    config: {
      token_types: segments,
      cls_activation: head === 'labels' ? labels : words,
      ...(head === 'labels' && { labels: json.labels() }),
    },
  };
}

/** Sizes by the names of BERT and RoBERTa.
 *  @param {Fields} json @param {number} reserved  positions of the table that no token has */
function bertSizes(json, reserved) {
  return {
    ...json.encoder(),
    vocabulary: json.number('vocab_size', 30522),
    context_length: json.number('max_position_embeddings', 512) - reserved,
  };
}

/** Settings of BERT and RoBERTa. @type {Readonly<Record<string, import('../settings.js').Fate>>} */
const BERT_CONFIG = {
  ...COMMON,
  ...all('applied', `vocab_size hidden_size num_hidden_layers num_attention_heads intermediate_size hidden_act
    max_position_embeddings type_vocab_size layer_norm_eps tie_word_embeddings architectures id2label num_labels
    _num_labels`),
  ...all('harmless', 'hidden_dropout_prob attention_probs_dropout_prob classifier_dropout pooler_fc_size'),
  ...all(only(false), 'is_decoder add_cross_attention'),
  is_causal: only(false),
  position_embedding_type: only('absolute'),
};

/** RoBERTa (Liu et al. 2019): positions of tokens begin after the id of padding.
 *  @type {import('./decoder.js').HuggingFaceType} */
const ROBERTA = {
  layout: 'roberta',
  keys: { ...BERT_CONFIG, pad_token_id: only(1) },
  read(json) {
    const head = withHead(json, { none: 'roberta', words: 'roberta_words', labels: 'roberta_labels' },
      { words: 'gelu_erf', labels: 'tanh', segments: json.number('type_vocab_size', 2) });
    return { ...head, config: { ...bertSizes(json, 2), ...head.config } };
  },
};

/** JinaBERT of jina-embeddings-v2 (Günther et al. 2023): BERT with ALiBi on both sides (Press et al. 2022) and GEGLU
 *  (Shazeer 2020) without biases before the product. @type {Decoder} */
export const jinaBertV2 = {
  name: 'jina-bert-v2',
  config: { ...LIKE_BERT, position: 'alibi', alibi: 8, gated: 'yes' },
  weights: { ...BERT_WEIGHTS, positions: 'absent', segments: 'optional', gate: 'needed', feedForwardBiases: 'absent',
    downBias: 'needed' },
  keys: { ...SHARED, ...all('applied', 'attention.layer_norm_epsilon'), 'attention.causal': only(false) },
  // Older files have the gate as a tensor of its own.
  slots: (name, has) => (name === 'ffn_up.weight' && !has('ffn_gate.weight') ? ['ffn_gate.weight', name] : [name]),
  gguf: (_, __, rowsOf) => ({ token_types: rowsOf('token_types.weight') }),
};

/** JinaBERT in Hugging Face's files, which have the type of BERT. Its head for words is not used.
 *  @param {Fields} json @returns {Described} */
function describeJina(json) {
  if (headOf(json) === 'labels') throw json.unsupported('names a class with a head');
  if (json.json.feed_forward_type !== 'geglu') throw json.unsupported('has another ‘feed_forward_type’ than geglu');
  const segments = json.number('type_vocab_size', 2);
  return { family: jinaBertV2, layout: 'jina_bert', tied: true, said: { segments: ruleOfSegments(segments) },
    config: { ...bertSizes(json, 0), token_types: segments } };
}

/** BERT, DistilBERT, RoBERTa, and models trained from them (MiniLM, BGE, E5, …). @type {Decoder} */
export const bert = {
  name: 'bert',
  config: LIKE_BERT,
  weights: { ...BERT_WEIGHTS, segments: 'optional', headLayer: 'optional', headBias: 'optional' },
  keys: { ...SHARED, ...all('applied', 'attention.layer_norm_epsilon'), ...all('harmless', 'classifier.output_labels'),
    'attention.causal': only(false) },
  slots: (name) => [name.replace(/^cls\.output\./, 'output.')],
  gguf: (_, __, rowsOf) => ({ token_types: rowsOf('token_types.weight'), labels: rowsOf('cls.output.weight'),
    cls_activation: 'tanh' }),
  types: {
    'bert': {
      layout: 'bert',
      keys: { ...BERT_CONFIG, position_embedding_type: only('absolute', 'alibi'), feed_forward_type: 'applied',
        emb_pooler: only('mean'), ...all('harmless', 'attn_implementation model_max_length') },
      read(json) {
        if (json.json.position_embedding_type === 'alibi') return describeJina(json);
        if ((json.json.feed_forward_type ?? 'original') !== 'original') {
          throw json.unsupported('has a ‘feed_forward_type’ that BERT lacks');
        }
        const sizes = bertSizes(json, 0);
        const head = withHead(json, { none: 'bert', words: 'bert_words', labels: 'bert_labels' },
          { words: sizes.activation, labels: 'tanh', segments: json.number('type_vocab_size', 2) });
        return { ...head, config: { ...sizes, ...head.config } };
      },
    },
    'roberta': ROBERTA,
    'xlm-roberta': ROBERTA,
    'distilbert': {
      layout: 'distilbert',
      keys: { ...COMMON, ...all('applied', `vocab_size dim n_layers n_heads hidden_dim activation
        max_position_embeddings tie_word_embeddings tie_weights_ architectures id2label num_labels _num_labels`),
      ...all('harmless', 'dropout attention_dropout qa_dropout seq_classif_dropout sinusoidal_pos_embds'),
      is_causal: only(false) },
      read(json) {
        const d_model = json.number('dim', 768);
        const heads = json.number('n_heads', 12);
        const activation = json.activation('activation', 'gelu');
        const head = withHead(json, { none: 'distilbert', words: 'distilbert_words', labels: 'distilbert_labels' },
          { words: activation, labels: 'relu' });
        return { ...head, config: {
          layers: json.number('n_layers', 6),
          heads,
          kv_heads: heads,
          d_model,
          d_head: headSize(d_model, heads, json.name),
          d_ff: json.number('hidden_dim', 3072),
          vocabulary: json.number('vocab_size', 30522),
          context_length: json.number('max_position_embeddings', 512),
          norm_eps: 1e-12,
          activation,
          ...NO_ROPE,
          window: 0,
          ...head.config,
        } };
      },
    },
  },
};

/** nomic-embed-text (2024): BERT with RoPE, a gate, and no biases. @type {Decoder} */
export const nomicBert = {
  name: 'nomic-bert',
  config: { ...LIKE_BERT, position: 'rope_halves', activation: 'silu', gated: 'yes' },
  weights: { ...BERT_WEIGHTS, positions: 'absent', qkvBiases: 'absent', outputBias: 'absent',
    feedForwardBiases: 'absent', gate: 'needed', segments: 'optional' },
  keys: { ...ROPE_KEYS, ...all('applied', 'attention.layer_norm_epsilon'), 'attention.causal': only(false) },
  gguf: (_, __, rowsOf) => ({ token_types: rowsOf('token_types.weight') }),
  types: {
    nomic_bert: {
      layout: 'nomic_bert',
      keys: { ...COMMON, ...all('applied', `vocab_size pad_vocab_size_multiple n_embd hidden_size n_layer
        num_hidden_layers n_head num_attention_heads n_inner intermediate_size layer_norm_epsilon layer_norm_eps
        max_trained_positions max_position_embeddings rotary_emb_base rope_parameters type_vocab_size architectures`),
      // `rotary_scaling_factor` changes frequencies only after the positions of the training, where a session ends.
      ...all('harmless', 'n_positions rotary_scaling_factor'),
      ...all(only(false), `causal prenorm parallel_block rotary_emb_interleaved qkv_proj_bias mlp_fc1_bias mlp_fc2_bias
        use_rms_norm scale_attn_by_inverse_layer_idx`),
      activation_function: only('swiglu'), hidden_act: 'applied', rotary_emb_fraction: only(1),
      rotary_emb_scale_base: only(), scale_attn_weights: only(true) },
      read(json) {
        if (headOf(json) !== 'none') throw json.unsupported('names a class with a head');
        const heads = json.renamed('n_head', 'num_attention_heads', 12);
        const d_model = json.renamed('n_embd', 'hidden_size', 768);
        const d_head = headSize(d_model, heads, json.name);
        const rope = json.rope(d_head, { theta: json.number('rotary_emb_base', 10000) });
        const multiple = json.number('pad_vocab_size_multiple', 1);
        const segments = json.number('type_vocab_size', 2);
        return { rope, tied: true, said: { segments: ruleOfSegments(segments) }, config: {
          layers: json.renamed('n_layer', 'num_hidden_layers', 12),
          heads,
          kv_heads: heads,
          d_model,
          d_head,
          d_ff: json.renamed('n_inner', 'intermediate_size', 3072),
          vocabulary: Math.ceil(json.number('vocab_size', 30522) / multiple) * multiple,
          context_length: json.number('max_trained_positions', json.number('max_position_embeddings', 2048)),
          norm_eps: json.renamed('layer_norm_epsilon', 'layer_norm_eps', 1e-12),
          activation: json.activation('hidden_act', json.json.activation_function === undefined ? 'gelu' : 'silu'),
          rope_theta: rope.theta,
          rope_dims: rope.dims,
          rope_scale: rope.scale,
          token_types: segments,
        } };
      },
    },
  },
};

/** ModernBERT (Warner et al. 2024): RoPE, a gate, local and global layers, norms before both parts without biases.
 *  @type {Decoder} */
export const modernBert = {
  name: 'modern-bert',
  config: { norm: 'layernorm', position: 'rope_halves', activation: 'gelu_erf', gated: 'yes', bidirectional: 'yes' },
  weights: { attnNorm: 'later', embeddingScale: 'needed', gate: 'needed' },
  oneQkv: true,
  keys: { ...ROPE_KEYS, ...all('applied', 'attention.layer_norm_epsilon attention.sliding_window_pattern'),
    'attention.causal': only(false), hidden_activation: only('gelu', 'silu') },
  own: ['rope.freq_base_swa'],
  // A layer before the head without the head is left from the training with hidden words.
  slots: (name) => (name === 'ffn_up.weight' ? ['ffn_gate.weight', 'ffn_up.weight'] : name.startsWith('cls.') ? []
    : [name]),
  gguf: (read, { activation }, rowsOf) => {
    if (rowsOf('cls.output.weight') > 0) throw read.unsupported('has a classifier, and the file does not say of what');
    const window = read.number('attention.sliding_window', 0);
    return {
      activation: read.value('hidden_activation') === 'silu' ? 'silu' : activation,
      window,
      ...(window && { global_every: read.number('attention.sliding_window_pattern', 3), global_first: 0,
        local_theta: read.number('rope.freq_base_swa', 10000) }),
    };
  },
  types: {
    modernbert: {
      layout: 'modernbert',
      keys: { ...COMMON, ...all('applied', `vocab_size hidden_size num_hidden_layers num_attention_heads
        intermediate_size hidden_activation max_position_embeddings norm_eps global_rope_theta local_rope_theta
        global_attn_every_n_layers local_attention tie_word_embeddings rope_parameters layer_types decoder_bias
        classifier_activation architectures id2label num_labels _num_labels`),
      ...all('harmless', `initializer_cutoff_factor attention_dropout embedding_dropout mlp_dropout classifier_dropout
        deterministic_flash_attn sparse_prediction sparse_pred_ignore_index reference_compile repad_logits_with_grad
        compile layer_norm_eps position_embedding_type sliding_window`),
      ...all(only(false), 'norm_bias attention_bias mlp_bias classifier_bias'), classifier_pooling: 'applied',
      is_causal: only(false) },
      read(json) {
        const d_model = json.number('hidden_size', 768);
        const heads = json.number('num_attention_heads', 12);
        const d_head = headSize(d_model, heads, json.name);
        const layers = json.number('num_hidden_layers', 22);
        const words = json.activation('classifier_activation', 'gelu');
        const head = withHead(json,
          { none: 'modernbert', words: 'modernbert_words', labels: 'modernbert_labels' }, { words, labels: words });
        const kind = headOf(json);
        if (kind === 'labels' && (json.json.classifier_pooling ?? 'cls') !== 'cls') {
          throw json.unsupported('classifies the mean of all tokens (‘classifier_pooling’)');
        }
        const { full_attention: full, sliding_attention: local } =
          /** @type {Record<string, any>} */ (json.json.rope_parameters ?? {});
        const theta = json.number('global_rope_theta', 160000);
        const rope = json.rope(d_head, full ? { theta, parameters: full } : { theta, parameters: {} });
        const localTheta = local?.rope_theta ?? json.json.local_rope_theta ?? 10000;
        const bias = kind === 'words' ? json.flag('decoder_bias', true) : true;
        return {
          ...head,
          rope,
          said: { ...head.said, headLayer: undefined, headNorm: undefined, segments: undefined,
            headDense: head.said?.headLayer, headScale: head.said?.headLayer,
            ...(kind === 'words' && !bias && { headBias: { rule: 'absent', because: '‘decoder_bias’ is false' } }) },
          config: {
            layers,
            heads,
            kv_heads: heads,
            d_model,
            d_head,
            d_ff: json.number('intermediate_size', 1152),
            vocabulary: json.number('vocab_size', 50368),
            context_length: json.number('max_position_embeddings', 8192),
            norm_eps: json.number('norm_eps', 1e-5),
            activation: json.activation('hidden_activation', 'gelu'),
            rope_theta: rope.theta,
            rope_dims: rope.dims,
            rope_scale: rope.scale,
            window: json.number('local_attention', 128),
            ...json.globalLayers(layers, json.number('global_attn_every_n_layers', 3), 0),
            local_theta: Number(localTheta),
            ...head.config,
          },
        };
      },
    },
  },
};
