// Prints the samples of a card: every n-th sentence held out of English–Spanish, as a model translates it.
//     node tools/evaluate/translator-samples.js models/NAME.safetensors [DATA] [HOW_MANY]
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lab } from '../../js/lab/index.js';
import { openTranslator } from '../../js/train/models/index.js';
import { ARCHIVE, isHeldOut, readPairs } from '../../js/train/tasks/spa-eng.js';
import { UNITS } from '../../js/train/tasks/units.js';
import { unzip } from '../../js/files/zip.js';

const [path, data = '../shared/data', count = '12'] = process.argv.slice(2);
const archive = new Uint8Array(await readFile(join(data, ARCHIVE.name)));
const pairs = readPairs(new TextDecoder().decode(await unzip(archive, 'spa-eng/spa.txt')))
  .filter(({ source }) => isHeldOut(source));
const l = await lab({ strict: true });
const model = await openTranslator(l, await readFile(path));
const { join: text } = UNITS.words;

console.log('| English | greedy | beam of 4 | Tatoeba |\n|---|---|---|---|');
for (let i = 0; i < Number(count); i++) {
  const { source, target } = pairs[Math.floor((i * pairs.length) / Number(count))];
  const [greedy, wide] = [1, 4].map((beam) => model.translate(text(source), { beam }).text);
  console.log(`| ${text(source)} | ${greedy} | ${wide} | ${text(target)} |`);
}
l.dispose();
