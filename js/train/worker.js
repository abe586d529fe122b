/** The far end of js/train/remote.js: a Trainer in a Worker's thread, driven by messages. */
import { openPort } from '../engine/port.js';
import { HeedError, posted } from '../errors.js';
import { lab as openLab } from '../lab/index.js';
import { findRecipe } from './recipes.js';
import { Trainer } from './trainer.js';

/** Time between two messages of progress: more would be more than a page can draw. */
const TELL_MS = 50;

/** @type {import('../engine/port.js').WorkerPort} */
let port;
/** @type {Trainer | undefined} */
let trainer;
/** Steps from one frame of the history to the next. */
let every = 1;
let paused = false;
/** Stops the loop that runs. */
let running = new AbortController();
/** Loops run one after another: fulfilled when the last that was asked for has ended. */
let resting = Promise.resolve();

/** What can be asked, by name.  @type {Record<string, (parameters: any) => unknown>} */
const orders = {
  async start({ name, seed, steps, frames }) {
    const recipe = await findRecipe(name);
    if (recipe.files?.length) {
      throw new HeedError('unsupported', `The recipe ‘${name}’ reads ${recipe.files[0].name}, and a worker has no ` +
        `data files. Run ‘heed train ${name}’ on the command line, or use a Trainer with recipe.data(files).`);
    }
    trainer = new Trainer(await openLab({ seed }), recipe, await recipe.data({}), { steps });
    every = Math.max(1, Math.ceil(trainer.steps / frames));
    port.post({ began: { steps: trainer.steps, goal: recipe.goal, frame: frame() } });
    await run(trainer);
  },
  /** A paused training is one whose loop was stopped, as the command line stops it. */
  pause() {
    paused = true;
    running.abort();
  },
  async resume() {
    paused = false;
    if (trainer) await run(trainer); // one that is still being opened runs when it is
  },
};

const frame = () => ({ step: trainer?.step, ...trainer?.watch() });

/** @param {Trainer} training */
function run(training) {
  resting = resting.then(() => steps(training));
  return resting;
}

/** @param {Trainer} training */
async function steps(training) {
  if (paused || training.ended) return;
  running = new AbortController();
  /** Losses that nobody was told yet. @type {number[]} */
  let losses = [];
  let told = performance.now();
  let last = training.step;
  const tell = (/** @type {object} */ more) => {
    port.post({ learned: { losses, ...more } });
    losses = [];
    told = performance.now();
  };
  for await (const { step, loss, secondsLeft, figures } of training.run({ signal: running.signal })) {
    losses.push(loss);
    last = step;
    const seen = step % every === 0 || step === training.steps ? frame() : null;
    if (seen || figures || performance.now() - told > TELL_MS) tell({ step, secondsLeft, figures, frame: seen });
  }
  if (losses.length) tell({ step: last, secondsLeft: null, figures: null, frame: null });
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

// Not awaited at the top level: bundlers make classic scripts of workers.
openPort().then((opened) => {
  port = opened;
  port.listen(answer);
  port.post({ ready: true });
});
