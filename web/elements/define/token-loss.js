/** Registers `<heed-token-loss>`. */
import { HeedTokenLoss } from '../token-loss.js';
import { register } from './register.js';

register('heed-token-loss', HeedTokenLoss);

export { HeedTokenLoss };
