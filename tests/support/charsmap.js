/** Writes a precompiled charsmap of SentencePiece: a double array (Aoe 1989) over UTF-8, and the replacements. */

const LEAF = 1 << 8, VALUE = 0x80000000;

/** @typedef {{ children: Map<number, Node>, value: number | null }} Node */

/**
 * @param {[from: string, to: string][]} rules  `from` without U+0000
 * @returns {Uint8Array} the length of the array in bytes, its units, and the replacements with a zero byte after each
 */
export function charsmapOf(rules) {
  const encoder = new TextEncoder();
  /** @type {() => Node} */
  const node = () => ({ children: new Map(), value: null });
  const root = node();
  /** @type {number[]} */
  const text = [];
  for (const [from, to] of rules) {
    let at = root;
    for (const byte of encoder.encode(from)) {
      if (!at.children.has(byte)) at.children.set(byte, node());
      at = /** @type {Node} */ (at.children.get(byte));
    }
    at.value = text.length;
    text.push(...encoder.encode(to), 0);
  }
  /** Units by position; undefined is free. @type {number[]} */
  const units = [0];
  /** @param {Node} of @param {number} at  its position */
  const place = (of, at) => {
    const labels = [...(of.value === null ? [] : [0]), ...of.children.keys()];
    let base = 1;
    while (labels.some((label) => units[base ^ label] !== undefined) || bases.has(base)) base++;
    bases.add(base);
    units[at] |= ((at ^ base) << 10) | (of.value === null ? 0 : LEAF);
    for (const label of labels) units[base ^ label] = label;
    if (of.value !== null) units[base] = (VALUE | of.value) >>> 0;
    for (const [label, child] of of.children) place(child, base ^ label);
  };
  const bases = new Set();
  place(root, 0);
  while (units.length % 256 !== 0) units.push(0);
  const bytes = new Uint8Array(4 + 4 * units.length + text.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 4 * units.length, true);
  for (let i = 0; i < units.length; i++) view.setUint32(4 + 4 * i, (units[i] ?? 0xff) >>> 0, true);
  bytes.set(text, 4 + 4 * units.length);
  return bytes;
}
