/**
 * GPT-2's byte-level alphabet, in which each byte is a visible character (Radford et al. 2019, `bytes_to_unicode` of
 * their encoder).  Printable Latin-1 characters represent themselves.  The other 68 bytes are U+0100 and the following
 * characters, in order.
 */

/** @param {number} byte */
const isPrintable = (byte) => (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);

/** The byte of each character. @type {ReadonlyMap<string, number>} */
export const BYTE_OF = (() => {
  const bytes = new Map();
  let hidden = 0;
  for (let byte = 0; byte < 256; byte++) {
    bytes.set(String.fromCharCode(isPrintable(byte) ? byte : 0x100 + hidden++), byte);
  }
  return bytes;
})();

/** The character of each byte.  Bundlers drop an unused call that is marked as pure.
 *  @type {ReadonlyMap<number, string>} */
const CHARACTER_OF = /* @__PURE__ */ (() =>
  new Map(Array.from(BYTE_OF, ([character, byte]) => [byte, character])))();

const encoder = new TextEncoder();

/** A text in the byte-level alphabet: one character per byte of its UTF-8. @param {string} text */
export function byteLevelOf(text) {
  return Array.from(encoder.encode(text), (byte) => CHARACTER_OF.get(byte)).join('');
}

/**
 * The bytes of a token of a byte-level vocabulary.
 * @param {string} token
 * @returns {Uint8Array} characters outside of the alphabet are their own UTF-8
 */
export function bytesOfByteLevel(token) {
  /** @type {number[]} */
  const bytes = [];
  for (const character of token) {
    const byte = BYTE_OF.get(character);
    if (byte === undefined) bytes.push(...encoder.encode(character));
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
