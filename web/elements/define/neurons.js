/** Registers `<heed-neurons>`. */
import { HeedNeurons } from '../neurons.js';
import { register } from './register.js';

register('heed-neurons', HeedNeurons);

export { HeedNeurons };
