/** Registers `<heed-attention-lines>`. */
import { HeedAttentionLines } from '../attention-lines.js';
import { register } from './register.js';

register('heed-attention-lines', HeedAttentionLines);

export { HeedAttentionLines };
