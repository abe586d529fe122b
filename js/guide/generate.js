/** Generation with a guide: a grammar, JSON, banned words, a bias of logits. */
import { HeedError, quoted } from '../errors.js';
import { needArray } from '../options.js';
import { generate } from '../model/generate.js';
import { promptIdsOf } from '../text/ids.js';
import { Automaton } from './automaton.js';
import { automatonWithout, both } from './banned.js';
import { readGrammar } from './gbnf.js';
import { Guide } from './guide.js';
import { rulesOfSchema } from './json-schema.js';
import { Vocabulary } from './vocabulary.js';

/** @typedef {import('../model/local.js').LocalModel} LocalModel */
/** @typedef {import('../model/generate.js').GenerateOptions} GenerateOptions */
/**
 * @typedef {object} GuideOptions
 * @property {true | object} [json]    the text is JSON: of this schema, or any object or array
 * @property {string} [grammar]        the text follows this grammar, in GBNF
 * @property {string[]} [banned]       texts that do not occur, also across tokens
 * @property {Record<number, number>} [logitBias]  numbers to add to the logits of ids, after the repeat penalty;
 *   -Infinity excludes an id
 */

/** Vocabularies of models, which take a moment to sort. @type {WeakMap<object, Promise<Vocabulary>>} */
const vocabularies = new WeakMap();
/** Largest number of characters of all banned texts. */
const MAX_BANNED = 1 << 16;

/**
 * Generates a text under a guide.  The text is complete when it ends: the guide leaves tokens that still fit into
 * `maxTokens` and the context.
 * @param {any} model
 * @param {string | ArrayLike<number>} prompt
 * @param {GenerateOptions & GuideOptions} options
 * @returns {ReturnType<LocalModel['generate']>}
 */
export async function* guided(model, prompt, options) {
  const { json, grammar, banned = [], logitBias = {}, ...settings } = options;
  if (settings.rows) {
    throw new HeedError('bad-argument', 'rows is not possible with a guide. Call attentionRows after each step.');
  }
  const automaton = automatonOf({ json, grammar, banned });
  const ids = promptIdsOf(prompt, typeof prompt === 'string' ? await model.encode(prompt) : prompt,
    model.info.vocabulary);
  if (!vocabularies.has(model)) {
    vocabularies.set(model, model.tokenBytes().then((/** @type {any} */ tokens) => new Vocabulary(tokens)));
  }
  const vocabulary = await /** @type {Promise<Vocabulary>} */ (vocabularies.get(model));
  const guide = new Guide(vocabulary, automaton, biasOf(logitBias, vocabulary.size));
  const names = new Map();
  const tokenizer = {
    size: vocabulary.size,
    eos: vocabulary.eos,
    bytes: (/** @type {number} */ id) => vocabulary.spelled[id],
    token: (/** @type {number} */ id) => names.get(id) ?? `[${id}]`,
  };
  const room = Math.min(settings.maxTokens ?? 256, model.info.contextLength - ids.length + 1);
  if (guide.least > room) {
    throw new HeedError('bad-argument', `A text of this grammar has at least ${guide.least} bytes, but at most ` +
      `${room} tokens may come. Raise maxTokens, or shorten the prompt.`);
  }
  return yield* generate(/** @type {any} */ (new GuidedSession(model, guide, room)), model.info,
    /** @type {any} */ (tokenizer), ids, settings);
}

/** The calls of a session that a generation makes, over the model's own calls. */
class GuidedSession {
  #model;
  #guide;
  #room;
  /** @type {any} */ #sampling;

  /** @param {any} model @param {Guide} guide @param {number} room  number of tokens that may come */
  constructor(model, guide, room) {
    this.#model = model;
    this.#guide = guide;
    this.#room = room;
  }

  /** @param {Int32Array} ids @param {AbortSignal} [signal] @param {any[]} [edits] */
  async begin(ids, signal, edits) {
    return this.#model.guidedBegin(ids, { signal, edits });
  }

  /** @param {any} sampling @param {number} top @param {number} epoch */
  async sample(sampling, top, epoch) {
    this.#sampling = sampling;
    return this.#choose(null, top, epoch);
  }

  /** One id at a time, because the guide changes with each. */
  stepLimit() {
    return 1;
  }

  /** @param {number[]} ids  one id @param {number} _ @param {number} top @param {number} epoch */
  async next([id], _, top, epoch) {
    this.#guide.accept(id);
    return [await this.#choose(id, top, epoch)];
  }

  /** @param {number | null} id @param {number} top @param {number} epoch */
  async #choose(id, top, epoch) {
    const bias = this.#room > 0 ? this.#guide.next(this.#room) : null;
    this.#room--;
    if (bias) return this.#model.guidedNext(id, { sampling: this.#sampling, bias, top, epoch });
    if (this.#guide.isEnd) return null;
    throw new HeedError('unsupported', 'No token of this model continues the text by the grammar. The vocabulary ' +
      'lacks bytes that the grammar needs, or banned words and excluded ids leave none.');
  }

  /** @param {number} epoch */
  endEdits(epoch) {
    this.#model.guidedEnd(epoch);
  }
}

/** @param {{ json?: true | object, grammar?: string, banned: string[] }} options */
function automatonOf({ json, grammar, banned }) {
  if (json !== undefined && grammar !== undefined) {
    throw new HeedError('bad-argument', 'json and grammar are both given. Give one.');
  }
  needArray('banned', banned, 'texts that must not occur');
  if (!banned.every((text) => typeof text === 'string' && text !== '') || banned.join('').length > MAX_BANNED) {
    throw new HeedError('bad-argument', `Expected banned to be texts of together at most ${MAX_BANNED} characters, ` +
      `and not empty; got ${quoted(banned)}.`);
  }
  const rules = json !== undefined ? rulesOfSchema(json) : grammar !== undefined ? readGrammar(grammar) : null;
  const positive = rules && new Automaton(rules);
  if (positive?.start.least === Infinity) {
    throw new HeedError('bad-argument', 'No JSON of finite length fulfills this schema.');
  }
  const negative = banned.length > 0 ? automatonWithout(banned) : null;
  return positive && negative ? both(positive, negative) : positive ?? negative;
}

/** @param {Record<number, number>} given @param {number} size @returns {Map<number, number>} */
function biasOf(given, size) {
  const entries = Object.entries(given ?? {});
  const isId = (/** @type {number} */ id) => Number.isInteger(id) && id >= 0 && id < size;
  const odd = entries.find(([id, value]) =>
    !(isId(Number(id)) && typeof value === 'number' && Math.fround(value) < Infinity));
  if (odd === undefined) return new Map(entries.map(([id, value]) => [Number(id), value]));
  throw new HeedError('bad-argument', 'Expected logitBias to give numbers below 3.4e38 for ids from 0 to ' +
    `${size - 1}, got ${quoted(odd[1])} for ${quoted(odd[0])}.`);
}
