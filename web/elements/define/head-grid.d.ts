/** Registers `<heed-head-grid>`, and adds the tag to the types of the DOM. */
import { HeedHeadGrid } from '../head-grid.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-head-grid>`. */
    'heed-head-grid': HeedHeadGrid;
  }
}

export { HeedHeadGrid };
