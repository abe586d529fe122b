/** heed/elements/classes: the classes of the elements, without registering their tags. */
export { HeedAnatomy } from './anatomy.js';
export { HeedAttentionLines } from './attention-lines.js';
export { HeedAttentionMap } from './attention-map.js';
export { HeedContributions } from './contributions.js';
export { HeedHeadFinder } from './head-finder.js';
export { HeedHeadGrid } from './head-grid.js';
export { HeedHeatMap } from './heat-map.js';
export { HeedLogitLens } from './logit-lens.js';
export { HeedNeurons } from './neurons.js';
export { HeedNextToken } from './next-token.js';
export { HeedResidual } from './residual.js';
export { HeedTokenLoss } from './token-loss.js';
export { HeedTokenShares } from './token-shares.js';
export { HeedTokenStrip } from './token-strip.js';
export { HeedTraining } from './training.js';

/** @typedef {import('./events.js').HeedEvents} HeedEvents */
