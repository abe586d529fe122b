/** Indices that stand where they belong, on machines without a mathematical font, too. */

const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** Of the size of the letters; a font with a MATH table lowers an index by about a fifth. */
const LOW_ENOUGH = 0.08;

/**
 * Chromium lowers an index by the MATH table of the font, and by nothing where only text fonts are there: x with an
 * index then reads like a product.  So one formula is measured, and lessons.css is told.
 */
export function lowerIndices() {
  const [math, indexed, letter, index] = ['math', 'msub', 'mi', 'mi'].map((tag) =>
    document.createElementNS(MATHML, tag));
  for (const each of [letter, index]) each.textContent = 'x';
  indexed.append(letter, index);
  math.append(indexed);
  document.body.append(math);
  const lowered = index.getBoundingClientRect().bottom - letter.getBoundingClientRect().bottom;
  const { fontSize } = getComputedStyle(math);
  math.remove();
  document.documentElement.classList.toggle('plain-math', lowered < LOW_ENOUGH * parseFloat(fontSize));
}
