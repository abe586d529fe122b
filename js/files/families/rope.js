/** Scalings of RoPE, as divisors of its frequencies and a factor of its cosines and sines. */
import { HeedError, quoted } from '../../errors.js';

/**
 * @typedef {object} Scaling
 * @property {Float32Array | null} divisors  of the frequencies [dims / 2]; null: 1
 * @property {Float32Array} [longer]     the same for sessions of more than `shortContext` positions
 * @property {number} [shortContext]
 * @property {number} [magnitude]        factor of cosines and sines; default 1
 * @property {number} [scale]            divisor of positions; default 1
 */
/** Reads a number of the scaling; without a fallback, the number is required.
 *  @typedef {(key: string, fallback?: number) => number} ReadNumber */
/** @typedef {{ theta: number, dims: number, context: number, name: string }} Rope  context: positions of the model */

/** @param {string} name @param {string} kind */
const invalid = (name, kind) =>
  new HeedError('bad-config', `The ${kind} RoPE scaling in ${quoted(name)} has invalid values.`);

/** Divisors from a function of the pair. @param {number} dims @param {(pair: number) => number} divisor */
const divisorsOf = (dims, divisor) => Float32Array.from({ length: dims / 2 }, (_, i) => divisor(i));

/** Checks sizes before memory is taken. @param {Rope} rope @param {string} kind @param {boolean} sound */
function need({ dims, name }, kind, sound) {
  if (!(sound && dims >= 2 && dims <= 4096)) throw invalid(name, kind);
}

/**
 * Llama 3.1: low frequencies are divided by the factor, high frequencies stay, and frequencies between two wavelengths
 * are interpolated.
 * @param {ReadNumber} read @param {Rope} rope @returns {Scaling}
 */
export function llama3(read, rope) {
  const [factor, low, high] = ['factor', 'low_freq_factor', 'high_freq_factor'].map((key) => read(key));
  const context = read('original_max_position_embeddings');
  need(rope, 'llama3', factor >= 1 && low > 0 && high > low && context >= 1);
  return { divisors: divisorsOf(rope.dims, (i) => {
    const wavelength = 2 * Math.PI * rope.theta ** ((2 * i) / rope.dims);
    if (wavelength < context / high) return 1;
    if (wavelength > context / low) return factor;
    const smooth = (context / wavelength - low) / (high - low);
    return 1 / ((1 - smooth) / factor + smooth);
  }) };
}

/**
 * YaRN (Peng et al. 2023).  Pairs that turn more than beta_fast times within the first context keep their frequency.
 * Frequencies of pairs that turn less than beta_slow times are divided by the factor.  Others are interpolated.
 * @param {ReadNumber} read @param {Rope} rope @returns {Scaling}
 */
export function yarn(read, rope) {
  const { theta, dims } = rope;
  const factor = read('factor');
  const context = read('original_max_position_embeddings', rope.context);
  const fast = read('beta_fast', 32);
  const slow = read('beta_slow', 1);
  need(rope, 'yarn', factor >= 1 && context >= 1 && fast > slow && slow > 0);
  const pairOf = (/** @type {number} */ turns) =>
    dims * Math.log(context / (turns * 2 * Math.PI)) / (2 * Math.log(theta));
  const low = Math.max(Math.floor(pairOf(fast)), 0);
  const high = Math.min(Math.ceil(pairOf(slow)), dims - 1);
  return {
    divisors: divisorsOf(dims, (i) => {
      const slowness = Math.min(Math.max((i - low) / Math.max(high - low, 0.001), 0), 1);
      return 1 / (slowness / factor + 1 - slowness);
    }),
    magnitude: read('attention_factor', 0.1 * Math.log(factor) + 1),
  };
}

/** LongRoPE (Ding et al. 2024): one list of divisors up to the first context, another beyond it.
 *  @param {ReadNumber} read @param {Rope} rope @param {unknown} short @param {unknown} long @returns {Scaling} */
export function longRope(read, rope, short, long) {
  const { dims, context } = rope;
  const shortContext = read('original_max_position_embeddings', context);
  const isList = (/** @type {unknown} */ list) => Array.isArray(list) && list.length === dims / 2 &&
    list.every((divisor) => typeof divisor === 'number' && divisor > 0);
  need(rope, 'longrope', isList(short) && isList(long) && shortContext > 1);
  const growth = Math.max(read('factor', context / shortContext), 1);
  return {
    divisors: Float32Array.from(/** @type {number[]} */ (short)),
    longer: Float32Array.from(/** @type {number[]} */ (long)),
    shortContext,
    magnitude: read('attention_factor', Math.sqrt(1 + Math.log(growth) / Math.log(shortContext))),
  };
}
