/** Paints the rasters of boxes on canvases, within the time of a frame. A raster that has not changed stays. */
import { makeInks, paintPixels, pixelsOf } from '../draw/anatomy-raster.js';
import { paletteFor } from '../draw/color.js';
import { sized } from './dom.js';

/** @typedef {import('../draw/anatomy-boxes.js').Plane} Plane */

/** Milliseconds that a frame may spend on rasters. The others wait for the next frame. */
const FRAME_MS = 12;

export class AnatomyPainter {
  inks = makeInks(paletteFor([255, 255, 255]));
  style = { text: '', muted: '', face: '', mono: '', paper: '', accent: '', hatch: '' };
  /** The numbers and the theme of each painted canvas.
   *  @type {WeakMap<HTMLCanvasElement, { state: string, data: Float32Array | undefined }>} */
  #painted = new WeakMap();
  /** Counts changes of the theme. */
  #theme = 0;
  #frameEnd = 0;
  /** Whether this frame has painted a raster. */
  #paintedOne = false;

  themeChanged() {
    this.#theme++;
  }

  /**
   * Starts a frame.
   * @param {ReturnType<import('./heed-element.js').HeedElement['colors']>} colors
   * @param {string} accent CSS color
   */
  begin({ paper, text, muted, face, mono, hatch }, accent) {
    this.#frameEnd = performance.now() + FRAME_MS;
    this.#paintedOne = false;
    const css = `rgb(${paper.join(', ')})`;
    if (this.style.paper !== css) this.inks = makeInks(paletteFor(paper));
    this.style = { text, muted, face, mono, hatch, paper: css, accent };
  }

  /**
   * Paints a plane, unless its canvas shows it already.
   * @param {HTMLCanvasElement} canvas
   * @param {Plane | null} plane
   * @param {{ width: number, height: number }} size CSS pixels
   * @param {(plane: Plane) => Parameters<typeof pixelsOf>[3]} scaleOf
   * @returns {boolean} false if the frame has no time left
   */
  paint(canvas, plane, { width, height }, scaleOf) {
    const state = `${plane?.offset} ${width} ${height} ${this.#theme}`;
    const before = this.#painted.get(canvas);
    if (before && before.state === state && before.data === plane?.data) return true;
    // Each frame paints at least one raster, even on a slow machine.
    if (this.#paintedOne && performance.now() > this.#frameEnd) return false;
    this.#paintedOne = true;
    this.#painted.set(canvas, { state, data: plane?.data });
    const context = sized(canvas, width, height);
    context.clearRect(0, 0, width, height);
    if (!plane) return true;
    const density = globalThis.devicePixelRatio || 1;
    const size = { width: Math.min(plane.columns, Math.round(width * density)),
      height: Math.min(plane.rows, Math.round(height * density)) };
    const pixels = pixelsOf(plane, { rows: [0, plane.rows], columns: [0, plane.columns] }, size, scaleOf(plane),
      this.inks);
    paintPixels(context, pixels, size, { x: 0, y: 0, width, height });
    return true;
  }
}
