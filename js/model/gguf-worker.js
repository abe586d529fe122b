/** The worker for models that are one file: without the code for safetensors and tokenizer.json. */
import { openSingleFile } from '../files/single-file.js';
import { serve } from './serve.js';

// Not awaited at the top level: bundlers make classic scripts of workers.
serve(/** @type {typeof import('../files/model-file.js').openModelFile} */ (openSingleFile));
