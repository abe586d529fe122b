/** Builds the two usual tokenizers of GGUF; callers add other kinds, so the small worker omits their code. */
import { HeedError, quoted } from '../../errors.js';
import { MergeBpe, ScoredBpe } from './bpe.js';
import { bytesOfByteLevel } from './byte-level.js';
import { PRE_TOKENIZERS } from './pre-tokenizers.js';
import { SPACE, bytesOfPiece } from './sentencepiece.js';
import { StringIndex } from './string-index.js';
import { TextTokenizer } from './text-tokenizer.js';
import { Vocabulary } from './vocabulary.js';

/** @typedef {import('../../files/gguf/header.js').Metadata} Metadata */
/** @typedef {import('./strings.js').Strings} Strings */

/** A function that makes the tokenizer of a GGUF file.
 *  @typedef {(metadata: Metadata, name: string) => TextTokenizer | null} TokenizerOf */

/**
 * Further tokenizers, which only some workers contain.
 * @typedef {object} More
 * @property {typeof PRE_TOKENIZERS} [preTokenizers]  pre-tokenizers in addition to the usual ones
 * @property {Map<unknown, (vocabulary: Vocabulary) => TextTokenizer>} [kinds]  kinds of vocabularies, by
 *   `tokenizer.ggml.model`
 */

/**
 * The tokenizer of a GGUF file, from its metadata: SentencePiece, or byte-level BPE.
 * @param {Metadata} metadata
 * @param {string} name  name of the file, for messages
 * @param {More} [more]
 * @returns {TextTokenizer | null} null if the file has no tokenizer
 * @throws {HeedError} 'bad-tokenizer', 'unsupported'
 */
export function usualTokenizer(metadata, name, { preTokenizers = new Map(), kinds = new Map() } = {}) {
  const kind = metadata['tokenizer.ggml.model'];
  if (kind === undefined || kind === 'none' || kind === 'no_vocab') return null;
  const vocabulary = new Vocabulary(metadata, name);
  if (kind === 'gpt2') return byteLevel(vocabulary, preTokenizers);
  if (kind === 'llama') return sentencePiece(vocabulary);
  const other = kinds.get(kind);
  if (other) return other(vocabulary);
  throw new HeedError('unsupported', `${quoted(name)} has a tokenizer of the kind ${quoted(kind)}; heed supports ` +
    `${['gpt2', 'llama', ...kinds.keys()].join(', ')}.`);
}

/**
 * Byte-level BPE with its list of merges.
 * @param {Vocabulary} vocabulary
 * @param {typeof PRE_TOKENIZERS} more
 */
function byteLevel(vocabulary, more) {
  const { metadata, name, added, ids } = vocabulary;
  const pre = String(metadata['tokenizer.ggml.pre'] || 'default');
  const kind = PRE_TOKENIZERS.get(pre) ?? more.get(pre);
  if (!kind) {
    throw new HeedError('unsupported', `${quoted(name)} splits text into words by ${quoted(pre)}. heed supports ` +
      `${[...PRE_TOKENIZERS.keys(), ...more.keys()].join(', ')}.`);
  }
  const merges = vocabulary.strings('merges');
  const odd = findOddMerge(merges);
  if (odd !== null) throw vocabulary.bad(`the merge ${quoted(odd)} is not two tokens with a space between`);
  const splits = kind.splits.map((Regex) => ({ type: 'Split', pattern: { Regex }, behavior: 'Isolated' }));
  const addsSpace = vocabulary.flag('add_space_prefix', false);
  const ranks = new StringIndex(merges);
  const rank = (/** @type {string} */ left, /** @type {string} */ right) => ranks.get(`${left} ${right}`);
  return new TextTokenizer({
    json: {
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [...splits, { type: 'ByteLevel', add_prefix_space: false, use_regex: false }],
      },
      normalizer: addsSpace ? { type: 'Prepend', prepend: ' ' } : null,
    },
    model: new MergeBpe(ids, rank, { ignore_merges: kind.ignoreMerges === true }),
    added,
    ...vocabulary.ends({ bos: null, eos: null, addBos: kind.addBos === true }),
    ...vocabulary.spelling(bytesOfByteLevel),
    spacePrefix: addsSpace,
  }, name);
}

/**
 * The first merge that does not consist of two parts with a space between them.
 * @param {Strings} merges
 * @returns {string | null}
 */
function findOddMerge(merges) {
  for (let i = 0; i < merges.length; i++) {
    const last = merges.end(i) - 1;
    let at = merges.start(i) + 1;
    while (at < last && merges.bytes[at] !== 0x20) at++;
    if (at >= last) return merges.at(i);
  }
  return null;
}

/**
 * SentencePiece with scores and byte fallback.
 * @param {Vocabulary} vocabulary
 */
function sentencePiece(vocabulary) {
  const { name, tokens, added, ids } = vocabulary;
  const scores = vocabulary.numbers('scores', tokens.length, 0);
  const unknown = vocabulary.id('unknown_token_id', 0);
  const control = new Set(added.filter(({ special }) => special).map(({ id }) => id));
  const spacePrefix = vocabulary.flag('add_space_prefix', true);
  const prefix = { type: 'Prepend', prepend: SPACE };
  const spaces = { type: 'Replace', pattern: { String: ' ' }, content: SPACE };
  return new TextTokenizer({
    json: {
      normalizer: { type: 'Sequence', normalizers: spacePrefix ? [prefix, spaces] : [spaces] },
    },
    model: new ScoredBpe(ids, scores, unknown === null ? undefined : tokens.at(unknown), control),
    added,
    ...vocabulary.ends({ bos: 1, eos: 2, addBos: true }),
    ...vocabulary.spelling(bytesOfPiece),
    spacePrefix,
  }, name);
}
