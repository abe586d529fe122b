/**
 * heed/train: recipes, the training loop, and trained models opened for use.
 *
 * @module heed/train
 */
export { HeedError, ERROR_CODES } from '../errors.js';
export { openClassifier, openModel, openTranslator } from './models/index.js';
export { findRecipe, recipeNames } from './recipes.js';
export { RemoteTraining } from './remote.js';
export { Trainer } from './trainer.js';
export { RemoteTranslator } from './translator-remote.js';

/** @typedef {import('./models/translation.js').Translation} Translation */
/** @typedef {import('./models/classifier.js').Classification} Classification */
