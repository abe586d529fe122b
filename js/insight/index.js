/**
 * heed/insight: analyses of a model, each a number per layer, head, token or neuron, from the calls of its API.
 *
 * @module heed/insight
 */
export { HeedError, ERROR_CODES } from '../errors.js';
export { ablationSweep } from './ablation-sweep.js';
export { attributionPatching } from './attribution-patching.js';
export { circuits } from './circuits.js';
export { compare } from './compare.js';
export { directLogitAttribution } from './direct-logit-attribution.js';
export { toNpz, toSafetensors } from './export.js';
export { headScores, SCORES } from './head-scores.js';
export { integratedGradients } from './integrated-gradients.js';
export { logitLens } from './logit-lens.js';
export { patchSweep } from './patch-sweep.js';
export { residualNorms, RESIDUAL_QUANTITIES } from './residual-norms.js';
export { rollout } from './rollout.js';
export { valueNorms } from './value-norms.js';

/** @typedef {import('./result.js').Result} Result */
/** @typedef {import('./result.js').Label} Label */
/** @typedef {import('./input.js').Input} Input */
/** @typedef {import('./direct-logit-attribution.js').Attribution} Attribution */
/** @typedef {import('./direct-logit-attribution.js').AttributionOptions} AttributionOptions */
/** @typedef {import('./readout.js').Target} Target */
/** @typedef {import('./circuits.js').Circuits} Circuits */
/** @typedef {import('./circuits.js').CircuitsOptions} CircuitsOptions */
/** @typedef {import('./circuits.js').HeadPlace} HeadPlace */
/** @typedef {import('./export.js').Captured} Captured */
/** @typedef {import('./export.js').ExportOptions} ExportOptions */
/** @typedef {import('./head-scores.js').HeadScores} HeadScores */
/** @typedef {import('./head-scores.js').HeadScoresOptions} HeadScoresOptions */
/** @typedef {import('./head-scores.js').Repeated} Repeated */
/** @typedef {import('./logit-lens.js').LogitLens} LogitLens */
/** @typedef {import('./logit-lens.js').LogitLensOptions} LogitLensOptions */
/** @typedef {import('./residual-norms.js').ResidualNorms} ResidualNorms */
/** @typedef {import('./residual-norms.js').ResidualNormsOptions} ResidualNormsOptions */
/** @typedef {import('./rollout.js').Rollout} Rollout */
/** @typedef {import('./rollout.js').RolloutOptions} RolloutOptions */
/** @typedef {import('./value-norms.js').ValueNorms} ValueNorms */
/** @typedef {import('./value-norms.js').ValueNormsOptions} ValueNormsOptions */
/** @typedef {import('./ablation-sweep.js').Ablation} Ablation */
/** @typedef {import('./ablation-sweep.js').AblationPart} AblationPart */
/** @typedef {import('./ablation-sweep.js').AblationOptions} AblationOptions */
/** @typedef {import('./places.js').Patches} Patches */
/** @typedef {import('./places.js').PatchOptions} PatchOptions */
/** @typedef {import('./integrated-gradients.js').IntegratedGradients} IntegratedGradients */
/** @typedef {import('./integrated-gradients.js').IntegratedOptions} IntegratedOptions */
/** @typedef {import('./compare.js').Comparison} Comparison */
/** @typedef {import('./compare.js').CompareOptions} CompareOptions */
