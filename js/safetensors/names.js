/**
 * From the names that Hugging Face's models give their weights to the engine's slots (GGUF's names, src/heed.h).
 */

/** @typedef {{ slot: string, transpose?: true } | 'ignored'} Place */

/** Linear layers of GPT-2 are stored [inputs][outputs]: class Conv1D. @type {[RegExp, string, true?][]} */
const GPT2 = [
  [/^wte\.weight$/, 'token_embd.weight'],
  [/^wpe\.weight$/, 'position_embd.weight'],
  [/^ln_f\.(weight|bias)$/, 'output_norm.$1'],
  [/^lm_head\.weight$/, 'output.weight'],
  [/^h\.(\d+)\.ln_1\.(weight|bias)$/, 'blk.$1.attn_norm.$2'],
  [/^h\.(\d+)\.attn\.c_attn\.weight$/, 'blk.$1.attn_qkv.weight', true],
  [/^h\.(\d+)\.attn\.c_attn\.bias$/, 'blk.$1.attn_qkv.bias'],
  [/^h\.(\d+)\.attn\.c_proj\.weight$/, 'blk.$1.attn_output.weight', true],
  [/^h\.(\d+)\.attn\.c_proj\.bias$/, 'blk.$1.attn_output.bias'],
  [/^h\.(\d+)\.ln_2\.(weight|bias)$/, 'blk.$1.ffn_norm.$2'],
  [/^h\.(\d+)\.mlp\.c_fc\.weight$/, 'blk.$1.ffn_up.weight', true],
  [/^h\.(\d+)\.mlp\.c_fc\.bias$/, 'blk.$1.ffn_up.bias'],
  [/^h\.(\d+)\.mlp\.c_proj\.weight$/, 'blk.$1.ffn_down.weight', true],
  [/^h\.(\d+)\.mlp\.c_proj\.bias$/, 'blk.$1.ffn_down.bias'],
];

/** Llama, and what is built like it. @type {[RegExp, string, true?][]} */
const LLAMA = [
  [/^embed_tokens\.weight$/, 'token_embd.weight'],
  [/^norm\.weight$/, 'output_norm.weight'],
  [/^lm_head\.weight$/, 'output.weight'],
  [/^layers\.(\d+)\.input_layernorm\.weight$/, 'blk.$1.attn_norm.weight'],
  [/^layers\.(\d+)\.self_attn\.([qkv])_proj\.(weight|bias)$/, 'blk.$1.attn_$2.$3'],
  [/^layers\.(\d+)\.self_attn\.o_proj\.(weight|bias)$/, 'blk.$1.attn_output.$2'],
  [/^layers\.(\d+)\.post_attention_layernorm\.weight$/, 'blk.$1.ffn_norm.weight'],
  [/^layers\.(\d+)\.mlp\.(gate|up|down)_proj\.(weight|bias)$/, 'blk.$1.ffn_$2.$3'],
];

/** Masks and tables that old checkpoints store beside their weights. */
const IGNORED = /\.attn\.(masked_)?bias$|\.rotary_emb\.inv_freq$/;

/**
 * @param {string} name      of a tensor in the file
 * @param {'gpt2' | 'llama'} layout
 * @returns {Place | null}   null for a name that this layout does not have
 */
export function placeOf(name, layout) {
  if (IGNORED.test(name)) return 'ignored';
  const bare = name.replace(layout === 'gpt2' ? /^transformer\./ : /^model\./, '');
  for (const [pattern, slot, transpose] of layout === 'gpt2' ? GPT2 : LLAMA) {
    if (pattern.test(bare)) return { slot: bare.replace(pattern, slot), ...(transpose && { transpose }) };
  }
  return null;
}
