/** Texts that must not occur, as an automaton over bytes (Aho & Corasick 1975), and two automata at once. */

const encoder = new TextEncoder();

/** A place in an automaton: where bytes lead, and the smallest number of bytes to an end.
 *  @typedef {{ next: Map<number, any>, least: number }} Place */
/** @typedef {{ start: any, step: (place: any, byte: number) => any, isEnd: (place: any) => boolean }} Guiding */

/**
 * @param {string[]} words
 * @returns {Guiding} an automaton that has no step which completes a word
 */
export function automatonWithout(words) {
  const spelled = words.map((word) => encoder.encode(word));
  const node = () => ({ next: new Map(), least: 0, isWord: false, fallback: /** @type {any} */ (null) });
  const root = node();
  for (const bytes of spelled) {
    let at = root;
    for (const byte of bytes) {
      if (!at.next.has(byte)) at.next.set(byte, node());
      at = at.next.get(byte);
    }
    at.isWord = true;
  }
  const step = (/** @type {any} */ place, /** @type {number} */ byte) => {
    let at = place;
    while (at !== root && !at.next.has(byte)) at = at.fallback;
    return at.next.get(byte) ?? root;
  };
  const open = [...root.next.values()];
  for (const one of open) one.fallback = root;
  for (const one of open) { // breadth first, so that a fallback is complete before it is used
    for (const [byte, child] of one.next) {
      child.fallback = step(one.fallback, byte);
      open.push(child);
    }
    one.isWord ||= one.fallback.isWord;
  }
  return {
    start: root,
    step: (place, byte) => {
      const next = step(place, byte);
      return next.isWord ? null : next;
    },
    isEnd: () => true,
  };
}

/**
 * Two automata that must both accept.
 * @param {Guiding} a @param {Guiding} b @returns {Guiding}
 */
export function both(a, b) {
  /** @type {WeakMap<object, Map<object, any>>} */
  const known = new WeakMap();
  const pair = (/** @type {any} */ one, /** @type {any} */ other) => {
    const pairs = known.get(one) ?? new Map();
    known.set(one, pairs);
    if (!pairs.has(other)) pairs.set(other, { one, other, next: new Map(), least: Math.max(one.least, other.least) });
    return pairs.get(other);
  };
  return {
    start: pair(a.start, b.start),
    step: (place, byte) => {
      const known = place.next.get(byte);
      if (known !== undefined) return known;
      const one = a.step(place.one, byte);
      const other = b.step(place.other, byte);
      const next = one && other ? pair(one, other) : null;
      place.next.set(byte, next);
      return next;
    },
    isEnd: (place) => a.isEnd(place.one) && b.isEnd(place.other),
  };
}
