/** A tokenizer of WordPiece for tiny encoders. */
import { V } from './families.js';

/** 40 tokens of WordPiece (Wu et al. 2016), as BERT has them. */
const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const WORDS = ['the', 'cat', 'dog', 'sat', 'ran', 'on', 'mat', '##s', '##ning', '.', ',', 'a', 'b', 'c'];
export const TOKENS = Array.from({ length: V }, (_, id) =>
  SPECIAL[id] ?? WORDS[id - SPECIAL.length] ?? `unused${id}`);
export const [CLS, SEP, MASK] = ['[CLS]', '[SEP]', '[MASK]'].map((token) => TOKENS.indexOf(token));
/** tokenizer.json of an uncased BERT. */
export const WORD_PIECE = {
  added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true, normalized: false })),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null,
    lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: { type: 'TemplateProcessing',
    single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } }],
    pair: [],
    special_tokens: Object.fromEntries([['[CLS]', CLS], ['[SEP]', SEP]]
      .map(([id, number]) => [id, { id, ids: [number], tokens: [id] }])) },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100,
    vocab: Object.fromEntries(TOKENS.map((token, id) => [token, id])) },
};
