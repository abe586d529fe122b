/** BPE of a Hugging Face tokenizer.json, of bytes or of SentencePiece → GGUF's tokenizer.ggml.* metadata. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HeedError, quoted } from '../../errors.js';
import { TOKEN_TYPE, tokenizerMetadata } from '../../files/gguf/describe.js';
import { bool } from '../../files/gguf/writer.js';
import { MORE_PRE_TOKENIZERS } from '../../text/tokenizer/more-pre-tokenizers.js';
import { PRE_TOKENIZERS } from '../../text/tokenizer/pre-tokenizers.js';
import { isSentencePiece, sentencePiece } from './sentencepiece.js';

/** Patterns of pre-tokenizers with a name in llama.cpp.  They differ in the number of digits in a word.  A pattern has
 *  two names.  The second one is used if tokenizer.json sets `ignore_merges`: a word of the vocabulary is one token.
 *  @type {Record<string, [name: string, ignoresMerges: string]>} */
const PATTERNS = { [pattern('{1,3}')]: ['dbrx', 'llama-bpe'], [pattern('')]: ['qwen2', 'qwen2'] };

/** @param {string} digits quantifier of a regular expression */
function pattern(digits) {
  return `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}${digits}` +
    '| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';
}

/**
 * @param {string} folder
 * @param {any} config its config.json
 * @param {string} [pre] name of the pre-tokenizer, instead of recognizing it
 * @returns {Promise<import('../../files/gguf/writer.js').Metadata>} {} without a tokenizer.json
 */
export async function hfTokenizerMetadata(folder, config, pre) {
  const json = await readJson(join(folder, 'tokenizer.json'));
  if (!json) return {};
  const { model, added_tokens: added = [] } = json;
  if (model?.type !== 'BPE') {
    throw new HeedError('unsupported', 'tokenizer.json is not a BPE, of bytes or of SentencePiece, so it is not ' +
      'converted. Convert the folder without it, and give the model token ids.');
  }
  const tokens = [];
  const types = [];
  for (const [token, id] of Object.entries(model.vocab)) {
    tokens[id] = token;
    types[id] = TOKEN_TYPE.normal;
  }
  for (const { id, content, special } of added) {
    tokens[id] = content;
    types[id] = special ? TOKEN_TYPE.control : TOKEN_TYPE.userDefined;
  }
  for (let id = 0; id < Math.max(tokens.length, config.vocab_size); id++) {
    tokens[id] ??= `[PAD${id}]`;
    types[id] ??= TOKEN_TYPE.unused;
  }
  const [first, last] = tokensAround(json.post_processor);
  const settings = await readJson(join(folder, 'tokenizer_config.json'));
  const eos = [config.eos_token_id].flat()[0] ?? undefined;
  const ends = {
    bos: first ?? config.bos_token_id ?? undefined,
    eos: last ?? eos,
    ...(last !== null && last !== eos && { eot: eos }), // as Qwen3-Embedding, whose texts end with another token
    addBos: settings?.add_bos_token ?? first !== null,
    addEos: last !== null,
  };
  if (isSentencePiece(json)) {
    const { spacePrefix, ...pieces } = sentencePiece(json, tokens, types);
    return {
      ...tokenizerMetadata({ model: 'llama', pre: pre ?? 'default', tokens, types, ...pieces, ...ends }),
      'tokenizer.ggml.add_space_prefix': bool(spacePrefix),
    };
  }
  return tokenizerMetadata({
    model: 'gpt2',
    pre: pre ?? recognize(json.pre_tokenizer, model.ignore_merges === true),
    tokens,
    types,
    merges: model.merges.map((/** @type {string | string[]} */ pair) => (Array.isArray(pair) ? pair.join(' ') : pair)),
    ...ends,
  });
}

/** @param {string} path */
async function readJson(path) {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : JSON.parse(text);
}

/** Bytes as characters. @param {boolean} use_regex  whether words are split as in GPT-2 */
const byteLevel = (use_regex) => ({ type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex });
/** @param {object[]} pretokenizers */
const sequence = (...pretokenizers) => ({ type: 'Sequence', pretokenizers });
/** @param {string} Regex */
const split = (Regex) => ({ type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false });

/**
 * The pre-tokenizer with a name: the step that `recognize` knows, or llama.cpp's expressions.
 * @param {string} name  tokenizer.ggml.pre
 * @returns {{ step: object, ignoreMerges: boolean, addBos: boolean }}
 * @throws {HeedError} 'unsupported'
 */
export function preTokenizerOf(name) {
  const kind = PRE_TOKENIZERS.get(name) ?? MORE_PRE_TOKENIZERS.get(name);
  if (!kind) throw new HeedError('unsupported', `The pre-tokenizer ${quoted(name)} is not known.`);
  const { splits, ignoreMerges = false, addBos = false } = kind;
  const [own] = Object.entries(PATTERNS).find(([, names]) => names.includes(name)) ?? [];
  const steps = own ? [own] : splits;
  /** @type {Record<string, object>} */
  const usual = { 'gpt-2': byteLevel(true), 'smollm': sequence({ type: 'Digits', individual_digits: true },
    byteLevel(true)) };
  return { step: usual[name] ?? sequence(...steps.map(split), byteLevel(false)), ignoreMerges, addBos };
}

/** Name of a pre-tokenizer. @param {any} preTokenizer @param {boolean} ignoresMerges */
function recognize(preTokenizer, ignoresMerges) {
  const steps = preTokenizer?.type === 'Sequence' ? preTokenizer.pretokenizers : [preTokenizer];
  const kinds = steps.map((/** @type {any} */ step) => step?.type).join(' ');
  if (kinds === 'ByteLevel' && steps[0].use_regex !== false && !steps[0].add_prefix_space) return 'gpt-2';
  if (kinds === 'Digits ByteLevel' && steps[0].individual_digits) return 'smollm';
  const names = kinds === 'Split ByteLevel' ? PATTERNS[steps[0].pattern?.Regex] : undefined;
  if (!names) {
    throw new HeedError('unsupported', 'The pre-tokenizer of tokenizer.json has no known name in GGUF. Give its name ' +
      'with --pre, for example falcon or bloom.');
  }
  return names[Number(ignoresMerges)];
}

/** The ids that a template puts before and after a text, or null.
 *  @param {any} postProcessor @returns {[first: number | null, last: number | null]} */
function tokensAround(postProcessor) {
  const steps = postProcessor?.type === 'Sequence' ? postProcessor.processors : [postProcessor];
  const template = steps.find((/** @type {any} */ step) => step?.type === 'TemplateProcessing');
  const idOf = (/** @type {any} */ piece) => (piece?.SpecialToken === undefined ? null
    : template.special_tokens[piece.SpecialToken.id].ids[0]);
  return [idOf(template?.single[0]), idOf(template?.single.at(-1))];
}
