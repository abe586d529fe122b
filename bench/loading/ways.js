/**
 * The baseline for loading: the same bytes from the same source, copied unchanged into new WebAssembly memory. This
 * is the minimum for a runtime in WebAssembly, and it includes mapping fresh pages. Runs in Node.js and in a page's
 * Worker.
 */

/** @param {number} bytes @returns {Uint8Array} */
export function room(bytes) {
  return new Uint8Array(new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) }).buffer, 0, bytes);
}

/** @param {string} address @returns {Promise<Uint8Array>} */
export async function fetchToKeep(address) {
  const response = await fetch(address);
  const bytes = room(Number(response.headers.get('content-length')));
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (let at = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes.set(value, at);
    at += value.byteLength;
  }
}
