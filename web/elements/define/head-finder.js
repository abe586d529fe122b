/** Registers `<heed-head-finder>`. */
import { HeedHeadFinder } from '../head-finder.js';
import { register } from './register.js';

register('heed-head-finder', HeedHeadFinder);

export { HeedHeadFinder };
