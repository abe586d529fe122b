/** Loads a trained model from its file in the models/ folder of the site. */
import { HeedError } from '../../../js/errors.js';
import { showProgress } from './page.js';

/**
 * @param {string} name of a file in models/, without .safetensors
 * @param {(message: string) => void} [onProgress] called with a sentence for the reader; default: `showProgress`
 * @returns {Promise<Uint8Array>} the file
 * @throws {HeedError} 'unavailable' if the file is missing or the connection breaks
 */
export async function fetchModel(name, onProgress = showProgress) {
  onProgress(`Fetching the model ${name}.`);
  /** @type {Uint8Array[]} */ const chunks = [];
  let bytes = 0;
  try {
    const response = await fetch(new URL(`../models/${name}.safetensors`, location.href));
    if (!response.ok || !response.body) {
      throw new HeedError('unavailable', `The model ${name} is missing (${response.status}). The site includes it ` +
        `if models/${name}.safetensors exists: run heed train ${name} to make it.`);
    }
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (chunks)).arrayBuffer());
      chunks.push(value);
      bytes += value.length;
      onProgress(`Fetching the model ${name}, ${kilobytes(bytes)} so far.`);
    }
  } catch (cause) {
    if (cause instanceof HeedError) throw cause;
    const reason = bytes > 0 ? `broke after ${kilobytes(bytes)}` : 'failed';
    throw new HeedError('unavailable', `The model ${name} was not loaded: the connection to ${location.host} ` +
      `${reason}. Is the network up?`, { cause });
  }
}

/** @param {number} bytes */
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
