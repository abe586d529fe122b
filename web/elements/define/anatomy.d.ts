/** Registers `<heed-anatomy>`, and adds the tag to the types of the DOM. */
import { HeedAnatomy } from '../anatomy.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-anatomy>`. */
    'heed-anatomy': HeedAnatomy;
  }
}

export { HeedAnatomy };
