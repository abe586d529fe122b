/**
 * GPT-2's way to write bytes as visible characters, so that a vocabulary of byte strings can be a list of words
 * (Radford et al. 2019, `bytes_to_unicode` of their encoder): printable Latin-1 stands for itself, the other 68 bytes
 * for U+0100 and the characters after it, in their order.
 */

/** @param {number} byte */
const isPrintable = (byte) => (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);

/** Byte that each character stands for. @type {ReadonlyMap<string, number>} */
const BYTE_OF = (() => {
  const bytes = new Map();
  let hidden = 0;
  for (let byte = 0; byte < 256; byte++) {
    bytes.set(String.fromCharCode(isPrintable(byte) ? byte : 0x100 + hidden++), byte);
  }
  return bytes;
})();

/** Character that stands for each byte. @type {ReadonlyMap<number, string>} */
const CHARACTER_OF = new Map(Array.from(BYTE_OF, ([character, byte]) => [byte, character]));

const encoder = new TextEncoder();

/** A text as a byte-level vocabulary writes it, a character for each byte of its UTF-8. @param {string} text */
export function byteLevelOf(text) {
  return Array.from(encoder.encode(text), (byte) => CHARACTER_OF.get(byte)).join('');
}

/**
 * The bytes that a token of a byte-level vocabulary stands for.
 * @param {string} token
 * @returns {Uint8Array} a character outside the alphabet stands for its own UTF-8
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
