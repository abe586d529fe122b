import { HeedError } from '../errors.js';

/** The error of a generation whose session another call has changed. */
export const superseded = () =>
  new HeedError(
    'superseded',
    'Another call changed the session while this text was generated. A model has one session: stop the generation ' +
      'first, or load the model twice.',
  );
