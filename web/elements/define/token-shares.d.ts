/** Registers `<heed-token-shares>`, and adds the tag to the types of the DOM. */
import { HeedTokenShares } from '../token-shares.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-token-shares>`. */
    'heed-token-shares': HeedTokenShares;
  }
}

export { HeedTokenShares };
