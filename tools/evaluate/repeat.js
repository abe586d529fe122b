// Accuracy of models that repeat fresh texts of random letters, by length: exact texts, and symbols in place.
import { readFile } from 'node:fs/promises';
import { lab, randomFrom } from '../../js/lab/index.js';
import { openTranslator } from '../../js/train/models/index.js';
import { randomText, symbolsRight } from '../../js/train/tasks/repeat.js';

const TEXTS = 64;
const SEED = 99;
const LENGTHS = [4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28];

const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(0)} %`;
const row = (/** @type {(string | number)[]} */ cells) => console.log(`| ${cells.join(' | ')} |`);

const paths = process.argv.slice(2);
if (paths.length === 0) throw new Error('usage: node tools/evaluate/repeat.js MODEL.safetensors …');
const l = await lab();
row(['exact, right', ...LENGTHS]);
row(Array.from({ length: LENGTHS.length + 1 }, () => '---'));
for (const path of paths) {
  const model = await openTranslator(l, await readFile(path));
  const random = randomFrom(SEED);
  row([model.recipe, ...LENGTHS.map((length) => {
    const texts = Array.from({ length: TEXTS }, () => randomText(random, length, true));
    const written = model.translateAll(texts).map(({ text }) => text);
    const exact = written.filter((text, i) => text === texts[i]).length / TEXTS;
    const right = written.reduce((sum, text, i) => sum + symbolsRight(texts[i], text), 0) / (TEXTS * length);
    return `${percent(exact)}, ${percent(right)}`;
  })]);
}
l.dispose();
