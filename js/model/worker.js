/** The worker for models of all formats, in one file or several. */
import { openModelFile } from '../files/model-file.js';
import { serve } from './serve.js';

// No top-level await, because bundlers build workers as classic scripts.
serve(openModelFile);
