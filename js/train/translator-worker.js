/** The far end of js/train/translator-remote.js: a translator in a Worker's thread, asked by messages. */
import { openPort } from '../engine/port.js';
import { posted } from '../errors.js';
import { lab } from '../lab/index.js';
import { openTranslator } from './models/index.js';

/** @typedef {import('./models/index.js').Translator} Translator */

/** @type {import('../engine/port.js').WorkerPort} */
let port;
/** @type {Translator | undefined} */
let model;

/** What can be asked, by name.  @type {Record<string, (parameters: any) => unknown>} */
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

// Not awaited at the top level: bundlers make classic scripts of workers.
openPort().then((opened) => {
  port = opened;
  port.listen(answer);
  port.post({ ready: true });
});
