/** CRC-32 of ISO 3309, as in ZIP and PNG (RFC 1952, section 8). It detects damage, not forgery. */

const POLYNOMIAL = 0xedb88320;

/** Checksum of each single byte. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ POLYNOMIAL : remainder >>> 1;
  return remainder;
});

/**
 * @param {Uint8Array} bytes
 * @param {number} [before]  checksum of the preceding bytes
 * @returns {number} 32 bits
 */
export function crc32(bytes, before = 0) {
  let remainder = ~before;
  for (let i = 0; i < bytes.length; i++) remainder = (remainder >>> 8) ^ TABLE[(remainder ^ bytes[i]) & 0xff];
  return ~remainder >>> 0;
}
