/**
 * Names of weights: from Hugging Face's names to the engine's slots (GGUF's names, src/heed.h).
 */

/**
 * Naming scheme of a file.
 * @typedef {object} Names
 * @property {string} prefix  which names may have; parts of an encoder–decoder have blocks enc.#, dec.# and cross.#
 * @property {Readonly<Record<string, string>>} slots  names without ‘weight’ or ‘bias’, with their slots; # is the
 *   layer, @ the expert.  Two slots with a space: the two halves of the matrix
 * @property {string} [grouped]  name of queries, keys and values whose rows are stored by key/value head
 * @property {boolean} [fromOne]  whether weights of norms are stored without the 1 that is added to them
 * @property {RegExp} [ignored]   names without prefix of weights that the model does not use
 * @property {number} [reserved]  first positions that no token has
 * @property {true} [flat]     whether tensors may have more axes: the first axis and the others are one matrix
 */
/** @typedef {keyof typeof LAYOUTS} Layout */
/** flat: the tensor may have more axes.  skip: rows that are left out.
 *  @typedef {{ slot: string, transpose?: true, change?: 'ungroup' | 'add one' | 'spread', skip?: number,
 *    flat?: true }} Slot
 *  @typedef {Slot | 'ignored'} Place */

/** Llama's names outside of blocks, and of queries, keys and values. */
const WORDS = { 'embed_tokens': 'token_embd', 'lm_head': 'output', 'layers.#.input_layernorm': 'blk.#.attn_norm' };
const QKV = {
  'layers.#.self_attn.q_proj': 'blk.#.attn_q',
  'layers.#.self_attn.k_proj': 'blk.#.attn_k',
  'layers.#.self_attn.v_proj': 'blk.#.attn_v',
};
/** Llama's names of attention and norms. */
const ATTENTION = {
  ...WORDS,
  'norm': 'output_norm',
  ...QKV,
  'layers.#.self_attn.o_proj': 'blk.#.attn_output',
  'layers.#.post_attention_layernorm': 'blk.#.ffn_norm',
};
const LLAMA = {
  ...ATTENTION,
  'layers.#.self_attn.q_norm': 'blk.#.attn_q_norm',
  'layers.#.self_attn.k_norm': 'blk.#.attn_k_norm',
  'layers.#.mlp.gate_proj': 'blk.#.ffn_gate',
  'layers.#.mlp.up_proj': 'blk.#.ffn_up',
  'layers.#.mlp.down_proj': 'blk.#.ffn_down',
};
/** Names of experts.  @param {string} router  @param {Record<'gate' | 'up' | 'down', string>} of */
const expertsOf = (router, of) => ({
  ...ATTENTION,
  'layers.#.self_attn.q_norm': 'blk.#.attn_q_norm',
  'layers.#.self_attn.k_norm': 'blk.#.attn_k_norm',
  [`layers.#.${router}.gate`]: 'blk.#.ffn_gate_inp',
  ...Object.fromEntries(Object.entries(of).map(([part, name]) =>
    [`layers.#.${router}.experts.@.${name}`, `blk.#.ffn_${part}_exps.@`])),
});
/** Norms after attention and feed-forward. */
const POST_NORMS = {
  'layers.#.post_attention_layernorm': 'blk.#.post_attention_norm',
  'layers.#.post_feedforward_layernorm': 'blk.#.post_ffw_norm',
};
const GEMMA_2 = { ...LLAMA, ...POST_NORMS, 'layers.#.pre_feedforward_layernorm': 'blk.#.ffn_norm' };
/** Names of Falcon and Bloom. */
const BIGSCIENCE = {
  'word_embeddings': 'token_embd',
  'ln_f': 'output_norm',
  'lm_head': 'output',
  'h.#.self_attention.query_key_value': 'blk.#.attn_qkv',
  'h.#.self_attention.dense': 'blk.#.attn_output',
  'h.#.mlp.dense_h_to_4h': 'blk.#.ffn_up',
  'h.#.mlp.dense_4h_to_h': 'blk.#.ffn_down',
};
/** Names of GPT-2 and models after it. */
const GPT = {
  'wte': 'token_embd',
  'ln_f': 'output_norm',
  'lm_head': 'output',
  'h.#.ln_1': 'blk.#.attn_norm',
};

/** Names of BERT. */
const BERT = {
  'embeddings.word_embeddings': 'token_embd',
  'embeddings.position_embeddings': 'position_embd',
  'embeddings.token_type_embeddings': 'token_types',
  'embeddings.LayerNorm': 'token_embd_norm',
  'encoder.layer.#.attention.self.query': 'blk.#.attn_q',
  'encoder.layer.#.attention.self.key': 'blk.#.attn_k',
  'encoder.layer.#.attention.self.value': 'blk.#.attn_v',
  'encoder.layer.#.attention.output.dense': 'blk.#.attn_output',
  'encoder.layer.#.attention.output.LayerNorm': 'blk.#.attn_output_norm',
  'encoder.layer.#.intermediate.dense': 'blk.#.ffn_up',
  'encoder.layer.#.output.dense': 'blk.#.ffn_down',
  'encoder.layer.#.output.LayerNorm': 'blk.#.layer_output_norm',
};
/** Names of JinaBERT; gated_layers is the gate and the matrix that it multiplies. */
const JINA_BERT = {
  ...Object.fromEntries(Object.entries(BERT).filter(([name]) => !/position|intermediate|layer\.#\.output/.test(name))),
  'encoder.layer.#.mlp.gated_layers': 'blk.#.ffn_gate blk.#.ffn_up',
  'encoder.layer.#.mlp.wo': 'blk.#.ffn_down',
  'encoder.layer.#.mlp.layernorm': 'blk.#.layer_output_norm',
};
const DISTILBERT = {
  'embeddings.word_embeddings': 'token_embd',
  'embeddings.position_embeddings': 'position_embd',
  'embeddings.LayerNorm': 'token_embd_norm',
  'transformer.layer.#.attention.q_lin': 'blk.#.attn_q',
  'transformer.layer.#.attention.k_lin': 'blk.#.attn_k',
  'transformer.layer.#.attention.v_lin': 'blk.#.attn_v',
  'transformer.layer.#.attention.out_lin': 'blk.#.attn_output',
  'transformer.layer.#.sa_layer_norm': 'blk.#.attn_output_norm',
  'transformer.layer.#.ffn.lin1': 'blk.#.ffn_up',
  'transformer.layer.#.ffn.lin2': 'blk.#.ffn_down',
  'transformer.layer.#.output_layer_norm': 'blk.#.layer_output_norm',
};
const MODERNBERT = {
  'embeddings.tok_embeddings': 'token_embd',
  'embeddings.norm': 'token_embd_norm',
  'layers.#.attn_norm': 'blk.#.attn_norm',
  'layers.#.attn.Wqkv': 'blk.#.attn_qkv',
  'layers.#.attn.Wo': 'blk.#.attn_output',
  'layers.#.mlp_norm': 'blk.#.ffn_norm',
  'layers.#.mlp.Wi': 'blk.#.ffn_gate blk.#.ffn_up',
  'layers.#.mlp.Wo': 'blk.#.ffn_down',
  'final_norm': 'output_norm',
};
/** Names of nomic-bert; fc12 is the gate. */
const NOMIC_BERT = {
  'embeddings.word_embeddings': 'token_embd',
  'embeddings.token_type_embeddings': 'token_types',
  'emb_ln': 'token_embd_norm',
  'encoder.layers.#.attn.Wqkv': 'blk.#.attn_qkv',
  'encoder.layers.#.attn.out_proj': 'blk.#.attn_output',
  'encoder.layers.#.norm1': 'blk.#.attn_output_norm',
  'encoder.layers.#.mlp.fc12': 'blk.#.ffn_gate',
  'encoder.layers.#.mlp.fc11': 'blk.#.ffn_up',
  'encoder.layers.#.mlp.fc2': 'blk.#.ffn_down',
  'encoder.layers.#.norm2': 'blk.#.layer_output_norm',
};
/** Weights of heads that an encoder does not use, and a tied copy of the bias of words. */
const POOLER = /^(pooler\.|cls\.seq_relationship\.|cls\.predictions\.decoder\.bias|lm_head\.decoder\.bias)/;
const ANY_HEAD =
  /^(pooler|cls|lm_head|vocab_(transform|layer_norm|projector)|head|decoder|(pre_)?classifier|qa_outputs)\./;
/** The head for words, which a class with labels does not use. */
const WORDS_HEAD = /^(cls|lm_head|vocab_\w+|decoder)\./;
/** An encoder alone, with words at each position, or with labels of the text.
 *  @param {string} prefix @param {Record<string, string>} slots @param {Record<string, string>} words
 *  @param {Record<string, string>} labels @param {Partial<Names>} [more]
 *  @returns {[alone: Names, words: Names, labels: Names]} */
const withHeads = (prefix, slots, words, labels, more = {}) => [
  { prefix, slots, ignored: ANY_HEAD, ...more },
  { prefix, slots: { ...slots, ...words }, ignored: POOLER, ...more },
  { prefix, slots: { ...slots, ...labels }, ignored: WORDS_HEAD, ...more },
];
const [bert, bert_words, bert_labels] = withHeads('bert.', BERT, {
  'cls.predictions.transform.dense': 'cls',
  'cls.predictions.transform.LayerNorm': 'cls.norm',
  'cls.predictions': 'output',
  'cls.predictions.decoder': 'output',
}, { 'pooler.dense': 'cls', 'classifier': 'output' });
const [roberta, roberta_words, roberta_labels] = withHeads('roberta.', BERT, {
  'lm_head.dense': 'cls',
  'lm_head.layer_norm': 'cls.norm',
  'lm_head': 'output',
  'lm_head.decoder': 'output',
}, { 'classifier.dense': 'cls', 'classifier.out_proj': 'output' }, { reserved: 2 });
const [distilbert, distilbert_words, distilbert_labels] = withHeads('distilbert.', DISTILBERT, {
  'vocab_transform': 'cls',
  'vocab_layer_norm': 'cls.norm',
  'vocab_projector': 'output',
}, { 'pre_classifier': 'cls', 'classifier': 'output' });
const MODERN_HEAD = { 'head.dense': 'cls', 'head.norm': 'cls.norm' };
const [modernbert, modernbert_words, modernbert_labels] = withHeads('model.', MODERNBERT,
  { ...MODERN_HEAD, 'decoder': 'output' }, { ...MODERN_HEAD, 'classifier': 'output' });

/** T5.  @param {string} part @param {string} block @param {string[]} parts  of the block, in order */
const t5Stack = (part, block, parts) => Object.fromEntries(parts.flatMap((of, i) => {
  const at = `${block}.block.#.layer.${i}`;
  const slot = part ? `${part}.#` : i === 0 ? 'dec.#' : 'cross.#';
  if (of !== 'DenseReluDense') {
    return [[`${at}.layer_norm`, `${slot}.attn_norm`],
      ...['q', 'k', 'v'].map((name) => [`${at}.${of}.${name}`, `${slot}.attn_${name}`]),
      [`${at}.${of}.o`, `${slot}.attn_output`]];
  }
  return [[`${at}.layer_norm`, `${slot}.ffn_norm`], [`${at}.${of}.wi`, `${slot}.ffn_up`],
    [`${at}.${of}.wi_0`, `${slot}.ffn_gate`], [`${at}.${of}.wi_1`, `${slot}.ffn_up`],
    [`${at}.${of}.wo`, `${slot}.ffn_down`]];
}));
const T5 = {
  'shared': 'token_embd',
  'lm_head': 'output',
  ...t5Stack('enc', 'encoder', ['SelfAttention', 'DenseReluDense']),
  ...t5Stack('', 'decoder', ['SelfAttention', 'EncDecAttention', 'DenseReluDense']),
  'encoder.block.#.layer.0.SelfAttention.relative_attention_bias': 'enc.attn_rel_b',
  'decoder.block.#.layer.0.SelfAttention.relative_attention_bias': 'attn_rel_b',
  'encoder.final_layer_norm': 'enc.output_norm',
  'decoder.final_layer_norm': 'output_norm',
};
/** Attention of BART. @param {string} at @param {string} slot */
const bartAttention = (at, slot) => ({
  [`${at}.q_proj`]: `${slot}.attn_q`,
  [`${at}.k_proj`]: `${slot}.attn_k`,
  [`${at}.v_proj`]: `${slot}.attn_v`,
  [`${at}.out_proj`]: `${slot}.attn_output`,
  [`${at}_layer_norm`]: `${slot}.attn_output_norm`,
});
/** Feed-forward network of BART. @param {string} at @param {string} slot */
const bartFeedForward = (at, slot) => ({
  [`${at}.fc1`]: `${slot}.ffn_up`,
  [`${at}.fc2`]: `${slot}.ffn_down`,
  [`${at}.final_layer_norm`]: `${slot}.layer_output_norm`,
});
/** Names of BART and Marian. */
const BART = {
  'shared': 'token_embd',
  'lm_head': 'output',
  'encoder.embed_positions': 'enc.position_embd',
  'decoder.embed_positions': 'position_embd',
  'encoder.layernorm_embedding': 'enc.token_embd_norm',
  'decoder.layernorm_embedding': 'token_embd_norm',
  ...bartAttention('encoder.layers.#.self_attn', 'enc.#'),
  ...bartFeedForward('encoder.layers.#', 'enc.#'),
  ...bartAttention('decoder.layers.#.self_attn', 'dec.#'),
  ...bartAttention('decoder.layers.#.encoder_attn', 'cross.#'),
  ...bartFeedForward('decoder.layers.#', 'cross.#'),
};
/** Copies of the shared embedding, and a bias of T5 that its class does not read. */
const COPIES = /^(encoder|decoder)\.embed_tokens\.weight$|EncDecAttention\.relative_attention_bias/;
/** The bias of logits in BART and Marian: a parameter without ‘bias’ in its name, [1][vocabulary]. */
const LOGITS_BIAS = 'final_logits_bias';

/** Names of ViT. */
const VIT = {
  'embeddings.cls_token': 'token_embd',
  'embeddings.position_embeddings': 'position_embd',
  'embeddings.patch_embeddings.projection': 'patch_embd',
  'encoder.layer.#.attention.attention.query': 'blk.#.attn_q',
  'encoder.layer.#.attention.attention.key': 'blk.#.attn_k',
  'encoder.layer.#.attention.attention.value': 'blk.#.attn_v',
  'encoder.layer.#.attention.output.dense': 'blk.#.attn_output',
  'encoder.layer.#.intermediate.dense': 'blk.#.ffn_up',
  'encoder.layer.#.output.dense': 'blk.#.ffn_down',
  'encoder.layer.#.layernorm_before': 'blk.#.attn_norm',
  'encoder.layer.#.layernorm_after': 'blk.#.ffn_norm',
  'layernorm': 'output_norm',
};
/** Heads that an encoder of pictures does not use, and the token of a hidden patch. */
const PICTURE_HEADS = /^(pooler|(cls_|distillation_)?classifier|decoder)\.|^embeddings\.mask_token$/;
/** Names of DeiT with distillation. */
const DEIT = { ...VIT, 'embeddings.distillation_token': 'token_dist' };
/** Names of the blocks of CLIP's towers. */
const CLIP = {
  'embeddings.position_embedding': 'position_embd',
  'encoder.layers.#.self_attn.q_proj': 'blk.#.attn_q',
  'encoder.layers.#.self_attn.k_proj': 'blk.#.attn_k',
  'encoder.layers.#.self_attn.v_proj': 'blk.#.attn_v',
  'encoder.layers.#.self_attn.out_proj': 'blk.#.attn_output',
  'encoder.layers.#.layer_norm1': 'blk.#.attn_norm',
  'encoder.layers.#.layer_norm2': 'blk.#.ffn_norm',
  'encoder.layers.#.mlp.fc1': 'blk.#.ffn_up',
  'encoder.layers.#.mlp.fc2': 'blk.#.ffn_down',
};
const CLIP_TEXT = { ...CLIP, 'embeddings.token_embedding': 'token_embd', 'final_layer_norm': 'output_norm' };
const CLIP_VISION = {
  ...CLIP,
  'embeddings.class_embedding': 'token_embd',
  'embeddings.patch_embedding': 'patch_embd',
  'pre_layrnorm': 'token_embd_norm', // spelled so in `transformers`
  'post_layernorm': 'output_norm',
};
/** The other tower of a file with both, and the temperature of their comparison. */
const NOT_TEXT = /^(vision_model|visual_projection)\.|^logit_scale$/;
const NOT_VISION = /^(text_model|text_projection)\.|^logit_scale$/;

/** Names that are parameters themselves, without ‘weight’ or ‘bias’. */
const PARAMETERS = /^embeddings\.((cls|distillation)_token|position_embeddings|class_embedding)$/;

const LAYOUTS = Object.freeze(/** @satisfies {Record<string, Names>} */ ({
  gpt2: {
    prefix: 'transformer.',
    slots: {
      ...GPT,
      'wpe': 'position_embd',
      'h.#.attn.c_attn': 'blk.#.attn_qkv',
      'h.#.attn.c_proj': 'blk.#.attn_output',
      'h.#.ln_2': 'blk.#.ffn_norm',
      'h.#.mlp.c_fc': 'blk.#.ffn_up',
      'h.#.mlp.c_proj': 'blk.#.ffn_down',
    },
  },
  llama: { prefix: 'model.', slots: LLAMA },
  gemma: { prefix: 'model.', slots: LLAMA, fromOne: true },
  gemma2: { prefix: 'model.', slots: GEMMA_2, fromOne: true },
  olmo2: { prefix: 'model.', slots: { ...LLAMA, ...POST_NORMS } },
  phi3: {
    prefix: 'model.',
    slots: {
      ...WORDS,
      'norm': 'output_norm',
      'layers.#.self_attn.qkv_proj': 'blk.#.attn_qkv',
      'layers.#.self_attn.o_proj': 'blk.#.attn_output',
      'layers.#.post_attention_layernorm': 'blk.#.ffn_norm',
      'layers.#.mlp.gate_up_proj': 'blk.#.ffn_gate blk.#.ffn_up',
      'layers.#.mlp.down_proj': 'blk.#.ffn_down',
    },
  },
  mixtral: { prefix: 'model.', slots: expertsOf('block_sparse_moe', { gate: 'w1', up: 'w3', down: 'w2' }) },
  granite_shared: {
    prefix: 'model.',
    slots: {
      ...ATTENTION,
      'layers.#.shared_mlp.input_linear': 'blk.#.ffn_gate blk.#.ffn_up',
      'layers.#.shared_mlp.output_linear': 'blk.#.ffn_down',
    },
  },
  granite_moe: {
    prefix: 'model.',
    slots: {
      ...ATTENTION,
      'layers.#.block_sparse_moe.router.layer': 'blk.#.ffn_gate_inp',
      'layers.#.block_sparse_moe.experts.@.input_linear': 'blk.#.ffn_gate_exps.@ blk.#.ffn_up_exps.@',
      'layers.#.block_sparse_moe.experts.@.output_linear': 'blk.#.ffn_down_exps.@',
    },
  },
  qwen_moe: {
    prefix: 'model.',
    slots: {
      ...expertsOf('mlp', { gate: 'gate_proj', up: 'up_proj', down: 'down_proj' }),
      'layers.#.mlp.shared_expert.gate_proj': 'blk.#.ffn_gate',
      'layers.#.mlp.shared_expert.up_proj': 'blk.#.ffn_up',
      'layers.#.mlp.shared_expert.down_proj': 'blk.#.ffn_down',
      'layers.#.mlp.shared_expert_gate': 'blk.#.ffn_gate_inp_shexp',
    },
  },
  starcoder2: {
    prefix: 'model.',
    slots: { ...ATTENTION, 'layers.#.mlp.c_fc': 'blk.#.ffn_up', 'layers.#.mlp.c_proj': 'blk.#.ffn_down' },
  },
  phi: {
    prefix: 'model.',
    slots: {
      ...WORDS,
      ...QKV,
      'final_layernorm': 'output_norm',
      'layers.#.self_attn.dense': 'blk.#.attn_output',
      'layers.#.mlp.fc1': 'blk.#.ffn_up',
      'layers.#.mlp.fc2': 'blk.#.ffn_down',
    },
  },
  gpt_neox: {
    prefix: 'gpt_neox.',
    grouped: 'layers.#.attention.query_key_value',
    slots: {
      'embed_in': 'token_embd',
      'final_layer_norm': 'output_norm',
      'embed_out': 'output',
      'layers.#.input_layernorm': 'blk.#.attn_norm',
      'layers.#.attention.query_key_value': 'blk.#.attn_qkv',
      'layers.#.attention.dense': 'blk.#.attn_output',
      'layers.#.post_attention_layernorm': 'blk.#.ffn_norm',
      'layers.#.mlp.dense_h_to_4h': 'blk.#.ffn_up',
      'layers.#.mlp.dense_4h_to_h': 'blk.#.ffn_down',
    },
  },
  gptj: {
    prefix: 'transformer.',
    slots: {
      ...GPT,
      'h.#.attn.q_proj': 'blk.#.attn_q',
      'h.#.attn.k_proj': 'blk.#.attn_k',
      'h.#.attn.v_proj': 'blk.#.attn_v',
      'h.#.attn.out_proj': 'blk.#.attn_output',
      'h.#.mlp.fc_in': 'blk.#.ffn_up',
      'h.#.mlp.fc_out': 'blk.#.ffn_down',
    },
  },
  gpt_neo: {
    prefix: 'transformer.',
    slots: {
      ...GPT,
      'wpe': 'position_embd',
      'h.#.attn.attention.q_proj': 'blk.#.attn_q',
      'h.#.attn.attention.k_proj': 'blk.#.attn_k',
      'h.#.attn.attention.v_proj': 'blk.#.attn_v',
      'h.#.attn.attention.out_proj': 'blk.#.attn_output',
      'h.#.ln_2': 'blk.#.ffn_norm',
      'h.#.mlp.c_fc': 'blk.#.ffn_up',
      'h.#.mlp.c_proj': 'blk.#.ffn_down',
    },
  },
  falcon: {
    prefix: 'transformer.',
    grouped: 'h.#.self_attention.query_key_value',
    slots: { ...BIGSCIENCE, 'h.#.input_layernorm': 'blk.#.attn_norm' },
  },
  falcon_two: {
    prefix: 'transformer.',
    grouped: 'h.#.self_attention.query_key_value',
    slots: { ...BIGSCIENCE, 'h.#.ln_attn': 'blk.#.attn_norm', 'h.#.ln_mlp': 'blk.#.ffn_norm' },
  },
  bloom: {
    prefix: 'transformer.',
    grouped: 'h.#.self_attention.query_key_value',
    slots: {
      ...BIGSCIENCE,
      'word_embeddings_layernorm': 'token_embd_norm',
      'h.#.input_layernorm': 'blk.#.attn_norm',
      'h.#.post_attention_layernorm': 'blk.#.ffn_norm',
    },
  },
  mpt: {
    prefix: 'transformer.',
    slots: {
      'wte': 'token_embd',
      'norm_f': 'output_norm',
      'lm_head': 'output',
      'blocks.#.norm_1': 'blk.#.attn_norm',
      'blocks.#.attn.Wqkv': 'blk.#.attn_qkv',
      'blocks.#.attn.out_proj': 'blk.#.attn_output',
      'blocks.#.norm_2': 'blk.#.ffn_norm',
      'blocks.#.ffn.up_proj': 'blk.#.ffn_up',
      'blocks.#.ffn.down_proj': 'blk.#.ffn_down',
    },
  },
  bert, bert_words, bert_labels, roberta, roberta_words, distilbert, distilbert_words, distilbert_labels, modernbert,
  modernbert_words, modernbert_labels,
  nomic_bert: { prefix: 'bert.', slots: NOMIC_BERT, ignored: ANY_HEAD },
  jina_bert: { prefix: 'bert.', slots: JINA_BERT, ignored: ANY_HEAD },
  roberta_labels: { ...roberta_labels, ignored: /^(pooler|lm_head)\./ }, // its labels do not use the pooler
  t5: { prefix: 'transformer.', slots: T5, ignored: COPIES },
  bart: { prefix: 'model.', slots: BART, ignored: COPIES, reserved: 2 },
  marian: { prefix: 'model.', slots: BART, ignored: COPIES },
  clip_text: { prefix: 'text_model.', slots: CLIP_TEXT, ignored: /^text_projection\./ },
  clip_text_projection: {
    prefix: 'text_model.', slots: { ...CLIP_TEXT, 'text_projection': 'output' }, ignored: NOT_TEXT,
  },
  clip_vision: { prefix: 'vision_model.', slots: CLIP_VISION, ignored: /^visual_projection\./, flat: true },
  clip_vision_projection: {
    prefix: 'vision_model.', slots: { ...CLIP_VISION, 'visual_projection': 'output' }, ignored: NOT_VISION, flat: true,
  },
  vit: { prefix: 'vit.', slots: VIT, ignored: PICTURE_HEADS, flat: true },
  vit_labels: { prefix: 'vit.', slots: { ...VIT, 'classifier': 'output' }, ignored: /^pooler\./, flat: true },
  deit: { prefix: 'deit.', slots: DEIT, ignored: PICTURE_HEADS, flat: true },
  deit_labels: { prefix: 'deit.', slots: { ...DEIT, 'classifier': 'output' }, ignored: /^pooler\./, flat: true },
  deit_teacher: { prefix: 'deit.', flat: true, ignored: /^pooler\./,
    slots: { ...DEIT, 'cls_classifier': 'output', 'distillation_classifier': 'output_dist' } },
}));

/** Weights that GPT-2 stores as [inputs][outputs] (class Conv1D). */
const CONV_1D = /\.(c_attn|c_proj|c_fc)\.weight$/;
/** Masks and tables of old checkpoints. */
const IGNORED =
  /\.(attn|attention)\.(masked_)?bias$|\.rotary_emb\.inv_freq$|(^|\.)embeddings\.(position|token_type)_ids$/;
/** Heads, whose names have no prefix. */
const HEADS = new RegExp('^((lm_head|embed_out|cls|((pre|cls|distillation)_)?classifier|vocab_\\w+|head|' +
  '(text|visual)_projection)(\\.|$)|decoder$)');
/** Names of norms in checkpoints that were converted from TensorFlow. @type {Readonly<Record<string, string>>} */
const KINDS = { weight: 'weight', bias: 'bias', gamma: 'weight', beta: 'bias' };

/**
 * The slot of a tensor.
 * @param {string} name      name in the file
 * @param {Layout} layout
 * @returns {Place | null}   null for an unknown name
 */
export function placeOf(name, layout) {
  if (IGNORED.test(name)) return 'ignored';
  const { prefix, slots, grouped, fromOne, ignored, reserved, flat } = /** @type {Names} */ (LAYOUTS[layout]);
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  if (ignored?.test(bare)) return 'ignored';
  if (bare === LOGITS_BIAS && slots === BART) return { slot: 'output.bias', flat: true };
  if (flat && PARAMETERS.test(bare)) return { slot: `${slots[bare]}.weight`, flat };
  const [, stem, kind] = /^(.+)\.(weight|bias|gamma|beta)$/.exec(bare) ?? [];
  const layer = /\.(\d+)\./.exec(bare)?.[1];
  const expert = /\.experts\.(\d+)\./.exec(bare)?.[1];
  const template = stem?.replace(/\.\d+\./, '.#.').replace(/(\.experts\.)\d+\./, '$1@.');
  if (template === undefined || !Object.hasOwn(slots, template)) return null;
  const slot = slots[template].split(' ')
    .map((one) => `${one.replace('#', layer ?? '').replace('@', expert ?? '')}.${KINDS[kind]}`).join(' ');
  if (layout === 'gpt2' && CONV_1D.test(bare)) return { slot, transpose: true };
  if (template === grouped) return { slot, change: 'ungroup' };
  if (reserved && slot.endsWith('position_embd.weight')) return { slot, skip: reserved };
  if (slot.endsWith('attn_rel_b.weight')) return { slot, change: 'spread' };
  if (flat) return { slot, flat };
  return fromOne && /norm$/.test(template) ? { slot, change: 'add one' } : { slot };
}

/**
 * Hugging Face's name of a slot.
 * @param {string} slot      ‘blk.0.attn_q.bias’
 * @param {Layout} layout
 * @param {boolean} prefixed  whether names of the file begin with ‘model.’ or ‘transformer.’
 */
export function nameOf(slot, layout, prefixed) {
  const { prefix, slots, flat } = /** @type {Names} */ (LAYOUTS[layout]);
  if (slot === 'output.bias' && slots === BART) return LOGITS_BIAS;
  const [, stem, kind] = /^(.+)\.(weight|bias)$/.exec(slot) ?? [null, slot, ''];
  const layer = /\.(\d+)\./.exec(slot)?.[1] ?? '';
  const expert = /_exps\.(\d+)$/.exec(stem)?.[1] ?? '';
  const template = stem.replace(/\.\d+\./, '.#.').replace(/(_exps\.)\d+$/, '$1@');
  const found = Object.entries(slots).find(([, place]) => place.split(' ').includes(template));
  if (!found) return slot;
  const bare = flat && PARAMETERS.test(found[0]) ? found[0]
    : `${found[0].replace('#', layer || '0').replace('@', expert)}.${kind}`;
  return prefixed && !HEADS.test(found[0]) ? prefix + bare : bare;
}

/** Whether names of a file begin with the layout's prefix.
 *  @param {string[]} names @param {Layout} layout */
export function isPrefixed(names, layout) {
  return names.some((name) => name.startsWith(LAYOUTS[layout].prefix));
}
