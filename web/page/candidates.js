/** The candidates at one token: what the model gave them, and what the sampler makes of that as it is set now. */
import { tokenName } from '../draw/token.js';
import { SamplerStages } from './sampler-stages.js';

/** @typedef {import('./generation.js').Generation} Generation */

export class Candidates {
  #next;
  #words;
  #settings;
  /** @type {{ writing: Generation, position: number, id: number } | null} */
  #at = null;
  /** Of the position that is shown, once they are there. @type {SamplerStages | null} */
  #odds = null;

  /**
   * @param {import('../elements/index.js').HeedNextToken} next
   * @param {HTMLElement} words the line that says whose candidates these are
   * @param {() => import('./sampler-stages.js').Settings} settings of the sampler, as they are now
   */
  constructor(next, words, settings) {
    this.#next = next;
    this.#words = words;
    this.#settings = settings;
  }

  /** The token whose candidates are shown. */
  get position() {
    return this.#at?.position ?? null;
  }

  /**
   * @param {Generation} writing
   * @param {number | null} position
   */
  show(writing, position) {
    const { ids, tokens, candidates } = writing;
    this.#odds = null;
    this.#at = position !== null && candidates[position] ? { writing, position, id: ids[position] } : null;
    this.#words.textContent = inWords(position === null ? null : tokenName(tokens[position]), this.#at !== null);
    this.refresh();
    if (this.#at && !writing.running) void this.#look(this.#at);
  }

  /** The settings may be others than before. */
  refresh() {
    if (!this.#at) {
      this.#next.show([]);
      return;
    }
    const { writing, position, id } = this.#at;
    const list = writing.candidates[position] ?? [];
    const { temperature, topK, topP, repeatPenalty } = this.#settings();
    const settings = { temperature, topK, topP, repeatPenalty };
    const listed = list.map((candidate) => candidate.id);
    const stages = Object.values(settings).every(Number.isFinite) ? this.#odds?.of(listed, settings) : undefined;
    this.#next.show(list.map((candidate, i) => ({ ...candidate, ...stages?.[i] })), { chosen: id, temperature });
  }

  /** @param {{ writing: Generation, position: number }} at */
  async #look(at) {
    const logits = await at.writing.logitsAt(at.position).catch(() => null); // the model may be another by then
    if (!logits || this.#at !== at) return;
    this.#odds = new SamplerStages(logits, at.writing.ids.slice(0, at.position));
    this.refresh();
  }
}

/**
 * @param {string | null} token
 * @param {boolean} written whether the model wrote it
 */
function inWords(token, written) {
  if (token === null) return 'The candidates appear with the first token.';
  if (!written) return `${token} is part of your prompt.`;
  return `The model picked ${token}. Choose another to go on.`;
}
