/** Registers `<heed-next-token>`. */
import { HeedNextToken } from '../next-token.js';
import { register } from './register.js';

register('heed-next-token', HeedNextToken);

export { HeedNextToken };
