/** Registers `<heed-token-loss>`, and adds the tag to the types of the DOM. */
import { HeedTokenLoss } from '../token-loss.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-token-loss>`. */
    'heed-token-loss': HeedTokenLoss;
  }
}

export { HeedTokenLoss };
