/**
 * Regular expressions that split text into words for a byte-level vocabulary.  They have the names of GGUF's
 * ‘tokenizer.ggml.pre’ and are the expressions of llama.cpp (llama-vocab.cpp) and of the models' tokenizer.json.  Each
 * one splits the pieces of the previous one.
 */

const GPT2 = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;
const CONTRACTIONS = String.raw`(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])`;
/** @param {string} digits  quantifier of the digits of a word */
const modern = (digits) =>
  String.raw`${CONTRACTIONS}|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}${digits}| ?[^\s\p{L}\p{N}]+[\r\n]*` +
  String.raw`|\s*[\r\n]+|\s+(?!\S)|\s+`;
const TEKKEN = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` +
  String.raw`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}` +
  String.raw`| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

/**
 * @typedef {object} PreTokenizer
 * @property {string[]} splits
 * @property {boolean} [ignoreMerges]  whether a word that is a token is not merged
 * @property {boolean} [addBos]        whether to add the start token if the file does not say
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

/** Pre-tokenizers by their names in files. @type {ReadonlyMap<string, PreTokenizer>} */
export const PRE_TOKENIZERS = new Map(KINDS.flatMap(([kind, names]) => names.map((name) => [name, kind])));
