/** Exercises on experiments. */
import { load } from '../../../js/index.js';
import { headScores } from '../../../js/insight/index.js';
import { choice, number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';

const MODEL = new URL('../../../models/stories.gguf', import.meta.url);
/** Tokens of one copy. */
const HALF = 24;
/** A cut weakens the induction heads if less than this part of the score is left. */
const WEAKER = 0.9;

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'experiment-odds', kind: 'predict', title: 'What a logit difference means',
    question: 'The logit of “she” is larger than the logit of “he” by m = 2. How many times more probable is “she”?',
    hints: ['A softmax divides exponentials: p = exp(ℓ)/Σ. What is left of the sum in a ratio?',
      'The ratio is exp(2).'],
    pose({ l }) {
      const ratio = (/** @type {number} */ m) => l.evaluate(() => {
        const [she, he] = l.softmax(l.tensor([m, 0, 1, -1], [1, 4])).data;
        return she / he;
      });
      return { ...number({
        label: 'p(she) / p(he)', right: ratio(2), tolerance: 0.05,
        why: 'exp(2) = 7.39. The logits of all other words cancel out, so m measures these two words alone.',
        mistakes: [[2, 'A difference of logits is a logarithm. The ratio is its exponential.'],
          [100, 'Logits use the natural logarithm: e², not 10².'],
          [4, 'The base is e = 2.718, not 2.']],
        solution: 'p(she)/p(he) = exp(ℓ₁)/exp(ℓ₂) = exp(2) = 7.39.',
      }), explore: { label: 'm', min: -3, max: 5, step: 0.5, value: 0, format: (m) => fixed(m, 1),
        say: (m) => `With m = ${fixed(m, 1)} “she” is ${fixed(ratio(m), 2)} times as probable.` } };
    },
  },
  {
    id: 'experiment-patch', kind: 'cell', title: 'How much came back?', varied: true,
    question: 'A patch puts one vector of the first run into the second run. The table has the logit difference m of '
      + 'each run. Which part of the difference between the two runs came back?',
    hints: ['The second run counts as 0, and the first run counts as 1.',
      'Divide what the patch changed by the difference of the two runs.'],
    pose({ l, random }) {
      const second = -1 - Math.floor(random() * 3);
      const whole = 4 + 2 * Math.floor(random() * 3);
      const part = (1 + Math.floor(random() * 3)) / 4;
      const m = l.evaluate(() => [...l.tensor([second + whole, second, second + part * whole], { run: 3 }).data]);
      const [first, corrupt, patched] = m;
      return { ...number({
        label: 'the part that came back', right: (patched - corrupt) / (first - corrupt), tolerance: 0.01,
        why: 'The part is measured from the second run. It may be above 1 or below 0.',
        mistakes: [[patched / first, 'Measure from the second run: subtract its m above and below.'],
          [(first - patched) / (first - corrupt), 'This is the part that is still missing.'],
          [patched - corrupt, 'Divide this change by the difference of the two runs.']],
        solution: `The patch changed m by ${patched - corrupt}, and the runs differ by ${first - corrupt}: `
          + `${fixed(part, 2)}.`,
      }), given: [{ caption: 'Logit difference m', axes: ['run', ''], rows: ['first', 'second', 'second, patched'],
        columns: ['m'], data: m, digits: 2 },
        { caption: 'Part that came back', axes: ['', ''], rows: ['patch'], columns: ['part'], data: [part],
        blank: [0, 0] }] };
    },
  },
  {
    id: 'experiment-pair', kind: 'choice', title: 'Two heads for one step',
    question: 'In the stories model, the heads 2.2 and 2.4 attend to the token before. Induction heads need the token '
      + 'that these two heads write. You cut head 2.2 alone, then head 2.4 alone, and then both. What happens to the '
      + 'best induction score?',
    hints: ['Another head may replace a part of the head that is cut.',
      'Which head still writes the token before if both are cut?'],
    async pose() {
      const model = await load(MODEL);
      try {
        const { ids: [twice] } = await headScores(model, { repeated: HALF, texts: 1 });
        const cut = (/** @type {number} */ head) => ({ hook: 'blocks.2.attn.hook_z', head, scale: 0 });
        /** The highest induction score. @param {number[]} heads that are cut */
        const best = async (heads) => {
          const { data, axes } = await headScores(model, twice, { edits: heads.map(cut) });
          const size = data.length / axes.score.length;
          return Math.max(...data.subarray(axes.score.indexOf('induction') * size).subarray(0, size));
        };
        const whole = await best([]);
        const one = await best([2]);
        const other = await best([4]);
        const both = await best([2, 4]);
        const holds = [one, other, both].map((score) => score > whole / 2);
        const weaker = [one, other].every((score) => score < WEAKER * whole);
        const scores = `The best induction score is `
          + `${[whole, one, other, both].map((score) => fixed(score, 2)).join(', ')} without cuts, without 2.2, `
          + 'without 2.4, and without both.';
        return choice({
          options: [
            ['No cut changes it much, because other heads write the same.', `No head of an earlier layer replaces `
              + `both. ${scores}`],
            ['One cut alone has no effect, and both cuts stop the induction heads.', `The other head replaces only a `
              + `part, so one cut has an effect. ${scores}`],
            ['Each cut alone makes it smaller, and both cuts stop the induction heads.', `Each head replaces a part `
              + `of the other. ${scores}`],
            ['One cut alone already stops the induction heads.', `The other head still writes the token before, so `
              + `more than half of the score is left. ${scores}`],
          ],
          right: holds[2] ? 0 : !holds[0] || !holds[1] ? 3 : weaker ? 2 : 1,
          solution: 'Two heads do one step. Each replaces a part of the other, so one cut only weakens the induction '
            + 'heads. The cut of both shows that the step is needed.',
        });
      } finally {
        model.dispose();
      }
    },
  },
];
