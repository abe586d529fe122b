/** Registers `<heed-attention-lines>`, and adds the tag to the types of the DOM. */
import { HeedAttentionLines } from '../attention-lines.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-attention-lines>`. */
    'heed-attention-lines': HeedAttentionLines;
  }
}

export { HeedAttentionLines };
