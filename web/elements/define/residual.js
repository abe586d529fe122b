/** Registers `<heed-residual>`. */
import { HeedResidual } from '../residual.js';
import { register } from './register.js';

register('heed-residual', HeedResidual);

export { HeedResidual };
