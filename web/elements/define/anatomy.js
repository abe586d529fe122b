/** Registers `<heed-anatomy>`. */
import { HeedAnatomy } from '../anatomy.js';
import { register } from './register.js';

register('heed-anatomy', HeedAnatomy);

export { HeedAnatomy };
