/**
 * Regular expressions that split text into words for a byte-level vocabulary.  They have the names of GGUF's
 * ‘tokenizer.ggml.pre’ and are the expressions of llama.cpp (llama-vocab.cpp) and of the models' tokenizer.json.  Each
 * one splits the pieces of the previous one.
 */

export const GPT2 = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;
export const CONTRACTIONS = String.raw`(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])`;
/** @param {string} digits  quantifier of the digits of a word */
export const modern = (digits) =>
  String.raw`${CONTRACTIONS}|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}${digits}| ?[^\s\p{L}\p{N}]+[\r\n]*` +
  String.raw`|\s*[\r\n]+|\s+(?!\S)|\s+`;
/**
 * @typedef {object} PreTokenizer
 * @property {string[]} splits
 * @property {boolean} [ignoreMerges]  whether a word that is a token is not merged
 * @property {boolean} [addBos]        whether to add the start token if the file does not say
 */

/** @param {[PreTokenizer, string[]][]} kinds @returns {ReadonlyMap<string, PreTokenizer>} */
export const byName = (kinds) => new Map(kinds.flatMap(([kind, names]) => names.map((name) => [name, kind])));

/** Usual pre-tokenizers by their names in files; more-pre-tokenizers.js has the others. */
export const PRE_TOKENIZERS = byName([
  [{ splits: [GPT2] }, [
    'gpt-2', 'phi-2', 'roberta-bpe', 'mpt', 'olmo', 'jais', 'gigachat', 'trillion', 'exaone4', 'granite-docling',
    'modern-bert', 'jina-v2-code', 'jina-v1-en', 'jina-v2-es', 'jina-v2-de', 'jina-es', 'jina-de', 'mellum', 'a.x-4.0',
  ]],
  [
    { splits: [String.raw`\p{N}`, GPT2] },
    ['smollm', 'starcoder', 'refact', 'command-r', 'codeshell', 'exaone', 'minerva-7b', 'mellum2'],
  ],
  [{ splits: [modern('{1,3}')], ignoreMerges: true, addBos: true }, [
    'llama-bpe', 'llama3', 'llama-v3', 'falcon3', 'falcon-h1', 'pixtral', 'midm-2.0', 'lfm2',
  ]],
  [{ splits: [modern('')] }, [
    'qwen2', 'stablelm2', 'megrez', 'deepseek-r1-qwen', 'hunyuan', 'kormo', 'f2llmv2', 'solar-open', 'grok-2',
  ]],
  [{ splits: [String.raw`[\p{P}\$\+<=>\^~\|]+`, GPT2, String.raw`\p{N}+`, '[0-9][0-9][0-9]'] }, ['default']],
]);
