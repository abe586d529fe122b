/** Registers `<heed-training>`. */
import { HeedTraining } from '../training.js';
import './attention-map.js';
import { register } from './register.js';

register('heed-training', HeedTraining);

export { HeedTraining };
