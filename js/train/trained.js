/** Models that the recipes made: their weights with the configuration that stands beside them in the file. */
import { HeedError } from '../errors.js';

/**
 * @param {import('../lab/index.js').Lab} lab
 * @param {Uint8Array} file NAME.safetensors of `heed train NAME`
 * @returns {Promise<{ recipe: string, config: any, step: number, figures: Record<string, number>, weights:
 *   import('../lab/index.js').Weights }>}
 * @throws {HeedError} 'bad-file' where it does not say what it is
 */
export async function loadTrained(lab, file) {
  const { weights, metadata } = await lab.load(file);
  try {
    return { ...JSON.parse(metadata.heed), weights };
  } catch (cause) {
    throw new HeedError('bad-file', 'This file has weights, but not the configuration that heed train writes with ' +
      'them; make it with heed train.', { cause });
  }
}
