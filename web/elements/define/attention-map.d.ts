/** Registers `<heed-attention-map>`, and adds the tag to the types of the DOM. */
import { HeedAttentionMap } from '../attention-map.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-attention-map>`. */
    'heed-attention-map': HeedAttentionMap;
  }
}

export { HeedAttentionMap };
