/** Registers `<heed-training>`, and adds the tag to the types of the DOM. */
import { HeedTraining } from '../training.js';
import './attention-map.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-training>`. */
    'heed-training': HeedTraining;
  }
}

export { HeedTraining };
