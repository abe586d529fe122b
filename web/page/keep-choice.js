/** The choice whether models of other sites are kept on this device. The browser remembers it. */

const ITEM = 'heed keeps models';

/** The storage of choices, or null where the browser forbids it. */
function storage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** True if the user chose to keep models. */
export const keepsModels = () => storage()?.getItem(ITEM) === 'yes';

/** @param {boolean} keeps */
export function chooseToKeep(keeps) {
  if (keeps) storage()?.setItem(ITEM, 'yes');
  else storage()?.removeItem(ITEM);
}

/**
 * True for models of other sites. Models beside the page are stored with the page.
 * @param {import('../../js/index.js').Source} source
 */
export function isElsewhere(source) {
  if (typeof source !== 'string' && !(source instanceof URL)) return false;
  return !new URL(source, document.baseURI).href.startsWith(new URL('./', document.baseURI).href);
}
