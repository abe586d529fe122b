/** heed: transformers that run in the browser on the CPU, and show what they attend to. */
export { countWeights } from './count.js';
export { load } from './load.js';
export { HeedError, ERROR_CODES } from './errors.js';
export { SAMPLER_ORDERS, SAMPLING } from './sampling.js';

/** @typedef {import('./count.js').Architecture} Architecture */
/** @typedef {import('./load.js').LoadedModel} Model */
/** @typedef {import('./load.js').ModelSource} Source */
/** @typedef {import('./load.js').LoadOptions} LoadOptions */
/** @typedef {import('./model.js').ModelInfo} ModelInfo */
/** @typedef {import('./model.js').AttentionMap} AttentionMap */
/** @typedef {import('./model.js').AttentionRows} AttentionRows */
/** @typedef {import('./generate.js').GenerateOptions} GenerateOptions */
/** @typedef {import('./generate.js').Step} Step */
/** @typedef {import('./generate.js').Summary} Summary */
/** @typedef {import('./generate.js').Candidate} Candidate */
/** @typedef {import('./hooks.js').Edit} Edit */
/** @typedef {import('./hooks.js').Activation} Activation */
