/** SHA-256 of a stream (FIPS 180-4). `crypto.subtle` needs all bytes at once, which a model does not have in memory. */

/** The first n primes. @param {number} n */
function primes(n) {
  /** @type {number[]} */
  const found = [];
  for (let i = 2; found.length < n; i++) if (found.every((prime) => i % prime !== 0)) found.push(i);
  return found;
}

/** The first 32 bits of the fraction of a number. @param {number} x */
const fraction = (x) => (x - Math.floor(x)) * 2 ** 32 | 0;

const ROUNDS = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64;

export class Sha256 {
  #state = START.slice();
  #schedule = new Int32Array(64);
  #rest = new Uint8Array(BLOCK);
  #length = 0;

  /** Adds bytes to the message. @param {Uint8Array} bytes */
  update(bytes) {
    const held = this.#length % BLOCK;
    this.#length += bytes.byteLength;
    let at = 0;
    if (held > 0) {
      at = Math.min(BLOCK - held, bytes.byteLength);
      this.#rest.set(bytes.subarray(0, at), held);
      if (held + at < BLOCK) return this;
      this.#blocks(this.#rest, 0, BLOCK);
    }
    const end = bytes.byteLength - (bytes.byteLength - at) % BLOCK;
    this.#blocks(bytes, at, end);
    this.#rest.set(bytes.subarray(end));
    return this;
  }

  /** The digest of the message, 64 hexadecimal digits.  It ends the message. */
  digest() {
    const bits = new DataView(new ArrayBuffer(8));
    bits.setBigUint64(0, BigInt(this.#length) * 8n);
    const padding = new Uint8Array(BLOCK - (this.#length + 8) % BLOCK);
    padding[0] = 0x80;
    this.update(padding).update(new Uint8Array(bits.buffer));
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /** @param {Uint8Array} bytes @param {number} from @param {number} to */
  #blocks(bytes, from, to) {
    const w = this.#schedule;
    const state = this.#state;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = from; at < to; at += BLOCK) {
      for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + 4 * t);
      for (let t = 16; t < 64; t++) {
        const x = w[t - 15], y = w[t - 2];
        const s0 = (x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3;
        const s1 = (y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1 | 0;
      }
      let a = state[0], b = state[1], c = state[2], d = state[3];
      let e = state[4], f = state[5], g = state[6], h = state[7];
      for (let t = 0; t < 64; t++) {
        const s1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
        const t1 = h + s1 + (e & f ^ ~e & g) + ROUNDS[t] + w[t] | 0;
        const s0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
        const t2 = s0 + (a & b ^ a & c ^ b & c) | 0;
        h = g;
        g = f;
        f = e;
        e = d + t1 | 0;
        d = c;
        c = b;
        b = a;
        a = t1 + t2 | 0;
      }
      state[0] += a;
      state[1] += b;
      state[2] += c;
      state[3] += d;
      state[4] += e;
      state[5] += f;
      state[6] += g;
      state[7] += h;
    }
  }
}

/** The digest of a text. @param {string} text */
export const sha256 = (text) => new Sha256().update(new TextEncoder().encode(text)).digest();
