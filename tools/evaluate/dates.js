// Accuracy of a translator of dates on all held-out days, in every format.
import { readFile } from 'node:fs/promises';
import { lab } from '../../js/lab/index.js';
import { translateAll } from '../../js/train/models/rnn-seq2seq.js';
import { openModel } from '../../js/train/models/index.js';
import { DAYS, FORMATS, dayOf, isHeldOut, iso } from '../../js/train/tasks/dates.js';

const BATCH = 256;
const EXAMPLE = { year: 2001, month: 6, day: 9 };

const [path] = process.argv.slice(2);
if (!path) throw new Error('usage: node tools/evaluate/dates.js MODEL.safetensors');
const l = await lab();
const model = await openModel(l, await readFile(path));
const days = Array.from({ length: DAYS }, (_, i) => i).filter(isHeldOut).map(dayOf);
let sum = 0;
for (const format of FORMATS) {
  let exact = 0;
  const wrong = [];
  for (let i = 0; i < days.length; i += BATCH) {
    const some = days.slice(i, i + BATCH);
    translateAll(l, model, some.map(format)).forEach(({ text }, k) => {
      if (text === iso(some[k])) exact++;
      else wrong.push(`${format(some[k])} → ${text}`);
    });
  }
  sum += exact;
  console.log(`${(100 * exact / days.length).toFixed(2)} %  ${format(EXAMPLE)}${wrong.length ? `; ${wrong[0]}` : ''}`);
}
const all = days.length * FORMATS.length;
console.log(`${(100 * sum / all).toFixed(3)} %  of ${all}: ${days.length} days in ${FORMATS.length} formats`);
l.dispose();
