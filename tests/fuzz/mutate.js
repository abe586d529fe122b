/** Mutations that keep the structure of a file, so that parsers read far into the changed file. */

/** @typedef {() => number} Random  uniform in [0, 1) */

/** @template T @param {Random} random @param {readonly T[]} list @returns {T} */
export const pick = (random, list) => list[Math.floor(random() * list.length)];

/** @param {Random} random @param {number} below */
export const whole = (random, below) => Math.floor(random() * below);

const NUMBERS = [0, -0, 1, -1, 2, 3, 0.5, 7, 16, 255, 256, 65535, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 1e9,
  1e300, -1e300, 1e-300, 5e-324];
const TEXTS = ['', ' ', 'a', '\u0000', '\u202e', '\ud800', '▁', 'Ġ', '<s>', '__proto__', 'constructor', 'toString',
  '../x', 'a*a*a*a*a*b', '(a|a)*$', '(', '\\', '[^', '(?=a', '$&', '<0x41>', '<0xZZ>',
  'gpt2', 'llama', 'BPE', 'Unigram', '🤚',
  ...['FixedLength', 'Split', 'Replace', 'Prepend', 'Digits', 'Punctuation', 'BertPreTokenizer', 'WhitespaceSplit',
    'Whitespace', 'NFC', 'NFKC', 'Lowercase', 'Strip', 'BertNormalizer', 'Precompiled', 'TemplateProcessing',
    'ByteLevel', 'Metaspace', 'RobertaProcessing', 'BertProcessing', 'Sequence', 'Removed', 'MergedWithPrevious']];
const VALUES = [null, true, false, [], {}, [[]], ...NUMBERS, ...TEXTS];

/** Replaces a value, often by a value of the same type. @param {Random} random @param {any} value @returns {any} */
export function otherValue(random, value) {
  const of = random();
  if (of < 0.2) return pick(random, VALUES);
  if (typeof value === 'number') return random() < 0.5 ? pick(random, NUMBERS) : value + whole(random, 5) - 2;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return otherText(random, value);
  return pick(random, VALUES);
}

/** @param {Random} random @param {string} text */
export function otherText(random, text) {
  const at = whole(random, text.length + 1);
  const end = Math.min(text.length, at + whole(random, 4));
  switch (whole(random, 6)) {
    case 0: return text.slice(0, at) + pick(random, TEXTS) + text.slice(at);
    case 1: return text.slice(0, at) + text.slice(end);
    case 2: return text.slice(0, at) + text.slice(at, end).repeat(1 + whole(random, 300)) + text.slice(end);
    case 3: return text + text;
    case 4: return pick(random, TEXTS).repeat(1 + whole(random, 50));
    default: return pick(random, TEXTS);
  }
}

/** Every place inside a JSON value, as [container, key]. @param {any} root @returns {[any, string | number][]} */
function placesIn(root) {
  /** @type {[any, string | number][]} */
  const places = [];
  const open = [root];
  for (let value; (value = open.pop()) !== undefined && places.length < 5000;) {
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) {
      places.push([value, Array.isArray(value) ? Number(key) : key]);
      open.push(value[key]);
    }
  }
  return places;
}

/** A few changes somewhere in a JSON value. @param {Random} random @param {any} json @returns {any} */
export function mutatedJson(random, json) {
  const copy = structuredClone(json);
  for (let n = 1 + whole(random, 3); n > 0; n--) {
    const places = placesIn(copy);
    if (places.length === 0) return pick(random, VALUES);
    const [container, key] = pick(random, places);
    const [other, from] = pick(random, places);
    switch (whole(random, 7)) {
      case 0: if (Array.isArray(container)) container.splice(Number(key), 1); else delete container[key]; break;
      case 1:
        if (Array.isArray(container)) container.push(...container.slice(0, 20));
        else rename(random, container, key);
        break;
      case 2: container[key] = structuredClone(other[from]); break;
      case 3: container[key] = deep(random, container[key]); break;
      default: container[key] = otherValue(random, container[key]);
    }
  }
  return copy;
}

/** @param {Random} random @param {any} container @param {string | number} key */
function rename(random, container, key) {
  const value = container[key];
  delete container[key];
  container[otherText(random, String(key))] = value;
}

/** Nests a value in lists or objects, sometimes deeper than a stack. @param {Random} random
 *  @param {any} value */
function deep(random, value) {
  const depth = random() < 0.1 ? 5000 : whole(random, 4);
  for (let i = 0; i < depth; i++) value = random() < 0.5 ? [value] : { type: 'Sequence', normalizers: [value] };
  return value;
}

/** Changes, removes or inserts bytes. @param {Random} random @param {Uint8Array} bytes @param {number} [within]
 *  the first bytes, where most changes happen @returns {Uint8Array} */
export function mutatedBytes(random, bytes, within = bytes.length) {
  let copy = bytes.slice();
  for (let n = 1 + whole(random, 4); n > 0 && copy.length > 8; n--) {
    const at = whole(random, Math.min(copy.length, random() < 0.9 ? within : copy.length));
    const view = new DataView(copy.buffer);
    switch (whole(random, 6)) {
      case 0: copy[at] ^= 1 << whole(random, 8); break;
      case 1: copy[at] = whole(random, 256); break;
      case 2: if (at + 4 <= copy.length) view.setUint32(at, pick(random, NUMBERS) >>> 0, true); break;
      case 3:
        if (at + 8 <= copy.length) view.setBigUint64(at, 2n ** BigInt(whole(random, 65)) - 1n, true);
        break;
      case 4: copy = copy.slice(0, at); break;
      default: {
        const end = Math.min(copy.length, at + whole(random, 64));
        copy = Uint8Array.from([...copy.subarray(0, end), ...copy.subarray(at, end), ...copy.subarray(end)]);
      }
    }
  }
  return copy;
}
