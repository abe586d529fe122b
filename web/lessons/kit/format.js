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

/** A share of one, in hundredths. @param {number} share @param {number} [digits] after the point, at most */
export const percent = (share, digits = 2) => `${short(100 * share, digits)}\u00a0%`;

/** With groups of three: 12,288. @param {number} value */
export const grouped = (value) => value.toLocaleString('en');

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** How large something small is, as rounding errors are: 0, or one digit and a power of ten, 2 × 10⁻⁷.
 *  @param {number} value */
export function rough(value) {
  if (value === 0) return '0';
  const [digit, power] = Math.abs(value).toExponential(0).split('e');
  const raised = [...power].map((mark) => (mark === '-' ? '⁻' : RAISED[Number(mark)] ?? '')).join('');
  return `${digit}\u00a0×\u00a010${raised}`;
}
