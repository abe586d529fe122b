/** Style sheet of `<heed-head-grid>`. */
import { MORE_STYLE } from './export-menu.js';

export const STYLE = `
  .grid {
    display: grid; gap: var(--gap); align-items: center; width: 100%; max-width: calc(2.5em + var(--heads) * 10em);
  }
  [role=row] { display: contents; }
  [role=columnheader], [role=rowheader] {
    font: var(--small)/1 var(--mono); color: var(--muted); font-variant-numeric: tabular-nums;
    display: flex; align-items: center; justify-content: center; white-space: nowrap;
  }
  [role=columnheader] { min-width: 0; height: 1.2em; }
  [role=rowheader] { height: 0; justify-content: end; padding-inline-end: 3px; }
  .editable [role=rowheader] { height: 100%; max-height: 2.5em; min-height: 1em; cursor: pointer; }
  .editable [role=rowheader]:hover { color: var(--ink); text-decoration: underline; }
  [role=gridcell] {
    aspect-ratio: 1; min-width: 0; cursor: pointer; border-radius: 2px;
    box-shadow: 0 0 0 1px var(--line);
  }
  .tiny [role=gridcell] { border-radius: 0; box-shadow: none; }
  .waiting { background: var(--surface); }
  .drawn { background: repeating-linear-gradient(-45deg, transparent 0 3px, var(--hatch) 3px 4px); }
  [role=gridcell]:hover { box-shadow: 0 0 0 1px var(--muted); }
  [role=gridcell][aria-selected=true] { box-shadow: 0 0 0 2px var(--accent); }
  [role=gridcell]:focus-visible { outline-offset: 3px; }
  @media (forced-colors: active) {
    [role=gridcell] { outline: 1px solid GrayText; forced-color-adjust: none; }
    [role=gridcell]:hover { outline: 1px solid CanvasText; }
    [role=gridcell][aria-selected=true] { outline: 3px solid Highlight; }
    [role=gridcell]:focus-visible { outline: 3px dashed Highlight; }
  }
  .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stage { position: relative; }
  .stage canvas { position: absolute; inset: 0; pointer-events: none; }
  .said { margin: 8px 0 0; min-height: 2.8em; }
  .said strong { font-weight: 600; }
  .lens {
    display: block; margin-top: 4px; width: min(100%, 20rem); aspect-ratio: 1; image-rendering: pixelated;
    border: 1px solid var(--line);
    background: repeating-linear-gradient(-45deg, transparent 0 5px, var(--hatch) 5px 6px);
  }
  .foot { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; margin-top: 8px; }
  .foot, .key { font-size: var(--small); color: var(--muted); }
  .key { margin: 4px 0 0; }
  .foot label { display: inline-flex; flex-wrap: wrap; gap: 2px 5px; align-items: center; min-width: 0; }
  .foot select { max-width: 100%; }
${MORE_STYLE}`;
