/** Pooling and Dense layers of models for vectors of texts: in GGUF, and in the files of sentence-transformers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HeedError, quoted } from '../../errors.js';
import { BESIDE } from '../../files/beside.js';
import { IDENTITY } from '../../files/dense.js';
import { weight } from '../../files/gguf/describe.js';
import { encode } from '../../files/gguf/quantize.js';
import { uint32 } from '../../files/gguf/writer.js';
import { FLAGS, readPooling } from '../../files/pooling-format.js';
import { writeSafetensors } from '../../files/safetensors/writer.js';
import { POOLINGS } from '../../model/info.js';

/** @typedef {import('../../files/gguf/quantize.js').TypeName} TypeName */

/**
 * Settings of GGUF, without the prefix, and tensors of the Dense layers.
 * @param {string} folder @param {import('../../files/safetensors/config.js').Architecture} model
 * @param {TypeName | undefined} type  of the matrices
 * @returns {Promise<{ settings: import('../../files/gguf/writer.js').Metadata,
 *   tensors: import('../../files/gguf/writer.js').Tensor[] }>}
 * @throws {HeedError} 'unsupported' if GGUF has no key for the pooling
 */
export async function poolingOfFolder(folder, { family, config: { d_model: width } }, type) {
  const files = Object.fromEntries(Object.entries(BESIDE).map(([key, path]) => [key, join(folder, path)])
    .filter(([, path]) => existsSync(path)));
  const { mode, other, dense = [] } = await readPooling(files, width, null) ?? { mode: null, other: null };
  const isKnown = dense.length === 0 || (family.weights.dense && dense.length <= 2 &&
    dense.every(({ bias, activation }) => !bias && activation === 'identity'));
  if (other || !isKnown) {
    throw new HeedError('unsupported', `${quoted(folder)} makes its vectors by ${other ?? 'Dense layers'}, for which ` +
      `GGUF files of architecture ${family.name} have no key. Remove modules.json and 1_Pooling to convert the model ` +
      'without its pooling.');
  }
  /** @type {Record<string, any>} */
  const settings = { ...(mode && { pooling_type: uint32(POOLINGS.indexOf(mode)) }) };
  const tensors = dense.map((layer, i) => {
    const name = `dense_${i + 2}`;
    const outputs = layer.weight.length / width;
    settings[`${name}_feat_in`] = uint32(width);
    settings[`${name}_feat_out`] = uint32(outputs);
    const tensor = weight(`${name}.weight`, [outputs, width], () => layer.weight, type ?? 'f32');
    width = outputs;
    return tensor;
  });
  return { settings, tensors };
}

/**
 * Files of sentence-transformers.
 * @param {import('../../files/model-file.js').ModelFile} file  a GGUF file, after its weights
 * @param {'f32' | 'f16'} type  of the matrices
 * @returns {Record<string, Uint8Array>} none for a file without pooling
 */
export function poolingFiles({ architecture, metadata, config, pooling }, type) {
  const mode = POOLINGS[Number(metadata[`${architecture}.pooling_type`] ?? 0)];
  if (!mode || pooling?.other) return {};
  let width = config.d_model;
  const json = (/** @type {object} */ value) => new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
  const layers = (pooling?.dense ?? []).map(({ weight: matrix }, i) => {
    const folder = `${i + 2}_Dense`;
    const inputs = width;
    width = matrix.length / inputs;
    const stored = { dtype: type.toUpperCase(), shape: [width, inputs], data: encode(matrix, type) };
    return { folder, files: {
      [`${folder}/config.json`]: json({ in_features: inputs, out_features: width, bias: false,
        activation_function: IDENTITY }),
      [`${folder}/model.safetensors`]: writeSafetensors({ 'linear.weight': stored }, { format: 'pt' }),
    } };
  });
  const modules = [['Transformer', ''], ['Pooling', '1_Pooling'], ...layers.map(({ folder }) => ['Dense', folder]),
    ['Normalize', `${layers.length + 2}_Normalize`]];
  return {
    'modules.json': json(modules.map(([kind, path], idx) =>
      ({ idx, name: String(idx), path, type: `sentence_transformers.models.${kind}` }))),
    '1_Pooling/config.json': json({ word_embedding_dimension: config.d_model,
      ...Object.fromEntries(FLAGS.map(([flag, one]) => [flag, one === mode])) }),
    ...Object.assign({}, ...layers.map(({ files }) => files)),
  };
}
