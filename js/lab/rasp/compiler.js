/**
 * Compiles a graph to the weights of a transformer (after Lindner et al. 2023, “Tracr”). A select with an aggregate
 * is a head. A function of several sequences is a network. A function of one sequence only renames its categories.
 */
import { MAX_COMBINATIONS, MAX_HIDDEN, MAX_VALUES, MAX_WORK, tooLarge } from './limits.js';
import { BOS, TOKEN, grouped, reading } from './spaces.js';
import { COMPARISONS, distinct, equal, keyOf } from './values.js';

/**
 * @typedef {import('./graph.js').Sequence} Sequence
 * @typedef {import('./graph.js').Selector} Selector
 * @typedef {import('./values.js').Value} Value
 * @typedef {import('./spaces.js').Space} Space
 * @typedef {import('./spaces.js').Row} Row
 */

/** @template T @typedef {import('./spaces.js').View<T>} View */

/**
 * A head: rows that make queries, keys and values, and the dimensions that the values are added to.
 * @typedef {object} Head
 * @property {string} text    the selector in the program
 * @property {number} line    line of the program
 * @property {Row[]} query
 * @property {Row[]} key
 * @property {Row[]} value
 * @property {number[]} to
 */

/** A hidden unit: max(0, row·x + bias), added to dimensions with weights.
 *  @typedef {{ row: Row, bias: number, to: Row }} Unit */

/** @typedef {{ heads: Head[], units: Unit[] }} Layer */

/**
 * @typedef {object} Plan
 * @property {string[]} vocabulary
 * @property {number} length     largest number of tokens
 * @property {number} width      width of the residual stream
 * @property {Layer[]} layers
 * @property {Space | null} tokens     place to which the embedding writes the token, if a layer reads it
 * @property {Space | null} positions  place to which the embedding writes the position
 * @property {Value[]} classes   results
 * @property {Row[]} readout     logit of each result
 * @property {{ name: string, dimensions: number }[]} variables  parts of the residual stream
 */

/** Difference of the scores of a selected key and of another. It is a power of two, so products are exact. The weight
 *  e^(−SHARP/2) is 0 in float32. */
const SHARP = 256;
/** The least distance of two averages, beside the largest: rounding of float32 is far smaller. */
const LEAST_GAP = 2 ** -14;
/** Advice for a model that is too large. */
const FEWER = 'Use fewer tokens or a shorter length. Counts of selector_width have fewer values than averages.';

/** Categories of a space in groups: one member of each, and the group of each category.
 *  @typedef {{ space: Space, size: number, members: number[], of: number[] }} Group */

/** One head can select these keys: bilinear forms of a view of the keys and a view of the queries, which add up.
 *  @typedef {{ key: View<any>, query: View<any>, table: boolean[][] }} Part */

/**
 * @param {Sequence} result @param {string[]} vocabulary @param {number} length
 * @returns {Plan}
 * @throws {RaspError}
 */
export function planOf(result, vocabulary, length) {
  return new Compiler(vocabulary, length).plan(result);
}

class Compiler {
  #vocabulary;
  #length;
  #width = 2; // ⊢ and token
  /** @type {Layer[]} */ #layers = [];
  /** @type {Space | null} */ #tokens = null;
  /** @type {Space | null} */ #positions = null;
  #work = 0;
  /** @type {Map<Sequence, View<any>>} */ #views = new Map();
  /** @type {Map<string, Head>} */ #heads = new Map();
  /** @type {{ name: string, dimensions: number }[]} */ #variables = [{ name: '⊢ or token', dimensions: 2 }];

  /** @param {string[]} vocabulary @param {number} length */
  constructor(vocabulary, length) {
    this.#vocabulary = vocabulary;
    this.#length = length;
  }

  /** @param {Sequence} result @returns {Plan} */
  plan(result) {
    const { space, labels } = this.#view(result);
    const classes = distinct(labels);
    const readout = classes.map((value) => reading(space, (i) => Number(same(labels[i], value))));
    return { vocabulary: this.#vocabulary, length: this.#length, width: this.#width, layers: this.#layers,
      tokens: this.#tokens, positions: this.#positions, classes, readout, variables: this.#variables };
  }

  /** New dimensions of the residual stream. @param {string} name @param {number} dimensions */
  #dimensions(name, dimensions) {
    const first = this.#width;
    this.#width += dimensions;
    this.#variables.push({ name, dimensions });
    return first;
  }

  /** @param {number} index @returns {Layer} */
  #layer(index) {
    while (this.#layers.length <= index) this.#layers.push({ heads: [], units: [] });
    return this.#layers[index];
  }

  /** The dimensions of the values of a sequence. @param {Sequence} node @returns {View<Value>} */
  #view(node) {
    let found = this.#views.get(node);
    if (!found) this.#views.set(node, found = this.#place(node));
    return found;
  }

  /** @param {Sequence} node @returns {View<Value>} */
  #place(node) {
    switch (node.kind) {
      case 'constant': return { space: constant, labels: [node.value] };
      case 'tokens':
        this.#tokens = this.#embedded('tokens', this.#vocabulary.length);
        return { space: this.#tokens, labels: this.#vocabulary };
      case 'indices':
        this.#positions = this.#embedded('indices', this.#length);
        return { space: this.#positions, labels: Array.from({ length: this.#length }, (_, i) => i) };
      case 'map': return this.#mapped(node.place, [node], ([value]) => value);
      case 'width': return this.#counted(node);
      case 'aggregate': return this.#aggregated(node);
    }
  }

  /** @param {string} name @param {number} size @returns {Space} */
  #embedded(name, size) {
    return { code: 'one-hot', name, first: this.#dimensions(name, size), size, ready: 0 };
  }

  /** Spaces that sequences are functions of. @param {Sequence[]} nodes */
  #spaces(nodes) {
    /** @type {Set<Space>} */
    const spaces = new Set();
    /** @type {Set<Sequence>} */
    const seen = new Set();
    /** @param {Sequence} node */
    const visit = (node) => {
      if (seen.has(node)) return;
      seen.add(node);
      if (node.kind === 'map' && !this.#views.has(node)) (node.inputs ?? []).forEach(visit);
      else spaces.add(this.#view(node).space);
    };
    nodes.forEach(visit);
    spaces.delete(constant);
    return [...spaces];
  }

  /** The value of a sequence for one category of each space.
   *  @param {Sequence} node @param {Map<Space, number>} chosen @param {Map<Sequence, Value | undefined>} known
   *  @returns {Value | undefined} */
  #valueAt(node, chosen, known) {
    if (known.has(node)) return known.get(node);
    this.#spend(node.place);
    const placed = node.kind === 'map' && !this.#views.has(node) ? null : this.#view(node);
    const value = placed ? placed.labels[chosen.get(placed.space) ?? 0]
      : node.apply?.(...(node.inputs ?? []).map((each) => this.#valueAt(each, chosen, known)));
    known.set(node, value);
    return value;
  }

  /** @param {import('./limits.js').Place} place */
  #spend(place) {
    if (++this.#work > MAX_WORK) {
      throw tooLarge(place, 'the compilation takes too long. Use fewer tokens, a shorter length or a shorter program.');
    }
  }

  /**
   * A function of sequences: a view if they are functions of one space, otherwise a network that looks the result up.
   * @template T @param {import('./limits.js').Place} place @param {Sequence[]} nodes
   * @param {(values: (Value | undefined)[]) => T | undefined} join @returns {View<T>}
   */
  #mapped(place, nodes, join) {
    let groups = this.#groups(nodes);
    if (product(groups) > MAX_COMBINATIONS) { // compute the parts first: each has few values
      for (const input of nodes.flatMap((each) => (nodes.length > 1 || !each.inputs ? [each] : each.inputs))) {
        if (this.#spaces([input]).length > 1) this.#view(input);
      }
      groups = this.#groups(nodes);
    }
    if (product(groups) > MAX_COMBINATIONS) {
      const sizes = groups.map(({ space, size }) => `${size} values of ${space.name}`).join(', ');
      throw tooLarge(place, `a network cannot look up ${product(groups)} combinations (${sizes}); the maximum is ` +
        `${MAX_COMBINATIONS}. ${FEWER}`);
    }
    const outcomes = combinations(groups).map((cell) => {
      const known = new Map();
      const chosen = new Map(groups.map(({ space, members }, g) => [space, members[cell[g]]]));
      return join(nodes.map((node) => this.#valueAt(node, chosen, known)));
    });
    if (groups.length === 0) return { space: constant, labels: outcomes };
    if (groups.length === 1) {
      return { space: groups[0].space, labels: groups[0].of.map((group) => outcomes[group]) };
    }
    return this.#lookup(place, groups, outcomes);
  }

  /** The spaces that sequences are functions of. Categories of a space are one group if no function of this space
   *  alone tells them apart. @param {Sequence[]} nodes @returns {Group[]} */
  #groups(nodes) {
    /** @type {Map<Space, Sequence[]>} */
    const functions = new Map();
    /** @type {Set<Sequence>} */
    const seen = new Set();
    /** @param {Sequence} node */
    const visit = (node) => {
      if (seen.has(node)) return;
      seen.add(node);
      this.#spend(node.place);
      const spaces = this.#spaces([node]);
      if (spaces.length === 1) functions.set(spaces[0], [...functions.get(spaces[0]) ?? [], node]);
      if (spaces.length > 1) (node.inputs ?? []).forEach(visit);
    };
    nodes.forEach(visit);
    return [...functions].map(([space, list]) => {
      const { members, of } = grouped(space.size, (category) => {
        const known = new Map();
        return list.map((node) => this.#valueAt(node, new Map([[space, category]]), known) ?? null);
      });
      return { space, size: members.length, members, of: /** @type {number[]} */ (of) };
    });
  }

  /**
   * A network with a hidden unit for each combination that matters. Each space whose category is in its group adds 1;
   * the bias is 1 − number of spaces. So the unit is 1 for its combination, and 0 for all others.
   * @template T @param {import('./limits.js').Place} place @param {Group[]} groups
   * @param {(T | undefined)[]} outcomes @returns {View<T>}
   */
  #lookup(place, groups, outcomes) {
    const values = distinct(outcomes);
    needFew(place, values.length);
    const strides = groups.map((_, g) => product(groups.slice(g + 1)));
    const merged = groups.map(({ size }, g) => grouped(size, (group) =>
      outcomes.filter((_, at) => Math.floor(at / strides[g]) % size === group).map((value) => value ?? null)));
    const ready = Math.max(...groups.map(({ space }) => space.ready));
    const index = Math.ceil((ready - 1) / 2);
    const space = /** @type {Space} */ ({ code: 'one-hot', name: place.text, size: values.length,
      first: this.#dimensions(place.text, values.length), ready: 2 * index + 2 });
    const dimensionOf = new Map(values.map((value, i) => [keyOf(value), space.first + i]));
    for (const cell of combinations(merged.map(({ members }) => ({ size: members.length })))) {
      const outcome = outcomes[cell.reduce((at, which, g) => at + merged[g].members[which] * strides[g], 0)];
      if (outcome === undefined) continue;
      const row = groups.flatMap(({ space: from, of }, g) =>
        reading(from, (i) => Number(merged[g].of[of[i]] === cell[g])));
      this.#unit(index, place, { row: summed(row), bias: 1 - groups.length,
        to: [[/** @type {number} */ (dimensionOf.get(keyOf(outcome))), 1]] });
    }
    return { space, labels: values };
  }

  /** @param {number} index @param {import('./limits.js').Place} place @param {Unit} unit */
  #unit(index, place, unit) {
    const { units } = this.#layer(index);
    if (units.push(unit) > MAX_HIDDEN) {
      throw tooLarge(place, `layer ${index} needs more than ${MAX_HIDDEN} hidden units. ${FEWER}`);
    }
  }

  /** The number of selected keys: ⊢ gets 1 / (count + 1) of the attention. @param {Sequence} node */
  #counted({ selector, place }) {
    const { parts, ready, single } = this.#parts(/** @type {Selector} */ (selector));
    const most = single ? 1 : this.#length;
    const counts = Array.from({ length: most + 1 }, (_, i) => most - i);
    const shares = counts.map((count) => 1 / (count + 1));
    const index = Math.ceil(ready / 2);
    const number = this.#dimensions(`1 / (1 + ${place.text})`, 1);
    this.#write(/** @type {Selector} */ (selector), parts, index, 'count', [[[BOS, 1]]], [number]);
    return { space: this.#stepped(place, index, number, shares, 1), labels: counts };
  }

  /** @param {Sequence} node @returns {View<Value>} */
  #aggregated(node) {
    const { place } = node;
    const selector = /** @type {Selector} */ (node.selector);
    const other = /** @type {Value} */ (node.other);
    const { parts, ready, single } = this.#parts(selector);
    const { space: from, labels } = this.#view(/** @type {Sequence} */ (node.sequence));
    const index = Math.ceil(Math.max(ready, from.ready) / 2);
    if (typeof other !== 'number' || single) { // copies a category
      const values = distinct([...labels, other]);
      needFew(place, values.length);
      const first = this.#dimensions(place.text, values.length);
      const rows = values.map((value) => [...reading(from, (i) => Number(same(labels[i], value))),
        .../** @type {Row} */ (equal(value, other) ? [[BOS, 1]] : [])]);
      this.#write(selector, parts, index, 'mean', rows.map(summed), values.map((_, i) => first + i));
      const atBos = values.findIndex((value) => equal(value, other));
      return { space: { code: 'one-hot', name: place.text, first, size: values.length, ready: 2 * index + 1, atBos },
        labels: values };
    }
    const values = means(place, /** @type {number[]} */ (distinct(labels)), other, this.#length);
    const least = values[0];
    const number = this.#dimensions(`${place.text}${least === 0 ? '' : ` − ${least}`}`, 1);
    const row = reading(from, (i) => (labels[i] === undefined ? 0 : Number(labels[i]) - least));
    this.#write(selector, parts, index, 'mean', [summed([...row, [BOS, other - least]])], [number]);
    const offsets = values.map((value) => value - least);
    return { space: this.#stepped(place, index, number, offsets, other - least), labels: values };
  }

  /**
   * Steps of a number x ≥ 0 that takes one of the given values. Between two of them, max(0, s·x + b) −
   * max(0, s·x + b − 1) goes from 0 to 1. The slope s is a power of two, and b a multiple of the distance of float32
   * numbers near s·x. So the difference is exactly 1.
   * @param {import('./limits.js').Place} place @param {number} index layer @param {number} number dimension of x
   * @param {number[]} values ascending @param {number} atBos x at ⊢ @returns {Space}
   */
  #stepped(place, index, number, values, atBos) {
    needFew(place, values.length);
    const first = this.#dimensions(place.text, values.length - 1);
    const most = values[values.length - 1];
    for (let i = 1; i < values.length; i++) {
      const gap = values[i] - values[i - 1];
      if (gap < LEAST_GAP * most) {
        throw tooLarge(place, `averages that differ by ${gap} are too close for float32. Use smaller numbers or a ` +
          'shorter length.');
      }
      const slope = 2 ** Math.ceil(Math.log2(2 / gap));
      const grid = 2 ** (Math.floor(Math.log2(slope * most)) - 23);
      const bias = Math.round((0.5 - slope * (values[i] + values[i - 1]) / 2) / grid) * grid;
      /** @type {Row} */
      const row = [[number, slope], [BOS, -slope * Math.fround(atBos)]];
      this.#unit(index, place, { row, bias, to: [[first + i - 1, 1]] });
      this.#unit(index, place, { row, bias: bias - 1, to: [[first + i - 1, -1]] });
    }
    return { code: 'steps', name: place.text, first, size: values.length, ready: 2 * index + 2 };
  }

  /**
   * Adds values to a head with this selector, or to a new one. The scores of keys add up over the parts, so a selected
   * key has the score parts·SHARP, and any other key at least SHARP less. For a mean, the score of ⊢ lies between the
   * two: if no key is selected, ⊢ gets all attention, and its value is the default. For a count, ⊢ scores like a
   * selected key. As a query, ⊢ attends to itself.
   * @param {Selector} selector @param {Part[]} parts @param {number} index @param {'mean' | 'count'} kind
   * @param {Row[]} value @param {number[]} to
   */
  #write({ id, place }, parts, index, kind, value, to) {
    const key = `${id} ${index} ${kind}`;
    let head = this.#heads.get(key);
    if (!head) {
      const rows = parts.map(bilinear);
      const rest = SHARP * (parts.length - (kind === 'mean' ? 0.5 : 0));
      head = { text: place.text, line: place.line, value: [], to: [],
        query: [[[TOKEN, rest], [BOS, SHARP]], ...rows.flatMap((each) => each.query)],
        key: [[[BOS, 1]], ...rows.flatMap((each) => each.key)] };
      this.#heads.set(key, head);
      this.#layer(index).heads.push(head);
    }
    head.value.push(...value);
    head.to.push(...to);
  }

  /** The parts of a selector, all of which a selected key fulfills. @param {Selector} selector
   *  @returns {{ parts: Part[], ready: number, single: boolean }} single: no query selects more than one key */
  #parts(selector) {
    const parts = conjuncts(selector).map((each) => this.#part(each));
    const ready = Math.max(0, ...parts.flatMap(({ key, query }) => [key.space.ready, query.space.ready]));
    const single = parts.some(({ key, query, table }) => key.space === this.#positions && query.labels.every((_, q) =>
      table.filter((row) => row[q]).length <= 1));
    return { parts, ready, single };
  }

  /** A selector as a table of key values and query values. Several sequences on one side become one of tuples.
   *  @param {Selector} selector @returns {Part} */
  #part(selector) {
    const selects = selectsOf(selector);
    /** @param {'key' | 'query'} side */
    const view = (side) => {
      const nodes = [...new Set(selects.map((each) => /** @type {Sequence} */ (each[side])))];
      const joined = nodes.length === 1 ? undefined : this.#mapped(selector.place, nodes, (values) =>
        (values.includes(undefined) ? undefined : values));
      const { space, labels } = joined ?? this.#view(nodes[0]);
      return { nodes, view: { space, labels },
        valueOf: (/** @type {Sequence} */ node, /** @type {number} */ category) => {
          const label = /** @type {any} */ (labels[category]);
          return joined ? label?.[nodes.indexOf(node)] : label;
        } };
    };
    const key = view('key');
    const query = view('query');
    const table = key.view.labels.map((_, k) => query.view.labels.map((__, q) => {
      this.#spend(selector.place);
      return holds(selector, (each) => {
        this.#spend(selector.place);
        const a = key.valueOf(/** @type {Sequence} */ (each.key), k);
        const b = query.valueOf(/** @type {Sequence} */ (each.query), q);
        return a !== undefined && b !== undefined && COMPARISONS[each.comparison ?? '=='](a, b);
      });
    }));
    return { key: key.view, query: query.view, table };
  }
}

/** The space of constants. @type {Space} */
const constant = { code: 'constant', name: 'a constant', first: 0, size: 1, ready: 0 };

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => a !== undefined && b !== undefined && keyOf(a) === keyOf(b);

/** @param {{ size: number }[]} spaces */
const product = (spaces) => spaces.reduce((result, { size }) => result * size, 1);

/** All combinations of categories, the last space fastest.
 *  @param {{ size: number }[]} spaces @returns {number[][]} */
const combinations = (spaces) => spaces.reduce((/** @type {number[][]} */ all, { size }) =>
  all.flatMap((each) => Array.from({ length: size }, (_, i) => [...each, i])), [[]]);

/** A row with each dimension once. @param {Row} row @returns {Row} */
function summed(row) {
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const [dimension, weight] of row) sums.set(dimension, (sums.get(dimension) ?? 0) + weight);
  return [...sums].filter(([, weight]) => weight !== 0);
}

/** @param {import('./limits.js').Place} place @param {number} count */
function needFew(place, count) {
  if (count <= MAX_VALUES) return;
  throw tooLarge(place, `this has ${count} possible values; the maximum is ${MAX_VALUES}. ${FEWER}`);
}

/** All means of 1 to `length` of the values, and the value where nothing is selected, ascending.
 *  @param {import('./limits.js').Place} place @param {number[]} values @param {number} other
 *  @param {number} length */
function means(place, values, other, length) {
  let sums = [0];
  let found = [other];
  for (let count = 1; count <= length; count++) {
    sums = distinct(sums.flatMap((sum) => values.map((value) => sum + value)));
    needFew(place, sums.length);
    found = distinct([...found, ...sums.map((sum) => sum / count)]);
    needFew(place, found.length);
  }
  return found.sort((a, b) => a - b);
}

/** Rows of queries and keys whose product is SHARP for selected pairs. They have one number for each group of keys that
 *  behave alike, or for each such group of queries if there are fewer. @param {Part} part */
function bilinear({ key, query, table }) {
  const some = (/** @type {boolean[]} */ selects) => (selects.includes(true) ? selects : undefined);
  const keys = grouped(key.labels.length, (k) => some(table[k]));
  const queries = grouped(query.labels.length, (q) => some(table.map((row) => row[q])));
  return keys.members.length <= queries.members.length
    ? { key: keys.members.map((_, group) => reading(key.space, (k) => Number(keys.of[k] === group))),
      query: keys.members.map((k) => reading(query.space, (q) => SHARP * Number(table[k][q]))) }
    : { key: queries.members.map((q) => reading(key.space, (k) => Number(table[k][q]))),
      query: queries.members.map((_, group) =>
        reading(query.space, (q) => SHARP * Number(queries.of[q] === group))) };
}

/** The parts that ‘and’ joins, each once. not (a or b) is (not a) and (not b). @param {Selector} selector
 *  @returns {Selector[]} */
function conjuncts(selector) {
  /** @type {Map<string, Selector>} */
  const found = new Map();
  /** @type {Set<string>} */
  const seen = new Set();
  /** @param {Selector} node @param {boolean} negated */
  const visit = (node, negated) => {
    const key = `${node.id} ${negated}`;
    if (seen.has(key)) return;
    seen.add(key);
    const { kind, parts = [] } = node;
    if (kind === 'not') visit(parts[0], !negated);
    else if (kind === (negated ? 'or' : 'and')) parts.forEach((each) => visit(each, negated));
    else found.set(key, negated ? { ...node, kind: 'not', parts: [node] } : node);
  };
  visit(selector, false);
  return [...found.values()];
}

/** @param {Selector} selector @returns {Selector[]} */
function selectsOf(selector) {
  /** @type {Set<Selector>} */
  const seen = new Set();
  /** @param {Selector} node */
  const visit = (node) => {
    if (seen.has(node)) return;
    seen.add(node);
    (node.parts ?? []).forEach(visit);
  };
  visit(selector);
  return [...seen].filter(({ kind }) => kind === 'select');
}

/** @param {Selector} selector @param {(select: Selector) => boolean} of @param {Map<Selector, boolean>} [known]
 *  @returns {boolean} */
function holds(selector, of, known = new Map()) {
  let found = known.get(selector);
  if (found !== undefined) return found;
  const [a, b = a] = selector.parts ?? [];
  switch (selector.kind) {
    case 'select': found = of(selector); break;
    case 'not': found = !holds(a, of, known); break;
    case 'and': found = holds(a, of, known) && holds(b, of, known); break;
    case 'or': found = holds(a, of, known) || holds(b, of, known); break;
  }
  known.set(selector, found);
  return found;
}
