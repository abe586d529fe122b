/** Milliseconds of work until other tasks of the page run. */
const SLICE_MS = 12;

/**
 * A text file. Other tasks of the page run between its steps, so that a large file does not block it.
 * @param {Iterable<string>} steps text; an empty step is only work
 * @param {string} type MIME type
 * @returns {Promise<Blob>}
 */
export async function textFile(steps, type) {
  const parts = [];
  let end = performance.now() + SLICE_MS;
  for (const part of steps) {
    parts.push(part);
    if (performance.now() < end) continue;
    await new Promise((resolve) => setTimeout(resolve));
    end = performance.now() + SLICE_MS;
  }
  return new Blob(parts, { type });
}
