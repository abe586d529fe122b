/** The worker for models of every format: a file, or several of them. */
import { openModelFile } from '../files/model-file.js';
import { serve } from './serve.js';

// Not awaited at the top level: bundlers make classic scripts of workers.
serve(openModelFile);
