/** Writes adapters in the layout of PEFT (https://huggingface.co/docs/peft, LoraConfig and save_pretrained). */
import { halves } from '../../files/gguf/describe.js';
import { toSafetensors } from '../../lab/index.js';
import { adaptables, layoutOf } from '../../model/adapter.js';

/**
 * The files of an adapter.
 * @typedef {object} AdapterFiles
 * @property {Record<string, unknown>} config  contents of adapter_config.json
 * @property {Uint8Array} weights              bytes of adapter_model.safetensors
 */

/**
 * @param {import('./base.js').Base} base  whose weights are adapters
 * @param {import('./base.js').Adapting} adapting
 * @param {Record<string, string>} metadata  texts for the header of the weights
 * @returns {AdapterFiles}
 */
export function adapterFiles({ lab, file, weights }, { rank, alpha }, metadata) {
  const { architecture, config } = file;
  const nameOfB = (/** @type {string} */ module) => `base_model.model.${module}.lora_B.weight`;
  const matrices = adaptables(file).filter(({ module }) => Object.hasOwn(weights, nameOfB(module)));
  return {
    config: {
      peft_type: 'LORA',
      task_type: 'CAUSAL_LM',
      base_model_name_or_path: file.name,
      r: rank,
      lora_alpha: alpha,
      lora_dropout: 0,
      target_modules: [...new Set(matrices.map(({ target }) => target))],
      fan_in_fan_out: layoutOf(architecture) === 'gpt2', // Conv1D has its weight as [inputs][outputs]
      bias: 'none',
      inference_mode: true,
      init_lora_weights: true,
      modules_to_save: null,
      rank_pattern: {},
      alpha_pattern: {},
      use_dora: false,
      use_rslora: false,
    },
    weights: lab.evaluate(() => {
      const inPeftOrder = matrices.filter(({ turned }) => turned).map(({ module, rows }) => {
        const name = nameOfB(module);
        return [name, lab.tensor(halves(weights[name].data, [rows, rank], config.d_head), [rows, rank])];
      });
      return toSafetensors({ ...weights, ...Object.fromEntries(inPeftOrder) }, metadata);
    }),
  };
}
