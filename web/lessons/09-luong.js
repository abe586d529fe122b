/** The same dates translated by three models with different scores, and one step of the chosen model. */
import { countParameters, lab } from '../../js/lab/index.js';
import { decode, encode } from '../../js/train/models/luong.js';
import { BEGIN, padded } from '../../js/train/tasks/vocabulary.js';
import { tokenName } from '../draw/token.js';
import { fixed, grouped, percent } from './kit/format.js';
import { addModelSelect } from './kit/model-select.js';
import { element, lesson, showValues } from './kit/page.js';
import { TranslationSteps, argmax, openTranslator } from './kit/translation.js';

/** @typedef {import('./kit/translation.js').Model} Model */
const SCORES = { dot: 'dot', general: 'general', concat: 'concat' };
const LENGTH = 'YYYY-MM-DD'.length;

lesson(async () => {
  const l = await lab();
  /** @type {Model} */ let model;

  /** Repeats the step that writes symbol i.
   *  @param {import('./kit/translation.js').Translation} translation @param {number} i */
  function step({ source, ids }, i) {
    const { weights, config } = model;
    const read = padded([source.map((symbol) => config.source.indexOf(symbol))]);
    const before = padded([[BEGIN, ...ids].slice(0, i + 1)]);
    const { score } = config;
    const scored = { W: weights['attention.W.weight'], W_a: weights['attention.W_a.weight'],
      v_a: weights['attention.v_a.weight'] };
    return l.evaluate(() => {
      const memory = encode(l, weights, config, read);
      const { state } = decode(l, weights, config, memory, memory.state, before);
      const s = l.reshape(state, [1, 1, 1, config.hidden]);
      const { output: c, pattern, scores } = l.attention(s, memory.keys, memory.values, { score, weights: scored });
      const together = l.concat([c, s], -1);
      const combined = l.tanh(l.linear(together, weights['decoder.W_c.weight']));
      const logits = l.linear(combined, weights['decoder.output.weight'], weights['decoder.output.bias']);
      const p = l.softmax(logits).data;
      const [best, predicted] = [argmax(pattern.data), argmax(p)];
      showValues({ at: best + 1, where: tokenName(source[best]), most: fixed(pattern.data[best], 2),
        width: combined.data.length, symbol: tokenName(config.target[predicted]), p: fixed(p[predicted], 3),
        rows: ids.length, columns: source.length });
      return { scores: scores.data.slice(), weights: pattern.data.slice() };
    });
  }

  const dates = new TranslationSteps({ field: element('date'), map: element('map'), controls: element('controls'),
    step: element('step') }, { caption: 'Scores of this step', row: 'score', longest: LENGTH }, step);
  await addModelSelect(element('scores'), 'Score', SCORES, (score, onProgress) =>
    openTranslator(l, `dates-luong-${score}`, onProgress),
    (next, score) => {
      model = next;
      const own = Object.entries(model.weights).filter(([weight]) => weight.startsWith('attention.'));
      showValues({ score, states: next.config.hidden, weights: grouped(countParameters(model.weights)),
        own: grouped(countParameters(Object.fromEntries(own))), exact: percent(model.figures.exact) });
      return dates.setModel(model);
    });
});
