/** A tokenizer.json that was made from SentencePiece: BPE of characters, with bytes for unknown ones. */
import { HeedError, quoted } from '../../errors.js';
import { TOKEN_TYPE } from '../../files/gguf/describe.js';

const SPACE = '▁';

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
  const characters = [...token];
  for (let i = 1; i < characters.length; i++) {
    const [left, right] = [characters.slice(0, i).join(''), characters.slice(i).join('')];
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
  const replaces = steps.some((/** @type {any} */ step) => step?.type === 'Replace' && step.content === SPACE);
  if (replaces) return has('Prepend');
  throw new HeedError('unsupported', `tokenizer.json does not write spaces as ${quoted(SPACE)}, as ` +
    'SentencePiece does.');
}
