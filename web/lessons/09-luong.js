/** The same dates translated by models with different forms of Luong's attention, and one step of the chosen model. */
import { countParameters, lab } from '../../js/lab/index.js';
import { decode, encode } from '../../js/train/models/luong.js';
import { BEGIN, padded } from '../../js/train/tasks/vocabulary.js';
import { tokenName } from '../draw/token.js';
import { addCosts } from './09-luong-costs.js';
import { MODEL } from './drawings/09-luong.js';
import { TranslationCuts } from './kit/cuts.js';
import { Drawing } from './kit/drawing.js';
import { fixed, grouped, percent } from './kit/format.js';
import { addModelSelect } from './kit/model-select.js';
import { argmax } from './kit/numbers.js';
import { element, lesson, showValues } from './kit/page.js';
import { ONLY_HEAD, TranslationSteps, openTranslator } from './kit/translation.js';

/** @typedef {import('./kit/translation.js').Model} Model */
/** @typedef {import('./kit/translation.js').Translation} Translation */
/** @typedef {import('./kit/cuts.js').Range} Range */
/** Forms of attention by the names of their models. */
const FORMS = { 'dot': 'dot', 'general': 'general', 'concat': 'concat', 'location': 'location',
  'feeding': 'general, input feeding', 'local-m': 'general, local-m',
  'local-m-feeding': 'general, local-m, input feeding',
  'local-p': 'general, local-p', 'local-p-feeding': 'general, local-p, input feeding' };
const LENGTH = 'YYYY-MM-DD'.length;

lesson(async () => {
  const drawing = new Drawing(element('drawing'), MODEL);
  const l = await lab();
  /** @type {Model} */ let model;

  /** The model's decoder, run over the first symbols of a translation again.
   *  @param {Translation} translation @param {number} count of symbols */
  function run({ source, ids }, count) {
    const { weights, config } = model;
    const read = padded([source.map((symbol) => config.source.indexOf(symbol))]);
    const before = padded([[BEGIN, ...ids].slice(0, count)]);
    const memory = encode(l, weights, config, read);
    const { maps, state, centers } = decode(l, weights, config, memory, memory.state, before);
    return { memory, maps: /** @type {NonNullable<typeof maps>} */ (maps)(), state, centers };
  }

  /** Repeats the step that writes symbol i. @param {Translation} translation @param {number} i */
  function step(translation, i) {
    const { weights, config } = model;
    const { hidden } = config;
    const { source, ids } = translation;
    return l.evaluate(() => {
      const { memory, maps, state } = run(translation, i + 1);
      const [alpha, scores] = [maps.pattern, maps.scores].map((rows) => l.slice(rows, 1, i));
      const h = l.reshape(memory.values, [source.length, hidden]);
      const s = l.slice(state, 1, 0, hidden);
      const c = l.matmul(alpha, h);
      const combined = l.tanh(l.linear(l.concat([c, s], 1), weights['decoder.W_c.weight']));
      const logits = l.linear(combined, weights['decoder.output.weight'], weights['decoder.output.bias']);
      const p = l.softmax(logits).data;
      const best = argmax(alpha.data);
      const predicted = argmax(p);
      showValues({ at: best + 1, where: tokenName(source[best]), most: fixed(alpha.data[best], 2),
        sum: fixed(alpha.data.reduce((sum, weight) => sum + weight, 0), 2),
        width: combined.data.length, symbol: tokenName(config.target[predicted]), p: fixed(p[predicted], 3),
        rows: ids.length, columns: source.length });
      drawing.show({ alpha: { data: alpha.data.slice(), rows: ['α'], columns: source.map(tokenName),
        shade: 'weight' } });
      return { scores: scores.data.slice(), weights: alpha.data.slice() };
    });
  }

  /** The windows of local attention as ranges of the map: a frame for each row, and its center in it.
   *  @param {Translation} translation @returns {Range[]} */
  function windows(translation) {
    const { window: reach } = model.config;
    if (!reach) return [];
    const keys = translation.source.length;
    const centers = l.evaluate(() => run(translation, translation.ids.length).centers?.().data.slice() ?? []);
    showValues({ window: `Each row sees the symbols at most ${reach} from its center, which has a frame of its own. ` +
      `The centers of these rows are ${Array.from(centers, (center) => fixed(center, 1)).join(', ')}.` });
    return Array.from(centers).flatMap((center, i) => [
      { from: Math.max(0, Math.ceil(center - reach) - 1), to: Math.min(keys, Math.floor(center + reach)) },
      { from: Math.round(center) - 1, to: Math.round(center) },
    ].flatMap(({ from, to }) => (from >= 0 && from < to && to <= keys
      ? [{ queries: /** @type {[number, number]} */ ([i, i + 1]), keys: /** @type {[number, number]} */ ([from, to]) }]
      : [])));
  }

  const dates = new TranslationSteps({ field: element('date'), map: element('map'), controls: element('controls'),
    step: element('step') }, { caption: 'Scores of this step', row: 'score', longest: LENGTH }, step);
  const cuts = new TranslationCuts(element('cuts'), dates, ONLY_HEAD);
  cuts.addMapOf(element('map'), ONLY_HEAD,
    { marks: () => (dates.translation ? windows(dates.translation) : []) });
  addCosts(l);
  await addModelSelect(element('forms'), 'Attention', FORMS, (form, onProgress) =>
    openTranslator(l, `dates-luong-${form}`, onProgress),
    (next, form) => {
      model = next;
      const own = Object.entries(model.weights).filter(([weight]) => weight.startsWith('attention.'));
      showValues({ form: FORMS[/** @type {keyof typeof FORMS} */ (form)], states: next.config.hidden,
        weights: grouped(countParameters(model.weights)),
        own: grouped(countParameters(Object.fromEntries(own))), exact: percent(model.figures.exact),
        window: 'This attention is global: each row sees all symbols.' });
      return dates.setModel(model);
    });
});
