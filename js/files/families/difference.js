/** Compares the configuration of a model with that of the file that was made from it. */

/** @typedef {import('../config.js').Config} Config */

/** Scales whose default is 1. */
const SCALES = ['embedding_scale', 'residual_scale', 'logit_scale', 'rope_magnitude'];
/** Relative difference of numbers that GGUF stores as float32. */
const ROUNDING = 1e-6;

/** Whether two numbers are equal after their rounding. @param {number} wanted @param {number} got */
export const isClose = (wanted, got) => Math.abs(wanted - got) <= ROUNDING * Math.abs(wanted);

/**
 * The first setting with another meaning, or null.
 * @param {Config} wanted @param {Config} got
 * @returns {{ key: string, wanted: number | string, got: number | string } | null}
 */
export function differenceOf(wanted, got) {
  const expected = meaning(wanted);
  const found = meaning(got);
  const key = [...new Set([...Object.keys(expected), ...Object.keys(found)])].find((each) => {
    const one = expected[each] ?? 0;
    const other = found[each] ?? 0;
    return one !== other && !isClose(Number(one), Number(other));
  });
  return key === undefined ? null : { key, wanted: expected[key] ?? 0, got: found[key] ?? 0 };
}

/** A configuration without settings that have their default. @param {Config} config
 *  @returns {Record<string, number | string>} */
function meaning(config) {
  const scale = 1 / Math.sqrt(config.d_head);
  const { attention_scale = 0 } = config;
  return Object.fromEntries(Object.entries({ ...config, attention_scale: attention_scale || scale })
    .filter(([key, value]) => !['no', 'none', 0].includes(value) && !(SCALES.includes(key) && value === 1)));
}
