/** Registers `<heed-contributions>`. */
import { HeedContributions } from '../contributions.js';
import { register } from './register.js';

register('heed-contributions', HeedContributions);

export { HeedContributions };
