/** Kernel sets, for tests that run on each. Sets that the running engine cannot execute are skipped with a reason. */
import { whyNotKernels } from '../../js/engine/choose.js';

export const ENGINES = /** @type {const} */ (['scalar', 'simd128', 'relaxed', 'relaxed-u8', 'relaxed-s8']);
/** @typedef {(typeof ENGINES)[number]} Engine */

/** The sets that the running engine can execute. */
export const TAKEN = ENGINES.filter((engine) => whyNotKernels(engine) === null);
/** The set that `auto` chooses here. */
export const BEST = TAKEN[TAKEN.length - 1];

/** Options of a test on one set. @param {Engine} engine @returns {{ skip?: string }} */
export const on = (engine) => (TAKEN.includes(engine) ? {} : { skip: String(whyNotKernels(engine)) });
