// A worker that answers nothing: at its first message it ends.
import { openPort } from '../../js/engine/port.js';

openPort().then((port) => {
  port.listen(() => process.exit(3));
  port.post({ ready: true });
});
