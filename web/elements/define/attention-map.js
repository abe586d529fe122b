/** Registers `<heed-attention-map>`. */
import { HeedAttentionMap } from '../attention-map.js';
import { register } from './register.js';

register('heed-attention-map', HeedAttentionMap);

export { HeedAttentionMap };
