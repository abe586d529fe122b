/** Numbers as text, with a real minus sign and without meaningless digits. */

/**
 * A number with a fixed number of decimals: −0.500.
 * @param {number} value
 * @param {number} digits decimals
 */
export function fixed(value, digits) {
  if (value === -Infinity) return '−∞';
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? (0).toFixed(digits) : text).replace('-', '−');
}

/**
 * A number without zeros at its end: −0.5.
 * @param {number} value
 * @param {number} digits decimals at most
 */
export function trimmed(value, digits) {
  const text = fixed(value, digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * A fraction of 1 as a percentage: 99.19 %.
 * @param {number} fraction
 * @param {number} [digits] decimals at most
 */
export const percent = (fraction, digits = 2) => `${trimmed(100 * fraction, digits)}\u00a0%`;

/** A number with groups of three digits: 12,288. @param {number} value */
export const grouped = (value) => value.toLocaleString('en');

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * The magnitude of a rounding error, as one digit and a power of ten: 2 × 10⁻⁷; 0 for 0.
 * @param {number} value
 */
export const magnitude = (value) => (value === 0 ? '0' : power(Math.abs(value), 0));

/**
 * A large or small number with a power of ten: 3.14 × 10²³.
 * @param {number} value
 * @param {number} digits decimals
 */
export function power(value, digits) {
  const [factor, exponent] = value.toExponential(digits).split('e');
  const raised = [...exponent].map((mark) => (mark === '-' ? '⁻' : SUPERSCRIPTS[Number(mark)] ?? '')).join('');
  return `${factor.replace('-', '−')}\u00a0×\u00a010${raised}`;
}

const BYTES = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** A number of bytes with three digits: 2.1 GB.  @param {number} bytes */
export function sizeOf(bytes) {
  const at = Math.min(BYTES.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** at).toPrecision(3))} ${BYTES[at]}`;
}
