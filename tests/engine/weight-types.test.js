/**
 * Whole models in the block formats of src/kernels/formats/formats.h. Every stage is compared with the float64
 * reference, which decodes the file without the C code and continues from the engine's previous stages (see
 * stages.test.js).
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { FORMATS } from '../../tools/convert/formats.js';
import { blockModel } from '../support/block-model.js';
import { assertClose, assertSame, scaleOf } from '../support/compare.js';
import { ENGINES, on } from '../support/engines.js';
import { temporaryFolder } from '../support/goldens.js';
import { forward, readModel } from '../support/reference.js';
import { PIECES } from '../support/tiny-gguf.js';

/** @typedef {import('../../tools/convert/formats.js').FormatName} FormatName */

/** Share of a stage's largest magnitude, for one operation: at most 512 terms in single precision. */
const TOLERANCE = 512 * 2 ** -24;
const NAMES = /** @type {FormatName[]} */ (Object.keys(FORMATS));
const IDS = [1, 5, 9, 4, 11, 6, 10, 7, 3, 8];

const folder = await temporaryFolder(after);

/** A Llama with matrices of the types that `typeOf` returns.
 *  @param {string} name @param {(matrix: string) => FormatName} typeOf */
async function writeModel(name, typeOf) {
  const path = join(folder, `${name}.gguf`);
  await writeFile(path, await blockModel(typeOf, name.length));
  return path;
}

/** Type of each matrix in llama.cpp's Q4_K_M files. @param {string} matrix */
const q4KM = (matrix) => (/^output|attn_v|ffn_down/.test(matrix) ? 'q6_k' : 'q4_k');

for (const [name, typeOf] of /** @type {[string, (matrix: string) => FormatName][]} */ ([
  ...NAMES.map((type) => [type, () => type]),
  ['Q4_K_M', q4KM],
])) {
  describe(`a model in ${name}`, async () => {
    const path = await writeModel(name, typeOf);
    const reference = await readModel(path);
    for (const engine of ENGINES) {
      test(`${engine}: every stage, in one batch, in pieces and token by token`, on(engine), async (t) => {
        const model = await load(path, { engine });
        t.after(() => model.dispose());
        /** @type {string[]} */
        const hooks = [];
        forward(reference, IDS, { tap: (hook, stage) => (hooks.push(hook), stage) });
        const taps = hooks.filter((hook) => hook !== 'logits');
        const { logits, cache } = await model.runWithCache(IDS, taps, { all: true });
        forward(reference, IDS, {
          integers: true,
          cache: model.info.cache,
          tap(hook, { shape, data }) {
            const given = hook === 'logits' ? { shape, data: logits } : cache[hook];
            const tolerance = hook === 'hook_embed' ? 0 : TOLERANCE * scaleOf(data);
            assertClose(given.data, data, tolerance, `${hook} by the reference`);
            return given;
          },
        });
        assert.ok(scaleOf(logits) > 0.5, 'size of the logits');
        for (const size of [1, 3, 4, 7]) {
          model.rewind(0);
          for (let from = 0; from < IDS.length; from += size) {
            const part = await model.forward(IDS.slice(from, from + size), { all: true });
            const at = from * PIECES.length;
            assertSame(part, logits.subarray(at, at + part.length), `logits in pieces of ${size}, from ${from}`);
          }
        }
      });
    }
  });
}
