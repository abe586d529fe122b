/** Helpers for the DOM: building elements, sizing canvases, saving files, reading errors. */

/**
 * Creates an element with attributes and children. Strings become text nodes, never markup.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean>} [attributes] true sets an empty attribute, false sets none
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

/** Canvas pixels per CSS pixel on paper. */
const PRINT_DENSITY = 3;
let printing = false;

/** Sizes canvases for paper, or for the screen again. @param {boolean} on */
export function setPrinting(on) {
  printing = on;
}

/**
 * Sizes a canvas for the pixel density of the screen.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width CSS pixels
 * @param {number} height CSS pixels
 * @returns {CanvasRenderingContext2D} a context whose unit is the CSS pixel
 */
export function sized(canvas, width, height) {
  const scale = printing ? PRINT_DENSITY : globalThis.devicePixelRatio || 1;
  const w = Math.round(width * scale);
  const h = Math.round(height * scale);
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas.');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return context;
}

/** Milliseconds until the object URL of a saved file is revoked. */
const URL_LIFETIME_MS = 60_000;

/** Saves a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
}

/**
 * The message of anything that was thrown.
 * @param {unknown} error
 */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));
