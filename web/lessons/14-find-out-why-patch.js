/** Activation patching: one vector of a run is put into another run, at each layer and token. */
import { tokenLabel } from '../draw/token.js';
import { addSelect } from './kit/controls.js';
import { fixed } from './kit/format.js';
import { MatrixTable } from './kit/matrix-table.js';
import { element, showValues } from './kit/page.js';

/** @typedef {import('../../js/index.js').Model} Model */

/** Two texts with as many tokens, and the two next words whose logits are compared. */
const PAIRS = {
  girl: { clean: 'Lily was a little girl. One day,', corrupt: 'Tom was a little boy. One day,',
    words: [' she', ' he'] },
  ball: { clean: 'Lily and Tom had a ball. Lily gave the ball to',
    corrupt: 'Lily and Tom had a ball. Tom gave the ball to', words: [' Tom', ' Lily'] },
};

/** The stream before a layer. @param {number} layer */
const residual = (layer) => `blocks.${layer}.hook_resid_pre`;

/** @param {Model} model @param {import('./kit/turns.js').Turns} turns
 *  @param {(model: Model, word: string) => Promise<number>} tokenOf
 *  @param {import('./kit/drawing.js').Drawing} drawing */
export async function showPatches(model, turns, tokenOf, drawing) {
  const { layers, dModel } = model.info;
  const rows = Array.from({ length: layers }, (_, layer) => String(layer));
  const table = new MatrixTable(element('patches'), { caption: 'Part of the answer that returns',
    axes: ['before layer', 'token'], rows, digits: 2, shade: 'signed', max: 1, compact: true });
  const show = turns.figure(async (/** @type {string} */ name) => {
    const { clean, corrupt, words } = PAIRS[/** @type {keyof typeof PAIRS} */ (name)];
    const [from, to] = await Promise.all([clean, corrupt].map((text) => model.encode(text)));
    const [a, b] = await Promise.all(words.map((word) => tokenOf(model, word)));
    const of = { logitDifference: /** @type {[number, number]} */ ([a, b]) };
    const { cache } = await model.runWithCache(from, rows.map((_, layer) => residual(layer)));
    /** @type {(layer: number, at: number) => import('../../js/index.js').Edit} */
    const patch = (layer, at) => ({ hook: residual(layer), positions: [at, at + 1], scale: 0,
      values: cache[residual(layer)].data.subarray(at * dModel, (at + 1) * dModel) });
    const patches = rows.flatMap((_, layer) => Array.from(to, (__, at) => [patch(layer, at)]));
    const { clean: best } = await model.sweep(from, [], { of });
    const { clean: worst, values } = await model.sweep(to, patches, { of });
    const returned = values.map((value) => (value - worst) / (best - worst));
    const tokens = (await model.tokens(to)).map((token) => tokenLabel(token, 8));
    const first = returned.subarray(0, to.length);
    const last = returned.subarray(-to.length);
    const holder = first.indexOf(Math.max(...first));
    table.update(returned, { columns: tokens });
    const vector = { data: cache[residual(0)].data.subarray(holder * dModel, (holder + 1) * dModel), columns: dModel };
    drawing.show({
      firstStream: { ...vector, rows: [tokens[holder]] }, secondStream: { ...vector, rows: ['patched'] },
      firstAnswer: { data: [best], rows: ['first run'], columns: ['m'] },
      secondAnswer: { data: [worst, values[holder]], rows: ['without the patch', 'with the patch'], columns: ['m'] },
    });
    showValues({ clean, corrupt, 'm-clean': fixed(best, 2), 'm-corrupt': fixed(worst, 2), holder: tokens[holder].trim(),
      held: fixed(first[holder], 2), arrived: fixed(last[to.length - 1], 2) });
  });
  addSelect(element('pairs'), 'Texts', { girl: 'Lily the girl, Tom the boy', ball: 'who gives the ball' }, show)
    .name = 'pair';
  await show('girl');
}
