/** Families of decoders beside Llama, of encoders, of encoder–decoders, and of models of pictures. */
import { clipText, clipVision } from './clip.js';
import * as encoders from './encoder.js';
import * as encoderDecoders from './encoder-decoder.js';
import * as gptLike from './gpt-like.js';
import * as llamaLike from './llama-like.js';
import * as mixtures from './mixtures.js';
import * as vision from './vision.js';

/** @type {import('./decoder.js').Decoder[]} */
export const DECODERS = [...Object.values(llamaLike), ...Object.values(gptLike), ...Object.values(mixtures),
  ...Object.values(encoders), ...Object.values(encoderDecoders), ...Object.values(vision.families), clipVision,
  clipText];
