/** From logits to text: the stages of the sampler, greedy and sampled texts, the loop, and the loss. */
import { load } from '../../js/index.js';
import { showLoop, showTexts } from './18-logits-loop.js';
import { showLoss } from './18-logits-loss.js';
import { showStages } from './18-logits-stages.js';
import { LOOPS } from './drawings/18-logits.js';
import { Drawing } from './kit/drawing.js';
import { element, lesson, showProgress } from './kit/page.js';
import { connectField, lengthProblem } from './kit/text-field.js';
import { Turns } from './kit/turns.js';

const MODEL = new URL('../../models/stories.gguf', import.meta.url);
const PROMPTS = ['One day, Lily found a', 'Once upon a', 'Tom was sad because he lost his', 'The cat sat on the'];
/** Characters of the longest prompt. */
const LONGEST = 120;

lesson(async () => {
  const drawing = new Drawing(element('drawing'), LOOPS[0]);
  showProgress('Loading the stories model.');
  const model = await load(MODEL);
  showProgress('Running the model.');
  const texts = await model.tokens(Int32Array.from({ length: model.info.vocabulary }, (_, id) => id));
  const textOf = (/** @type {number} */ id) => texts[id];
  const turns = new Turns();
  const stages = showStages(model, turns, textOf, drawing);
  const continueText = showTexts(model, turns, stages.settings);
  const startLoop = showLoop(model, turns, textOf);
  const field = /** @type {HTMLInputElement} */ (element('prompt'));

  async function show() {
    const refused = lengthProblem(field.value, LONGEST, 'text');
    element('refused').textContent = refused && `${refused} The figures still show the text before.`;
    if (refused) return;
    const ids = await model.encode(field.value);
    await Promise.all([stages.show(ids), continueText(ids), startLoop(ids)]);
  }

  connectField(field, element('prompts'), PROMPTS, show);
  await show();
  await showLoss(model, turns, textOf);
});
