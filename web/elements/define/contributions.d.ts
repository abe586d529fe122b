/** Registers `<heed-contributions>`, and adds the tag to the types of the DOM. */
import { HeedContributions } from '../contributions.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-contributions>`. */
    'heed-contributions': HeedContributions;
  }
}

export { HeedContributions };
