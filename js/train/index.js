/**
 * heed/train: recipes, the training loop, and trained models opened for use.
 *
 * @module heed/train
 */
export { HeedError, ERROR_CODES } from '../errors.js';
export { fineTune } from './fine-tune.js';
export { openCaptioner, openClassifier, openModel, openTranslator } from './models/index.js';
export { findRecipe, recipeNames } from './recipes.js';
export { RemoteTraining } from './remote.js';
export { Trainer } from './trainer.js';
export { adapterToGguf } from './tuning/gguf-adapter.js';
export { mergeAdapter } from './tuning/merge.js';
export { Tuning } from './tuning/tuning.js';
export { RemoteTranslator } from './translator-remote.js';

/** @typedef {import('./fine-tune.js').FineTuned} FineTuned */
/** @typedef {import('./models/translation.js').Translation} Translation */
/** @typedef {import('./models/captioner.js').Caption} Caption */
/** @typedef {import('./models/classifier.js').Classification} Classification */
