/**
 * Decodes UTF-8 that arrives in pieces.  A character is returned with the piece that completes it.  Invalid bytes
 * become U+FFFD, as in the Encoding Standard.
 */
export class Utf8Stream {
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /**
   * @param {Uint8Array} bytes
   * @returns {string} whole characters only
   */
  push(bytes) {
    return this.#decoder.decode(bytes, { stream: true });
  }

  /** @returns {string} U+FFFD if the last character is incomplete, else '' */
  end() {
    return this.#decoder.decode();
  }
}

/** Number of bytes of a character, from its first byte. @param {number} byte */
export const widthOf = (byte) => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);
