/** Rows with a name, a bar to the left or right of zero, and a number. */
import { cssOf } from '../draw/color.js';
import { formatPart } from '../draw/contributions.js';
import { h } from './dom.js';

export const PART_STYLE = `
  ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 1px; }
  .parts {
    max-height: var(--heed-map-height, 40rem); overflow-y: auto; border: 1px solid var(--line); border-radius: 4px;
    padding: 4px 0;
  }
  .part {
    display: grid; grid-template-columns: minmax(8em, 12.5em) 1fr 4em; gap: 8px; align-items: center; width: 100%;
    min-height: 24px; padding: 0 8px; text-align: start; font-size: var(--normal);
  }
  button.part { border: 0; border-radius: 0; background: none; }
  button.part:hover { background: var(--surface); }
  button.part:focus-visible { outline-offset: -2px; }
  .number { text-align: end; font-variant-numeric: tabular-nums; }
  .track { display: block; position: relative; height: 12px; background: var(--surface); }
  .track::after { content: ''; position: absolute; inset: -4px auto -4px 50%; width: 1px; background: var(--line); }
  .track span { position: absolute; inset-block: 0; min-width: 1px; }
  @media (forced-colors: active) {
    .track { outline: 1px solid GrayText; outline-offset: -1px; }
    .track span { forced-color-adjust: none; background: CanvasText !important; }
  }
`;

/**
 * The cells of a row.
 * @param {{ name: string, value: number }} part
 * @param {number} most size of the longest bar
 * @param {(share: number) => import('../draw/color.js').Rgb} color of −1 and of 1
 */
export function partCells({ name, value }, most, color) {
  const length = 50 * Math.abs(value) / most;
  const bar = h('span');
  bar.style.insetInlineStart = `${value < 0 ? 50 - length : 50}%`;
  bar.style.width = `${length}%`;
  bar.style.background = cssOf(color(Math.sign(value)));
  return [h('span', { class: 'name' }, name), h('span', { class: 'track' }, bar),
    h('span', { class: 'number' }, formatPart(value))];
}
