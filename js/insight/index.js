/**
 * heed/insight: analyses of a model, each a number per layer, head, token or neuron, from the calls of its API.
 *
 * @module heed/insight
 */
export { HeedError, ERROR_CODES } from '../errors.js';
export { ablationSweep } from './ablation-sweep.js';
export { at } from './at.js';
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
export { rows } from './rows.js';
export { valueNorms } from './value-norms.js';

/** @typedef {import('./result.js').Result} Result */
/** @typedef {import('./result.js').Label} Label */
/** @typedef {import('./rows.js').Row} Row */
/** @typedef {import('./input.js').Input} Input */
/**
 * Parts of a logit.  `By` is the option `by` of directLogitAttribution.
 * @template {keyof AttributionAxes} [By=keyof AttributionAxes]
 * @typedef {import('./direct-logit-attribution.js').Attribution<By>} Attribution
 */
/** @typedef {import('./direct-logit-attribution.js').AttributionAxes} AttributionAxes */
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
/** @typedef {import('./head-scores.js').ScoreName} ScoreName */
/** @typedef {import('./logit-lens.js').LogitLens} LogitLens */
/** @typedef {import('./logit-lens.js').LogitLensOptions} LogitLensOptions */
/** @typedef {import('./residual-norms.js').ResidualNorms} ResidualNorms */
/** @typedef {import('./residual-norms.js').ResidualQuantity} ResidualQuantity */
/** @typedef {import('./residual-norms.js').ResidualNormsOptions} ResidualNormsOptions */
/** @typedef {import('./rollout.js').Rollout} Rollout */
/** @typedef {import('./rollout.js').RolloutOptions} RolloutOptions */
/** @typedef {import('./value-norms.js').ValueNorms} ValueNorms */
/** @typedef {import('./value-norms.js').ValueNormsOptions} ValueNormsOptions */
/**
 * Changes of a metric.  `Ablated` is the option `parts` of ablationSweep.
 * @template {AblationPart} [Ablated=AblationPart]
 * @typedef {import('./ablation-sweep.js').Ablation<Ablated>} Ablation
 */
/** @typedef {import('./ablation-sweep.js').AblationPart} AblationPart */
/** @typedef {import('./ablation-sweep.js').AblationOptions} AblationOptions */
/**
 * Effects of activations of another text.  `By` is the option `by` of patchSweep.
 * @template {keyof PatchAxes} [By=keyof PatchAxes]
 * @typedef {import('./places.js').Patches<By>} Patches
 */
/** @typedef {import('./stacks.js').StackName} StackName */
/** @typedef {import('./places.js').PatchAxes} PatchAxes */
/** @typedef {import('./places.js').PatchSite} PatchSite */
/** @typedef {import('./places.js').PatchOptions} PatchOptions */
/** @typedef {import('./integrated-gradients.js').IntegratedGradients} IntegratedGradients */
/** @typedef {import('./integrated-gradients.js').IntegratedOptions} IntegratedOptions */
/** @typedef {import('./compare.js').Comparison} Comparison */
/** @typedef {import('./compare.js').CompareOptions} CompareOptions */
