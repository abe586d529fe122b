/** The style of `<heed-anatomy>`. */
import { MENU_STYLE } from './export-menu.js';

export const STYLE = `${MENU_STYLE}
  :host { font-size: var(--normal); container-type: inline-size; overflow-x: clip; }
  p { margin: 0; }
  .title { font-weight: 600; }
  a { color: var(--accent); }
  .all { display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr); }
  .muted { color: var(--muted); }
  .controls { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; }
  .controls label { display: inline-flex; gap: 6px; align-items: center; font-size: var(--small); color: var(--muted); }
  .controls input { width: 5em; font: inherit; color: var(--ink); background: var(--paper); padding: 2px 6px;
    border: 1px solid var(--line); border-radius: 4px; min-height: 24px; font-variant-numeric: tabular-nums; }
  .controls .word { font: var(--small)/1 var(--mono); white-space: pre; margin-inline-start: -8px; }
  .player { display: inline-flex; gap: 4px; }
  .player button { min-width: 34px; }
  .stage { flex: 1 1 16em; font-size: var(--small); color: var(--muted); min-height: 1.4em; }

  .spine { display: flex; flex-wrap: wrap; align-items: stretch; gap: 6px 0; }
  .spine button {
    position: relative; display: grid; grid-template-rows: 1fr auto; gap: 3px; justify-items: center; min-width: 30px;
    min-height: 52px; padding: 5px 5px 4px; border-color: var(--line); background: var(--surface); line-height: 1;
  }
  .spine button.wide { min-width: 62px; }
  .spine .joint { align-self: center; width: 10px; height: 0; border-top: 1px solid var(--muted); flex: none; }
  .spine.many .joint { width: 4px; }
  .spine.many button { padding-inline: 2px; min-width: 28px; }
  .spine canvas { width: 24px; height: 30px; image-rendering: pixelated; background: var(--paper); }
  .spine .sketch::before { content: attr(data-sketch) / ''; }
  .spine .sketch { display: grid; place-items: center; height: 30px; font-family: var(--mono); color: var(--muted); }
  .spine [aria-pressed=true] { border-color: var(--accent); box-shadow: inset 0 -3px 0 var(--accent); }
  .spine .now { outline: 2px solid var(--accent); outline-offset: 2px; }

  .block { border: 1px solid var(--line); border-radius: 6px; padding: 10px 14px 12px; min-width: 0; }
  .block > header { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: baseline; }
  .flow { position: relative; touch-action: pan-y; }
  .flow > svg { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; overflow: visible; }
  .link { fill: none; stroke: var(--muted); stroke-width: 1; opacity: .65; }
  .tip { fill: var(--muted); opacity: .65; }
  .lit.link { stroke: var(--accent); stroke-width: 1.75; opacity: 1; }
  .lit.tip { fill: var(--accent); opacity: 1; }
  .card {
    position: absolute; display: block; padding: 0; border: 0; background: none; text-align: start; border-radius: 2px;
    min-height: 0; overflow: visible;
  }
  .card .name { display: block; height: 16px; font: 600 var(--small)/16px var(--face); white-space: nowrap; }
  .card .shape { display: block; height: 14px; font: 11px/14px var(--face); color: var(--muted); white-space: nowrap;
    font-variant-numeric: tabular-nums; }
  .card canvas { display: block; margin-top: 4px; outline: 1px solid var(--line); background: var(--paper); }
  .map canvas { background: repeating-linear-gradient(135deg, var(--hatch) 0 1px, var(--paper) 1px 6px); }
  .card[aria-expanded=true] .name { color: var(--accent); }
  .card[aria-expanded=true] canvas { outline: 2px solid var(--accent); }
  .card.now .name { text-decoration: underline 2px var(--accent); text-underline-offset: 3px; }
  .token { position: absolute; inset-inline-start: 0; font: 11px/1 var(--mono); color: var(--muted); white-space: pre;
    overflow: hidden; text-align: end; cursor: pointer; transform: translateY(-50%); }
  .token.here { color: var(--accent); font-weight: 700; padding-block: 2px; }
  .here > span { background: var(--paper); } /* narrower than the label, which lies on lines */
  .mark { position: absolute; pointer-events: none; border: 1.5px solid var(--accent); border-radius: 1px; }
  .track { position: absolute; pointer-events: none; border-block: 1px solid var(--accent); opacity: .45; }
  .cursor { position: absolute; pointer-events: none; border: 2px solid var(--accent); border-radius: 2px; }

  .matrices { display: flex; flex-wrap: wrap; gap: 10px 14px; align-items: start; margin-top: 8px; }
  .matrix { display: block; padding: 0; border: 0; background: none; text-align: start; min-height: 24px;
    min-width: 44px; }
  .matrix .name { font: 600 var(--small)/16px var(--mono); white-space: nowrap; }
  .matrix .shape { font: 11px/16px var(--face); color: var(--muted); white-space: nowrap; }
  .matrix .raster { position: relative; display: block; margin-top: 3px; }
  .matrix canvas { display: block; outline: 1px solid var(--line); background: var(--paper); }
  .matrix[aria-expanded=true] .name { color: var(--accent); }
  .matrix[aria-expanded=true] canvas { outline: 2px solid var(--accent); }
  .changed { position: absolute; pointer-events: none; border: 1.5px dashed var(--accent); }
  .changes { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin-top: 12px; }
  .changes ul { list-style: none; display: flex; flex-wrap: wrap; gap: 6px; margin: 0; padding: 0;
    font-size: var(--small); }
  .changes li { display: inline-flex; }
  .changes li button:first-child { border-start-end-radius: 0; border-end-end-radius: 0; border-inline-end: 0; }
  .changes li button + button { border-start-start-radius: 0; border-end-start-radius: 0; }
  button[aria-disabled=true] { color: var(--muted); cursor: default; }
  .editor { position: absolute; z-index: 1; box-sizing: border-box; font: 13px/1 var(--face); text-align: center;
    color: var(--ink); background: var(--paper); border: 2px solid var(--accent); border-radius: 3px; padding: 0 4px; }
  .editor[aria-invalid=true] { border-style: dashed; }

  .inspector { display: grid; gap: 8px; grid-template-columns: minmax(0, 1fr); border-top: 1px solid var(--line);
    padding-top: 12px; }
  .inspector { scroll-margin-block-end: 170px; }
  .inspector > header { display: grid; gap: 2px; }
  .inspector .line { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; }
  .inspector .line .title { font-size: 1rem; }
  .inspector .tools { display: inline-flex; gap: 4px; margin-inline-start: auto; }
  .window { position: relative; overflow: auto; max-height: 324px; border: 1px solid var(--line);
    background: var(--paper); scrollbar-color: var(--muted) transparent; }
  .window > div { position: relative; }
  .window .layer { position: sticky; inset-block-start: 0; inset-inline-start: 0; width: 0; height: 0; }
  .candidates { list-style: none; margin: 0; padding: 0; display: grid; gap: 1px; align-content: start; }
  .candidates li { display: grid; grid-template-columns: minmax(4em, 8em) 4.5em minmax(3em, 1fr) 4em; gap: 8px;
    align-items: center; padding: 3px 6px; cursor: pointer; font-variant-numeric: tabular-nums; border-radius: 3px; }
  .candidates li[aria-selected=true] { box-shadow: inset 3px 0 0 var(--accent); background: var(--surface); }
  .candidates .word { font-family: var(--mono); overflow: hidden; text-overflow: ellipsis; white-space: pre; }
  .candidates .number { text-align: end; }
  .candidates .bar { height: 12px; background: var(--surface); border-radius: 2px; }
  .candidates .bar span { display: block; height: 100%; background: var(--accent); border-radius: 2px; min-width: 1px; }

  .sum { z-index: 1; display: grid; gap: 4px 24px; align-items: start; min-height: 150px;
    grid-template-columns: minmax(0, 1fr); padding-block: 8px; background: var(--paper);
    border-top: 2px solid var(--line); }
  .all:is(:hover, :focus-within) > .sum { position: sticky; bottom: 0; } /* in sight while numbers are chosen */
  .sum > div { display: grid; gap: 3px; min-width: 0; }
  .sum output { font-weight: 600; }
  .sum .equation { font: var(--small)/1.6 var(--mono); overflow-wrap: anywhere; }
  .sum .terms { display: block; width: 100%; }
  .sum .term { font-size: var(--small); color: var(--muted); min-height: 1.4em; }
  .sum details { font-size: var(--small); }
  summary { cursor: pointer; color: var(--accent); padding-block: 4px; }
  .sum .scroll { max-height: 160px; overflow: auto; }
  td button { font: inherit; padding: 0 3px; min-height: 24px; min-width: 24px; }
  table { border-collapse: collapse; font-size: var(--small); font-variant-numeric: tabular-nums; }
  th, td { padding: 1px 8px; text-align: end; font-weight: 400; white-space: pre; }
  th:first-child { text-align: start; }
  thead th { color: var(--muted); }

  @container (min-width: 860px) {
    .sum { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
  }
  @media (prefers-reduced-motion: no-preference) {
    .cursor { transition: left .3s, top .3s, width .3s, height .3s; }
  }
  @media (prefers-reduced-motion: reduce) { .play { display: none; } }
  @media (forced-colors: active) {
    .card canvas, .window canvas, .spine canvas, .sum canvas { forced-color-adjust: none; }
    .candidates .bar span { forced-color-adjust: none; background: Highlight; }
    .mark, .cursor { border-color: Highlight; }
  }
`;
