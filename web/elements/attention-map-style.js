/** Style sheet of `<heed-attention-map>`. */
import { MORE_STYLE } from './export-menu.js';

export const STYLE = `
  figure { margin: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; min-width: 0; }
  .bar { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; }
  .bar { font-size: var(--small); color: var(--muted); }
  .bar > span, label { display: inline-flex; gap: 5px; align-items: center; min-height: 24px; }
  .window {
    contain: content; position: relative; overflow: auto;
    width: 100%; height: var(--heed-map-height, min(100vw, 40rem));
    border: 1px solid var(--line); border-radius: 4px; overscroll-behavior-inline: contain; cursor: crosshair;
  }
  .window.compact { height: auto; max-height: var(--heed-map-height, min(100vw, 40rem)); }
  .tools { display: grid; gap: 8px; min-width: 0; }
  .folded .tools { margin-top: 6px; }
  .layers { position: sticky; inset-block-start: 0; inset-inline-start: 0; overflow: hidden; }
  canvas { position: absolute; inset: 0; }
  .top { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; justify-content: space-between; }
  .legend { display: grid; gap: 2px; font-size: var(--small); color: var(--muted); }
  .legend canvas { position: static; border-radius: 2px; box-shadow: 0 0 0 1px var(--line); }
  .ticks { position: relative; height: 1.2em; font-variant-numeric: tabular-nums; }
  .ticks span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
  .ticks span:first-child { transform: none; }
  .ticks span:last-child { transform: translateX(-100%); }
  output { flex: 1 1 16em; min-height: 1.4em; font: var(--heed-size-text, 1.0625rem)/1.4 var(--face); }
  output.hint { color: var(--muted); font-size: var(--normal); }
  .scroller { overflow: auto; max-height: 20rem; margin-top: 6px; border: 1px solid var(--line); border-radius: 4px; }
  table { border-collapse: collapse; font: var(--small)/1.4 var(--mono); }
  caption { text-align: start; padding: 4px 8px; font-family: var(--face); caption-side: top; }
  th, td { padding: 2px 8px; text-align: end; font-weight: 400; white-space: pre; }
  th { color: var(--muted); }
  td { color: var(--ink); font-variant-numeric: tabular-nums; }
${MORE_STYLE}`;
