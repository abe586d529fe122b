/** Names of tensors in Hugging Face's and minGPT's files, and in GGUF. */

/** Hugging Face's tensor names → GGUF's; `#` stands for the layer. */
const LLAMA_NAMES = {
  'model.embed_tokens': 'token_embd',
  'model.norm': 'output_norm',
  'lm_head': 'output',
  'model.layers.#.input_layernorm': 'blk.#.attn_norm',
  'model.layers.#.self_attn.q_proj': 'blk.#.attn_q',
  'model.layers.#.self_attn.k_proj': 'blk.#.attn_k',
  'model.layers.#.self_attn.v_proj': 'blk.#.attn_v',
  'model.layers.#.self_attn.o_proj': 'blk.#.attn_output',
  'model.layers.#.post_attention_layernorm': 'blk.#.ffn_norm',
  'model.layers.#.mlp.gate_proj': 'blk.#.ffn_gate',
  'model.layers.#.mlp.up_proj': 'blk.#.ffn_up',
  'model.layers.#.mlp.down_proj': 'blk.#.ffn_down',
};
const GPT2_NAMES = {
  'wte': 'token_embd',
  'wpe': 'position_embd',
  'ln_f': 'output_norm',
  'lm_head': 'output',
  'h.#.ln_1': 'blk.#.attn_norm',
  'h.#.attn.c_attn': 'blk.#.attn_qkv',
  'h.#.attn.c_proj': 'blk.#.attn_output',
  'h.#.ln_2': 'blk.#.ffn_norm',
  'h.#.mlp.c_fc': 'blk.#.ffn_up',
  'h.#.mlp.c_proj': 'blk.#.ffn_down',
};
/** @type {Record<'llama' | 'qwen2' | 'gpt2', Record<string, string>>} */
const NAMES = { llama: LLAMA_NAMES, qwen2: LLAMA_NAMES, gpt2: GPT2_NAMES };

/** GGUF's name, or null for a buffer that is no weight (masks, frequencies).
 *  @param {string} source @param {'llama' | 'qwen2' | 'gpt2'} architecture */
export function ggufName(source, architecture) {
  if (/\.attn\.(masked_)?bias$|\.rotary_emb\.inv_freq$/.test(source)) return null;
  const [, stem, kind] = source.replace(/^transformer\./, '').match(/^(.*)\.(weight|bias)$/) ?? [];
  const layer = stem?.match(/\.(\d+)\./)?.[1];
  const name = NAMES[architecture][stem?.replace(/\.\d+\./, '.#.')];
  if (!name) throw new Error(`the tensor ${source} has no place in a ${architecture} model`);
  return `${name.replace('#', layer ?? '')}.${kind}`;
}
