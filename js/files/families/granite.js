/** Settings that all models of Granite share: factors of embeddings, scores, sums and logits, which Llama does not
 *  have, in GGUF and in config.json. */
import { all, only } from '../settings.js';

/** @typedef {Pick<import('../config.js').Config, 'embedding_scale' | 'residual_scale' | 'attention_scale' |
 *    'logit_scale'>} Scales */

/** Settings of GGUF. */
export const GGUF_SETTINGS = {
  ...all('applied', 'logit_scale residual_scale embedding_scale'),
  // Files of Granite 4 without layers of Mamba still have the sizes of such layers.
  ...all('harmless', 'ssm.conv_kernel ssm.inner_size ssm.state_size ssm.time_step_rank ssm.group_count'),
  // llama.cpp leaves out RoPE if this is false.
  'rope.scaling.finetuned': only(true),
};
/** Settings of config.json. */
export const MULTIPLIERS = all('applied', `attention_bias embedding_multiplier residual_multiplier attention_multiplier
  logits_scaling`);

/** @param {import('../gguf/config.js').Reader} read @returns {Scales} */
export const scalesOfGguf = (read) => ({
  embedding_scale: read.number('embedding_scale', 0),
  residual_scale: read.number('residual_scale', 0),
  attention_scale: read.number('attention.scale', 0),
  logit_scale: 1 / (read.number('logit_scale', 0) || 1),
});

/** @param {import('../safetensors/fields.js').Fields} json @returns {Scales} */
const scalesOfJson = (json) => ({
  embedding_scale: json.number('embedding_multiplier', 1),
  residual_scale: json.number('residual_multiplier', 1),
  attention_scale: json.number('attention_multiplier', 1),
  logit_scale: 1 / json.number('logits_scaling', 1),
});

/** A model of config.json.  @param {import('../safetensors/fields.js').Fields} json
 *  @param {Partial<import('../config.js').Config>} [more]  settings of its class */
export function graniteOf(json, more) {
  const { config, rope } = json.decoder({ kvHeads: null, context: 2048 });
  return { rope, config: { ...config, ...scalesOfJson(json), position: /** @type {const} */ ('rope_halves'), ...more },
    tied: json.flag('tie_word_embeddings', false) };
}
