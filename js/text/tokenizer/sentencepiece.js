/** How pieces of SentencePiece spell spaces and bytes. */

/** The character of a space in SentencePiece: U+2581. */
export const SPACE = '▁';

const encoder = new TextEncoder();

/**
 * The bytes of a piece.
 * @param {string} piece
 * @returns {Uint8Array}
 */
export function bytesOfPiece(piece) {
  const byte = /^<0x([0-9A-F]{2})>$/i.exec(piece);
  return byte ? Uint8Array.of(parseInt(byte[1], 16)) : encoder.encode(piece.replaceAll(SPACE, ' '));
}
