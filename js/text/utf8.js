/**
 * Text from bytes that come in pieces: a piece that ends inside a character gives what is whole, and the character
 * comes with the piece that completes it.  Bytes that are no UTF-8 become U+FFFD, as the Encoding Standard says.
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

  /** @returns {string} U+FFFD if the last character was left half, otherwise nothing */
  end() {
    return this.#decoder.decode();
  }
}
