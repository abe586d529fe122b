/** Defines the elements. They take typed arrays and strings, and know nothing of the engine. */
import { HeedAttentionMap } from './attention-map.js';
import { HeedHeadGrid } from './head-grid.js';
import { HeedNextToken } from './next-token.js';
import { HeedTokenStrip } from './token-strip.js';
import { HeedTraining } from './training.js';

/** @typedef {import('./globals.js').HeedEvents} HeedEvents */
/** @typedef {import('./globals.js').HeedElements} HeedElements */

/** @type {{ [Name in keyof HeedElements]: new () => HTMLElement }} */
const ELEMENTS = {
  'heed-attention-map': HeedAttentionMap,
  'heed-head-grid': HeedHeadGrid,
  'heed-next-token': HeedNextToken,
  'heed-token-strip': HeedTokenStrip,
  'heed-training': HeedTraining,
};

// Where there is no DOM the classes can be imported all the same; a page may have loaded the elements twice.
if (globalThis.customElements) {
  for (const [name, element] of Object.entries(ELEMENTS)) {
    if (!customElements.get(name)) customElements.define(name, element);
  }
}

export { HeedAttentionMap, HeedHeadGrid, HeedNextToken, HeedTokenStrip, HeedTraining };
