/** Registers `<heed-heat-map>`. */
import { HeedHeatMap } from '../heat-map.js';
import { register } from './register.js';

register('heed-heat-map', HeedHeatMap);

export { HeedHeatMap };
