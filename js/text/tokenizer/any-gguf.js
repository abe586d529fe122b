/** Tokenizers of GGUF files with all kinds of vocabularies; gguf.js has the usual two. */
import { UNIGRAM, WORD_PIECE } from './encoder-gguf.js';
import { usualTokenizer } from './gguf.js';
import { MORE_PRE_TOKENIZERS } from './more-pre-tokenizers.js';

const MORE = { preTokenizers: MORE_PRE_TOKENIZERS, kinds: new Map([WORD_PIECE, UNIGRAM]) };

/**
 * The tokenizer of a GGUF file of any kind, from its metadata.
 * @param {import('../../files/gguf/header.js').Metadata} metadata
 * @param {string} name  name of the file, for messages
 * @returns {import('./text-tokenizer.js').TextTokenizer | null} null if the file has no tokenizer
 * @throws {import('../../errors.js').HeedError} 'bad-tokenizer', 'unsupported'
 */
export const tokenizerFromGguf = (metadata, name) => usualTokenizer(metadata, name, MORE);
