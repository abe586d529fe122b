/**
 * How a byte-level vocabulary cuts text into words before it merges: the regular expressions that stand behind the
 * names of GGUF's ‘tokenizer.ggml.pre’, as llama.cpp defines them (llama-vocab.cpp) and as the models' own
 * tokenizer.json files have them.  Each cuts the pieces that the one before it left.
 */

const GPT2 = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;
const CONTRACTIONS = String.raw`(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])`;
/** @param {string} digits how many of them make a word */
const modern = (digits) =>
  String.raw`${CONTRACTIONS}|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}${digits}| ?[^\s\p{L}\p{N}]+[\r\n]*` +
  String.raw`|\s*[\r\n]+|\s+(?!\S)|\s+`;
const TEKKEN = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` +
  String.raw`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}` +
  String.raw`| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

/**
 * @typedef {object} PreTokenizer
 * @property {string[]} splits
 * @property {boolean} [ignoreMerges]  a word that is a token as it stands is not merged
 * @property {boolean} [addBos]        the start token is wanted where the file does not say
 */

/** @type {[PreTokenizer, string[]][]} */
const KINDS = [
  [{ splits: [GPT2] }, ['gpt-2', 'phi-2', 'roberta-bpe', 'mpt', 'olmo', 'jais', 'gigachat', 'trillion']],
  [
    { splits: [String.raw`\p{N}`, GPT2] },
    ['smollm', 'starcoder', 'refact', 'command-r', 'codeshell', 'exaone', 'minerva-7b'],
  ],
  [{ splits: [modern('{1,3}')], ignoreMerges: true, addBos: true }, ['llama-bpe', 'llama3', 'llama-v3', 'falcon3']],
  [{ splits: [modern('{1,3}')] }, ['dbrx', 'smaug-bpe', 'chatglm-bpe']],
  [{ splits: [modern('')] }, ['qwen2', 'stablelm2', 'megrez', 'deepseek-r1-qwen', 'hunyuan']],
  [{ splits: [TEKKEN], ignoreMerges: true, addBos: true }, ['tekken']],
  [{ splits: [String.raw`[\p{P}\$\+<=>\^~\|]+`, GPT2, String.raw`\p{N}+`, '[0-9][0-9][0-9]'] }, ['default']],
];

/** By the name in the file. @type {ReadonlyMap<string, PreTokenizer>} */
export const PRE_TOKENIZERS = new Map(KINDS.flatMap(([kind, names]) => names.map((name) => [name, kind])));
