/**
 * Chat templates in Jinja, within limits.  A template is part of a file from someone else.  The interpreter of
 * `@huggingface/jinja` gives it no access to JavaScript: its values are own classes, and its functions are those
 * below.  The package has no limits of time and memory, so this module counts steps and lengths.
 */
import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { HeedError } from '../errors.js';

/** Largest length of a template; the longest known has 30,000 characters. */
const MAX_TEMPLATE = 1 << 16;
/** Longest run of white space in a template, because the lexer takes time that grows with its square. */
const MAX_SPACE = 1024;
/** Largest number of evaluated expressions; a message takes about a hundred. */
const MAX_STEPS = 1 << 18;
/** Steps of an iteration of a loop, because the package makes a scope with twelve objects. */
const LOOP_STEPS = 8;
/** Largest length of a value: characters, and elements of arrays and objects. */
const MAX_LENGTH = 1 << 22;
/** Largest sum of the lengths of all evaluated values, because operations take time that grows with them. */
const MAX_WORK = 2 ** 28;
/** Largest number of elements of `range`. */
const MAX_RANGE = 1 << 14;

/** A template refuses the messages. */
class Refused extends Error {}

/** A value of the interpreter.  @typedef {{ type: string, value: any }} Value */
/** A template that was read: the texts that it contains in quotes, and a function that renders it.
 *  @typedef {{ quotes: string[], render: (variables: Record<string, unknown>) => string }} Template */

/**
 * Reads a template.
 * @param {string} source
 * @returns {Template}
 * @throws {HeedError} 'too-large', 'unsupported' for other syntax than Jinja's, or more of it than the package knows
 */
export function readTemplate(source) {
  if (source.length > MAX_TEMPLATE) throw tooLarge(`${source.length} characters`);
  if (new RegExp(`\\s{${MAX_SPACE + 1}}`).test(source)) throw tooLarge(`${MAX_SPACE} spaces in a row`);
  const { tokens, program } = checked(() => {
    const tokens = tokenize(source, { lstrip_blocks: true, trim_blocks: true });
    return { tokens, program: parse(tokens) };
  });
  return {
    quotes: tokens.filter(({ type }) => type === 'StringLiteral').map(({ value }) => value),
    render: (variables) => checked(() => {
      const environment = new Environment();
      for (const [name, value] of Object.entries({ ...variables, ...GLOBALS })) environment.set(name, value);
      return new BoundedInterpreter(environment).run(program).value;
    }),
  };
}

/** Variables of every template. @type {Readonly<Record<string, unknown>>} */
const GLOBALS = Object.freeze({
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  range,
  strftime_now: (/** @type {unknown} */ format) => dateText(new Date(), String(format)),
  raise_exception: (/** @type {unknown} */ sentence) => {
    throw new Refused(String(sentence));
  },
});

/** Python's range. @param {number} from @param {number} [to] @param {number} [step] */
function range(from, to, step = 1) {
  const [first, end] = to === undefined ? [0, from] : [from, to];
  const length = Math.max(0, Math.ceil((end - first) / step));
  if (!(length <= MAX_RANGE)) throw tooLarge(`a range of ${length} numbers`);
  return Array.from({ length }, (_, i) => first + i * step);
}

/** A date by the codes of strftime that templates use, in English. @param {Date} date @param {string} format */
function dateText(date, format) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const month = (/** @type {'long' | 'short'} */ width) => date.toLocaleString('en-US', { month: width });
  /** @type {Record<string, () => string | number>} */
  const codes = {
    Y: () => date.getFullYear(),
    m: () => two(date.getMonth() + 1),
    d: () => two(date.getDate()),
    H: () => two(date.getHours()),
    M: () => two(date.getMinutes()),
    S: () => two(date.getSeconds()),
    b: () => month('short'),
    B: () => month('long'),
    '%': () => '%',
  };
  return format.replace(/%([YmdHMSbB%])/g, (_, code) => String(codes[code]()));
}

/** @param {string} what */
const tooLarge = (what) => new HeedError('too-large', `The chat template needs ${what}, beyond a limit. Pass ` +
  'another template by the option ‘template’.');

/** Errors of the package as HeedErrors. @template T @param {() => T} work @returns {T} */
function checked(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof HeedError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Refused) {
      throw new HeedError('bad-argument', `The chat template refuses these messages: ${reason}`, { cause: error });
    }
    throw new HeedError('unsupported', `The chat template cannot be rendered: ${reason}. Pass another template by ` +
      'the option ‘template’.', { cause: error });
  }
}

/** The functions that the next class extends; they are private only in the types of the package.
 *  @type {new (environment: Environment) => any} */
const Base = /** @type {any} */ (Interpreter);

/** The interpreter of the package, with limits. */
class BoundedInterpreter extends Base {
  #steps = 0;
  #work = 0;
  /** Expressions whose value is only accessed, so that its contents take no time. @type {WeakSet<object>} */
  #accessed = new WeakSet();
  /** Expressions over whose value a loop runs. @type {WeakSet<object>} */
  #looped = new WeakSet();
  /** The last value of such an expression. @type {Value | null} */
  #object = null;
  /** Lengths of arrays and objects, which cannot change. @type {WeakMap<Value, number>} */
  #lengths = new WeakMap();
  /** The filter that is evaluated: its arguments, and the value to which it applies.
   *  @type {{ args: unknown, operand: Value } | null} */
  #filter = null;

  /** @param {any} statement @param {Environment} environment @returns {Value} */
  evaluate(statement, environment) {
    if (++this.#steps > MAX_STEPS) throw tooLarge(`more than ${MAX_STEPS} steps`);
    if (statement?.type === 'MemberExpression') this.#accessed.add(statement.object);
    if (statement?.type === 'For') this.#looped.add(statement.iterable.lhs ?? statement.iterable);
    const value = super.evaluate(statement, environment);
    const length = this.#lengthOf(value);
    if (length > MAX_LENGTH) throw tooLarge(`a value of more than ${MAX_LENGTH} characters`);
    if (statement && this.#looped.has(statement)) {
      this.#steps += LOOP_STEPS * (value.value?.length ?? value.value?.size ?? 0);
    } else if (statement && this.#accessed.has(statement)) {
      this.#object = value;
    } else {
      this.#charge(length);
    }
    return value;
  }

  /** @param {Value} operand @param {any} filter @param {Environment} environment @returns {Value} */
  applyFilter(operand, filter, environment) {
    const outer = this.#filter;
    this.#filter = { args: filter.args, operand };
    try {
      return super.applyFilter(operand, filter, environment);
    } finally {
      this.#filter = outer;
    }
  }

  /** @param {unknown} args @param {Environment} environment @returns {[Value[], Map<string, Value>]} */
  evaluateArguments(args, environment) {
    const filter = this.#filter;
    const [list, named] = super.evaluateArguments(args, environment);
    if (filter && filter.args === args) this.#chargeProduct(filter.operand, [...list, ...named.values()]);
    return [list, named];
  }

  /** @param {any} expression @param {Environment} environment @returns {Value} */
  evaluateMemberExpression(expression, environment) {
    const value = super.evaluateMemberExpression(expression, environment);
    if (value.type !== 'FunctionValue' || this.#object?.type !== 'StringValue') return value;
    // With a fixed name, the object is the expression that was evaluated last.
    if (expression.computed) throw new SyntaxError('the name of a method is computed');
    const object = this.#object;
    const Method = value.constructor;
    return new Method((/** @type {Value[]} */ args, /** @type {Environment} */ scope) => {
      const isReplace = expression.property.value === 'replace';
      this.#chargeProduct(object, isReplace ? args.slice(1) : []);
      return value.value(args, scope);
    });
  }

  /** Charges an operation whose result can be as long as the product of its arguments.
   *  @param {Value} operand @param {Value[]} args */
  #chargeProduct(operand, args) {
    const sizes = args.map((arg) => (arg.type === 'IntegerValue' ? Math.abs(arg.value) : this.#lengthOf(arg)));
    this.#charge(this.#lengthOf(operand) * Math.max(1, ...sizes));
  }

  /** @param {number} work */
  #charge(work) {
    this.#work += work;
    if (!(this.#work <= MAX_WORK)) throw tooLarge('too much time');
  }

  /** The number of characters and elements of a value.  Only a namespace can change, so no other value contains one.
   *  @param {Value} value @returns {number} */
  #lengthOf(value) {
    const { type } = value;
    if (type === 'StringValue') return value.value.length;
    const isObject = type === 'ObjectValue' || type === 'KeywordArgumentsValue' || type === 'NamespaceValue';
    if (!isObject && type !== 'ArrayValue' && type !== 'TupleValue') return 1;
    const known = this.#lengths.get(value);
    if (known !== undefined) return known;
    let length = 1;
    for (const [key, part] of value.value.entries()) {
      if (part.type === 'NamespaceValue') throw new SyntaxError('a namespace is in another value');
      length += (isObject ? key.length : 0) + this.#lengthOf(part);
    }
    if (type !== 'NamespaceValue') this.#lengths.set(value, length);
    return length;
  }
}
