/** Hashes of texts. They decide which examples are held out, so they must not change. */

/** FNV-1a over UTF-16 code units. @param {string} text @returns {number} 32 bits, signed */
export function fnv1a(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}

/** FNV-1a with mixed bits. @param {string} text @returns {number} 32 bits, unsigned */
export function hash(text) {
  let h = fnv1a(text);
  h ^= h >>> 15; // the low bits of FNV depend only on the low bits of the letters
  return Math.imul(h, 0x2c1b3c6d) >>> 0;
}
