/**
 * The keys of config.json and how each is handled, by class of `transformers`.  Unknown keys are ignored, because the
 * forward pass of a class reads only keys that the class defines.  Keys of other classes are listed (FOREIGN), because
 * a file with such a key was made for another forward pass.
 */
import { HeedError, quoted } from '../../errors.js';
import { all, checkSetting, only } from '../settings.js';

/** @typedef {import('../settings.js').Fate} Fate */

/** PreTrainedConfig and GenerationConfig: bookkeeping, classifiers, training and sampling.
 *  @type {Readonly<Record<string, Fate>>} */
const EVERY = {
  model_type: 'applied',
  quantization_config: 'applied',
  auto_map: 'applied',
  ...all('harmless', `architectures transformers_version dtype torch_dtype output_hidden_states output_attentions
    return_dict use_return_dict torchscript use_bfloat16 tf_legacy_loss id2label label2id num_labels problem_type
    name_or_path _name_or_path _commit_hash _num_labels finetuning_task task_specific_params tokenizer_class prefix
    bos_token_id eos_token_id pad_token_id sep_token_id decoder_start_token_id use_cache initializer_range is_decoder
    tie_encoder_decoder chunk_size_feed_forward attn_implementation _attn_implementation gradient_checkpointing`),
  ...all('harmless', `max_length min_length do_sample early_stopping num_beams num_beam_groups diversity_penalty
    temperature top_k top_p typical_p repetition_penalty length_penalty no_repeat_ngram_size
    encoder_no_repeat_ngram_size bad_words_ids num_return_sequences output_scores return_dict_in_generate
    forced_bos_token_id forced_eos_token_id remove_invalid_values exponential_decay_length_penalty suppress_tokens
    begin_suppress_tokens`),
  ...all(only(false), 'is_encoder_decoder add_cross_attention'),
  ...all(only({}), 'pruned_heads per_layer_config'),
};

/** Keys of other classes, with the value that has no effect.  @type {Readonly<Record<string, Fate>>} */
const FOREIGN = {
  ...all(only(1), 'logit_scale logits_scaling embedding_multiplier residual_multiplier scale_emb'),
  ...all(only(0), 'num_experts num_local_experts n_routed_experts attn_logit_softcapping final_logit_softcapping'),
  ...all(only(false), `rope_interleaved rope_interleave qk_layernorm use_qk_norm qk_norm use_mrope alibi
    use_bidirectional_attention parallel_attn use_parallel_residual`),
  ...all(only(true), 'is_causal'),
  ...all(only(), `attention_multiplier query_pre_attn_scalar clip_qkv scale_depth attention_chunk_size
    cross_attention_hidden_size text_config vision_config audio_config`),
};

/** Keys of every decoder. @type {Readonly<Record<string, Fate>>} */
export const COMMON = { ...EVERY, ...FOREIGN };

/** Keys that Llama and families like it share.  @type {Readonly<Record<string, Fate>>} */
export const DECODER = {
  ...COMMON,
  ...all('applied', `vocab_size hidden_size intermediate_size num_hidden_layers num_attention_heads num_key_value_heads
    hidden_act max_position_embeddings rms_norm_eps tie_word_embeddings rope_parameters rope_theta rope_scaling
    partial_rotary_factor head_dim layer_types sliding_window`),
  ...all('harmless', 'attention_dropout pretraining_tp'),
};

/** @type {Readonly<Record<string, Readonly<Record<string, Fate>>>>} */
export const CONFIG_KEYS = Object.freeze({
  llama: {
    ...DECODER,
    ...all('applied', 'attention_bias mlp_bias'),
    use_sliding_window: only(false),
    max_window_layers: 'harmless', // used only with a window, which `sliding_window` excludes
  },
  mistral: {
    ...DECODER,
    ...all(only(false), 'attention_bias mlp_bias'),
    ...all(only(), 'use_sliding_window max_window_layers'),
  },
  qwen2: {
    ...DECODER,
    ...all('applied', 'use_sliding_window max_window_layers'),
    attention_bias: only(true),
    mlp_bias: only(false),
  },
  gpt2: {
    ...COMMON,
    ...all('applied', `vocab_size n_positions n_embd n_layer n_head n_inner activation_function layer_norm_epsilon
      tie_word_embeddings hidden_size max_position_embeddings num_attention_heads num_hidden_layers`),
    // `reorder_and_upcast_attn` prevents overflow in 16-bit training; heed's scores always have 32 bits.
    ...all('harmless', `resid_pdrop embd_pdrop attn_pdrop summary_type summary_use_proj summary_activation
      summary_proj_to_labels summary_first_dropout n_ctx reorder_and_upcast_attn`),
    scale_attn_weights: only(true),
    scale_attn_by_inverse_layer_idx: only(false),
  },
});

/** Types whose repositories still contain the code that `transformers` took over as their class, and JinaBERT. */
const ADOPTED = [/^(ernie4_5|falcon|mpt|nomic_bert|phi3) (\S+--)?modeling_(hf_)?\1\./,
  /^bert jinaai\/jina-bert-implementation--modeling_bert\./];

/**
 * Rejects settings that change the result in a way that heed does not compute.  Null counts as a missing key.
 * @param {Record<string, unknown>} json
 * @param {Readonly<Record<string, Fate>>} fates  of the keys of the class
 * @param {string} name  name of the file
 * @throws {HeedError} 'unsupported'
 */
export function checkConfigKeys(json, fates, name) {
  for (const [key, value] of Object.entries(json)) {
    if (value !== null && Object.hasOwn(fates, key)) checkSetting(key, value, fates[key], name);
  }
  if (json.quantization_config) {
    throw new HeedError('unsupported', `The model of ${quoted(name)} is quantized (‘quantization_config’), which ` +
      'heed does not read. Take it as F16, BF16 or GGUF.');
  }
  const [own] = Object.entries(/** @type {object} */ (json.auto_map ?? {})).find(([entry, code]) =>
    /^AutoModel/.test(entry) && !ADOPTED.some((type) => type.test(`${json.model_type} ${code}`))) ?? [];
  if (own) {
    throw new HeedError('unsupported', `The model of ${quoted(name)} runs code of its own (‘auto_map’, ` +
      `${quoted(own)}), ` +
      'which may compute something else than its class.');
  }
}
