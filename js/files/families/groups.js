/** Weights that occur together, in addition to the groups of Llama. */
export const MORE_GROUPS = Object.freeze(/** @satisfies {Record<string, import('../families.js').Weights>} */ ({
  embeddingNorm: { model: ['token_embd_norm.weight', 'token_embd_norm.bias'], block: [] },
  positions: { model: ['position_embd.weight'], block: [] },
  postNorms: { model: [], block: ['post_attention_norm.weight', 'post_ffw_norm.weight'] },
  qkNorms: { model: [], block: ['attn_q_norm.weight', 'attn_k_norm.weight'] },
  normBiases: { model: ['output_norm.bias'], block: ['attn_norm.bias', 'ffn_norm.bias'] },
  sumNorms: { model: [], block: ['attn_output_norm.weight', 'attn_output_norm.bias', 'layer_output_norm.weight',
    'layer_output_norm.bias'] },
  segments: { model: ['token_types.weight'], block: [] },
  headLayer: { model: ['cls.weight', 'cls.bias'], block: [] },
  headNorm: { model: ['cls.norm.weight', 'cls.norm.bias'], block: [] },
  headDense: { model: ['cls.weight'], block: [] },
  headScale: { model: ['cls.norm.weight'], block: [] },
  embeddingScale: { model: ['token_embd_norm.weight'], block: [] },
  patches: { model: ['patch_embd.weight', 'patch_embd.bias'], block: [] },
  headBias: { model: ['output.bias'], block: [] },
}));
