/** A loss curve as elements of SVG. */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * An element of SVG.
 * @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] @returns {any}
 */
export function svg(tag, attributes, text = '') {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.textContent = text;
  return element;
}

/**
 * Draws a curve: grid lines and labels of losses, labels of steps, the line, and points.
 * @param {SVGSVGElement} picture its classes `grid`, `line` and `point` are for a style sheet
 * @param {import('../draw/loss-curve.js').Curve} curve
 * @param {import('../draw/loss-curve.js').CurveBox} box
 */
export function drawLossCurve(picture, { path, losses, steps, points }, { width, height, left }) {
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.setAttribute('height', String(height));
  picture.replaceChildren(
    ...losses.flatMap(({ y, text }) => [
      svg('line', { class: 'grid', x1: left, x2: width, y1: y, y2: y }),
      svg('text', { x: left - 8, y: y + 4, 'text-anchor': 'end' }, text),
    ]),
    ...steps.map(({ x, text }) => svg('text', { x, y: height - 6, 'text-anchor': 'middle' }, text)),
    svg('path', { class: 'line', d: path }),
    ...points.map(({ x, y }) => svg('circle', { class: 'point', cx: x, cy: y, r: 3 })));
}
