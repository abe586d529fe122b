/** The worker for models of all formats, in one file or several, with adapters, pictures, sources and 64-bit memory. */
import { Engine64 } from '../engine/wasm64.js';
import { openModelFile } from '../files/model-file.js';
import * as adapting from './adapter.js';
import { INPUTS } from './inputs.js';
import { serve } from './serve.js';

// No top-level await, because bundlers build workers as classic scripts.
serve(openModelFile, adapting, INPUTS, Engine64);
