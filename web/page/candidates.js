/** Shows the candidates of one token, with the probabilities of the model and of the sampler's current settings. */
import { placeName } from '../draw/sentence.js';
import { tokenName } from '../draw/token.js';
import { SamplerStages } from './sampler-stages.js';

/** @typedef {import('./kinds.js').PageText} PageText */

/** @typedef {import('../elements/next-token.js').Candidate} Candidate */

export class Candidates {
  /** Compares the candidates at a position in two runs; null without an edited run. The list is empty if they cannot be
   *  compared. @type {((position: number) => Promise<Candidate[]>) | null} */
  compare = null;
  /** Position of the last requested token, or null. Tokens of the prompt may have no candidates.
   *  @type {number | null} */
  position = null;
  #element;
  #caption;
  #settings;
  /** @type {{ generation: PageText, position: number } | null} */
  #shown = null;
  /** For the shown position, once its logits are computed. @type {SamplerStages | null} */
  #stages = null;
  /** The candidates of both runs at the shown position. @type {Candidate[]} */
  #compared = [];

  /**
   * @param {import('../elements/index.js').HeedNextToken} element
   * @param {HTMLElement} caption names the token
   * @param {() => import('./sampler-stages.js').Settings} settings returns the current settings
   */
  constructor(element, caption, settings) {
    this.#element = element;
    this.#caption = caption;
    this.#settings = settings;
  }

  /**
   * Shows the candidates of a token.
   * @param {PageText} generation
   * @param {number | null} position null shows none
   */
  show(generation, position) {
    const { tokens, candidates } = generation;
    const compares = this.compare !== null && position !== null && generation.predicts(position)
      && !generation.running;
    const isKnown = position !== null && (compares || candidates[position] !== undefined);
    this.position = position;
    this.#stages = null;
    this.#compared = [];
    this.#shown = isKnown ? { generation, position } : null;
    this.#caption.textContent = generation.caption?.(position, { isKnown, compares })
      ?? captionOf(position === null ? null : tokenName(tokens[position]), isKnown, compares);
    if (this.#shown && compares) {
      void this.#computeComparison(this.#shown);
      return; // the bars change once, when both runs are known
    }
    this.refresh();
    if (this.#shown && !generation.running) void this.#computeStages(this.#shown);
  }

  /** Applies the current settings. */
  refresh() {
    if (!this.#shown) {
      this.#element.show([]);
      return;
    }
    const { generation, position } = this.#shown;
    const chosen = generation.chosenAt(position);
    const before = position - 1;
    const words = { ...generation.words };
    words.list ??= `Candidates for the next token after ${placeName({ token: generation.tokens[before], at: before })}`;
    if (this.#compared.length) {
      this.#element.show(this.#compared, { chosen, words });
      return;
    }
    const list = generation.candidates[position] ?? [];
    const { temperature, topK, topP, repeatPenalty } = this.#settings();
    const settings = { temperature, topK, topP, repeatPenalty };
    const listed = list.map((candidate) => candidate.id);
    const valid = Object.values(settings).every(Number.isFinite);
    const stages = valid ? this.#stages?.of(listed, settings) : undefined;
    this.#element.show(list.map((candidate, i) => ({ ...candidate, ...stages?.[i] })),
      { chosen, words, ...(valid && { temperature }) });
  }

  /** @param {{ generation: PageText, position: number }} shown */
  async #computeComparison(shown) {
    const list = await this.compare?.(shown.position).catch(() => []); // fails if the text or the model was replaced
    if (this.#shown !== shown) return;
    this.#compared = list ?? [];
    this.refresh();
  }

  /** @param {{ generation: PageText, position: number }} shown */
  async #computeStages(shown) {
    const logits = await shown.generation.logitsAt(shown.position).catch(() => null); // fails if the model was replaced
    if (!logits || this.#shown !== shown) return;
    this.#stages = new SamplerStages(logits, shown.generation.ids.slice(0, shown.position));
    this.refresh();
  }
}

/**
 * @param {string | null} token its name; null if no token is shown
 * @param {boolean} isKnown false for tokens of the prompt, unless they are compared
 * @param {boolean} compares
 */
function captionOf(token, isKnown, compares) {
  if (token === null) return 'Candidates appear with the first generated token.';
  if (!isKnown) return `${token} is part of the prompt.`;
  if (compares) return `Where the text has ${token}: without (before) and with (after) the changes.`;
  return `The model generated ${token}. Choose another token to continue from it.`;
}
