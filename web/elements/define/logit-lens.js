/** Registers `<heed-logit-lens>`. */
import { HeedLogitLens } from '../logit-lens.js';
import { register } from './register.js';

register('heed-logit-lens', HeedLogitLens);

export { HeedLogitLens };
