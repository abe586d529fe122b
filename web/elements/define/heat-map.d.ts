/** Registers `<heed-heat-map>`, and adds the tag to the types of the DOM. */
import { HeedHeatMap } from '../heat-map.js';

declare global {
  interface HTMLElementTagNameMap {
    /** `<heed-heat-map>`. */
    'heed-heat-map': HeedHeatMap;
  }
}

export { HeedHeatMap };
