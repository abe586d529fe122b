/**
 * Trains a task with the number of layers and heads that the name of this Worker has, such as ‘2 4’. It has the
 * messages of js/train/worker.js, whose recipes have a fixed size.
 */
import { openPort } from '../../js/engine/port.js';
import { posted } from '../../js/errors.js';
import { countParameters, lab } from '../../js/lab/index.js';
import { findRecipe } from '../../js/train/recipes.js';
import { Trainer } from '../../js/train/trainer.js';
import { exactness, sized } from './13-train-one-here-size.js';

openPort().then((port) => {
  const [layers, heads] = self.name.split(' ').map(Number);
  /** @type {Trainer} */ let trainer;
  /** Steps between two frames. */
  let every = 1;
  /** Stops the running loop. */
  let running = new AbortController();
  /** End of the last requested loop: loops run one after another. */
  let idle = Promise.resolve();

  const frame = () => ({ step: trainer.step, ...trainer.watch(), file: trainer.save() });

  async function train() {
    running = new AbortController();
    /** Losses since the last message. @type {number[]} */
    let losses = [];
    const tell = (/** @type {object} */ more) => {
      port.post({ learned: { step: trainer.step, losses, secondsLeft: null, figures: null, frame: null, ...more } });
      losses = [];
    };
    for await (const { step, loss, secondsLeft, figures } of trainer.run({ signal: running.signal })) {
      losses.push(loss);
      if (step % every === 0 || step === trainer.steps) tell({ secondsLeft, figures, frame: frame() });
    }
    if (losses.length) tell({}); // a pause between two frames
    if (!trainer.ended) return;
    const { step, figures, meetsGoal, weights } = trainer;
    port.post({ ended: { step, meetsGoal, file: trainer.save(),
      figures: { ...figures, ...exactness(trainer), weights: countParameters(weights) } } });
  }

  /** Handlers of orders by name. @type {Record<string, (parameters: any) => unknown>} */
  const orders = {
    async start({ name, seed, frames }) {
      const recipe = sized(await findRecipe(name), { layers, heads });
      trainer = new Trainer(await lab({ seed }), recipe, await recipe.data({}));
      every = Math.ceil(trainer.steps / frames);
      port.post({ began: { steps: trainer.steps, goal: recipe.goal, frame: frame() } });
      await orders.resume({});
    },
    pause: () => running.abort(),
    resume: () => (idle = idle.then(train)),
  };
  port.listen(async ({ order, parameters }) => {
    try {
      await orders[order](parameters);
    } catch (error) {
      port.post({ error: posted(error) });
    }
  });
  port.post({ ready: true });
});
