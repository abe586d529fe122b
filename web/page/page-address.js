/** The address of the page: what is shown, as a link, and the model file that a link waits for. */
import { ADDRESS_CHARACTERS, writeAddress } from './address.js';
import { formatInteger } from './format.js';
import { fieldSettings, showNotice } from './view.js';

/** @typedef {import('./address.js').Address} Address */
/** A local model file. @typedef {Pick<Address, 'file' | 'tower'>} ModelFile */

/** Milliseconds for which browsers refuse changes of the address after many: WebKit after 100, the others after 200. */
const REFUSED_MS = 10_000;

/** Changes the page's address. @param {'pushState' | 'replaceState'} change @param {object} state of the entry
 *  @param {string} hash @returns {boolean} false if the browser refused, which Chromium does without an error */
function changed(change, state, hash) {
  try {
    history[change](state, '', hash);
  } catch {
    return false;
  }
  return location.hash === hash;
}

export class PageAddress {
  /** The address that waits for its local model file, and the file. @type {ModelFile & { hash: string } | null} */
  awaited = null;
  /** Addresses are written one after another, because compression is asynchronous. */
  #saving = Promise.resolve();
  /** Saves again when the browser takes changes again. @type {ReturnType<typeof setTimeout> | undefined} */
  #later;
  #current;

  /** @param {() => Address} current the address of the shown text, head and settings */
  constructor(current) {
    this.#current = current;
  }

  /** The address that waited for a model that is open now, or null. @param {ModelFile} model */
  waitedFor({ file, tower }) {
    const { awaited } = this;
    return awaited && awaited.file === file && awaited.tower === tower ? awaited.hash : null;
  }

  /**
   * Updates the page's address. Its entry in the browser's history also has the values of the fields, so a reload keeps
   * changed fields. An address that waits for its model file is never replaced.
   * @param {{ newEntry?: boolean }} [options] newEntry: add an entry to the browser's history, default false
   */
  save({ newEntry = false } = {}) {
    clearTimeout(this.#later);
    const address = this.#current();
    const state = { fields: fieldSettings() };
    const isDefault = address.model === undefined && address.file === undefined;
    this.#saving = this.#saving.then(async () => {
      const before = location.hash;
      const { hash, left } = await writeAddress(address);
      if (location.hash !== before) return; // the user opened another address in the meantime
      const waits = before === this.awaited?.hash;
      if (waits && !newEntry && isDefault) return; // the default model stands in for the file
      if (!changed((newEntry || waits) && hash !== before ? 'pushState' : 'replaceState', state, hash)) {
        clearTimeout(this.#later);
        this.#later = setTimeout(() => this.save(), REFUSED_MS);
        return;
      }
      if (left.length && hash !== before) {
        showNotice(`The address leaves out the ${left.join(' and the ')}, because it would have more than ${
          formatInteger(ADDRESS_CHARACTERS)} characters.`);
      }
    });
  }
}
