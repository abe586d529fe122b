/** A text that an encoder reads at once, and its predictions: hidden words, or labels. */
import { HeedError } from '../../../js/index.js';
import { labelLogits } from '../../../js/model/label-logits.js';
import { tokenName } from '../../draw/token.js';
import { formatInteger, pluralize } from '../format.js';
import { idsIn } from '../generation.js';
import { Runs } from '../runs.js';
import { logprobOf, topTokens } from '../sampler-stages.js';

/** @typedef {import('../../../js/index.js').Model} Model */
/** @typedef {import('../generation.js').Candidate} Candidate */
/** @typedef {import('../generation.js').Edit} Edit */
/** @typedef {import('../generation.js').Text} Text */

/** Number of candidates of a hidden word, and of labels. */
const TOP = 8;
const LABELS = 12;

export class Reading extends Runs {
  /** @type {number[]} */
  ids = [];
  /** @type {string[]} */
  tokens = [];
  /** @type {(Candidate[] | undefined)[]} */
  candidates = [];
  promptLength = 0;
  /** @type {string | null} */
  prompt = null;
  /** The second text of a pair; empty without one. */
  pair = '';
  /** Edits of the run that the maps show. @type {(positions: number) => Edit[]} */
  edits = () => [];
  #events;
  #second;
  /** Last activations of the run without edits, [ids][dModel]; of a classifier, logits [ids][labels]. */
  #states = /** @type {Float32Array} */ (new Float32Array(0));

  /**
   * @param {Model} model
   * @param {import('../generation.js').GenerationEvents} events
   * @param {{ value: string }} [second] field of the second text; default: the model reads no pairs
   */
  constructor(model, events, second = { value: '' }) {
    super(model, events.onRunning);
    this.#events = events;
    this.#second = second;
  }

  /** Positions of the hidden words. */
  get masks() {
    return [...this.ids.keys()].filter((position) => this.ids[position] === this.model.info.mask);
  }

  /** The position whose predictions are shown first: the first hidden word, or the token of the labels. */
  get lastGenerated() {
    const { head } = this.model.info;
    if (this.ids.length === 0 || head === 'none' || head === 'vector') return null;
    return head === 'labels' ? 0 : this.masks[0] ?? null;
  }

  /** A copy of the text, for `show()`. @returns {Text} */
  get text() {
    return { prompt: this.prompt ?? '', promptLength: this.promptLength, ids: [...this.ids], candidates: [],
      ...(this.pair && { pair: this.pair }) };
  }

  /** Reads a text, or the pair with the text in the second field. @param {string} prompt */
  begin(prompt) {
    const pair = this.#second.value.trim();
    return this.runTask(async () => this.#replace(await this.encode(prompt, pair), prompt, pair));
  }

  continue() {
    return this.begin(this.prompt ?? '');
  }

  /** @returns {Promise<never>} */
  async beginIds() {
    throw new HeedError('unsupported', 'An encoder writes no text.');
  }

  /** Reads the text with another token at a position. @param {number} position @param {number} id */
  continueWith(position, id) {
    const ids = this.ids.map((before, at) => (at === position ? id : before));
    return this.runTask(async () => this.#replace(ids, await this.#write(ids)));
  }

  /** Shows an earlier text. @param {Pick<Text, 'prompt' | 'ids' | 'pair'>} text */
  show({ prompt, ids, pair = '' }) {
    this.#second.value = pair;
    if (pair) return this.begin(prompt); // the segments are not in the ids
    return this.runTask(() => this.#replace([...ids], prompt));
  }

  /** Shows the prompt of an address. @param {string} prompt */
  showIds(prompt) {
    return this.begin(prompt);
  }

  /** The ids of a text, or of a pair. @param {string} prompt @param {string} [pair] @returns {Promise<number[]>}
   *  @protected */
  async encode(prompt, pair) {
    const { tokenizer, contextLength } = this.model.info;
    const ids = !tokenizer ? idsIn(prompt, 'text')
      : [...await (pair ? this.model.pair(prompt, pair) : this.model.encode(prompt))];
    if (ids.length === 0) {
      throw new RangeError(`The text is empty. ${tokenizer ? 'Write some words' : 'Enter token ids'}.`);
    }
    if (ids.length > contextLength) {
      throw new RangeError(`The text has ${pluralize(ids.length, 'token')}, but the model reads at most ${
        formatInteger(contextLength)}. Shorten it.`);
    }
    return ids;
  }

  /** The text of ids, without the tokens that the tokenizer adds around it. @param {number[]} ids */
  async #write(ids) {
    const around = [...await this.model.encode('')];
    const from = Number(ids[0] === around[0]);
    const to = ids.length - Number(around.length > 1 && ids.at(-1) === around.at(-1));
    return (await this.model.decode(ids.slice(from, to))).trim();
  }

  /** Shows a text that the model reads in one pass. No abort interrupts it, so text and maps agree.
   *  @param {number[]} ids @param {string} prompt @param {string} [pair] */
  async #replace(ids, prompt, pair = '') {
    const tokens = await this.model.tokens(ids);
    this.#states = await this.#pass(ids, []);
    this.isEdited = false;
    Object.assign(this, { ids, tokens, prompt, pair, promptLength: ids.length, candidates: [] });
    this.#events.onCut(0);
    const shown = this.model.info.head === 'labels' ? [0] : this.masks;
    for (const position of shown.slice(0, TOP)) await this.predict(position);
    await this.#events.onRead();
  }

  /**
   * Runs a text.
   * @param {number[]} ids
   * @param {Edit[]} edits
   * @param {AbortSignal} [signal]
   * @returns {Promise<Float32Array>} last activations [ids][dModel], or logits of labels [ids][labels]
   */
  async #pass(ids, edits, signal) {
    const { head } = this.model.info;
    const last = this.model.hooks[this.model.hooks.length - 1];
    const { logits, cache } = await this.model.runWithCache(ids, head === 'words' ? [last] : [],
      { edits, all: head === 'labels', ...(signal && { signal }) });
    return head === 'words' ? cache[last].data : logits;
  }

  /** Logits at a position. @param {Float32Array} states of a pass @param {number} position */
  async #logitsIn(states, position) {
    const { head, dModel } = this.model.info;
    if (head === 'labels') { // which position 0 predicts
      const logits = labelLogits(states, this.model.info);
      return logits.length > 1 ? logits : Float32Array.of(logits[0], 0); // one label: yes, or no
    }
    return this.model.unembed(states.slice(position * dModel, (position + 1) * dModel), { normalize: false });
  }

  /** Computes the candidates of a position, unless they are known. @param {number} position */
  async predict(position) {
    if (this.candidates[position] || !this.predicts(position)) return;
    const { ids } = this;
    const logits = await this.#logitsIn(this.#states, position);
    if (ids !== this.ids) return;
    const { labels } = this.model.info;
    const top = topTokens(logits, labels ? LABELS : TOP);
    const taken = this.chosenAt(position);
    if (taken !== undefined && !top.some(({ id }) => id === taken)) {
      top.push({ id: taken, logprob: logprobOf(logits, taken) });
    }
    const names = await this.namesOf(top.map(({ id }) => id));
    if (ids === this.ids) this.candidates[position] = top.map((each, at) => ({ ...each, text: names[at] }));
  }

  /** True if the model predicts something at a position. @param {number} position */
  predicts(position) {
    const { head } = this.model.info;
    return head === 'words' || (head === 'labels' && position === 0);
  }

  /** The id that the text has at a position; undefined for a hidden word and for labels. @param {number} position */
  chosenAt(position) {
    const { head, mask } = this.model.info;
    return head !== 'words' || this.ids[position] === mask ? undefined : this.ids[position];
  }

  /**
   * The logits at a position in a run with edits. The model is borrowed.
   * @param {number} position @param {(positions: number) => Edit[]} edits @param {AbortSignal} signal
   */
  async editedLogitsAt(position, edits, signal) {
    return this.#logitsIn(await this.#pass(this.ids, edits(this.ids.length), signal), position);
  }

  /** Names of labels, or of tokens. @param {number[]} ids @returns {Promise<string[]>} */
  async namesOf(ids) {
    const { labels } = this.model.info;
    return labels ? ids.map((id) => labels[id] ?? `not ${labels[0]}`) : this.model.tokens(ids);
  }

  /** Settings of a sampler do not apply. @returns {Promise<null>} */
  async logitsAt() {
    return null;
  }

  /** @param {AbortSignal} signal @param {boolean} refresh @protected */
  async restore(signal, refresh) {
    if (this.ids.length === 0) return;
    const edits = this.edits(this.ids.length);
    await this.#pass(this.ids, edits, signal);
    this.isEdited = edits.length > 0;
    if (refresh) await this.#events.onEdited();
  }

  /** Words of the candidates. @returns {import('../../elements/next-token.js').CandidateWords} */
  get words() {
    return this.model.info.head === 'labels'
      ? { list: 'Labels of the text', column: 'Label', action: null }
      : { list: 'Candidates for the hidden word', column: 'Word', action: 'Put this word into the text' };
  }

  /**
   * Explains the candidates of a position.
   * @param {number | null} position @param {{ compares: boolean }} state
   */
  caption(position, { compares }) {
    const { head } = this.model.info;
    if (head === 'none' || head === 'vector') {
      return 'This model predicts no words: it gives a vector of the text. Compare sentences below.';
    }
    if (compares && position !== null) return 'Without (before) and with (after) the changes.';
    if (head === 'labels') return `What the model says about the ${this.pair ? 'pair' : 'text'}.`;
    if (position === null) return 'No word is hidden. Hide one, and the model fills it in.';
    const { masks } = this;
    const at = masks.indexOf(position);
    if (at >= 0) {
      const which = masks.length > 1 ? ` ${at + 1} of ${masks.length}` : '';
      return `Candidates for the hidden word${which}. Choose one to put it into the text.`;
    }
    return `The model sees ${tokenName(this.tokens[position])} here. Hide it, and the model has to guess.`;
  }
}
