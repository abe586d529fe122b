/** The worker for usual models in one GGUF file: without the code for safetensors, tokenizer.json, adapters, further
 *  families and rare tokenizers.  remote.js loads a model that it does not support into the other worker. */
import { HeedError } from '../errors.js';
import { openSingleFile } from '../files/single-file.js';
import { usualTokenizer } from '../text/tokenizer/gguf.js';
import { serve } from './serve.js';

const KINDS = {
  describe: async () => {
    throw new HeedError('unsupported', 'This worker contains one family.');
  },
  tokenizerOf: usualTokenizer,
};

// Not awaited at the top level: bundlers make classic scripts of workers.
serve((source, options) => openSingleFile(/** @type {import('../files/source.js').Source} */ (source),
  { ...options, ...KINDS }));
