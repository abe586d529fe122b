/** The text on the page: prompt, tokens and candidates, and the runs of the model that extend it. */
import { topTokens, logprobOf } from './sampler-stages.js';
import { RenderPacer } from './render-pacer.js';
import { Runs } from './runs.js';
import { formatInteger, pluralize } from './format.js';

/** Number of candidates of each step. */
export const TOP = 8;
/** Most logits requested at once: 4 MB. */
const MAX_LOGITS = 1 << 20;
/** Tokens of a long text that are read at once: a multiple of the library's batches. */
const PIECE = 512;
/** Least milliseconds between two renderings: a model of ten tokens per second shows each of them. */
const RENDER_MS = 100;

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {Parameters<Model['runWithHooks']>[1][number]} Edit */
/** @typedef {import('./map-controller.js').Rows} Rows */
/** @typedef {{ id: number, text: string, logprob: number }} Candidate */
/**
 * A text that can be shown again, for undo.
 * @typedef {object} Text
 * @property {string} prompt
 * @property {number} promptLength
 * @property {number[]} ids
 * @property {(Candidate[] | undefined)[]} candidates
 * @property {boolean} [isEncoded] whether the prompt was given as ids, and its text may have other ids
 * @property {string} [pair] second text of a pair that an encoder reads
 */
/** @typedef {{ temperature: number, topK: number, topP: number, seed: number }} Sampling */

/**
 * @typedef {object} GenerationEvents
 * @property {(kept: number) => void} onCut the text changed from position `kept` on
 * @property {(from: number, rows: Rows[]) => void} onTokens there are new tokens from position `from` on, with the
 *   attention rows of the tokens that the model has read since
 * @property {(read: number, all: number) => void} onReading the model has read some tokens of a long text
 * @property {(signal?: AbortSignal) => Promise<void>} onRead the model has read the whole text; the run waits for the
 *   promise. signal: of the run
 * @property {(running: boolean) => void} onRunning
 * @property {() => Promise<void>} onEdited the model has run the text with other edits; the run waits for the promise
 */

export class Generation extends Runs {
  /** @type {number[]} */
  ids = [];
  /** @type {string[]} */
  tokens = [];
  /** Candidates of each generated token; undefined for tokens of the prompt.
   *  @type {(Candidate[] | undefined)[]} */
  candidates = [];
  /** Number of tokens in the prompt. */
  promptLength = 0;
  /** The prompt of the text; null before the first. @type {string | null} */
  prompt = null;
  /** Whether the prompt was given as ids. A name of a control token in a message of a chat is text, for example. */
  isEncoded = false;
  /** Edits of the run that the maps show, for a number of positions. A text is always generated without edits.
   *  @type {(positions: number) => Edit[]} */
  edits = () => [];

  #events;
  /** @type {{ prompt: string, ids: Promise<Int32Array> } | null} */
  #expected = null;
  /** @type {Map<number, string>} */
  #texts = new Map();
  /** Rows of tokens that are not rendered yet. @type {Rows[]} */
  #rows = [];
  /** Number of rendered tokens. */
  #rendered = 0;
  #pacer = new RenderPacer(() => {
    const from = this.#rendered;
    const rows = this.#rows;
    this.#rendered = this.ids.length;
    this.#rows = [];
    this.#events.onTokens(from, rows);
  }, RENDER_MS);

  /**
   * @param {Model} model
   * @param {GenerationEvents} events
   */
  constructor(model, events) {
    super(model, events.onRunning);
    this.#events = events;
  }

  /**
   * Generates from a prompt.
   * @param {string} prompt
   * @param {number} maxTokens
   * @param {Sampling} sampling
   */
  async begin(prompt, maxTokens, sampling) {
    return this.runTask(async (signal) => {
      const ids = await this.#encode(prompt);
      signal.throwIfAborted(); // the text stays
      const replaced = this.replace({ prompt, ids, promptLength: ids.length });
      return this.#run(ids, maxTokens, sampling, signal, replaced);
    });
  }

  /**
   * Generates from ids, such as a conversation. The prompt is then the text of the tokens.
   * @param {() => Promise<ArrayLike<number>>} idsOf called when the run begins
   * @param {number} maxTokens
   * @param {Sampling} sampling
   */
  async beginIds(idsOf, maxTokens, sampling) {
    return this.runTask(async (signal) => {
      const ids = this.#fitting(Array.from(await idsOf()));
      const prompt = (await this.#textsOf(ids)).join('');
      signal.throwIfAborted(); // the text stays
      await this.replace({ prompt, ids, promptLength: ids.length, isEncoded: true });
      return this.#run(ids, maxTokens, sampling, signal);
    });
  }

  /**
   * Generates more tokens.
   * @param {number} maxTokens
   * @param {Sampling} sampling
   */
  async continue(maxTokens, sampling) {
    return this.runTask((signal) => this.#extend(maxTokens, sampling, signal));
  }

  /** Position of the last generated token, or null. */
  get lastGenerated() {
    return this.ids.length > this.promptLength ? this.ids.length - 1 : null;
  }

  /** A copy of the text, for `show()`. @returns {Text} */
  get text() {
    const { prompt, promptLength, isEncoded } = this;
    return { prompt: prompt ?? '', promptLength, ids: [...this.ids], candidates: [...this.candidates], isEncoded };
  }

  /** Runs the text again. @param {AbortSignal} signal @param {boolean} refresh @protected */
  async restore(signal, refresh) {
    const ids = this.ids.slice(0, this.model.info.contextLength);
    if (ids.length === 0) return;
    const edits = this.edits(ids.length);
    await this.model.runWithHooks(ids, edits, { signal });
    this.isEdited = edits.length > 0;
    if (refresh) await this.#events.onEdited();
  }

  /** Empties the session if it may hold an edited run. */
  #dropEdited() {
    if (this.isEdited) this.model.rewind(0);
    this.isEdited = false;
  }

  /**
   * The logits from which a token was chosen. Waits for the current run.
   * @param {number} position of the token
   * @returns {Promise<Float32Array | null>} [vocabulary]; null if the text has changed meanwhile
   */
  logitsAt(position) {
    const { ids } = this;
    return this.lookUp(async () => {
      if (this.running || ids !== this.ids || position === 0) return null;
      this.#dropEdited();
      this.model.rewind(Math.min(position - 1, this.model.position));
      const logits = await this.model.forward(ids.slice(this.model.position, position));
      const rest = ids.slice(position, this.model.info.contextLength);
      if (rest.length) await this.model.forward(rest);
      return logits;
    });
  }

  /** True if the model predicts the token at a position. @param {number} position */
  predicts(position) {
    return position > 0;
  }

  /** The id that the text has at a predicted position. @param {number} position @returns {number | undefined} */
  chosenAt(position) {
    return this.ids[position];
  }

  /**
   * The logits at a position in a run with edits. The model is borrowed.
   * @param {number} position
   * @param {(positions: number) => Edit[]} edits of a run of a number of positions
   * @param {AbortSignal} signal
   * @returns {Promise<Float32Array>} [vocabulary]
   */
  editedLogitsAt(position, edits, signal) {
    return this.model.runWithHooks(this.ids.slice(0, position), edits(position), { signal });
  }

  /** Names of predicted ids. @param {number[]} ids @returns {Promise<string[]>} */
  namesOf(ids) {
    return this.model.tokens(ids);
  }

  /**
   * Shows an earlier text.
   * @param {Text} text
   */
  async show(text) {
    return this.runTask((signal) => this.#show(text, signal));
  }

  /** @param {Text} text @param {AbortSignal} signal */
  async #show(text, signal) {
    const { promptLength, ids, candidates } = text;
    await this.replace({ ...text, ids: [...ids], candidates: [...candidates] });
    const first = ids.findIndex((_, position) => position >= promptLength && !candidates[position]);
    await this.read(first < 0 ? ids.length : first, signal);
    await this.readEnd(signal);
  }

  /** Shows the maps of a text that the model has read. @param {AbortSignal} signal of the run @protected */
  async readEnd(signal) {
    await this.#events.onRead(signal);
  }

  /**
   * Shows a prompt and ids that another page generated from it.
   * @param {string} prompt
   * @param {number[]} ids after the prompt, or with it
   * @param {number} [promptLength] number of ids that are the prompt; default: `ids` follow the prompt
   */
  async showIds(prompt, ids, promptLength) {
    return this.runTask(async (signal) => {
      const promptIds = promptLength === undefined ? await this.#encode(prompt) : [];
      signal.throwIfAborted(); // the text stays
      const all = [...promptIds, ...ids].slice(0, this.model.info.contextLength + 1);
      const first = Math.min(Math.floor(promptLength ?? promptIds.length), all.length); // strangers write addresses
      const isEncoded = promptLength !== undefined;
      return this.#show({ prompt, promptLength: first, ids: all, candidates: [], isEncoded }, signal);
    });
  }

  /**
   * Encodes a prompt that will probably be next.
   * @param {string} prompt
   */
  expect(prompt) {
    if (!this.model.info.tokenizer) return;
    const ids = this.model.encode(prompt);
    ids.catch(() => {}); // the run with this prompt reports it
    this.#expected = { prompt, ids };
  }

  /** @param {string} prompt @returns {Promise<number[]>} ids, fewer than the context length */
  async #encode(prompt) {
    if (!this.model.info.tokenizer) return this.#fitting(idsIn(prompt));
    const expected = this.#expected?.prompt === prompt ? this.#expected.ids : this.model.encode(prompt);
    this.#expected = null;
    const ids = [...await expected];
    if (ids.length === 0 && prompt !== '') {
      throw new RangeError('The model has no token for the characters of the prompt. Enter other characters.');
    }
    return this.#fitting(ids);
  }

  /** Ids that leave room for a token. @param {number[]} ids @throws {RangeError} */
  #fitting(ids) {
    const { contextLength, modelContextLength, cache } = this.model.info;
    if (ids.length === 0) {
      throw new RangeError('The prompt is empty, and this model has no start token. Enter a prompt.');
    }
    if (ids.length < contextLength) return ids;
    const given = `The prompt has ${pluralize(ids.length, 'token')}, but`;
    if (contextLength === modelContextLength) {
      throw new RangeError(
        `${given} the context of the model has ${formatInteger(contextLength)}. Shorten the prompt.`);
    }
    const more = cache === 'f32' ? ', or open a quantized file of the model, which has room for twice as many' : '';
    throw new RangeError(`${given} of the context of ${formatInteger(modelContextLength)} only ${
      formatInteger(contextLength)} fit into the memory that the page gives a text. Shorten the prompt${more}.`);
  }

  /**
   * Runs the model over the text, and lists the candidates of each token from a position on.
   * @param {number} first
   * @param {AbortSignal} signal
   * @protected
   */
  async read(first, signal) {
    const { ids } = this;
    const { contextLength, vocabulary } = this.model.info;
    const end = Math.min(ids.length, contextLength);
    let at = await this.#readTo(Math.min(first - 1, end), signal);
    for (; at < end; at += MAX_LOGITS / vocabulary | 0 || 1) {
      const part = ids.slice(at, Math.min(end, at + (MAX_LOGITS / vocabulary | 0 || 1)));
      const logits = await this.model.forward(part, { all: true, signal });
      for (let i = 0; i < part.length && at + i + 1 < ids.length; i++) {
        const row = logits.subarray(i * vocabulary, (i + 1) * vocabulary);
        this.candidates[at + i + 1] = await this.#candidatesIn(row, ids[at + i + 1]);
      }
    }
  }

  /**
   * Runs the model over the first tokens of the text that its session does not hold, in pieces.
   * @param {number} end
   * @param {AbortSignal} signal
   * @returns {Promise<number>} length of the session: `end`, or 0 if `end` is less
   */
  async #readTo(end, signal) {
    const { ids } = this;
    this.#dropEdited();
    const held = this.model.ids;
    let at = 0;
    while (at < Math.min(held.length, end) && held[at] === ids[at]) at++;
    this.model.rewind(at);
    for (; at < end; at = Math.min(end, at + PIECE)) {
      if (ids.length > PIECE) this.#events.onReading(at, ids.length);
      await this.model.forward(ids.slice(at, Math.min(end, at + PIECE)), { signal });
    }
    return at;
  }

  /**
   * @param {Float32Array} logits [vocabulary]
   * @param {number} taken id of the token in the text
   * @returns {Promise<Candidate[]>}
   */
  async #candidatesIn(logits, taken) {
    const top = topTokens(logits, TOP);
    if (!top.some(({ id }) => id === taken)) top.push({ id: taken, logprob: logprobOf(logits, taken) });
    const texts = await this.#textsOf(top.map(({ id }) => id));
    return top.map((candidate, i) => ({ ...candidate, text: texts[i] }));
  }

  /**
   * Replaces a token, drops later tokens, and generates more.
   * @param {number} position
   * @param {number} id
   * @param {number} maxTokens
   * @param {Sampling} sampling
   */
  async continueWith(position, id, maxTokens, sampling) {
    const text = this.#continuedWith(position, id); // another run may replace the text before this run begins
    return this.runTask(async (signal) => {
      await this.replace(text);
      return this.#extend(maxTokens, sampling, signal);
    });
  }

  /** The text up to a position, with another token there.
   *  @param {number} position @param {number} id @returns {Text} */
  #continuedWith(position, id) {
    const { text } = this;
    return { ...text, promptLength: Math.min(text.promptLength, position), ids: [...text.ids.slice(0, position), id],
      candidates: text.candidates.slice(0, position + 1) };
  }

  /**
   * Replaces the text. All its parts change at the same time.
   * @param {Omit<Text, 'candidates'> & Partial<Text>} text candidates: default: of the unchanged beginning
   * @param {{ isRead?: boolean }} [options] isRead: whether the model has read the unchanged beginning; default true
   * @protected
   */
  async replace({ prompt, promptLength, ids, candidates, isEncoded = false }, { isRead = true } = {}) {
    const tokens = await this.#textsOf(ids);
    let kept = 0;
    while (isRead && kept < ids.length && ids[kept] === this.ids[kept]) kept++;
    Object.assign(this, { prompt, promptLength, ids, tokens, isEncoded,
      candidates: candidates ?? this.candidates.slice(0, kept) });
    this.#rendered = ids.length;
    this.#events.onCut(kept);
  }

  /**
   * Generates more tokens, unless the text fills the context.
   * @param {number} maxTokens
   * @param {Sampling} sampling
   * @param {AbortSignal} signal
   */
  async #extend(maxTokens, sampling, signal) {
    const { contextLength } = this.model.info;
    if (this.ids.length <= contextLength) return this.#run(this.ids, maxTokens, sampling, signal);
    await this.readEnd(signal); // a candidate may have replaced the last token
    return { reason: 'context', count: 0, decodeMs: 0, contextLength };
  }

  /**
   * @param {number[]} ids of the text
   * @param {number} maxTokens
   * @param {Sampling} sampling
   * @param {AbortSignal} signal
   * @param {Promise<void>} [replaced] resolves when the page shows `ids`; the model reads them meanwhile
   */
  async #run(ids, maxTokens, sampling, signal, replaced) {
    const { maps } = this.model.info;
    if (ids.length > PIECE) {
      await replaced;
      await this.#readTo(ids.length - 1, signal); // the last token gives the logits of the first step
    }
    this.isEdited = false; // a text without edits does not continue an edited run
    const steps = this.model.generate(ids, { ...sampling, maxTokens, top: TOP, rows: maps, signal });
    return this.write(steps, signal, replaced);
  }

  /**
   * Adds the steps of a generation to the text.
   * @param {ReturnType<Model['generate']>} steps
   * @param {AbortSignal} signal
   * @param {Promise<void>} [replaced] the steps are added after it
   * @protected
   */
  async write(steps, signal, replaced) {
    const { contextLength } = this.model.info;
    let count = 0;
    let step = steps.next();
    step.catch(() => {}); // reported below
    try {
      await replaced;
      for (;; step = steps.next()) {
        const { done, value } = await step;
        if (done) {
          await this.#readLast(signal);
          return { ...value, count, contextLength };
        }
        count++;
        await this.#append(value);
        this.#pacer.request();
      }
    } finally {
      this.#pacer.flush();
    }
  }

  /** @param {import('../../js/index.js').Step} step */
  async #append({ id, logprob, top, rows }) {
    for (const candidate of top) this.#texts.set(candidate.id, candidate.text);
    const [text] = await this.#textsOf([id]);
    const listed = top.some((candidate) => candidate.id === id);
    this.candidates[this.ids.length] = listed ? top : [...top, { id, text, logprob }];
    this.ids.push(id);
    this.tokens.push(text);
    if (rows) this.#rows.push(rows);
  }

  /** Runs the model over its last token, so that this token has a row in every map too. Its row arrives before the last
   *  rendering, so that one drawing shows all. @param {AbortSignal} signal of the run */
  async #readLast(signal) {
    const { position, info: { contextLength, maps, parts } } = this.model;
    const { length } = this.ids;
    if (position < length && length <= contextLength) {
      await this.model.forward(this.ids.slice(position));
      // The page requests the rows of an encoder–decoder by its parts.
      if (maps && !parts) {
        const row = await this.model.attentionRows({ queries: [position, length] });
        this.#rows.push(row); // a rendering meanwhile has replaced the list
      }
      this.#pacer.request();
    }
    this.#pacer.flush();
    await this.readEnd(signal);
  }

  /**
   * @param {number[]} ids
   * @returns {Promise<string[]>}
   */
  async #textsOf(ids) {
    const unknown = [...new Set(ids)].filter((id) => !this.#texts.has(id));
    if (unknown.length) {
      const texts = await this.model.tokens(unknown);
      unknown.forEach((id, i) => this.#texts.set(id, texts[i]));
    }
    return ids.map((id) => this.#texts.get(id) ?? '');
  }
}

/**
 * The ids in a text for a model without a tokenizer.
 * @param {string} text
 * @param {'prompt' | 'source' | 'text'} [what] of messages
 * @returns {number[]}
 */
export function idsIn(text, what = 'prompt') {
  if (/^[\d\s,]*$/.test(text)) return (text.match(/\d+/g) ?? []).map(Number);
  throw new RangeError(`This model has no tokenizer. Enter token ids as the ${what}, for example 1, 15, 7.`);
}
