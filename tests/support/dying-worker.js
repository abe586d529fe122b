// A worker that exits at its first message, without an answer.
import { openPort } from '../../js/engine/port.js';

openPort().then((port) => {
  port.listen(() => process.exit(3));
  port.post({ ready: true });
});
