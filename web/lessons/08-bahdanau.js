/** A date translated with Bahdanau's attention, and one step of the decoder. */
import '../elements/define/attention-lines.js';
import { countParameters, lab } from '../../js/lab/index.js';
import { decode, encode } from '../../js/train/models/bahdanau.js';
import { BEGIN, padded } from '../../js/train/tasks/vocabulary.js';
import { tokenName } from '../draw/token.js';
import { addLengths } from './08-bahdanau-lengths.js';
import { MODEL } from './drawings/08-bahdanau.js';
import { TranslationCuts } from './kit/cuts.js';
import { Drawing } from './kit/drawing.js';
import { fixed, grouped, magnitude, percent } from './kit/format.js';
import { argmax } from './kit/numbers.js';
import { element, lesson, showValues } from './kit/page.js';
import { ONLY_HEAD, TranslationSteps, crossAttention, openTranslator } from './kit/translation.js';

lesson(async () => {
  const drawing = new Drawing(element('drawing'), MODEL);
  /** @type {import('../elements/attention-lines.js').HeedAttentionLines} */
  const lines = element('lines');
  const l = await lab();
  const model = await openTranslator(l, 'dates-bahdanau');
  const { weights, config } = model;
  const { hidden } = config;

  /** Repeats the step that writes symbol i, from the state after the symbols before i.
   *  @param {import('./kit/translation.js').Translation} translation @param {number} i */
  function step(translation, i) {
    const { source, target, ids } = translation;
    const read = padded([source.map((symbol) => config.source.indexOf(symbol))]);
    const before = padded([[BEGIN, ...ids].slice(0, i)]);
    return l.evaluate(() => {
      const memory = encode(l, weights, config, read);
      const { state } = i === 0 ? memory : decode(l, weights, config, memory, memory.state, before);
      const s = l.reshape(state, [1, 1, 1, hidden]);
      const network = { W_q: weights['attention.W_q.weight'], W_k: null, w_a: weights['attention.w_a.weight'] };
      const aligned = l.attention(s, memory.keys, memory.values, { score: 'additive', weights: network });
      const alpha = aligned.pattern.data.slice();
      const { data: row } = translation.attention({ layer: 0, head: 0, queries: [i, i + 1] });
      const best = argmax(alpha);
      showValues({ symbol: tokenName(target[i]), most: fixed(alpha[best], 2), where: tokenName(source[best]),
        at: best + 1, context: aligned.output.data.length, state: hidden,
        rows: target.length, columns: source.length,
        off: magnitude(Math.max(...row.map((weight, j) => Math.abs(weight - alpha[j])))) });
      const scores = aligned.scores.data.slice();
      drawing.show({ e: { data: scores, rows: ['e'], columns: source.map(tokenName) },
        alpha: { data: alpha, rows: ['α'], columns: source.map(tokenName), shade: 'weight' } });
      return { scores, weights: alpha };
    });
  }

  const dates = new TranslationSteps({ field: element('date'), map: element('map'), controls: element('controls'),
    step: element('step') }, { caption: 'e, scores of this step', row: 'e', longest: config.longest }, step);
  const cuts = new TranslationCuts(element('cuts'), dates, ONLY_HEAD);
  cuts.addMapOf(element('map'), ONLY_HEAD);
  dates.onTranslation(() => {
    if (dates.translation) lines.data = crossAttention(dates.translation);
  });
  addLengths();
  await dates.setModel(model);
  showValues({ weights: grouped(countParameters(weights)), exact: percent(model.figures.exact) });
});
