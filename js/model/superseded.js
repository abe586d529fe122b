/** The error of a replaced generation.  The model and its client throw it. */
import { HeedError } from '../errors.js';

/** The error of a generation whose session another call has changed. */
export const superseded = () => new HeedError('superseded',
  'Another call changed the session during this generation. Stop the generation first, or load the model twice.');
