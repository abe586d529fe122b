/** The worker for models that are one file: without the code for safetensors and tokenizer.json. */
import { serve } from './serve.js';
import { openSingleFile } from './single-file.js';

// Not awaited at the top level: bundlers make classic scripts of workers.
serve(/** @type {typeof import('./model-file.js').openModelFile} */ (openSingleFile));
