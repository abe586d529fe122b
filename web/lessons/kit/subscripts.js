/** Subscripts at the right height on machines without a mathematical font. */

const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** In units of the font size. A font with a MATH table lowers a subscript by about a fifth. */
const LOW_ENOUGH = 0.08;

/**
 * Measures one subscript and sets the class `plain-math` on `<html>` if it is too high; lessons.css then lowers all.
 * Chromium takes the distance from the MATH table of the font. Without such a font it does not lower subscripts at all,
 * and an index looks like a factor.
 */
export function lowerSubscripts() {
  const [math, subscripted, letter, index] = ['math', 'msub', 'mi', 'mi'].map((tag) =>
    document.createElementNS(MATHML, tag));
  for (const each of [letter, index]) each.textContent = 'x';
  subscripted.append(letter, index);
  math.append(subscripted);
  document.body.append(math);
  const lowered = index.getBoundingClientRect().bottom - letter.getBoundingClientRect().bottom;
  const { fontSize } = getComputedStyle(math);
  math.remove();
  document.documentElement.classList.toggle('plain-math', lowered < LOW_ENOUGH * parseFloat(fontSize));
}
