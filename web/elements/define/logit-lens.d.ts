/** Registers `<heed-logit-lens>`, and adds the tag to the types of the DOM. */
import { HeedLogitLens } from '../logit-lens.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-logit-lens>`. */
    'heed-logit-lens': HeedLogitLens;
  }
}

export { HeedLogitLens };
