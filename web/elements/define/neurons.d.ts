/** Registers `<heed-neurons>`, and adds the tag to the types of the DOM. */
import { HeedNeurons } from '../neurons.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-neurons>`. */
    'heed-neurons': HeedNeurons;
  }
}

export { HeedNeurons };
