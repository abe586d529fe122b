/** Every setting of every family is applied, ignored without harm, or refused by its name. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { bool, float32 } from '../../js/files/gguf/writer.js';
import { HeedError } from '../../js/errors.js';
import { configFromGguf } from '../../js/files/gguf/config.js';
import { llama } from '../../js/files/families.js';
import { ROPE_KEYS } from '../../js/files/gguf/keys.js';
import { needSame } from '../../js/files/families/gguf.js';
import { gpt2 } from '../../js/files/families/gpt-like.js';
import { qwen2 } from '../../js/files/families/llama-like.js';
import { configFromHuggingFace } from '../../js/files/safetensors/config.js';
import { CONFIG_KEYS } from '../../js/files/safetensors/keys.js';
import { rejects } from '../support/expect.js';
import { tinyGguf } from '../support/tiny-gguf.js';
import { CONFIG } from '../support/tiny-safetensors.js';

/** @typedef {'gpt2' | 'llama' | 'mistral' | 'qwen2'} Type */

/** A valid configuration of each class. @type {Record<Type, Record<string, unknown>>} */
const SOUND = {
  llama: CONFIG,
  mistral: { ...CONFIG, model_type: 'mistral', sliding_window: null },
  qwen2: { ...CONFIG, model_type: 'qwen2', use_sliding_window: false },
  gpt2: { model_type: 'gpt2', vocab_size: 12, n_positions: 24, n_embd: 32, n_head: 2, n_layer: 1 },
};

/** The parameters of the constructors in `transformers` 4.57 and 5.0.
 *  @type {Record<Type, string>} */
const DEFINED = {
  gpt2: `vocab_size n_positions n_embd n_layer n_head n_inner activation_function resid_pdrop embd_pdrop attn_pdrop
    layer_norm_epsilon initializer_range summary_type summary_use_proj summary_activation summary_proj_to_labels
    summary_first_dropout scale_attn_weights use_cache bos_token_id eos_token_id pad_token_id
    scale_attn_by_inverse_layer_idx reorder_and_upcast_attn add_cross_attention tie_word_embeddings hidden_size
    max_position_embeddings num_attention_heads num_hidden_layers`,
  llama: `vocab_size hidden_size intermediate_size num_hidden_layers num_attention_heads num_key_value_heads hidden_act
    max_position_embeddings initializer_range rms_norm_eps use_cache pad_token_id bos_token_id eos_token_id
    pretraining_tp tie_word_embeddings rope_theta rope_scaling rope_parameters attention_bias attention_dropout mlp_bias
    head_dim`,
  mistral: `vocab_size hidden_size intermediate_size num_hidden_layers num_attention_heads num_key_value_heads head_dim
    hidden_act max_position_embeddings initializer_range rms_norm_eps use_cache pad_token_id bos_token_id eos_token_id
    tie_word_embeddings rope_theta rope_parameters sliding_window attention_dropout layer_types`,
  qwen2: `vocab_size hidden_size intermediate_size num_hidden_layers num_attention_heads num_key_value_heads hidden_act
    max_position_embeddings initializer_range rms_norm_eps use_cache tie_word_embeddings rope_theta rope_scaling
    rope_parameters use_sliding_window sliding_window max_window_layers layer_types attention_dropout pad_token_id
    bos_token_id eos_token_id`,
};

/** Settings of PreTrainedConfig. */
const OF_EVERY_CLASS = `model_type architectures transformers_version dtype torch_dtype output_hidden_states
  output_attentions return_dict chunk_size_feed_forward is_encoder_decoder id2label label2id num_labels problem_type
  name_or_path pruned_heads tokenizer_class task_specific_params quantization_config auto_map per_layer_config`;

/** An invalid value of each applied key; `with`: other settings that the test needs.
 *  @type {Record<string, { value: unknown, with?: object }>} */
const OTHER = {
  model_type: { value: 'mamba' }, quantization_config: { value: { quant_method: 'awq' } },
  auto_map: { value: { AutoModelForCausalLM: 'modeling.Model' } },
  vocab_size: { value: 13 }, hidden_size: { value: 64 }, intermediate_size: { value: 65 },
  num_hidden_layers: { value: 2 }, num_attention_heads: { value: 4 }, num_key_value_heads: { value: 2 },
  hidden_act: { value: 'relu' }, max_position_embeddings: { value: 25 }, rms_norm_eps: { value: 1e-3 },
  rope_parameters: { value: { rope_theta: 500 } }, rope_theta: { value: 500 },
  rope_scaling: { value: { type: 'linear', factor: 2 } }, partial_rotary_factor: { value: 0.5 },
  head_dim: { value: 8 }, layer_types: { value: ['chunked_attention'] },
  sliding_window: { value: 7, with: { use_sliding_window: true, max_window_layers: 0 } },
  use_sliding_window: { value: true, with: { sliding_window: 7, max_window_layers: 0 } },
  max_window_layers: { value: 0, with: { use_sliding_window: true, sliding_window: 7 } },
  attention_bias: { value: true }, mlp_bias: { value: true },
  n_positions: { value: 25 }, n_embd: { value: 64 }, n_layer: { value: 2 }, n_head: { value: 4 },
  n_inner: { value: 65 }, activation_function: { value: 'relu' }, layer_norm_epsilon: { value: 1e-3 },
};

/** The settings of a configuration, or the error that refuses it. @param {() => unknown} read */
function outcome(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof HeedError) return error;
    throw error;
  }
}

/** @param {unknown} result @param {string} key */
function assertRefused(result, key) {
  assert.ok(result instanceof HeedError, `${key} is accepted`);
  assert.equal(result.code, 'unsupported', result.message);
  assert.ok(result.message.includes(key), `${key} is not named: ${result.message}`);
}

for (const type of /** @type {Type[]} */ (Object.keys(SOUND))) {
  describe(`config.json of ${type}`, () => {
    const read = (/** @type {object} */ change) =>
      outcome(() => configFromHuggingFace({ ...SOUND[type], ...change }, 'config.json'));
    const sound = read({});

    test('every key of the class is applied, ignored or refused', () => {
      for (const key of `${DEFINED[type]} ${OF_EVERY_CLASS}`.split(/\s+/)) {
        assert.ok(key in CONFIG_KEYS[type], key);
      }
    });

    for (const [key, fate] of Object.entries(CONFIG_KEYS[type])) {
      test(`${key}: ${typeof fate === 'string' ? fate : `only ${JSON.stringify(fate.only)}`}`, () => {
        if (fate === 'applied') {
          const value = key === 'tie_word_embeddings' ? type !== 'gpt2' : OTHER[key].value;
          // Mistral has no switch for its window; a switch would be refused.
          const beside = type === 'qwen2' ? OTHER[key]?.with : {};
          const renamed = type === 'gpt2' && { hidden_size: { n_embd: undefined },
            num_hidden_layers: { n_layer: undefined }, num_attention_heads: { n_head: undefined },
            max_position_embeddings: { n_positions: undefined } }[key];
          const before = read({ ...beside, [key]: /** @type {any} */ (SOUND[type])[key] });
          const after = read({ ...beside, ...renamed, [key]: value });
          if (after instanceof HeedError) {
            const named = { model_type: 'mamba', quantization_config: 'quantized', sliding_window: 'sliding_window' };
            assert.ok(after.message.includes(/** @type {any} */ (named)[key] ?? key), after.message);
          } else assert.notDeepEqual(after, before);
        } else if (fate === 'harmless') {
          for (const value of [7, 'other', true, { other: 1 }, null]) assert.deepEqual(read({ [key]: value }), sound);
        } else {
          for (const value of [...fate.only, null]) assert.deepEqual(read({ [key]: value }), sound);
          const others = [2.5, 'other', [1], true, false].filter((value) => !fate.only.includes(value));
          for (const value of others) assertRefused(read({ [key]: value }), key);
        }
      });
    }

    test('unknown keys have no effect', () => {
      assert.deepEqual(read({ unsloth_version: '2024.9', my_note: { a: 1 } }), sound);
    });
  });
}

test('a configuration without a type is refused with a message that names the missing key', () => {
  assert.throws(() => configFromHuggingFace({ hidden_size: 8 }, 'config.json'),
    { code: 'bad-config', message: /^‘config\.json’ has no model_type, .* from the folder of the model\.$/ });
});

describe('code of a repository', () => {
  const of = (/** @type {object} */ change) => outcome(() => configFromHuggingFace({ ...SOUND.llama, ...change },
    'config.json'));
  const mapOf = (/** @type {string} */ code) =>
    ({ auto_map: { AutoConfig: 'configuration.Config', AutoModelForCausalLM: code } });

  test('is accepted if it became the class of transformers', () => {
    const sound = of({ model_type: 'phi3' });
    for (const code of ['modeling_phi3.Phi3ForCausalLM', 'microsoft/Phi-3--modeling_phi3.Phi3ForCausalLM']) {
      assert.deepEqual(of({ model_type: 'phi3', ...mapOf(code) }), sound);
    }
    const ernie = { model_type: 'ernie4_5', hidden_size: 1024, intermediate_size: 3072, num_hidden_layers: 18,
      num_attention_heads: 16, num_key_value_heads: 2, head_dim: 128, max_position_embeddings: 131072, use_bias: false,
      rms_norm_eps: 1e-5, vocab_size: 103424, rope_theta: 500000, tie_word_embeddings: true, hidden_act: 'silu' };
    const own = mapOf('modeling_ernie4_5.Ernie4_5_ForCausalLM');
    const { config } = configFromHuggingFace({ ...ernie, ...own }, 'config.json');
    assert.deepEqual([config.d_head, config.kv_heads, config.position], [128, 2, 'rope_adjacent']);
  });

  test('is refused otherwise', () => {
    assertRefused(of({ model_type: 'phi3', ...mapOf('modeling_phi3_long.Phi3ForCausalLM') }), 'auto_map');
    assertRefused(of(mapOf('modeling_phi3.Phi3ForCausalLM')), 'auto_map');
    assertRefused(of(mapOf('modeling_llama.LlamaForCausalLM')), 'auto_map');
  });
});

describe('defaults of config.json', () => {
  const read = (/** @type {object} */ json) => configFromHuggingFace(json, 'config.json').config;
  const long = { max_position_embeddings: 32768 };

  test('Mistral: a window of 4096 and 8 key/value heads, except for null', () => {
    const { sliding_window: _, num_key_value_heads: __, ...rest } = SOUND.mistral;
    const heads = { num_attention_heads: 16 };
    assert.equal(read({ ...rest, ...long, ...heads }).window, 4096);
    assert.equal(read({ ...rest, ...long, ...heads }).kv_heads, 8);
    assert.equal(read({ ...rest, ...long, ...heads, num_key_value_heads: null }).kv_heads, 16);
    assert.equal(read({ ...rest, ...long, sliding_window: null, num_key_value_heads: 1 }).window, 0);
  });

  test('Qwen2: a window of 4096 with use_sliding_window', () => {
    const on = { ...SOUND.qwen2, ...long, use_sliding_window: true, max_window_layers: 0 };
    assert.equal(read(on).window, 4096);
    assert.equal(read({ ...on, sliding_window: null }).window, 0);
    assert.equal(read({ ...on, use_sliding_window: false }).window, 0);
    assert.equal(read({ ...on, max_window_layers: undefined }).window, 0);
  });

  test('types of layers', () => {
    const types = (/** @type {string[]} */ ...layer_types) => ({ num_hidden_layers: layer_types.length, layer_types });
    const full = 'full_attention';
    const sliding = 'sliding_attention';
    const qwen2 = { ...SOUND.qwen2, ...long, use_sliding_window: true, sliding_window: 7 };
    assert.equal(read({ ...qwen2, ...types(full, full) }).window, 0);
    assert.equal(read({ ...qwen2, ...types(sliding, sliding) }).window, 7);
    const refused = (/** @type {object} */ json) => assertRefused(outcome(() => read(json)), 'layer_types');
    refused({ ...qwen2, ...types(full, sliding) });
    refused({ ...qwen2, ...types(sliding, sliding), use_sliding_window: false });
    refused({ ...SOUND.llama, ...types(sliding) });
    const mistral = { ...SOUND.mistral, ...long, sliding_window: 7 };
    assert.equal(read({ ...mistral, ...types(sliding) }).window, 7);
    refused({ ...mistral, ...types(full) });
    assert.equal(read({ ...mistral, ...types(full), sliding_window: null }).window, 0);
    assert.throws(() => read({ ...qwen2, ...types(full), num_hidden_layers: 2 }), { code: 'bad-config' });
  });

  test('RoPE: the base of rope_parameters takes precedence, and unknown parameters are refused', () => {
    const rope = (/** @type {object} */ rope_parameters) => ({ ...SOUND.llama, rope_theta: 5, rope_parameters });
    assert.equal(read(rope({ rope_theta: 7 })).rope_theta, 7);
    assert.equal(read(rope({ rope_type: 'default' })).rope_theta, 5);
    assertRefused(outcome(() => read(rope({ rope_type: 'linear', factor: 2, attention_factor: 2 }))),
      'attention_factor');
    assertRefused(outcome(() => read(rope({ factor: 2 }))), 'factor');
    assertRefused(outcome(() => read(rope({ full_attention: { rope_theta: 7 } }))), 'full_attention');
    assert.throws(() => read({ ...rope({ rope_theta: 7 }), rope_scaling: { type: 'linear', factor: 2 } }),
      { code: 'bad-config' });
  });

  test('GPT-2’s two names for one number', () => {
    assert.equal(read({ ...SOUND.gpt2, n_layer: undefined, num_hidden_layers: 3 }).layers, 3);
    assert.throws(() => read({ ...SOUND.gpt2, num_hidden_layers: 3 }), { code: 'bad-config' });
  });
});

const FAMILIES = { llama: { ...llama, keys: ROPE_KEYS }, qwen2, gpt2 };
/** Keys of architectures in llama.cpp (LLM_KV_NAMES of September 2026 with the prefix ‘%s.’). */
const GGUF_NAMES = `vocab_size context_length embedding_length embedding_length_out embedding_length_per_layer_input
  features_length block_count leading_dense_block_count feed_forward_length expert_feed_forward_length
  expert_shared_feed_forward_length expert_chunk_feed_forward_length swiglu_clamp_exp swiglu_clamp_shexp
  use_parallel_residual tensor_data_layout expert_count expert_used_count expert_shared_count expert_group_count
  expert_group_used_count expert_weights_scale expert_weights_norm expert_gating_func expert_group_scale
  experts_per_group moe_every_n_layers moe_latent_size nextn_predict_layers n_deepstack_layers deepstack_mapping
  hidden_activation pooling_type logit_scale decoder_start_token_id decoder_block_count attn_logit_softcapping
  router_logit_softcapping final_logit_softcapping swin_norm rescale_every_n_layers residual_scale embedding_scale
  token_shift_count interleave_moe_layer_step full_attention_interval attention.head_count attention.head_count_kv
  attention.max_alibi_bias attention.clamp_kqv attention.key_length attention.value_length
  attention.layer_norm_epsilon attention.layer_norm_rms_epsilon attention.group_norm_epsilon
  attention.group_norm_groups attention.causal attention.q_lora_rank attention.kv_lora_rank
  attention.relative_buckets_count attention.sliding_window attention.sliding_window_pattern attention.scale
  attention.output_scale attention.value_scale attention.temperature_length attention.temperature_scale
  attention.key_length_mla attention.value_length_mla attention.key_length_swa attention.value_length_swa
  attention.output_group_count attention.shared_kv_layers attention.recurrent_layers rope.dimension_count
  rope.dimension_count_swa rope.dimension_sections rope.freq_base rope.freq_base_swa rope.scale_linear
  rope.scaling.type rope.scaling.factor rope.scaling.alpha rope.scaling.attn_factor
  rope.scaling.original_context_length rope.scaling.finetuned rope.scaling.yarn_log_multiplier
  rope.scaling.yarn_ext_factor rope.scaling.yarn_attn_factor rope.scaling.yarn_beta_fast
  rope.scaling.yarn_beta_slow norm_before_residual`.split(/\s+/);

for (const architecture of /** @type {const} */ (['llama', 'qwen2', 'gpt2'])) {
  describe(`GGUF’s settings of ${architecture}`, () => {
    /** @type {Record<string, unknown>} */
    const sound = {
      block_count: 1, context_length: 24, embedding_length: 32, feed_forward_length: 64, vocab_size: 12,
      'attention.head_count': 2, 'attention.head_count_kv': 2, 'attention.layer_norm_epsilon': 2 ** -17,
      'attention.layer_norm_rms_epsilon': 2 ** -17, 'rope.freq_base': 10000, 'rope.dimension_count': 16,
      'attention.key_length': 16, 'attention.value_length': 16,
    };
    const read = (/** @type {object} */ change) => outcome(() => {
      const settings = Object.entries({ ...sound, ...change }).map(([key, value]) => [`${architecture}.${key}`, value]);
      return configFromGguf({ 'general.architecture': architecture, ...Object.fromEntries(settings) }, 12, 'file',
        FAMILIES[architecture], (reader, config) => (needSame(reader, config, FAMILIES[architecture]), {}));
    });
    const expected = read({});
    /** Invalid values; 3 for all other keys. @type {Record<string, unknown>} */
    const other = {
      embedding_length: 64, 'attention.head_count': 4, 'attention.head_count_kv': 1, 'attention.sliding_window': 7,
      'attention.layer_norm_epsilon': 1e-3, 'attention.layer_norm_rms_epsilon': 1e-3, 'rope.dimension_count': 8,
      'rope.scaling.type': 'linear', 'attention.causal': false, 'attention.key_length': 32,
    };

    for (const key of [...GGUF_NAMES, 'what_is_this']) {
      const fate = Object.hasOwn(FAMILIES[architecture].keys, key) ? FAMILIES[architecture].keys[key] : null;
      test(`${key}: ${fate ? JSON.stringify(fate) : 'refused'}`, () => {
        const value = other[key] ?? 3;
        const beside = { 'rope.scaling.type': { 'rope.scaling.factor': 2 }, 'attention.key_length': {
          'attention.value_length': value } }[key];
        const result = read({ ...beside, [key]: value });
        if (fate === 'harmless' || (architecture === 'gpt2' && key.startsWith('rope.'))) {
          return assert.deepEqual(result, expected);
        }
        if (fate === 'applied' && !(result instanceof HeedError)) return assert.notDeepEqual(result, expected);
        if (fate === 'applied') {
          const named = { vocab_size: 'tokens' }[key] ?? key;
          return assert.ok(/** @type {HeedError} */ (result).message.includes(named), String(result));
        }
        if (key !== 'expert_count') assertRefused(result, key);
        else assert.match(/** @type {HeedError} */ (result).message, /mixture of experts/);
        if (fate === null) for (const off of [0, false, [0, 0], 0n]) assert.deepEqual(read({ [key]: off }), expected);
        else for (const allowed of fate.only) assert.deepEqual(read({ [key]: allowed }), expected);
      });
    }
  });
}

test('a GGUF file with bidirectional attention or an unknown scaling of RoPE is refused', async () => {
  await rejects(load(await tinyGguf({ metadata: { 'llama.attention.causal': bool(false) } })), 'unsupported',
    /‘llama\.attention\.causal’ to ‘false’/);
  await rejects(load(await tinyGguf({ metadata: { 'llama.rope.scaling.attn_factor': float32(1.2) } })), 'unsupported',
    /‘llama\.rope\.scaling\.attn_factor’ to ‘1\.2/);
});
