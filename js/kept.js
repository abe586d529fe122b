/** Models that `load` keeps.  The code is loaded by the first call. */

/** @typedef {import('./files/keep/list.js').KeptModel} KeptModel */

const stored = () => import('./files/keep/list.js');

/**
 * Lists the models that `load` keeps, also the parts of downloads that were cut.
 * @returns {Promise<KeptModel[]>} the latest first
 * @throws {HeedError} 'bad-argument' if HEED_CACHE is not an absolute path
 */
export const kept = async () => (await stored()).list();

/**
 * Deletes a kept model, or the part of it that is stored.  Files that other kept models also have stay.
 * @param {string} name  as `kept` lists it
 * @returns {Promise<boolean>} whether it was there
 * @throws {HeedError} 'bad-argument' for a name that is not a text
 */
kept.delete = async (name) => (await stored()).remove(name);

/**
 * Measures the stored files.
 * @returns {Promise<number>} bytes of all kept models, each file counted once
 */
kept.bytes = async () => (await stored()).bytes();
