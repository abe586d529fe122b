/** Expressions as in pre-tokenizers.js, of models that few pages open. */
import { CONTRACTIONS, GPT2, byName, modern } from './pre-tokenizers.js';

/** Words that change from capitals to small letters once, and an English ending if `ending` matches it.
 *  @param {string} ending @param {string} digits */
const cased = (ending, digits) =>
  String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+${ending}` +
  String.raw`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*${ending}` +
  String.raw`|\p{N}${digits}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`;
/** Letters keep their marks. */
const QWEN35 = String.raw`${CONTRACTIONS}|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*` +
  String.raw`|\s*[\r\n]+|\s+(?!\S)|\s+`;
/** Words between the punctuation of BLOOM. */
const BLOOM = String.raw` ?[^(\s|.,!?…。，、।۔،)]+`;
const HAN_AND_KANA = '[一-龥぀-ゟ゠-ヿ]+';
const DEEPSEEK3 = String.raw`[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_${'`'}{|}~][A-Za-z]+` +
  String.raw`|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

/** Further pre-tokenizers by their names in files. */
export const MORE_PRE_TOKENIZERS = byName([
  [{ splits: [modern('{1,3}')] }, ['dbrx', 'smaug-bpe', 'chatglm-bpe', 'glm4']],
  [{ splits: [cased('', '')], ignoreMerges: true, addBos: true }, ['tekken']],
  [{ splits: [cased(`${CONTRACTIONS}?`, '{1,3}')] }, ['gpt-4o', 'llama4', 'kanana2', 'minimax-m2']],
  [{ splits: [String.raw`[\p{P}\$\+<=>\^~\|${'`'}]+`, GPT2, '[0-9][0-9][0-9]'] }, ['falcon']],
  [{ splits: [QWEN35] }, ['qwen35']],
  [{ splits: [BLOOM] }, ['bloom', 'poro-chat', 'gpt3-finnish']],
  [{ splits: [BLOOM, String.raw`\p{N}`] }, ['viking']],
  [{ splits: ['[\r\n]', String.raw`\s?\p{L}+`, String.raw`\s?\p{P}+`, '[一-龥ࠀ-一가-퟿]+', String.raw`\p{N}`] },
    ['deepseek-coder']],
  [{ splits: [String.raw`\p{N}{1,3}`, HAN_AND_KANA, DEEPSEEK3] },
    ['deepseek-v3', 'hunyuan-dense', 'joyai-llm', 'hy_v4']],
]);
