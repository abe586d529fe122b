/** Training in a worker, worker side: a Trainer that messages of js/train/remote.js control. */
import { openPort } from '../engine/port.js';
import { HeedError, posted } from '../errors.js';
import { lab as openLab } from '../lab/index.js';
import { tune } from './fine-tune.js';
import { findRecipe } from './recipes.js';
import { Trainer } from './trainer.js';
import { merge } from './tuning/merge.js';

/** Least time between two messages of progress in milliseconds: a page draws no faster. */
const MESSAGE_MS = 50;

/** @type {import('../engine/port.js').WorkerPort} */
let port;
/** @type {Trainer | undefined} */
let trainer;
/** Steps between two frames. */
let every = 1;
/** Whether frames have the weights. */
let withFiles = false;
let paused = false;
/** Stops the running loop. */
let running = new AbortController();
/** Ends a training of a loaded model after the current step; its result has the trained weights. */
const finishing = new AbortController();
/** Lets such a training begin. */
let begin = () => {};
/** End of the last requested loop: loops run one after another. */
let idle = Promise.resolve();

/** Handlers of orders by name. @type {Record<string, (parameters: any) => unknown>} */
const orders = {
  async start({ name, seed, steps, size, frames, files }) {
    const recipe = resized(await findRecipe(name), size);
    if (recipe.files?.length) {
      throw new HeedError('unsupported', `The recipe ‘${name}’ reads ${recipe.files[0].name}, and a worker has no ` +
        `data files. Run ‘heed train ${name}’ on the command line, or use a Trainer with recipe.data(files).`);
    }
    trainer = new Trainer(await openLab({ seed }), recipe, await recipe.data({}), { steps });
    every = Math.max(1, Math.ceil(trainer.steps / frames));
    withFiles = files;
    port.post({ began: { steps: trainer.steps, goal: recipe.goal, frame: frame() } });
    await run(trainer);
  },
  async tune({ source, text, settings }) {
    const done = await tune(source, text, {
      ...settings,
      onBegan: (tuning) => new Promise((resolve) => {
        begin = () => resolve(undefined);
        port.post({ tuning });
      }),
      onProgress: (progress) => port.post({ progress }),
      finish: finishing.signal,
    });
    port.post({ done });
  },
  begin: () => begin(),
  finish: () => finishing.abort(),
  async merge({ source, adapter, format }) {
    port.post({ done: await merge(source, adapter, format) });
  },
  /** Stops the loop, as an interrupt on the command line does. */
  pause() {
    paused = true;
    running.abort();
  },
  async resume() {
    paused = false;
    if (trainer) await run(trainer); // a training starts by itself after it has opened
  },
};

/** @param {import('./trainer.js').Recipe} recipe @param {import('./trainer.js').Size | undefined} size */
function resized(recipe, size) {
  if (!size) return recipe;
  if (recipe.sized) return recipe.sized(size);
  throw new HeedError('unsupported', `The recipe ‘${recipe.name}’ has one size of its model. Omit the option size.`);
}

const frame = () => ({ step: trainer?.step, ...trainer?.watch(), ...(withFiles && { file: trainer?.save() }) });

/** @param {Trainer} training */
function run(training) {
  idle = idle.then(() => trainOn(training));
  return idle;
}

/** @param {Trainer} training */
async function trainOn(training) {
  if (paused || training.ended) return;
  running = new AbortController();
  /** Losses since the last message. @type {number[]} */
  let losses = [];
  let sent = performance.now();
  let last = training.step;
  const send = (/** @type {object} */ more) => {
    port.post({ learned: { losses, ...more } });
    losses = [];
    sent = performance.now();
  };
  for await (const { step, loss, secondsLeft, figures } of training.run({ signal: running.signal })) {
    losses.push(loss);
    last = step;
    const shown = step % every === 0 || step === training.steps ? frame() : null;
    if (shown || figures || performance.now() - sent > MESSAGE_MS) send({ step, secondsLeft, figures, frame: shown });
  }
  if (losses.length) send({ step: last, secondsLeft: null, figures: null, frame: null });
  if (!training.ended) return;
  const { figures, meetsGoal } = training;
  port.post({ ended: { step: training.step, figures, meetsGoal, file: training.save() } });
}

/** @param {{ order: string, parameters?: any }} message */
async function answer({ order, parameters }) {
  try {
    await orders[order](parameters);
  } catch (error) {
    port.post({ error: posted(error) });
  }
}

// No top-level await: bundlers turn workers into classic scripts.
openPort().then((opened) => {
  port = opened;
  port.listen(answer);
  port.post({ ready: true });
});
