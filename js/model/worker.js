/** The worker for models of all formats, in one file or several, with adapters, pictures and sources. */
import { openModelFile } from '../files/model-file.js';
import * as adapting from './adapter.js';
import { INPUTS } from './inputs.js';
import { serve } from './serve.js';

// No top-level await, because bundlers build workers as classic scripts.
serve(openModelFile, adapting, INPUTS);
