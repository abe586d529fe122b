/** Registers `<heed-token-strip>`. */
import { HeedTokenStrip } from '../token-strip.js';
import { register } from './register.js';

register('heed-token-strip', HeedTokenStrip);

export { HeedTokenStrip };
