/** heed: transformers that run in the browser on the CPU, with their attention maps. */
export { kept } from './kept.js';
export { loadTokenizer } from './load-tokenizer.js';
export { countWeights } from './model/count.js';
export { load } from './model/load.js';
export { storableEdits } from './model/stored-edits.js';
export { HeedError, ERROR_CODES } from './errors.js';
export { SAMPLER_ORDERS, SAMPLING } from './model/sampling.js';

/** @typedef {import('./errors.js').ErrorCode} ErrorCode */
/** @typedef {import('./model/count.js').Architecture} Architecture */
/** @typedef {import('./model/load.js').LoadedModel} Model */
/** @typedef {import('./model/load.js').ModelSource} Source */
/** @typedef {import('./model/load.js').LoadOptions} LoadOptions */
/** @typedef {import('./kept.js').KeptModel} KeptModel */
/** @typedef {import('./load-tokenizer.js').LoneTokenizer} Tokenizer */
/** @typedef {import('./model/info.js').Weight} Weight */
/** @typedef {import('./model/info.js').ModelInfo} ModelInfo */
/** @typedef {import('./model/maps.js').AttentionMap} AttentionMap */
/** @typedef {import('./model/maps.js').AttentionRows} AttentionRows */
/** @typedef {import('./model/generate.js').GenerateOptions} GenerateOptions */
/** @typedef {import('./model/generate.js').Step} Step */
/** @typedef {import('./model/generate.js').Summary} Summary */
/** @typedef {import('./model/batch.js').BatchOptions} BatchOptions */
/** @typedef {import('./model/batch.js').BatchStep} BatchStep */
/** @typedef {import('./model/generate.js').Candidate} Candidate */
/** @typedef {import('./chat/chat.js').Message} Message */
/** @typedef {import('./chat/chat.js').ChatOptions} ChatOptions */
/** @typedef {import('./model/edits.js').Edit} Edit */
/** @typedef {import('./model/hooks.js').Activation} Activation */
