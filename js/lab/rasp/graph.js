/** A syntax tree to a graph of sequences and selectors. Functions are copied in, types checked, equal nodes shared. */
import { quoted } from '../../errors.js';
import { MAX_DEPTH, MAX_STEPS, RaspError, tooLarge } from './limits.js';
import { ARITHMETIC, COMPARISONS, distinct, equal, keyOf } from './values.js';

/**
 * @typedef {import('./limits.js').Place} Place
 * @typedef {import('./parser.js').Expression} Expression
 * @typedef {import('./parser.js').Definition} Definition
 * @typedef {import('./values.js').Value} Value
 * @typedef {import('./values.js').Type} Type
 */

/**
 * A sequence: one value at each position.
 *
 * - 'tokens', 'indices': the input and its positions
 * - 'constant': the same value everywhere
 * - 'map': a function of other sequences, element by element
 * - 'aggregate': the mean of the selected values, or their common value
 * - 'width': the number of selected positions
 * @typedef {object} Sequence
 * @property {'tokens' | 'indices' | 'constant' | 'map' | 'aggregate' | 'width'} kind
 * @property {number} id
 * @property {Type} type
 * @property {Place} place        first place in the program
 * @property {number} depth       length of the longest path to an input
 * @property {Value} [value]      value of a constant
 * @property {Sequence[]} [inputs]  inputs of a map
 * @property {(...values: any[]) => Value | undefined} [apply]  function of a map
 * @property {Selector} [selector]  selector of an aggregate or a width
 * @property {Sequence} [sequence]  sequence that an aggregate averages
 * @property {Value} [other]      value of an aggregate where nothing is selected
 */

/**
 * A selector: for each query the keys that it selects.
 * @typedef {object} Selector
 * @property {'select' | 'and' | 'or' | 'not'} kind
 * @property {number} id
 * @property {'selector'} type
 * @property {Place} place
 * @property {number} depth
 * @property {Sequence} [key]         keys of a select
 * @property {Sequence} [query]       queries of a select
 * @property {string} [comparison]    key compared with query
 * @property {Selector[]} [parts]     operands of the others
 */

/** @typedef {Sequence | Selector} Node */
/** Names and their meanings; a function has the names before its definition.
 *  @typedef {Map<string, Node | Definition & { scope: Map<string, any> }>} Scope */

/** Names that a program starts with. */
const NAMES = ['tokens', 'indices', 'length'];
/** Functions besides select, with their parameters. */
const FUNCTIONS = {
  aggregate: 'aggregate(selector, sequence) or aggregate(selector, sequence, default)',
  selector_width: 'selector_width(selector)',
  indicator: 'indicator(condition)',
  round: 'round(number)',
};
/** The value of an aggregate that selects nothing. @type {Record<Type, Value>} */
const NOTHING = { number: 0, string: '', boolean: false };

/** @param {unknown} node @returns {node is Definition & { scope: Scope }} */
const isDefinition = (node) => /** @type {any} */ (node).kind === 'definition';

/**
 * @param {import('./parser.js').Statement[]} statements
 * @returns {Sequence} the result of the program, its last statement
 * @throws {RaspError}
 */
export function graphOf(statements) {
  const builder = new Builder();
  /** @type {Scope} */
  const scope = new Map();
  /** @type {Node | null} */
  let result = null;
  for (const statement of statements) {
    if (statement.kind === 'definition') {
      refuseName(statement.name, statement.place);
      scope.set(statement.name, { ...statement, scope: new Map(scope) });
    } else {
      result = builder.assign(statement, scope);
    }
  }
  const start = { line: 1, column: 1 };
  if (result === null) {
    throw new RaspError(start, 'the program has no result. End it with an expression, such as tokens;');
  }
  if (result.type === 'selector') {
    throw new RaspError(result.place, 'the result of the program is a selector. End with a sequence, such as ' +
      'aggregate(selector, tokens);');
  }
  return result;
}

/** @param {string} name @param {Place} place */
function refuseName(name, place) {
  if (!NAMES.includes(name) && !Object.hasOwn(FUNCTIONS, name)) return;
  throw new RaspError(place, `${quoted(name)} belongs to the language. Choose another name.`);
}

class Builder {
  /** @type {Map<string, any>} */ #nodes = new Map();
  #steps = 0;
  /** Names of the functions whose bodies are being copied. @type {string[]} */ #callers = [];

  /** @param {import('./parser.js').Assignment} statement @param {Scope} scope @returns {Node} */
  assign({ name, value, place }, scope) {
    if (name !== null) refuseName(name, place);
    const node = this.#node(value, scope);
    if (name !== null) scope.set(name, node);
    return node;
  }

  /** A node that is made once. @param {Node['kind']} kind @param {string} key @param {Place} place
   *  @param {Node[]} below @param {Partial<Sequence> | Partial<Selector>} rest @returns {any} */
  #once(kind, key, place, below, rest) {
    const whole = `${kind} ${key} ${below.map(({ id }) => id)}`;
    const found = this.#nodes.get(whole);
    if (found) return found;
    const depth = 1 + below.reduce((most, each) => Math.max(most, each.depth), 0);
    if (depth > 10 * MAX_DEPTH) {
      throw tooLarge(place, `the program has more than ${10 * MAX_DEPTH} steps that wait for each other. Make it ` +
        'shorter.');
    }
    const node = { kind, id: this.#nodes.size, place, depth, ...rest };
    this.#nodes.set(whole, node);
    return node;
  }

  /** @param {Expression} e @param {Scope} scope @returns {Node} */
  #node(e, scope) {
    if (++this.#steps > MAX_STEPS) {
      throw tooLarge(e.place, `the program has more than ${MAX_STEPS} steps, because functions call functions. Call ` +
        'fewer.');
    }
    switch (e.kind) {
      case 'constant': return this.#constant(e.value, e.place);
      case 'name': return this.#named(e.name, e.place, scope);
      case 'select': {
        const key = this.#sequence(e.key, scope);
        const query = this.#sequence(e.query, scope);
        return this.#select(key, query, e.comparison, e.place);
      }
      case 'unary': return e.operator === 'not' ? this.#not(this.#node(e.operand, scope), e.place)
        : this.#map('negative', (x) => -x, [this.#typed(e.operand, 'number', '-', scope)], 'number', e.place);
      case 'binary': return this.#binary(e, scope);
      case 'conditional': {
        const condition = this.#typed(e.condition, 'boolean', 'if', scope);
        const yes = this.#sequence(e.yes, scope);
        const no = this.#sequence(e.no, scope);
        if (yes.type !== no.type) {
          throw new RaspError(e.place, `the two results of ‘if’ are a ${yes.type} and a ${no.type}. Give them one ` +
            'type.');
        }
        return this.#map('if', (c, a, b) => (c ? a : b), [condition, yes, no], yes.type, e.place);
      }
      case 'in': return this.#in(e, scope);
      case 'call': return this.#call(e, scope);
    }
  }

  /** @param {Expression} e @param {Scope} scope @returns {Sequence} */
  #sequence(e, scope) {
    const node = this.#node(e, scope);
    if (node.type !== 'selector') return node;
    throw new RaspError(e.place, 'a selector stands where a sequence is needed. Use aggregate(selector, sequence) or ' +
      'selector_width(selector).');
  }

  /** @param {Expression} e @param {Type} type @param {string} operator @param {Scope} scope @returns {Sequence} */
  #typed(e, type, operator, scope) {
    return this.#of(type, this.#sequence(e, scope), e, operator);
  }

  /** A sequence of the type that its operator needs.
   *  @param {Type} type @param {Sequence} node @param {Expression} e @param {string} operator */
  #of(type, node, e, operator) {
    if (node.type === type) return node;
    const hint = type === 'boolean' ? ' Compare it, for example with ==.'
      : type === 'number' && node.type === 'boolean' ? ' indicator(…) makes a number of a condition.' : '';
    throw new RaspError(e.place, `‘${operator}’ needs a ${type}, and ${quoted(e.place.text)} is a ` +
      `${node.type}.${hint}`);
  }

  /** @param {Expression} e @param {string} call @param {Scope} scope @returns {Selector} */
  #selector(e, call, scope) {
    const node = this.#node(e, scope);
    if (node.type === 'selector') return node;
    throw new RaspError(e.place, `${call} needs a selector first, and ${quoted(e.place.text)} is a sequence. Make ` +
      'a selector with select(keys, queries, ==).');
  }

  /** @param {Value} value @param {Place} place @returns {Sequence} */
  #constant(value, place) {
    const type = /** @type {Type} */ (typeof value);
    return this.#once('constant', keyOf(value), place, [], { type, value });
  }

  /** @param {string} name @param {Place} place @param {Scope} scope @returns {Node} */
  #named(name, place, scope) {
    const found = scope.get(name);
    if (found && !isDefinition(found)) return /** @type {Node} */ (found);
    if (found || Object.hasOwn(FUNCTIONS, name)) {
      throw new RaspError(place, `${quoted(name)} is a function. Call it: ${name}(…).`);
    }
    switch (name) {
      case 'tokens': return this.#once('tokens', '', place, [], { type: 'string' });
      case 'indices': return this.#once('indices', '', place, [], { type: 'number' });
      case 'length': {
        const one = this.#constant(true, place);
        return this.#width(this.#select(one, one, '==', place), place);
      }
    }
    const known = [...NAMES, ...scope.keys()].slice(-12).join(', ');
    throw new RaspError(place, `there is no ${quoted(name)}. Define it before this line; there are ${known}.`);
  }

  /** @param {Sequence} key @param {Sequence} query @param {string} comparison @param {Place} place
   *  @returns {Selector} */
  #select(key, query, comparison, place) {
    needOneType(key, query, comparison, place);
    return this.#once('select', comparison, place, [key, query], { type: 'selector', key, query, comparison });
  }

  /** @param {Selector} selector @param {Place} place @returns {Sequence} */
  #width(selector, place) {
    return this.#once('width', '', place, [selector], { type: 'number', selector });
  }

  /** A function of sequences. Of constants it is a constant.
   *  @param {string} name @param {(...values: any[]) => Value | undefined} apply  called with values that exist, except
   *    'if'  @param {Sequence[]} inputs @param {Type} type @param {Place} place @returns {Sequence} */
  #map(name, apply, inputs, type, place) {
    const whole = (/** @type {any[]} */ ...values) => {
      const value = name !== 'if' && values.includes(undefined) ? undefined : apply(...values);
      return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
    };
    if (inputs.every(({ kind }) => kind === 'constant')) {
      const value = whole(...inputs.map((each) => each.value));
      if (value !== undefined) return this.#constant(value, place);
    }
    return this.#once('map', name, place, inputs, { type, inputs, apply: whole });
  }

  /** @param {Node} operand @param {Place} place @returns {Node} */
  #not(operand, place) {
    if (operand.type === 'selector') {
      return this.#once('not', '', place, [operand], { type: 'selector', parts: [operand] });
    }
    if (operand.type === 'boolean') return this.#map('not', (x) => !x, [operand], 'boolean', place);
    throw new RaspError(place, `‘not’ needs a condition or a selector, not a ${operand.type}.`);
  }

  /** @param {Extract<Expression, { kind: 'binary' }>} e @param {Scope} scope @returns {Node} */
  #binary({ operator, left, right, place }, scope) {
    if (operator === 'and' || operator === 'or') return this.#logical(operator, left, right, place, scope);
    const a = this.#sequence(left, scope);
    const b = this.#sequence(right, scope);
    if (operator in COMPARISONS) {
      needOneType(a, b, operator, place);
      return this.#map(operator, COMPARISONS[operator], [a, b], 'boolean', place);
    }
    if (operator === '+' && a.type === 'string' && b.type === 'string') {
      return this.#map('join', (x, y) => x + y, [a, b], 'string', place);
    }
    this.#of('number', a, left, operator);
    this.#of('number', b, right, operator);
    return this.#map(operator, ARITHMETIC[operator], [a, b], 'number', place);
  }

  /** @param {'and' | 'or'} operator @param {Expression} left @param {Expression} right @param {Place} place
   *  @param {Scope} scope @returns {Node} */
  #logical(operator, left, right, place, scope) {
    const a = this.#node(left, scope);
    const b = this.#node(right, scope);
    if (a.type === 'selector' && b.type === 'selector') {
      return this.#once(operator, '', place, [a, b], { type: 'selector', parts: [a, b] });
    }
    if (a.type === 'selector' || b.type === 'selector') {
      throw new RaspError(place, `‘${operator}’ joins two selectors or two conditions, not one of each. ` +
        'select(condition, True, ==) makes a selector of a condition.');
    }
    this.#of('boolean', a, left, operator);
    this.#of('boolean', b, right, operator);
    return this.#map(operator, operator === 'and' ? (x, y) => x && y : (x, y) => x || y, [a, b], 'boolean', place);
  }

  /** @param {Extract<Expression, { kind: 'in' }>} e @param {Scope} scope @returns {Node} */
  #in({ left, list, place }, scope) {
    const value = this.#sequence(left, scope);
    const members = list.map((each) => {
      const member = this.#sequence(each, scope);
      if (member.kind !== 'constant' || member.type !== value.type) {
        throw new RaspError(each.place, `the list after ‘in’ holds constants of the type ${value.type}.`);
      }
      return /** @type {Value} */ (member.value);
    });
    const key = distinct(members).map(keyOf).join(' ');
    return this.#map(`in ${key}`, (x) => members.some((each) => equal(x, each)), [value], 'boolean', place);
  }

  /** @param {Extract<Expression, { kind: 'call' }>} e @param {Scope} scope @returns {Node} */
  #call({ name, arguments: given, place }, scope) {
    const defined = scope.get(name);
    if (defined && isDefinition(defined)) return this.#copy(defined, given, place, scope);
    /** @param {number} least @param {number} [most] */
    const needCount = (least, most = least) => {
      if (given.length >= least && given.length <= most) return;
      const form = FUNCTIONS[/** @type {keyof typeof FUNCTIONS} */ (name)];
      throw new RaspError(place, `${given.length} arguments do not fit ${form}.`);
    };
    switch (defined ? '' : name) {
      case 'aggregate': {
        needCount(2, 3);
        const selector = this.#selector(given[0], name, scope);
        const sequence = this.#sequence(given[1], scope);
        return this.#aggregate(selector, sequence, given[2], place, scope);
      }
      case 'selector_width':
        needCount(1);
        return this.#width(this.#selector(given[0], name, scope), place);
      case 'indicator':
        needCount(1);
        return this.#map(name, Number, [this.#typed(given[0], 'boolean', name, scope)], 'number', place);
      case 'round':
        needCount(1);
        return this.#map(name, Math.round, [this.#typed(given[0], 'number', name, scope)], 'number', place);
    }
    if (defined || NAMES.includes(name)) {
      throw new RaspError(place, `${quoted(name)} is not a function. Remove the parentheses after it.`);
    }
    if (this.#callers.includes(name)) {
      throw new RaspError(place, `${quoted(name)} calls itself, and a call copies the body. Write the repetition out.`);
    }
    const known = ['select', ...Object.keys(FUNCTIONS), ...[...scope].flatMap(([key, each]) =>
      (isDefinition(each) ? [key] : []))].join(', ');
    throw new RaspError(place, `there is no function ${quoted(name)}. Define it before this line; there are ` +
      `${known}.`);
  }

  /** @param {Selector} selector @param {Sequence} sequence @param {Expression | undefined} given @param {Place} place
   *  @param {Scope} scope */
  #aggregate(selector, sequence, given, place, scope) {
    const chosen = given && this.#typed(given, sequence.type, 'the default of aggregate', scope);
    if (chosen && chosen.kind !== 'constant') {
      throw new RaspError(/** @type {Expression} */ (given).place, 'the default of aggregate is a constant.');
    }
    const other = chosen?.value ?? NOTHING[sequence.type];
    return this.#once('aggregate', keyOf(other), place, [selector, sequence],
      { type: sequence.type, selector, sequence, other });
  }

  /** The body of a function, with its parameters replaced.
   *  @param {Definition & { scope: Scope }} definition @param {Expression[]} given @param {Place} place
   *  @param {Scope} scope @returns {Node} */
  #copy({ name, parameters, body, result, scope: outer }, given, place, scope) {
    if (given.length !== parameters.length) {
      throw new RaspError(place, `${name}(${parameters.join(', ')}) takes ${parameters.length} argument` +
        `${parameters.length === 1 ? '' : 's'}, not ${given.length}.`);
    }
    /** @type {Scope} */
    const inner = new Map(outer);
    parameters.forEach((parameter, i) => {
      refuseName(parameter, place);
      inner.set(parameter, this.#node(given[i], scope));
    });
    this.#callers.push(name);
    for (const statement of body) this.assign(statement, inner);
    const node = this.#node(result, inner);
    this.#callers.pop();
    return node;
  }
}

/** @param {Sequence} a @param {Sequence} b @param {string} comparison @param {Place} place */
function needOneType(a, b, comparison, place) {
  if (a.type === b.type) return;
  throw new RaspError(place, `‘${comparison}’ compares a ${a.type} with a ${b.type}. Compare values of one type; ` +
    'tokens are strings, such as "a".');
}
