/** What the address of the page says after its #: enough to show someone else the same thing. */

/** @typedef {{ prompt?: string, seed?: number, layer?: number, head?: number }} Address */

/** A prompt in an address at most: longer ones make addresses that programs cut off. */
const PROMPT_CHARACTERS = 1000;

/**
 * @param {string} hash
 * @returns {Address}
 */
export function readAddress(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  /** @type {Address} */
  const address = {};
  const prompt = fields.get('prompt');
  if (prompt !== null && prompt.length <= PROMPT_CHARACTERS) address.prompt = prompt;
  for (const name of /** @type {const} */ (['seed', 'layer', 'head'])) {
    const value = fields.get(name) ?? '';
    if (/^\d{1,10}$/.test(value)) address[name] = Number(value);
  }
  return address;
}

/**
 * @param {Address} address
 * @returns {string} with its #
 */
export function writeAddress({ prompt, seed, layer, head }) {
  const fields = new URLSearchParams();
  if (prompt !== undefined && prompt.length <= PROMPT_CHARACTERS) fields.set('prompt', prompt);
  for (const [name, value] of Object.entries({ seed, layer, head })) {
    if (value !== undefined) fields.set(name, String(value));
  }
  return `#${fields}`;
}
