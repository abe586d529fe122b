/** The memory of each family: load takes little more than the weights and the session. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DECODERS } from '../../js/files/families/index.js';
import { openModelFile } from '../../js/files/model-file.js';
import { Model } from '../../js/model/model.js';
import { tinyClip } from '../support/clip.js';
import { deeper } from '../support/deeper.js';
import { NAMES, tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { ENCODERS } from '../support/encoders.js';
import { FAMILIES, ggufOf, huggingFaceOf } from '../support/families.js';
import { STORIES } from '../support/model.js';
import { tinyDeit, tinyVit } from '../support/vit.js';

/** Blocks of a stack.  With 60, every model needs more than 2 MB. */
const LAYERS = 60;
/** Most memory of an engine without a model: its data, stack and buffers. */
const EMPTY_BYTES = 2 ** 19;
/** Most memory of a load as a share of weights and session. Measured: 1.09 for mixtures of tiny experts, whose
 *  tables take as much as tables of large ones; 1.08 for pictures, and 1.04 for texts. */
const MOST = 1.1;

/** Models by name. @type {[name: string, source: () => any, tower?: 'text' | 'vision'][]} */
const MODELS = [
  ['stories', () => STORIES],
  .../** @type {typeof FAMILIES} */ ([...FAMILIES, ...ENCODERS]).map((row) => /** @type {[string, () => any]} */ (
    [row.name, () => ('token_embd' in row.names ? deeper(huggingFaceOf(row), LAYERS)
      : ggufOf({ ...row, layers: LAYERS }))])),
  ...NAMES.map((name) => /** @type {[string, () => any]} */ ([name, () => deeper(tinyEncoderDecoder(name), LAYERS)])),
  ...['gpt2', 'llama', 'mistral', 'qwen2'].map((name) => /** @type {[string, () => any]} */ (
    [name, async () => deeper(await golden(name), LAYERS)])),
  ['vit', () => deeper(tinyVit(), LAYERS)],
  ['deit', () => deeper(tinyDeit(), LAYERS)],
  ['clip-text', () => deeper(tinyClip(), LAYERS), 'text'],
  ['clip-vision', () => deeper(tinyClip(), LAYERS), 'vision'],
];

/** A tiny model of tests/goldens. @param {string} name */
async function golden(name) {
  const folder = new URL(`../goldens/${name}/`, import.meta.url);
  return { weights: new Uint8Array(await readFile(new URL('model.safetensors', folder))),
    config: JSON.parse(await readFile(new URL('config.json', folder), 'utf8')) };
}

/** @type {Set<string>} */
const measured = new Set();

for (const [name, source, tower] of MODELS) {
  test(`${name}: memory is at most ${MOST} × (weights + session)`, async (t) => {
    /** @type {any} */ let memory;
    let empty = 0;
    const model = await Model.load(openModelFile, await source(), { threads: 1, ...(tower && { tower }) }, (engine) => {
      ({ memory } = engine);
      empty = memory.buffer.byteLength;
    });
    t.after(() => model.dispose());
    const { weightsBytes, sessionBytes, architecture } = model.info;
    measured.add(architecture);
    const taken = memory.buffer.byteLength - empty;
    assert.ok(empty <= EMPTY_BYTES, `${empty} bytes without a model`);
    assert.ok(weightsBytes + sessionBytes > 2e6, 'fixed costs are small');
    const share = taken / (weightsBytes + sessionBytes);
    t.diagnostic(`${share.toFixed(3)}`);
    assert.ok(share <= MOST, `${taken} = ${share.toFixed(3)} × (${weightsBytes} + ${sessionBytes}) bytes`);
  });
}

test('every family is measured', () => {
  assert.deepEqual(DECODERS.map(({ name }) => name).filter((name) => !measured.has(name)), []);
});
