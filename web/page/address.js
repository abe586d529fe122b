/** What the address of the page says after its #: enough to show someone else the same text, head and settings. */

/**
 * @typedef {object} Address
 * @property {string} [prompt]
 * @property {number[]} [text]       ids that follow the prompt: the same text, whatever engine shows it
 * @property {number} [length]       settings, as the form has them
 * @property {number} [temperature]
 * @property {number} [top-k]
 * @property {number} [top-p]
 * @property {number} [repeat-penalty]
 * @property {number} [seed]
 * @property {number} [layer]
 * @property {number} [head]
 * @property {string} [scale]        of the map's colors
 * @property {boolean} [sink]        false where the first token is left out
 * @property {string} [model]        its address; none for the default model
 * @property {string} [file]         the name of a model that came from a file, which no address can bring back
 */

export const NUMBERS = /** @type {const} */ (
  ['length', 'temperature', 'top-k', 'top-p', 'repeat-penalty', 'seed', 'layer', 'head']);
const TEXTS = /** @type {const} */ (['scale', 'model', 'file']);

/** Characters of an address after its #: programs cut longer ones. */
export const ADDRESS_CHARACTERS = 8000;
/** Longer prompts are compressed. */
const PLAIN_CHARACTERS = 500;
/** Bytes that a prompt or a text may have when it is unpacked: an address of strangers fills no memory. */
const UNPACKED_BYTES = 1 << 20;

/**
 * @param {string} hash
 * @returns {Promise<{ address: Address, unread: string[] }>} unread: what is there and cannot be read
 */
export async function readAddress(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  /** @type {Address} */
  const address = {};
  /** @type {string[]} */
  const unread = [];
  for (const name of NUMBERS) {
    const value = fields.get(name) ?? '';
    if (/^\d{1,10}(\.\d{1,6})?$/.test(value)) address[name] = Number(value);
    else if (value) unread.push(name);
  }
  for (const name of TEXTS) {
    const value = fields.get(name);
    if (value) address[name] = value;
  }
  if (fields.has('sink')) address.sink = fields.get('sink') !== '0';
  const prompt = fields.get('prompt');
  if (prompt !== null) address.prompt = prompt;
  for (const [name, read] of /** @type {const} */ ([
    ['packed-prompt', async (/** @type {string} */ value) => {
      address.prompt = new TextDecoder('utf-8', { fatal: true }).decode(await unpacked(value));
    }],
    ['text', async (/** @type {string} */ value) => {
      address.text = idsFrom(await unpacked(value));
    }],
  ])) {
    const value = fields.get(name);
    if (value) await read(value).catch(() => unread.push(name.replace('packed-', '')));
  }
  return { address, unread };
}

/**
 * @param {Address} address
 * @returns {Promise<{ hash: string, left: ('text' | 'prompt')[] }>} the hash with its #; left: what is too long for it
 */
export async function writeAddress({ prompt, text, ...rest }) {
  const fields = new URLSearchParams();
  if (prompt !== undefined && prompt.length <= PLAIN_CHARACTERS) fields.set('prompt', prompt);
  else if (prompt !== undefined) fields.set('packed-prompt', await packed(new TextEncoder().encode(prompt)));
  for (const name of [...NUMBERS, ...TEXTS]) if (rest[name] !== undefined) fields.set(name, String(rest[name]));
  if (rest.sink === false) fields.set('sink', '0');
  if (text?.length) fields.set('text', await packed(bytesOf(text)));
  /** @type {('text' | 'prompt')[]} */
  const left = [];
  for (const [name, what] of /** @type {const} */ ([['text', 'text'], ['packed-prompt', 'prompt']])) {
    if (String(fields).length <= ADDRESS_CHARACTERS || !fields.has(name)) continue;
    fields.delete(name);
    left.push(what);
  }
  return { hash: `#${fields}`, left };
}

/** Seven bits of an id in each byte, the low ones first; the eighth says that more follow. @param {number[]} ids */
function bytesOf(ids) {
  /** @type {number[]} */
  const bytes = [];
  for (let id of ids) {
    for (; id > 127; id >>>= 7) bytes.push((id & 127) | 128);
    bytes.push(id);
  }
  return Uint8Array.from(bytes);
}

/** @param {Uint8Array} bytes */
function idsFrom(bytes) {
  /** @type {number[]} */
  const ids = [];
  let [id, shift] = [0, 0];
  for (const byte of bytes) {
    id += (byte & 127) * 2 ** shift;
    shift += 7;
    if (byte > 127) continue;
    ids.push(id);
    [id, shift] = [0, 0];
  }
  if (shift > 0) throw new RangeError('the last id is cut off');
  return ids;
}

/** @param {Uint8Array} bytes @returns {Promise<string>} compressed, in letters that addresses may have */
async function packed(bytes) {
  const chunks = await read(bytes, new CompressionStream('deflate-raw'), Infinity);
  return btoa(Array.from(chunks, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} letters */
async function unpacked(letters) {
  const text = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return read(bytes, new DecompressionStream('deflate-raw'), UNPACKED_BYTES);
}

/**
 * @param {Uint8Array} bytes
 * @param {CompressionStream | DecompressionStream} through
 * @param {number} most bytes that may come out
 */
async function read(bytes, through, most) {
  const source = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)]).stream();
  const reader = source.pipeThrough(/** @type {ReadableWritablePair<Uint8Array, any>} */ (through)).getReader();
  /** @type {number[]} */
  const all = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Uint8Array.from(all);
    if (all.length + value.length > most) {
      await reader.cancel();
      throw new RangeError('more than an address may unpack to');
    }
    for (const byte of value) all.push(byte);
  }
}
