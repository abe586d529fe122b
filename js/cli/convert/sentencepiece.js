/** A tokenizer.json that was made from SentencePiece: BPE of characters, with bytes for unknown ones. */
import { HeedError, quoted } from '../../errors.js';
import { TOKEN_TYPE } from '../../files/gguf/describe.js';

/** The mark of a space. */
export const MARK = '▁';

/** The ways to form a token from two parts. @param {string} token @returns {[left: string, right: string][]} */
export function pairsOf(token) {
  const characters = [...token];
  return characters.slice(1).map((_, i) => [characters.slice(0, i + 1).join(''), characters.slice(i + 1).join('')]);
}

/** Checks that the order of pieces is unique.  Of pieces with equal scores, SentencePiece merges the first one of the
 *  text.  A list of merges has its own order.
 *  @param {number[]} ids  by score @param {ArrayLike<number>} scores @param {(id: number) => string} nameOf */
export function needDistinctScores(ids, scores, nameOf) {
  const same = ids.findIndex((id, i) => i > 0 && scores[id] === scores[ids[i - 1]]);
  if (same < 0) return;
  throw new HeedError('unsupported', `The pieces ${quoted(nameOf(ids[same - 1]))} and ${quoted(nameOf(ids[same]))} ` +
    'have equal scores, and a list of merges would put one before the other.');
}

/** Whether a tokenizer.json is of this kind. @param {any} json */
export const isSentencePiece = ({ model }) => model?.type === 'BPE' && model.byte_fallback === true;

/**
 * Scores, types and settings for GGUF's model `llama`.  Two tokens are merged if their text is a token, the one with
 * the highest score first.  In tokenizer.json the first merge of the list comes first, so a token's score is minus the
 * place of its first merge.
 * @param {any} json  tokenizer.json
 * @param {string[]} tokens by id @param {number[]} types by id; changes
 * @throws {HeedError} 'unsupported' if merges or spaces differ from SentencePiece's
 */
export function sentencePiece({ model, normalizer, pre_tokenizer }, tokens, types) {
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const scores = new Float32Array(tokens.length).fill(-model.merges.length - 1);
  const pairs = new Set();
  model.merges.forEach((/** @type {string | string[]} */ merge, /** @type {number} */ place) => {
    const [left, right] = Array.isArray(merge) ? merge : merge.split(' ');
    pairs.add(`${left} ${right}`);
    const id = ids.get(left + right) ?? -1;
    if (id >= 0) scores[id] = Math.max(scores[id], -place);
  });
  tokens.forEach((token, id) => {
    if (/^<0x[0-9A-F]{2}>$/.test(token)) types[id] = TOKEN_TYPE.byte;
    if (scores[id] >= -model.merges.length) needAllPairs(token, ids, pairs);
  });
  const unknown = ids.get(model.unk_token);
  if (unknown !== undefined) types[unknown] = TOKEN_TYPE.unknown;
  return { scores: Array.from(scores), unknown, spacePrefix: prefixesSpace(normalizer, pre_tokenizer) };
}

/** Checks that every two tokens whose text is this token are merged, as in SentencePiece.
 *  @param {string} token @param {Map<string, number>} ids @param {Set<string>} pairs */
function needAllPairs(token, ids, pairs) {
  for (const [left, right] of pairsOf(token)) {
    if (!ids.has(left) || !ids.has(right) || pairs.has(`${left} ${right}`)) continue;
    throw new HeedError('unsupported', `tokenizer.json does not merge ${quoted(left)} and ${quoted(right)}, although ` +
      `${quoted(token)} is a token. GGUF has no list of merges for SentencePiece, so it would merge them.`);
  }
}

/** Whether a space is put before a text. @param {any} normalizer @param {any} preTokenizer */
function prefixesSpace(normalizer, preTokenizer) {
  const steps = normalizer?.type === 'Sequence' ? normalizer.normalizers : [normalizer];
  const has = (/** @type {string} */ type) => steps.some((/** @type {any} */ step) => step?.type === type);
  if (preTokenizer?.type === 'Metaspace') {
    const { prepend_scheme: scheme, add_prefix_space: prefix } = preTokenizer;
    return scheme ? scheme !== 'never' : prefix !== false;
  }
  const replaces = steps.some((/** @type {any} */ step) => step?.type === 'Replace' && step.content === MARK);
  if (replaces) return has('Prepend');
  throw new HeedError('unsupported', `tokenizer.json does not write spaces as ${quoted(MARK)}, as ` +
    'SentencePiece does.');
}
