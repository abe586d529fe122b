/** tokenizer.json and tokenizer_config.json from the vocabulary of a GGUF file. */
import { HeedError } from '../../errors.js';
import { tokenizerFromJson } from '../../text/tokenizer.js';
import { Vocabulary } from '../../text/tokenizer/vocabulary.js';
import { preTokenizerOf } from './hf-tokenizer.js';
import { MARK, needDistinctScores, pairsOf } from './sentencepiece.js';

/** @typedef {import('../../files/model-file.js').ModelFile} ModelFile */
/** @typedef {Record<string, any>} Json */

/** Texts that both tokenizers must encode in the same way: words, spaces, digits, line ends, other scripts, bytes. */
const TRIALS = ['Hello world, it\'s 12345 o\'clock.', '  two  spaces\n\nand\tlines \r\n', 'naïve café — “quotes” …',
  'x+=1; // código 3.14', 'Привет мир', '日本語の文章', '🙂👍🏽', 'ALL CAPS and CamelCase', ' ', 'a'];

/** Types of tokens that text cannot form. */
const UNUSED = 5;

/**
 * @param {ModelFile} file
 * @returns {{ files: Record<string, Uint8Array>, problem?: string }}  problem: why there are no files
 */
export function tokenizerFiles({ tokenizer, metadata, name }) {
  if (!tokenizer) return { files: {} };
  try {
    const { json, config } = jsonOf(/** @type {import('../../files/gguf/header.js').Metadata} */ (metadata), name);
    const read = tokenizerFromJson(json, {}, name);
    const other = TRIALS.find((text) => String(read.encode(text)) !== String(tokenizer.encode(text)));
    if (other !== undefined) return { files: {}, problem: `it would split ${JSON.stringify(other)} in another way` };
    const bytes = (/** @type {Json} */ value) => new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
    return { files: { 'tokenizer.json': bytes(json), 'tokenizer_config.json': bytes(config) } };
  } catch (error) {
    if (error instanceof HeedError) return { files: {}, problem: error.message };
    throw error;
  }
}

/** @param {import('../../files/gguf/header.js').Metadata} metadata @param {string} name
 *  @returns {{ json: Json, config: Json }} */
function jsonOf(metadata, name) {
  const vocabulary = new Vocabulary(metadata, name);
  const { tokens, types, added } = vocabulary;
  const kind = metadata['tokenizer.ggml.model'];
  if (kind !== 'gpt2' && kind !== 'llama') {
    throw new HeedError('unsupported', `The vocabulary is of the kind ${String(kind)}; heed writes gpt2 and llama.`);
  }
  const isFiller = (/** @type {number} */ id) => types[id] === UNUSED && tokens.at(id) === `[PAD${id}]`;
  const vocab = Object.fromEntries(Array.from({ length: tokens.length }, (_, id) => id)
    .filter((id) => !isFiller(id)).map((id) => [tokens.at(id), id]));
  const { pre_tokenizer, addBos, ...form } = kind === 'gpt2' ? byteLevel(vocabulary) : sentencePiece(vocabulary);
  const usual = kind === 'gpt2' ? { bos: null, eos: null } : { bos: 1, eos: 2 };
  const { bos, eos, prefix, suffix } = vocabulary.ends({ ...usual, addBos });
  const nameOf = (/** @type {number | null} */ id) => (id === null ? null : tokens.at(id));
  return {
    json: {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: added.map((token) => ({ ...token, single_word: false, lstrip: false, rstrip: false })),
      normalizer: null,
      pre_tokenizer,
      post_processor: prefix.length + suffix.length > 0 ? around(...[prefix, suffix].map((ids) =>
        ids.map((id) => ({ id, token: tokens.at(id) })))) : null,
      ...form,
      model: { type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null,
        fuse_unk: false, byte_fallback: false, ignore_merges: false, ...form.model, vocab },
    },
    config: {
      tokenizer_class: 'PreTrainedTokenizerFast',
      add_bos_token: prefix.length > 0,
      add_eos_token: suffix.length > 0,
      bos_token: nameOf(bos),
      eos_token: nameOf(eos[0] ?? null),
      ...(typeof metadata['tokenizer.chat_template'] === 'string' &&
        { chat_template: metadata['tokenizer.chat_template'] }),
    },
  };
}

/** @param {Vocabulary} vocabulary @returns {Json} */
function byteLevel(vocabulary) {
  const merges = vocabulary.strings('merges');
  const { step, ignoreMerges, addBos } = preTokenizerOf(String(vocabulary.metadata['tokenizer.ggml.pre'] || 'default'));
  const prepend = vocabulary.flag('add_space_prefix', false);
  return {
    addBos,
    pre_tokenizer: step,
    ...(prepend && { normalizer: { type: 'Prepend', prepend: ' ' } }),
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    model: { ignore_merges: ignoreMerges, merges: Array.from({ length: merges.length }, (_, i) => merges.at(i)) },
  };
}

/** SentencePiece, whose scores become the order of merges.  @param {Vocabulary} vocabulary @returns {Json} */
function sentencePiece(vocabulary) {
  const { tokens, types, ids, added } = vocabulary;
  const scores = vocabulary.numbers('scores', tokens.length, 0);
  const special = new Set(added.filter((token) => token.special).map(({ id }) => id));
  const pieces = Array.from({ length: tokens.length }, (_, id) => id).filter((id) => !special.has(id)).flatMap((id) => {
    const pairs = pairsOf(tokens.at(id)).filter((pair) => pair.every((part) => {
      const of = ids.get(part);
      return of !== undefined && !special.has(of);
    }));
    return pairs.length > 0 ? [{ id, pairs }] : [];
  }).sort((a, b) => scores[b.id] - scores[a.id]);
  needDistinctScores(pieces.map(({ id }) => id).filter((id) => types[id] === 1), scores, (id) => tokens.at(id));
  const unknown = vocabulary.id('unknown_token_id', 0);
  const prefix = vocabulary.flag('add_space_prefix', true);
  const spaces = { type: 'Replace', pattern: { String: ' ' }, content: MARK };
  return {
    addBos: true,
    pre_tokenizer: null,
    normalizer: { type: 'Sequence', normalizers: [...(prefix ? [{ type: 'Prepend', prepend: MARK }] : []), spaces] },
    decoder: { type: 'Sequence', decoders: [{ type: 'Replace', pattern: { String: MARK }, content: ' ' },
      { type: 'ByteFallback' }, { type: 'Fuse' },
      ...(prefix ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : [])] },
    model: { unk_token: unknown === null ? null : tokens.at(unknown), byte_fallback: true,
      merges: pieces.flatMap(({ pairs }) => pairs.map((pair) => pair.join(' '))) },
  };
}

/** A template that puts tokens before and after each text. @param {{ id: number, token: string }[][]} ends */
function around(...[before, after]) {
  const text = (/** @type {string} */ of, /** @type {number} */ type_id) => [
    ...before.map(({ token }) => ({ SpecialToken: { id: token, type_id } })),
    { Sequence: { id: of, type_id } },
    ...after.map(({ token }) => ({ SpecialToken: { id: token, type_id } })),
  ];
  return {
    type: 'TemplateProcessing',
    single: text('A', 0),
    pair: [...text('A', 0), ...text('B', 1)],
    special_tokens: Object.fromEntries([...before, ...after].map(({ id, token }) =>
      [token, { id: token, ids: [id], tokens: [token] }])),
  };
}
