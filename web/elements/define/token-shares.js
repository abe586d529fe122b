/** Registers `<heed-token-shares>`. */
import { HeedTokenShares } from '../token-shares.js';
import { register } from './register.js';

register('heed-token-shares', HeedTokenShares);

export { HeedTokenShares };
