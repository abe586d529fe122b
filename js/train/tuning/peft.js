/** Writes adapters in the layout of PEFT (https://huggingface.co/docs/peft, LoraConfig and save_pretrained). */
import { halves } from '../../files/gguf/describe.js';
import { toSafetensors } from '../../lab/index.js';
import { nameOf } from '../../files/safetensors/names.js';
import { adaptables } from '../../model/adapter.js';

/**
 * A matrix that adapters can change, with its name in Hugging Face's models.
 * @typedef {import('../../model/adapter.js').Adaptable & { A: string, B: string, target: string }} Target  A, B: names
 *   of its adapter's tensors; target: last part of the matrix's name
 */

/** @param {string} architecture @returns {import('../../files/safetensors/names.js').Layout} */
const layoutOf = (architecture) => (architecture === 'gpt2' ? 'gpt2' : 'llama');

/** The matrices of a model that adapters can change. @param {import('../../model/adapter.js').ModelShape} model
 *  @returns {Target[]} */
export const targetsOf = (model) => adaptables(model).map((matrix) => {
  const module = nameOf(matrix.slot, layoutOf(model.architecture), true).replace(/\.weight$/, '');
  const [A, B] = ['A', 'B'].map((side) => `base_model.model.${module}.lora_${side}.weight`);
  return { ...matrix, A, B, target: module.slice(module.lastIndexOf('.') + 1) };
});

/**
 * The files of an adapter.
 * @typedef {object} AdapterFiles
 * @property {Record<string, unknown>} config   contents of adapter_config.json
 * @property {Uint8Array<ArrayBuffer>} weights  bytes of adapter_model.safetensors
 */

/**
 * @param {import('./base.js').Base} base  base whose weights are adapters
 * @param {import('./base.js').Adapting} adapting
 * @param {Record<string, string>} metadata  texts for the header of the weights
 * @returns {AdapterFiles}
 */
export function adapterFiles({ lab, file, weights }, { rank, alpha }, metadata) {
  const { architecture, config } = file;
  const matrices = targetsOf(file).filter(({ B }) => Object.hasOwn(weights, B));
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
      const inPeftOrder = matrices.filter(({ turned }) => turned).map(({ B, rows }) =>
        [B, lab.tensor(halves(weights[B].data, [rows, rank], config.d_head), [rows, rank])]);
      return toSafetensors({ ...weights, ...Object.fromEntries(inPeftOrder) }, metadata);
    }),
  };
}
