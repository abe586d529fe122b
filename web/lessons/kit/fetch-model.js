/** A trained model from its file beside the page. */
import { HeedError } from '../../../js/errors.js';
import { wait } from './page.js';

/**
 * @param {string} name of a file in models/
 * @param {(words: string) => void} [tell] what is being fetched, and how much of it is here
 * @returns {Promise<Uint8Array>}
 * @throws {HeedError} 'unavailable' where it is not there, or does not come
 */
export async function fetchModel(name, tell = wait) {
  tell(`Fetching the model ${name}.`);
  /** @type {Uint8Array[]} */ const chunks = [];
  let bytes = 0;
  try {
    const response = await fetch(new URL(`../models/${name}.safetensors`, location.href));
    if (!response.ok || !response.body) {
      throw new HeedError('unavailable', `The model ${name} is not here (${response.status}). It comes with the page ` +
        `when models/${name}.safetensors is there: heed train ${name} makes it.`);
    }
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (chunks)).arrayBuffer());
      chunks.push(value);
      bytes += value.length;
      tell(`Fetching the model ${name}, ${kilobytes(bytes)} so far.`);
    }
  } catch (cause) {
    if (cause instanceof HeedError) throw cause;
    const where = bytes > 0 ? `broke after ${kilobytes(bytes)}` : 'could not be made';
    throw new HeedError('unavailable', `The model ${name} did not come: the connection to ${location.host} ${where}. ` +
      'Is the network up?', { cause });
  }
}

/** @param {number} bytes */
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
