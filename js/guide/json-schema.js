/** JSON, or JSON of a schema, as rules.  Objects have the properties of their schema, in its order. */
import { HeedError, quoted } from '../errors.js';
import { RuleSet } from './rules.js';

/** @typedef {import('./automaton.js').Term} Term */

/** Keywords that describe, and do not restrict. */
const NOTES = ['$schema', '$id', '$comment', '$defs', 'definitions', 'title', 'description', 'default', 'examples',
  'deprecated', 'readOnly', 'writeOnly'];
/** Keywords by type. @type {Record<string, string[]>} */
const KEYWORDS = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength'],
  number: [], integer: [], boolean: [], null: [],
};
const TYPES = Object.keys(KEYWORDS);
const MAX_DEPTH = 64;
const MAX_COUNT = 1024;

/**
 * The rules of JSON texts.
 * @param {true | object} schema  true: any JSON object or array
 * @returns {import('./automaton.js').Rules}
 * @throws {HeedError} 'bad-argument' for a schema with an error, 'unsupported' for keywords that are not known,
 *   'too-large'
 */
export function rulesOfSchema(schema) {
  return new Compiler(schema).rules;
}

class Compiler {
  #set = new RuleSet();
  #schema;
  /** @type {Map<string, number>} */ #references = new Map();
  /** @type {Term[]} */ #space;
  /** @type {Term[]} */ #character;
  /** @type {Term[]} */ #string;
  /** @type {number} */ #any;

  /** @param {any} schema */
  constructor(schema) {
    const set = this.#set;
    this.#schema = schema;
    const root = set.reserve();
    const digit = (/** @type {number} */ least, /** @type {number} */ most) =>
      set.repeat(set.character([[0x30, 0x39]]), least, most);
    this.#space = [set.add([[], set.text(' '), [...set.text('\n'), ...set.repeat(set.text(' '), 0, 16)]])];
    const hex = set.character([[0x30, 0x39], [0x41, 0x46], [0x61, 0x66]]);
    const escape = [...'"\\/bfnrt'].map((letter) => set.text(letter));
    this.#character = [set.add([
      set.character([[0x20, 0x21], [0x23, 0x5b], [0x5d, 0x10ffff]]),
      [...set.text('\\'), set.add([...escape, [...set.text('u'), ...hex, ...hex, ...hex, ...hex]])],
    ])];
    this.#string = [set.add([[...set.text('"'), ...set.repeat(this.#character, 0, Infinity), ...set.text('"')]])];
    const integer = [set.add([[...set.optional(set.text('-')), set.add([set.text('0'),
      [...set.character([[0x31, 0x39]]), ...digit(0, 15)]])]])];
    const fraction = set.optional([...set.text('.'), ...digit(1, 15)]);
    const exponent = set.optional([...set.character([[0x45, 0x45], [0x65, 0x65]]),
      ...set.optional(set.character([[0x2b, 0x2b], [0x2d, 0x2d]])), ...digit(1, 2)]);
    this.simple = {
      integer,
      number: [set.add([[...integer, ...fraction, ...exponent]])],
      boolean: [set.add([set.text('true'), set.text('false')])],
      null: set.text('null'),
    };
    this.#any = set.reserve();
    const object = this.#freeObject([this.#any]);
    const array = this.#list([this.#any], 0, Infinity);
    set.rules[this.#any] = [object, array, this.#string, this.simple.number, this.simple.boolean, this.simple.null];
    set.rules[root] = schema === true ? [object, array] : [this.#value(schema, '#', 0)];
    this.rules = set.rules;
  }

  /** @param {any} schema @param {string} path @param {number} depth @returns {Term[]} */
  #value(schema, path, depth) {
    if (depth > MAX_DEPTH) throw this.#bad(path, `has more than ${MAX_DEPTH} levels`);
    if (schema === true) return [this.#any];
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      throw this.#bad(path, 'is not a schema');
    }
    if (schema.$ref !== undefined) return this.#reference(schema, path, depth);
    const union = schema.anyOf ?? schema.oneOf;
    if (union !== undefined) {
      this.#only(schema, ['anyOf', 'oneOf', 'type'], path);
      return [this.#set.add(list(union, this.#bad(path, 'has no alternatives')).map((/** @type {any} */ one, i) =>
        this.#value(one, `${path}/anyOf/${i}`, depth + 1)))];
    }
    const values = schema.enum ?? (Object.hasOwn(schema, 'const') ? [schema.const] : undefined);
    if (values !== undefined) {
      this.#only(schema, ['enum', 'const', 'type'], path);
      return [this.#set.add(list(values, this.#bad(path, 'has no values')).map((value) =>
        this.#set.text(JSON.stringify(value))))];
    }
    if (schema.type === undefined && schema.properties === undefined && schema.items === undefined) {
      this.#only(schema, [], path);
      return [this.#any];
    }
    const types = [schema.type ?? (schema.properties ? 'object' : 'array')].flat();
    if (types.length === 0 || !types.every((type) => TYPES.includes(type))) {
      throw this.#bad(path, `has the type ${quoted(schema.type)}; there are ${TYPES.join(', ')}`);
    }
    this.#only(schema, ['type', ...types.flatMap((type) => KEYWORDS[type])], path);
    return [this.#set.add(types.map((type) => this.#typed(type, schema, path, depth)))];
  }

  /** @param {string} type @param {any} schema @param {string} path @param {number} depth @returns {Term[]} */
  #typed(type, schema, path, depth) {
    const set = this.#set;
    if (type === 'string') {
      if (schema.minLength === undefined && schema.maxLength === undefined) return this.#string;
      const [least, most] = this.#limits(schema, 'minLength', 'maxLength', path);
      return [...set.text('"'), ...set.repeat(this.#character, least, most), ...set.text('"')];
    }
    if (type === 'array') {
      const item = schema.items === undefined ? [this.#any] : this.#value(schema.items, `${path}/items`, depth + 1);
      return this.#list(item, ...this.#limits(schema, 'minItems', 'maxItems', path));
    }
    if (type === 'object') return this.#object(schema, path, depth);
    return this.simple[/** @type {'number' | 'integer' | 'boolean' | 'null'} */ (type)];
  }

  /** @param {any} schema @param {string} path @param {number} depth @returns {Term[]} */
  #object(schema, path, depth) {
    const set = this.#set;
    const { properties = {}, required = [], additionalProperties: more } = schema;
    if (typeof properties !== 'object' || properties === null) throw this.#bad(path, 'has no object as ‘properties’');
    const names = Object.keys(properties);
    const missing = list(required, this.#bad(path, 'has no array as ‘required’'), 0)
      .find((name) => !Object.hasOwn(properties, name));
    if (missing !== undefined) throw this.#bad(path, `requires ${quoted(missing)}, which is not in its properties`);
    if (names.length === 0) {
      if (more === false) return [...set.text('{'), ...this.#space, ...set.text('}')];
      return this.#freeObject(this.#value(more ?? true, `${path}/additionalProperties`, depth + 1));
    }
    const pairs = names.map((name) => [...set.text(JSON.stringify(name)), ...this.#space, ...set.text(':'),
      ...this.#space, ...this.#value(properties[name], `${path}/properties/${name}`, depth + 1), ...this.#space]);
    const comma = [...set.text(','), ...this.#space];
    /** Rules of the properties from i on: after another property, and as the first one. @type {Term[]} */
    let after = [];
    /** @type {Term[]} */
    let first = [];
    for (let i = names.length - 1; i >= 0; i--) {
      const isNeeded = required.includes(names[i]);
      const nextAfter = after;
      const nextFirst = first;
      after = [set.add([[...comma, ...pairs[i], ...nextAfter], ...(isNeeded ? [] : [nextAfter])])];
      first = [set.add([[...pairs[i], ...nextAfter], ...(isNeeded ? [] : [nextFirst])])];
    }
    return [...set.text('{'), ...this.#space, ...first, ...set.text('}')];
  }

  /** Any properties. @param {Term[]} value @returns {Term[]} */
  #freeObject(value) {
    const set = this.#set;
    const pair = [...this.#string, ...this.#space, ...set.text(':'), ...this.#space, ...value, ...this.#space];
    const more = set.repeat([...set.text(','), ...this.#space, ...pair], 0, Infinity);
    return [...set.text('{'), ...this.#space, ...set.optional([...pair, ...more]), ...set.text('}')];
  }

  /** @param {Term[]} item @param {number} least @param {number} most @returns {Term[]} */
  #list(item, least, most) {
    const set = this.#set;
    const one = [...item, ...this.#space];
    const more = set.repeat([...set.text(','), ...this.#space, ...one], Math.max(0, least - 1), Math.max(0, most - 1));
    const all = most === 0 ? [] : least > 0 ? [...one, ...more] : set.optional([...one, ...more]);
    return [...set.text('['), ...this.#space, ...all, ...set.text(']')];
  }

  /** @param {any} schema @param {string} path @param {number} depth @returns {Term[]} */
  #reference(schema, path, depth) {
    this.#only(schema, ['$ref'], path);
    const { $ref: name } = schema;
    if (typeof name !== 'string' || !/^#(\/|$)/.test(name)) throw this.#bad(path, 'refers to another file');
    const known = this.#references.get(name);
    if (known !== undefined) return [known];
    const rule = this.#set.reserve();
    this.#references.set(name, rule);
    /** @type {any} */
    let found = this.#schema;
    for (const part of name.slice(2).split('/').filter(Boolean)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      found = Object.hasOwn(Object(found), key) ? found[key] : undefined;
    }
    if (found === undefined) throw this.#bad(path, `refers to ${quoted(name)}, which does not exist`);
    this.#set.rules[rule] = [this.#value(found, name, depth + 1)];
    return [rule];
  }

  /** @param {any} schema @param {string} least @param {string} most @param {string} path @returns {[number, number]} */
  #limits(schema, least, most, path) {
    const from = schema[least] ?? 0;
    const to = schema[most] ?? Infinity;
    const isCount = (/** @type {unknown} */ n) => Number.isInteger(n) && Number(n) >= 0 && Number(n) <= MAX_COUNT;
    if (isCount(from) && (to === Infinity || (isCount(to) && to >= from))) return [from, to];
    throw this.#bad(path, `needs ${least} and ${most} from 0 to ${MAX_COUNT}, in order`);
  }

  /** @param {object} schema @param {string[]} keywords @param {string} path */
  #only(schema, keywords, path) {
    const other = Object.keys(schema).find((key) => !keywords.includes(key) && !NOTES.includes(key));
    if (other === undefined) return;
    throw new HeedError('unsupported', `The schema at ${quoted(path)} has ${quoted(other)}, which heed cannot ` +
      `guarantee here. Remove it, and check it in the result.`);
  }

  /** @param {string} path @param {string} problem */
  #bad(path, problem) {
    return new HeedError('bad-argument', `The schema at ${quoted(path)} ${problem}.`);
  }
}

/** @param {unknown} value @param {HeedError} error @param {number} [least] @returns {any[]} */
function list(value, error, least = 1) {
  if (Array.isArray(value) && value.length >= least) return value;
  throw error;
}
