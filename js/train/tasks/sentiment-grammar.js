/**
 * A grammar of negation. Its sentences state that something is good or bad, either directly or by denying the opposite.
 * Written sentences contain few negations. Here every judging word stands both with and without “not”, so that word
 * counts alone hardly predict the label.
 */

/**
 * @typedef {import('./sentiment.js').Labeled} Labeled
 *
 * @typedef {{ praise: string[], blame: string[] }} Judging
 * @typedef {Judging & { names: string[] }} Kind  a kind of thing: its names and the words that judge it
 *
 * @typedef {object} Lexicon  data/sentiment/lexicon.json
 * @property {Judging} general  words for anything
 * @property {Kind[]} kinds
 * @property {Judging} feeling  what people feel toward a thing, present/past
 * @property {Judging} effect   what a thing does to people, present/past
 * @property {Judging} doing    what a thing does, present/past
 * @property {Judging} thing    nouns that judge
 * @property {Judging} having   nouns for what a thing has
 * @property {Judging} manner   adverbs
 *
 * @typedef {object} Frames  data/sentiment/grammar.json
 * @property {string[]} plain      clauses that state the label directly
 * @property {string[]} denied     clauses that deny the opposite
 * @property {string[]} seeming    clauses that look like denials but state the label directly
 * @property {string[]} unseen     denials that training never uses
 * @property {string[]} asides     clauses that do not judge, some with a negation
 * @property {string[]} sentences  combinations of clauses; the main clause has the sentence's label
 * @property {Record<string, string[]>} slots  words for the slots without a sign
 */

/** @typedef {ReturnType<typeof negationGrammar>} NegationGrammar */

/** @template T @param {readonly T[]} list @param {() => number} random @returns {T} */
const oneOf = (list, random) => list[Math.floor(random() * list.length)];

/** Cleans up spaces and articles; adds a capital and a full stop. @param {string} text */
function tidy(text) {
  const spaced = text.replace(/ +/g, ' ').replace(/ (?=[,;:.])/g, '').trim();
  const articles = spaced.replace(/\b(a) (?=(?!us|uni)[aeiou]|hon)/gi, '$1n ');
  return `${articles[0].toUpperCase()}${articles.slice(1)}.`;
}

/**
 * @param {Lexicon} lexicon
 * @param {Frames} frames
 */
export function negationGrammar(lexicon, frames) {
  const { general, kinds, feeling, effect, doing, thing, having, manner } = lexicon;
  const { plain: plainFrames, unseen: unseenFrames, asides, sentences, slots } = frames;
  const deniedFrames = [...frames.denied, ...frames.seeming];
  const lists = [general, ...kinds, feeling, effect, doing, thing, having, manner];

  /** Word lists by slot, and which form of “present/past” the slot takes. @type {Record<string,
   *  [(kind: Kind) => Judging, number]>} */
  const judging = {
    adj: [({ praise, blame }) => ({ praise: [...praise, ...general.praise], blame: [...blame, ...general.blame] }), 0],
    feel: [() => feeling, 0],
    felt: [() => feeling, 1],
    affect: [() => effect, 0],
    affected: [() => effect, 1],
    do: [() => doing, 0],
    did: [() => doing, 1],
    thing: [() => thing, 0],
    having: [() => having, 0],
    manner: [() => manner, 0],
  };

  /** One word in six of every list. Training never denies these words, so that they show whether the model learned
   *  “not” or only pairs of words. */
  const heldOut = new Set(lists.flatMap(({ praise, blame }) => [praise, blame])
    .flatMap((words) => words.filter((_, i) => i % 6 === 3)));

  /**
   * One clause, without capital or full stop. No judging word occurs in it twice.
   * @param {string[]} templates @param {number} label @param {() => number} random
   * @param {(word: string) => boolean} allowed
   */
  function clause(templates, label, random, allowed) {
    const kind = oneOf(kinds, random);
    /** @type {Set<string>} */
    const used = new Set();
    return oneOf(templates, random)
      .replace(/\(([^()]*)\)/g, (_, choices) => oneOf(choices.split('|'), random))
      .replace(/\{([+-]?)(\w+)\}/g, (_, sign, slot) => {
        if (!sign) return oneOf(slot === 'name' ? kind.names : slots[slot], random);
        const [wordsFor, form] = judging[slot];
        const { praise, blame } = wordsFor(kind);
        const words = (label === 1) === (sign === '+') ? praise : blame;
        const word = oneOf(words.filter((each) => allowed(each) && !used.has(each)), random);
        used.add(word);
        const forms = word.split('/');
        return forms[form] ?? forms[0];
      });
  }

  return {
    /** Every pair of word lists in the lexicon. */
    lists,

    /**
     * A training sentence. Half of its clauses are denials, and these never deny a held-out word.
     * @param {() => number} random @returns {Labeled}
     */
    sentence(random) {
      const label = Math.floor(random() * 2);
      const part = (/** @type {string} */ slot) => {
        if (slot === '{aside}') return clause(asides, label, random, () => true);
        const clauseLabel = slot === '{+clause}' ? label : 1 - label;
        return random() < 0.5 ? clause(plainFrames, clauseLabel, random, () => true)
          : clause(deniedFrames, clauseLabel, random, (word) => !heldOut.has(word));
      };
      return { text: tidy(oneOf(sentences, random).replace(/\{(?:aside|[+-]clause)\}/g, part)), label };
    },

    /** Sentences of one direct clause, from which naive Bayes counts words. @param {number} count
     *  @param {() => number} random @returns {Labeled[]} */
    plain: (count, random) => Array.from({ length: count }, (_, i) =>
      ({ text: tidy(clause(plainFrames, i % 2, random, () => true)), label: i % 2 })),

    /**
     * Denials that training never shows: known frames with held-out words, or frames that training does not use.
     * @param {'words' | 'frames'} unseen @param {number} count @param {() => number} random @returns {Labeled[]}
     */
    unseenDenials(unseen, count, random) {
      const templates = unseen === 'words' ? deniedFrames : unseenFrames;
      return Array.from({ length: count }, (_, i) => {
        const text = clause(templates, i % 2, random, (word) => heldOut.has(word) === (unseen === 'words'));
        return { text: tidy(text), label: i % 2 };
      });
    },

    /** Every word of the grammar, for a vocabulary. @returns {string[]} */
    texts: () => [
      ...lists.flatMap(({ praise, blame }) => [praise, blame]),
      ...kinds.map(({ names }) => names), ...Object.values(slots),
      [...plainFrames, ...deniedFrames, ...asides, ...sentences].map((frame) => frame.replace(/\{[^}]*\}/g, ' ')),
    ].map((words) => words.join(' ')),
  };
}
