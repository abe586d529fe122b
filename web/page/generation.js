/** The text that is being written: prompt, tokens, candidates, and the run that adds to them. */
import { likeliest, logprobIn } from './sampler-stages.js';
import { RenderPacer } from './render-pacer.js';
import { pluralize } from './format.js';

/** Candidates that each step lists. */
const TOP = 8;
/** Logits asked for at once: 4 MB. */
const LOGITS = 1 << 20;
/** Least time from one showing of the text to the next, in milliseconds: the tokens of a model that writes ten a second
 *  are shown one by one. */
const SHOWN_MS = 100;

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('./map-controller.js').Rows} Rows */
/** @typedef {{ id: number, text: string, logprob: number }} Candidate */
/**
 * A text that can be shown again.
 * @typedef {object} Text
 * @property {string} prompt
 * @property {number} promptLength
 * @property {number[]} ids
 * @property {(Candidate[] | undefined)[]} candidates
 */
/** @typedef {{ temperature: number, topK: number, topP: number, seed: number }} Sampling */

/**
 * @typedef {object} WritingEvents
 * @property {(writing: Generation, kept: number) => void} onCut the text is another from position `kept` on
 * @property {(writing: Generation, from: number, rows: Rows[]) => void} onTokens the text has more tokens from position
 *   `from` on; the rows are those of the tokens that the model has read since
 * @property {() => Promise<void>} onRead the model has read what it wrote; the run ends with the answer
 * @property {(running: boolean) => void} onRunning
 */

export class Generation {
  /** @type {number[]} */
  ids = [];
  /** @type {string[]} */
  tokens = [];
  /** Candidates of the step that wrote each token; none for tokens that were given.
   *  @type {(Candidate[] | undefined)[]} */
  candidates = [];
  promptLength = 0;
  /** The prompt that the text began with. @type {string | null} */
  prompt = null;

  /** @type {Model} */
  #model;
  #events;
  /** @type {AbortController | null} */
  #abort = null;
  /** @type {Promise<unknown>} */
  #running = Promise.resolve();
  /** The last look-up of logits. @type {Promise<unknown>} */
  #looking = Promise.resolve();
  /** @type {Map<number, string>} */
  #texts = new Map();
  /** Rows that came with tokens which are not shown yet. @type {Rows[]} */
  #rows = [];
  /** Tokens that are shown. */
  #shown = 0;
  #pace = new RenderPacer(() => {
    const [from, rows] = [this.#shown, this.#rows];
    this.#shown = this.ids.length;
    this.#rows = [];
    this.#events.onTokens(this, from, rows);
  }, SHOWN_MS);

  /**
   * @param {Model} model
   * @param {WritingEvents} events
   */
  constructor(model, events) {
    this.#model = model;
    this.#events = events;
  }

  get running() {
    return this.#abort !== null;
  }

  stop() {
    this.#abort?.abort();
  }

  /** Stops and waits until the model is free. */
  async settle() {
    this.stop();
    await this.#running;
  }

  /**
   * Begins anew from a prompt.
   * @param {string} prompt
   * @param {number} maxTokens
   * @param {Sampling} sampling
   */
  async begin(prompt, maxTokens, sampling) {
    return this.#take(async (signal) => {
      const ids = await this.#encode(prompt);
      await this.#replace(ids, ids.length);
      this.prompt = prompt;
      return this.#run(maxTokens, sampling, signal);
    });
  }

  /**
   * Goes on from the text as it is.
   * @param {number} maxTokens
   * @param {Sampling} sampling
   */
  async goOn(maxTokens, sampling) {
    return this.#take((signal) => this.#run(maxTokens, sampling, signal));
  }

  /** The text as it is now, to be shown again later. @returns {Text} */
  get text() {
    const { prompt, promptLength } = this;
    return { prompt: prompt ?? '', promptLength, ids: [...this.ids], candidates: [...this.candidates] };
  }

  /** When the session holds the whole text: while logits are looked up it does not. */
  get quiet() {
    return this.#looking;
  }

  /**
   * The logits that a token was chosen by, once nothing else runs.
   * @param {number} position of the token
   * @returns {Promise<Float32Array | null>} [vocabulary]; null where the text is another by then
   */
  logitsAt(position) {
    const { ids } = this;
    const looking = this.#running.then(async () => {
      if (this.running || ids !== this.ids || position === 0) return null;
      this.#model.rewind(Math.min(position - 1, this.#model.position));
      const logits = await this.#model.forward(ids.slice(this.#model.position, position));
      const rest = ids.slice(position, this.#model.info.contextLength);
      if (rest.length) await this.#model.forward(rest);
      return logits;
    });
    this.#looking = this.#running = looking.catch(() => {});
    return looking;
  }

  /**
   * Shows a text that was written before.
   * @param {Text} text
   */
  async show({ prompt, promptLength, ids, candidates }) {
    return this.#take(async () => {
      await this.#replace([...ids], promptLength);
      this.prompt = prompt;
      this.candidates = [...candidates];
      const first = ids.findIndex((_, position) => position >= promptLength && !candidates[position]);
      await this.#read(first < 0 ? ids.length : first);
      await this.#events.onRead();
    });
  }

  /**
   * Shows a prompt and the ids that followed it elsewhere.
   * @param {string} prompt
   * @param {number[]} ids
   */
  async showIds(prompt, ids) {
    const promptIds = await this.#encode(prompt);
    const all = [...promptIds, ...ids].slice(0, this.#model.info.contextLength + 1);
    return this.show({ prompt, promptLength: promptIds.length, ids: all, candidates: [] });
  }

  /** @param {string} prompt @returns {Promise<number[]>} ids that leave room for one more */
  async #encode(prompt) {
    const { contextLength, tokenizer } = this.#model.info;
    const ids = tokenizer ? [...await this.#model.encode(prompt)] : idsIn(prompt);
    if (ids.length === 0) {
      throw new RangeError('The prompt is empty, and this model has no start token. Write something.');
    }
    if (ids.length >= contextLength) {
      throw new RangeError(`The prompt has ${pluralize(ids.length, 'token')} and the model takes ${
        contextLength.toLocaleString('en')}. Shorten it.`);
    }
    return ids;
  }

  /**
   * Lets the model read the text, and lists the candidates of each token from a position on.
   * @param {number} first
   */
  async #read(first) {
    const { ids } = this;
    const { contextLength, vocabulary } = this.#model.info;
    const end = Math.min(ids.length, contextLength);
    const held = this.#model.ids;
    let at = 0;
    while (at < Math.min(held.length, end, first - 1) && held[at] === ids[at]) at++;
    this.#model.rewind(at);
    if (at < first - 1) await this.#model.forward(ids.slice(at, Math.min(first - 1, end)));
    for (at = Math.max(at, first - 1); at < end; at += LOGITS / vocabulary | 0 || 1) {
      const part = ids.slice(at, Math.min(end, at + (LOGITS / vocabulary | 0 || 1)));
      const logits = await this.#model.forward(part, { all: true });
      for (let i = 0; i < part.length && at + i + 1 < ids.length; i++) {
        const row = logits.subarray(i * vocabulary, (i + 1) * vocabulary);
        this.candidates[at + i + 1] = await this.#candidatesIn(row, ids[at + i + 1]);
      }
    }
  }

  /**
   * @param {Float32Array} logits [vocabulary]
   * @param {number} taken
   * @returns {Promise<Candidate[]>}
   */
  async #candidatesIn(logits, taken) {
    const top = likeliest(logits, TOP);
    if (!top.some(({ id }) => id === taken)) top.push({ id: taken, logprob: logprobIn(logits, taken) });
    const texts = await this.#textsOf(top.map(({ id }) => id));
    return top.map((candidate, i) => ({ ...candidate, text: texts[i] }));
  }

  /**
   * Goes on with another token at a position.
   * @param {number} position
   * @param {number} id
   * @param {number} maxTokens
   * @param {Sampling} sampling
   */
  async goOnWith(position, id, maxTokens, sampling) {
    return this.#take(async (signal) => {
      const candidates = this.candidates[position];
      await this.#replace([...this.ids.slice(0, position), id], Math.min(this.promptLength, position));
      this.candidates[position] = candidates;
      return this.#run(maxTokens, sampling, signal);
    });
  }

  /**
   * One piece of work at a time: a new one stops the one before it.
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #take(work) {
    this.stop();
    const abort = this.#abort = new AbortController();
    const before = this.#running;
    const run = (async () => {
      await before;
      this.#events.onRunning(true);
      try {
        return await work(abort.signal);
      } finally {
        if (this.#abort === abort) {
          this.#abort = null;
          this.#events.onRunning(false);
        }
      }
    })();
    this.#running = run.catch(() => {});
    return run;
  }

  /**
   * @param {number[]} ids
   * @param {number} promptLength
   */
  async #replace(ids, promptLength) {
    let kept = 0;
    while (kept < ids.length && ids[kept] === this.ids[kept]) kept++;
    this.ids = ids;
    this.tokens = await this.#textsOf(ids);
    this.candidates.length = kept;
    this.promptLength = promptLength;
    this.#shown = ids.length;
    this.#events.onCut(this, kept);
    this.#pace.rest();
  }

  /**
   * @param {number} maxTokens
   * @param {Sampling} sampling
   * @param {AbortSignal} signal
   */
  async #run(maxTokens, sampling, signal) {
    const { maps, contextLength } = this.#model.info;
    const steps = this.#model.generate(this.ids, { ...sampling, maxTokens, top: TOP, rows: maps, signal });
    let count = 0;
    try {
      for (;;) {
        const { done, value } = await steps.next();
        if (done) {
          await this.#readLast();
          return { ...value, count, contextLength };
        }
        count++;
        await this.#append(value);
        this.#pace.request();
      }
    } finally {
      this.#pace.flush();
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

  /** Lets the model read the token that it wrote last, so that this one too has a row in every map.  Its rows come
   *  before the last showing, which then needs one drawing. */
  async #readLast() {
    const { position, info: { contextLength, maps } } = this.#model;
    const { length } = this.ids;
    if (position < length && length <= contextLength) {
      await this.#model.forward(this.ids.slice(position));
      if (maps) this.#rows.push(await this.#model.attentionRows({ queries: [position, length] }));
      this.#pace.request();
    }
    this.#pace.flush();
    await this.#events.onRead();
  }

  /**
   * @param {number[]} ids
   * @returns {Promise<string[]>}
   */
  async #textsOf(ids) {
    const unknown = [...new Set(ids)].filter((id) => !this.#texts.has(id));
    if (unknown.length) {
      const texts = await this.#model.tokens(unknown);
      unknown.forEach((id, i) => this.#texts.set(id, texts[i]));
    }
    return ids.map((id) => this.#texts.get(id) ?? '');
  }
}

/**
 * The prompt of a model without a tokenizer: its ids.
 * @param {string} prompt
 * @returns {number[]}
 */
function idsIn(prompt) {
  if (/^[\d\s,]*$/.test(prompt)) return (prompt.match(/\d+/g) ?? []).map(Number);
  throw new RangeError('This model has no tokenizer, so its prompt is a row of ids: 1, 15, 7.');
}
