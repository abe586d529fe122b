// How well translators do on held-out English–Spanish sentences, by the number of words and marks of the sentence. It
// counts translations that equal one of Tatoeba's, and words that they share with the nearest one.
//     node tools/evaluate/spa-eng-lengths.js DATA models/spa-eng-*.safetensors
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lab } from '../../js/lab/index.js';
import { openTranslator } from '../../js/train/models/index.js';
import { agreement } from '../../js/train/tasks/spa-eng-scores.js';
import { ARCHIVE, LONGEST, heldOutSentences } from '../../js/train/tasks/spa-eng.js';
import { UNITS } from '../../js/train/tasks/units.js';

const SHORTEST = 2;
const BATCH = 64;

const [data, ...paths] = process.argv.slice(2);
if (paths.length === 0) throw new Error('usage: node tools/evaluate/spa-eng-lengths.js DATA MODEL.safetensors …');
const sentences = await heldOutSentences(new Uint8Array(await readFile(join(data, ARCHIVE.name))));
const lengths = Array.from({ length: LONGEST.source - SHORTEST + 1 }, (_, i) => SHORTEST + i);
const byLength = lengths.map((length) => sentences.filter(({ source }) => source.length === length));
const row = (/** @type {(string | number)[]} */ cells) => console.log(`| ${cells.join(' | ')} |`);
const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(0)} %`;

const l = await lab();
row(['exact, words', ...lengths]);
row(Array.from({ length: lengths.length + 1 }, () => '---'));
row(['sentences', ...byLength.map((some) => some.length)]);
for (const path of paths) {
  const model = await openTranslator(l, await readFile(path));
  row([model.recipe, ...byLength.map((some) => {
    let exact = 0;
    let words = 0;
    for (let at = 0; at < some.length; at += BATCH) {
      const batch = some.slice(at, at + BATCH);
      model.translateAll(batch.map(({ source }) => UNITS.words.join(source))).forEach(({ target }, i) => {
        const found = agreement(target, batch[i].references);
        exact += found.exact;
        words += found.words;
      });
    }
    return `${percent(exact / some.length)}, ${percent(words / some.length)}`;
  })]);
}
l.dispose();
