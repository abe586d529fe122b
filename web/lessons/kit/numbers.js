/** Numbers as a reader wants them: a minus that is one, and no digits that mean nothing. */

/** @param {number} value @param {number} digits after the point */
export function fixed(value, digits) {
  if (value === -Infinity) return '−∞';
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? (0).toFixed(digits) : text).replace('-', '−');
}

/** Up to so many digits after the point, without zeros at the end. @param {number} value @param {number} digits */
export function short(value, digits) {
  const text = fixed(value, digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** With groups of three: 12,288. @param {number} value */
export const grouped = (value) => value.toLocaleString('en');
