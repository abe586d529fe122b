/** Registers `<heed-head-finder>`, and adds the tag to the types of the DOM. */
import { HeedHeadFinder } from '../head-finder.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-head-finder>`. */
    'heed-head-finder': HeedHeadFinder;
  }
}

export { HeedHeadFinder };
