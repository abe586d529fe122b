/** The fragment of the page's URL: prompt, generated text, open head, settings and model, so that a link shows them. */

/**
 * @typedef {object} Address
 * @property {string} [prompt]
 * @property {number[]} [text] ids after the prompt, so that every engine shows the same text
 * @property {number} [prompt-tokens] number of first ids of `text` that are the prompt; absent if `text` follows it
 * @property {number} [length] of the form, like the next four fields
 * @property {number} [temperature]
 * @property {number} [top-k]
 * @property {number} [top-p]
 * @property {number} [repeat-penalty]
 * @property {number} [seed]
 * @property {number} [layer]
 * @property {number} [head]
 * @property {string} [scale] color scale of the map
 * @property {boolean} [sink] false: the first token is left out
 * @property {string} [view] name of the open view, and its state after a colon; absent for the map
 * @property {string} [model] URL; absent for the default model
 * @property {string} [edits] changes of the run, as `writeChanges` writes them
 * @property {string} [part] part of an encoder–decoder whose maps are shown
 * @property {number} [beams] texts that a beam search continues at the same time
 * @property {string} [file] name of a local model file, which a URL cannot contain; ignored beside `model`
 * @property {string} [pair] second text of a pair
 * @property {string} [tower] model of a CLIP file: 'text' or 'vision'
 */

export const NUMBERS = /** @type {const} */ (
  ['length', 'temperature', 'top-k', 'top-p', 'repeat-penalty', 'seed', 'layer', 'head', 'beams',
    'prompt-tokens']);
const TEXTS = /** @type {const} */ (['scale', 'view', 'model', 'part', 'file', 'tower']);

/** Texts that are compressed if they are long. */
const LONG = /** @type {const} */ (['prompt', 'pair', 'edits']);

/** Most characters of the fragment, because some programs truncate longer URLs. */
export const ADDRESS_CHARACTERS = 8000;
/** Prompts and lists of changes with more characters are compressed. */
const PLAIN_CHARACTERS = 500;
/** Most bytes of a decompressed prompt, text or list of changes: untrusted URLs must not fill the memory. */
const UNPACKED_BYTES = 1 << 20;

/**
 * Reads a fragment.
 * @param {string} hash
 * @returns {Promise<{ address: Address, unread: string[] }>} unread: names of the invalid fields
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
  if (address.model !== undefined) delete address.file; // a file waits for the user
  if (fields.has('sink')) address.sink = fields.get('sink') !== '0';
  for (const name of LONG) {
    const value = fields.get(name);
    if (value !== null) address[name] = value;
  }
  for (const [name, read] of /** @type {const} */ ([
    ...LONG.map((name) => /** @type {const} */ ([`packed-${name}`, async (/** @type {string} */ value) => {
      address[name] = new TextDecoder('utf-8', { fatal: true }).decode(await unpacked(value));
    }])),
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
 * Writes a fragment.
 * @param {Address} address
 * @returns {Promise<{ hash: string, left: ('text' | 'prompt' | 'pair' | 'edits')[] }>} hash: with its #; left: fields
 *   that are too long
 */
export async function writeAddress({ text, ...rest }) {
  const fields = new URLSearchParams();
  for (const name of LONG) {
    const value = rest[name];
    if (value === undefined) continue;
    if (value.length <= PLAIN_CHARACTERS) fields.set(name, value);
    else fields.set(`packed-${name}`, await packed(new TextEncoder().encode(value)));
  }
  for (const name of [...NUMBERS, ...TEXTS]) if (rest[name] !== undefined) fields.set(name, String(rest[name]));
  if (rest.sink === false) fields.set('sink', '0');
  if (text?.length) fields.set('text', await packed(bytesOf(text)));
  /** @type {('text' | 'prompt' | 'pair' | 'edits')[]} */
  const left = [];
  for (const [name, what] of /** @type {const} */ (
    [['text', 'text'], ['packed-edits', 'edits'], ['packed-pair', 'pair'], ['packed-prompt', 'prompt']])) {
    if (String(fields).length <= ADDRESS_CHARACTERS || !fields.has(name)) continue;
    fields.delete(name);
    if (what === 'text') fields.delete('prompt-tokens');
    left.push(what);
  }
  return { hash: `#${fields}`, left };
}

/** The open head of an address. @param {Address} address @returns {{ layer: number, head: number } | null} */
export const headOf = ({ layer, head }) => (layer === undefined || head === undefined ? null : { layer, head });

/** Encodes ids as LEB128: seven bits per byte, low bits first. @param {number[]} ids */
function bytesOf(ids) {
  /** @type {number[]} */
  const bytes = [];
  for (let id of ids) {
    for (; id > 127; id >>>= 7) bytes.push((id & 127) | 128);
    bytes.push(id);
  }
  return Uint8Array.from(bytes);
}

/** Decodes LEB128. @param {Uint8Array} bytes */
function idsFrom(bytes) {
  /** @type {number[]} */
  const ids = [];
  let id = 0;
  let shift = 0;
  for (const byte of bytes) {
    id += (byte & 127) * 2 ** shift;
    shift += 7;
    if (byte > 127) continue;
    ids.push(id);
    id = 0;
    shift = 0;
  }
  if (shift > 0) throw new RangeError('The last id is truncated.');
  return ids;
}

/** Compresses bytes to base64url. @param {Uint8Array} bytes @returns {Promise<string>} */
async function packed(bytes) {
  const chunks = await read(bytes, new CompressionStream('deflate-raw'), Infinity);
  return btoa(Array.from(chunks, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Decompresses base64url. @param {string} letters */
async function unpacked(letters) {
  const text = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return read(bytes, new DecompressionStream('deflate-raw'), UNPACKED_BYTES);
}

/**
 * @param {Uint8Array} bytes
 * @param {CompressionStream | DecompressionStream} through
 * @param {number} most largest number of bytes to read
 * @throws {RangeError} if there are more
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
      throw new RangeError('The decompressed text is too long.');
    }
    for (const byte of value) all.push(byte);
  }
}
