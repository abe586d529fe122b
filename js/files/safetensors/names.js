/**
 * Names of weights: from Hugging Face's names to the engine's slots (GGUF's names, src/heed.h).
 */

/** @typedef {'gpt2' | 'llama'} Layout  naming scheme of a file */
/** @typedef {{ slot: string, transpose?: true } | 'ignored'} Place */

/** Names without ‘weight’ or ‘bias’, with their slots; # is the layer.
 *  @type {Readonly<Record<Layout, { prefix: string, slots: Readonly<Record<string, string>> }>>} */
const LAYOUTS = Object.freeze({
  gpt2: {
    prefix: 'transformer.',
    slots: {
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
    },
  },
  llama: {
    prefix: 'model.',
    slots: {
      'embed_tokens': 'token_embd',
      'norm': 'output_norm',
      'lm_head': 'output',
      'layers.#.input_layernorm': 'blk.#.attn_norm',
      'layers.#.self_attn.q_proj': 'blk.#.attn_q',
      'layers.#.self_attn.k_proj': 'blk.#.attn_k',
      'layers.#.self_attn.v_proj': 'blk.#.attn_v',
      'layers.#.self_attn.o_proj': 'blk.#.attn_output',
      'layers.#.post_attention_layernorm': 'blk.#.ffn_norm',
      'layers.#.mlp.gate_proj': 'blk.#.ffn_gate',
      'layers.#.mlp.up_proj': 'blk.#.ffn_up',
      'layers.#.mlp.down_proj': 'blk.#.ffn_down',
    },
  },
});

/** Weights that GPT-2 stores as [inputs][outputs] (class Conv1D). */
const CONV_1D = /\.(c_attn|c_proj|c_fc)\.weight$/;
/** Masks and tables of old checkpoints. */
const IGNORED = /\.attn\.(masked_)?bias$|\.rotary_emb\.inv_freq$/;

/**
 * The slot of a tensor.
 * @param {string} name      name in the file
 * @param {Layout} layout
 * @returns {Place | null}   null for an unknown name
 */
export function placeOf(name, layout) {
  if (IGNORED.test(name)) return 'ignored';
  const { prefix, slots } = LAYOUTS[layout];
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  const [, stem, kind] = /^(.+)\.(weight|bias)$/.exec(bare) ?? [];
  const layer = /\.(\d+)\./.exec(bare)?.[1];
  const template = stem?.replace(/\.\d+\./, '.#.');
  if (template === undefined || !Object.hasOwn(slots, template)) return null;
  const slot = `${slots[template].replace('#', layer ?? '')}.${kind}`;
  return CONV_1D.test(bare) ? { slot, transpose: true } : { slot };
}

/**
 * Hugging Face's name of a slot.
 * @param {string} slot      ‘blk.0.attn_q.bias’
 * @param {Layout} layout
 * @param {boolean} prefixed  whether names of the file begin with ‘model.’ or ‘transformer.’
 */
export function nameOf(slot, layout, prefixed) {
  const { prefix, slots } = LAYOUTS[layout];
  const [, stem, kind] = /^(.+)\.(weight|bias)$/.exec(slot) ?? [null, slot, ''];
  const layer = /\.(\d+)\./.exec(slot)?.[1] ?? '';
  const template = stem.replace(/\.\d+\./, '.#.');
  const found = Object.entries(slots).find(([, place]) => place === template);
  if (!found) return slot;
  const bare = `${found[0].replace('#', layer)}.${kind}`;
  return prefixed && found[0] !== 'lm_head' ? prefix + bare : bare;
}

/** Whether names of a file begin with the layout's prefix.
 *  @param {string[]} names @param {Layout} layout */
export function isPrefixed(names, layout) {
  return names.some((name) => name.startsWith(LAYOUTS[layout].prefix));
}
