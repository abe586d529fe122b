import { Slices } from './slices.js';

/**
 * A text file. Other tasks of the page run between its steps, so that a large file does not block it.
 * @param {Iterable<string>} steps text; an empty step is only work
 * @param {string} type MIME type
 * @returns {Promise<Blob>}
 */
export async function textFile(steps, type) {
  const parts = [];
  const slices = new Slices();
  for (const part of steps) {
    parts.push(part);
    if (slices.isOver) await slices.next();
  }
  return new Blob(parts, { type });
}
