/** Registers `<heed-residual>`, and adds the tag to the types of the DOM. */
import { HeedResidual } from '../residual.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-residual>`. */
    'heed-residual': HeedResidual;
  }
}

export { HeedResidual };
