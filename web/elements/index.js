/** heed/elements: registers all elements and exports their classes. */
export { HeedAnatomy } from './define/anatomy.js';
export { HeedAttentionLines } from './define/attention-lines.js';
export { HeedAttentionMap } from './define/attention-map.js';
export { HeedContributions } from './define/contributions.js';
export { HeedHeadFinder } from './define/head-finder.js';
export { HeedHeadGrid } from './define/head-grid.js';
export { HeedHeatMap } from './define/heat-map.js';
export { HeedLogitLens } from './define/logit-lens.js';
export { HeedNeurons } from './define/neurons.js';
export { HeedNextToken } from './define/next-token.js';
export { HeedResidual } from './define/residual.js';
export { HeedTokenLoss } from './define/token-loss.js';
export { HeedTokenShares } from './define/token-shares.js';
export { HeedTokenStrip } from './define/token-strip.js';
export { HeedTraining } from './define/training.js';

/** @typedef {import('./events.js').HeedEvents} HeedEvents */
/** @typedef {import('./tags.js').HeedElements} HeedElements */
