/** Style sheet of `<heed-training>`. */
export const STYLE = `
  :host { display: grid; gap: 10px; min-width: 0; }
  .bar { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; }
  .bar { font-size: var(--small); color: var(--muted); }
  .first { background: var(--accent); border-color: var(--accent); color: var(--paper); min-width: 8em; }
  button[aria-disabled=true] { color: var(--muted); border-style: dashed; cursor: default; }
  .count { font-variant-numeric: tabular-nums; }
  .curve { width: 100%; min-width: 0; }
  svg { display: block; width: 100%; touch-action: pan-y; cursor: ew-resize; font: var(--small)/1 var(--face); }
  svg text { fill: var(--muted); font-variant-numeric: tabular-nums; }
  .grid { stroke: var(--line); }
  .line { fill: none; stroke: var(--accent); stroke-width: 1.5; stroke-linejoin: round; }
  .now { stroke: var(--ink); }
  .scrub input { flex: 1 1 12rem; min-width: 8rem; height: 24px; margin: 0; accent-color: var(--accent); }
  output { min-height: 2.8em; }
  .answer { font-family: var(--mono); overflow-wrap: anywhere; }
  .answer span + span { margin-inline-start: .45em; }
  .wrong { text-decoration: line-through; color: var(--muted); }
`;
