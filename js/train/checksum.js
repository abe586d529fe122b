/** CRC-32 of ISO 3309, as in ZIP and PNG (RFC 1952, section 8): finds damage, and proves nothing against forgery. */

const POLYNOMIAL = 0xedb88320;

/** Of each byte alone. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/**
 * @param {Uint8Array} bytes
 * @param {number} [before]  checksum of what comes before them
 * @returns {number} 32 bits
 */
export function crc32(bytes, before = 0) {
  let rest = ~before;
  for (let i = 0; i < bytes.length; i++) rest = (rest >>> 8) ^ TABLE[(rest ^ bytes[i]) & 0xff];
  return ~rest >>> 0;
}
