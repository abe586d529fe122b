/** Adds text to a PNG (PNG specification, third edition, 11.3.3.4). */

/** Bytes of the signature and the header chunk. Text may follow them. */
const AFTER_HEADER = 33;

/** One entry of the CRC-32 table. @param {number} byte */
function crcOf(byte) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
}
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => crcOf(byte));

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC[(crc ^ byte) & 255];
  return ~crc >>> 0;
}

/**
 * A copy of a PNG with text chunks.
 * @param {Uint8Array} png
 * @param {Record<string, string>} texts by keyword; keywords are Latin-1
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function pngWithText(png, texts) {
  const chunks = Object.entries(texts).map(([keyword, text]) =>
    chunk('iTXt', new TextEncoder().encode(`${keyword}\0\0\0\0\0${text}`)));
  const size = chunks.reduce((sum, { length }) => sum + length, png.length);
  const out = new Uint8Array(size);
  out.set(png.subarray(0, AFTER_HEADER));
  let at = AFTER_HEADER;
  for (const part of [...chunks, png.subarray(AFTER_HEADER)]) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A PNG chunk with length and checksum. @param {string} type four letters @param {Uint8Array} data */
export function chunk(type, data) {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}
