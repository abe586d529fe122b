/** Registers `<heed-head-grid>`. */
import { HeedHeadGrid } from '../head-grid.js';
import { register } from './register.js';

register('heed-head-grid', HeedHeadGrid);

export { HeedHeadGrid };
