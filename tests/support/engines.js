/** The sets of kernels, for tests that run on each: what the running engine cannot take is skipped, and says why. */
import { whyNotRelaxed } from '../../js/engine/relaxed.js';

export const ENGINES = /** @type {const} */ (['scalar', 'simd128', 'relaxed']);
/** @typedef {(typeof ENGINES)[number]} Engine */

/** The sets that the running engine can take. */
export const TAKEN = ENGINES.filter((engine) => engine !== 'relaxed' || !whyNotRelaxed());
/** The set that `auto` takes here. */
export const BEST = TAKEN[TAKEN.length - 1];

/** Options of a test on one set. @param {Engine} engine @returns {{ skip?: string }} */
export const on = (engine) => (TAKEN.includes(engine) ? {} : { skip: String(whyNotRelaxed()) });
