/** Registers `<heed-token-strip>`, and adds the tag to the types of the DOM. */
import { HeedTokenStrip } from '../token-strip.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-token-strip>`. */
    'heed-token-strip': HeedTokenStrip;
  }
}

export { HeedTokenStrip };
