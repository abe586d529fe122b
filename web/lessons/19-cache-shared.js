/** Four heads with questions set by hand, whose keys and values are shared step by step. */
import { addSelect } from './kit/controls.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */
/** Features that a key holds.
 *  @typedef {'position' | 'word' | 'both'} Features */

const TOKENS = ['the', 'cat', 'saw', 'the', 'dog', 'sit'];
const N = TOKENS.length;
const WORDS = [...new Set(TOKENS)];
/** Score of the key that a head looks for. */
const SHARPNESS = 4;

/** The questions of the heads: whether a query looks for a key.
 *  @type {{ name: string, of: 'position' | 'word', wants: (query: number, key: number) => boolean }[]} */
const HEADS = [
  { name: 'the token before', of: 'position', wants: (query, key) => key === query - 1 },
  { name: 'the token after', of: 'position', wants: (query, key) => key === query + 1 },
  { name: 'the same word', of: 'word', wants: (query, key) => TOKENS[key] === TOKENS[query] },
  { name: '‘the’', of: 'word', wants: (_, key) => TOKENS[key] === 'the' },
];

/** The shared keys: what each of them holds. @type {Record<string, { text: string, keys: Features[] }>} */
const SHARING = {
  separate: { text: `4 pairs of ${N} numbers`, keys: ['position', 'position', 'word', 'word'] },
  groups: { text: `2 pairs of ${N} numbers`, keys: ['position', 'word'] },
  words: { text: `1 pair of ${N} numbers: the word`, keys: ['word'] },
  wide: { text: `1 pair of ${2 * N} numbers: position and word`, keys: ['both'] },
};

/** @param {number} at @param {boolean} [on] */
const oneHot = (at, on = true) => Array.from({ length: N }, (_, i) => Number(on && i === at));
const position = TOKENS.map((_, t) => oneHot(t));
const word = TOKENS.map((token) => oneHot(WORDS.indexOf(token)));

/** The query of a head, in the features of its key: a sum of the keys that it looks for, each word once.
 *  @param {typeof HEADS[number]} head @param {number} query @param {Features} holds */
function queryOf({ of, wants }, query, holds) {
  const wanted = TOKENS.map((_, key) => key).filter((key, i, all) => wants(query, key)
    && (of === 'position' || all.findIndex((other) => wants(query, other) && TOKENS[other] === TOKENS[key]) === i));
  const features = { position, word }[of];
  const sum = oneHot(0).map((_, i) => SHARPNESS * wanted.reduce((total, key) => total + features[key][i], 0));
  const absent = oneHot(0, false);
  if (holds === 'both') return of === 'position' ? [...sum, ...absent] : [...absent, ...sum];
  return of === holds ? sum : absent;
}

/** @param {Features} holds @param {number} t */
const keyOf = (holds, t) => (holds === 'both' ? [...position[t], ...word[t]] : { position, word }[holds][t]);

/** @param {Lab} l */
export function showShared(l) {
  const names = TOKENS.map((token, t) => `${token} ${t + 1}`);
  const tables = HEADS.map(({ name }, n) => new MatrixTable(element('shared-maps'), {
    caption: `Head ${n + 1}: ${name}`, axes: ['query', 'key'], rows: names, columns: TOKENS, digits: 2, shade: 'weight',
    max: 1 }));
  const show = (/** @type {string} */ sharing) => l.evaluate(() => {
    const { keys: held } = SHARING[sharing];
    const width = held[0] === 'both' ? 2 * N : N;
    const group = HEADS.length / held.length;
    const queries = l.tensor(HEADS.flatMap((head, n) => TOKENS.flatMap((_, t) =>
      queryOf(head, t, held[Math.floor(n / group)]))), { head: HEADS.length, query: N, dim: width });
    const keys = l.tensor(held.flatMap((holds) => TOKENS.flatMap((_, t) => keyOf(holds, t))),
      { kvHead: held.length, key: N, dim: width });
    const values = l.tensor(held.flatMap(() => word.flat()), { kvHead: held.length, key: N, value: N });
    const { pattern } = l.attention(queries, keys, values, { score: 'dot' });
    const maps = HEADS.map((_, n) => l.slice(pattern, 'head', n).data.slice());
    maps.forEach((map, n) => tables[n].update(map));
    const found = HEADS.filter(({ wants }, n) => TOKENS.every((_, query) => {
      const row = maps[n].subarray(query * N, (query + 1) * N);
      const wanted = row.filter((_weight, key) => wants(query, key));
      return wanted.length === 0 || wanted.reduce((sum, weight) => sum + weight, 0) > 0.5;
    }));
    showValues({ cached: (keys.data.length + values.data.length) / N, found: found.length });
  });
  const options = Object.fromEntries(Object.entries(SHARING).map(([key, { text }]) => [key, text]));
  addSelect(element('sharing'), 'Keys and values', options, show).name = 'sharing';
  showValues({ 'key-width': N, asking: HEADS.length });
  show('separate');
}
