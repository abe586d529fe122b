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

/**
 * Result of `fineTune`.  `Full` is the option `full`.
 * @template {boolean} [Full=boolean]
 * @typedef {import('./fine-tune.js').FineTuned<Full>} FineTuned
 */
/** @typedef {import('./fine-tune.js').FineTuneOptions} FineTuneOptions */
/** @typedef {import('./fine-tune.js').TuningBegan} TuningBegan */
/** @typedef {import('./tuning/tuning.js').TuningOptions} TuningOptions */
/** @typedef {import('./tuning/merge.js').MergeOptions} MergeOptions */
/** @typedef {import('./tuning/peft.js').AdapterFiles} AdapterFiles */
/** @typedef {import('./trainer.js').Progress} Progress */
/**
 * A recipe: see `Recipe` of trainer.js.
 * @template [Data=any], [Batch=any], [Config=any]
 * @typedef {import('./trainer.js').Recipe<Data, Batch, Config>} Recipe
 */
/** @typedef {import('./models/translation.js').Translation} Translation */
/** @typedef {import('./models/captioner.js').Caption} Caption */
/** @typedef {import('./models/classifier.js').Classification} Classification */
