/** A translator in a worker, worker side: it answers the messages of js/train/translator-remote.js. */
import { openPort } from '../engine/port.js';
import { posted } from '../errors.js';
import { lab } from '../lab/index.js';
import { openTranslator } from './models/index.js';

/** @typedef {import('./models/index.js').Translator} Translator */

/** @type {import('../engine/port.js').WorkerPort} */
let port;
/** @type {Translator | undefined} */
let model;

/** Handlers of orders by name. @type {Record<string, (parameters: any) => unknown>} */
const orders = {
  async open({ file }) {
    model = await openTranslator(await lab(), file);
  },
  translate: ({ text, options }) => model?.translate(text, options),
};

/** @param {{ call: number, order: string, parameters: any }} message */
async function answer({ call, order, parameters }) {
  try {
    port.post({ call, result: await orders[order](parameters) });
  } catch (error) {
    port.post({ call, error: posted(error) });
  }
}

// No top-level await: bundlers turn workers into classic scripts.
openPort().then((opened) => {
  port = opened;
  port.listen(answer);
  port.post({ ready: true });
});
