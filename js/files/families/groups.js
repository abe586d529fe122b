/** Groups of weights that only some families have; families.js checks each group by a rule. */
import { expertGroups } from './experts.js';

/** Weights that occur together, in addition to the groups of Llama. */
export const MORE_GROUPS = Object.freeze(/** @satisfies {Record<string, import('../families.js').Weights>} */ ({
  embeddingNorm: { model: ['token_embd_norm.weight', 'token_embd_norm.bias'], block: [] },
  positions: { model: ['position_embd.weight'], block: [] },
  postNorms: { model: [], block: ['post_attention_norm.weight', 'post_ffw_norm.weight'] },
  qkNorms: { model: [], block: ['attn_q_norm.weight', 'attn_k_norm.weight'] },
  normBiases: { model: ['output_norm.bias'], block: ['attn_norm.bias', 'ffn_norm.bias'] },
  sumNorms: { model: [], block: ['attn_output_norm.weight', 'attn_output_norm.bias', 'layer_output_norm.weight',
    'layer_output_norm.bias'] },
  downBias: { model: [], block: ['ffn_down.bias'] },
  segments: { model: ['token_types.weight'], block: [] },
  headLayer: { model: ['cls.weight', 'cls.bias'], block: [] },
  headNorm: { model: ['cls.norm.weight', 'cls.norm.bias'], block: [] },
  headDense: { model: ['cls.weight'], block: [] },
  headScale: { model: ['cls.norm.weight'], block: [] },
  embeddingScale: { model: ['token_embd_norm.weight'], block: [] },
  patches: { model: ['patch_embd.weight', 'patch_embd.bias'], block: [] },
  distillation: { model: ['token_dist.weight'], block: [] },
  secondHead: { model: ['output_dist.weight', 'output_dist.bias'], block: [] },
  patchMatrix: { model: ['patch_embd.weight'], block: [] },
  encoderPositions: { model: ['enc.position_embd.weight'], block: [] },
  encoderEmbeddingNorm: { model: ['enc.token_embd_norm.weight', 'enc.token_embd_norm.bias'], block: [] },
  encoderOutputNorm: { model: ['enc.output_norm.weight'], block: [] },
  relativeBiases: { model: ['attn_rel_b.weight', 'enc.attn_rel_b.weight'], block: [] },
  headBias: { model: ['output.bias'], block: [] },
  dense: { model: ['dense_2.weight', 'dense_3.weight'], block: [] },
}));

/** The groups of a model.
 *  @param {number} [experts]  of a block @returns {Record<string, import('../families.js').Weights>} */
export const groupsOf = (experts = 0) => ({ ...MORE_GROUPS, ...expertGroups(experts) });
