/** Registers `<heed-next-token>`, and adds the tag to the types of the DOM. */
import { HeedNextToken } from '../next-token.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-next-token>`. */
    'heed-next-token': HeedNextToken;
  }
}

export { HeedNextToken };
