/** How well a translation of a sentence agrees with translations by people. */

/** Words that a text and a reference have in common, as the harmonic mean of precision and recall.
 *  @param {string[]} written @param {string[]} reference */
function shared(written, reference) {
  const left = [...reference];
  let common = 0;
  for (const word of written) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    common++;
  }
  return (2 * common) / (written.length + reference.length);
}

/**
 * Agreement of a translation with the nearest of its references.
 * @param {string[]} written  words and marks of the translation
 * @param {string[][]} references  words and marks of each reference
 * @returns {{ exact: number, words: number }} exact: 1 if it equals a reference, otherwise 0; words: share of the words
 *   in common, as the harmonic mean of precision and recall
 */
export function agreement(written, references) {
  const text = written.join(' ');
  return {
    exact: Number(references.some((reference) => reference.join(' ') === text)),
    words: Math.max(...references.map((reference) => shared(written, reference))),
  };
}
