// A warning of characters that the vocabulary of a model lacks.
import { say } from './terminal.js';

/** A letter that no normalization removes, and that few texts have.  A vocabulary with bytes or an unknown token
 *  gives it tokens, so it drops no character. */
const RARE = '\u{12000}';
const SHOWN = 10; // characters in a warning

/** Writes a warning if the tokenizer drops characters of a text.
 *  @param {import('../index.js').Model} model  @param {string} text */
export async function sayDropped(model, text) {
  const isDropped = async (/** @type {string} */ character) =>
    (await model.encode(character, { special: false })).length === 0;
  if (!model.info.tokenizer || !await isDropped(RARE)) return;
  const dropped = [];
  for (const character of new Set(text)) if (await isDropped(character)) dropped.push(named(character));
  if (dropped.length === 0) return;
  const more = dropped.length > SHOWN ? ` and ${dropped.length - SHOWN} more` : '';
  say(`warning: the vocabulary lacks ${dropped.slice(0, SHOWN).join(', ')}${more}; the model does not read them`);
}

/** A character in quotes, or its code if nothing would be seen. @param {string} character */
const named = (character) => (/[\p{C}\p{M}\p{Z}]/u.test(character)
  ? `U+${/** @type {number} */ (character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`
  : `‘${character}’`);
