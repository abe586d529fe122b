/** Fills the list of lessons. */
import { h } from '../elements/dom.js';
import { element } from './kit/page.js';
import { svg } from './kit/svg.js';
import { LESSONS, titleOf } from './list.js';
import { PICTURES } from './pictures.js';

/** The picture of a lesson, 6 × 4 cells. @param {string} name */
function pictureOf(name) {
  const { cells, lines = '' } = PICTURES[name] ?? { cells: [] };
  const squares = cells.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === ' ' ? []
    : [svg('rect', { x: x + 0.05, y: y + 0.05, width: 0.9, height: 0.9, class: `cell cell-${cell}` })])));
  return svg('svg', { viewBox: '-.1 -.6 6.2 4.7', class: 'picture', 'aria-hidden': 'true' }, ...squares,
    svg('path', { d: lines }));
}

element('lessons').append(...LESSONS.map((lesson, i) =>
  h('li', {}, pictureOf(lesson.name), h('div', {},
    h('a', { href: `./${lesson.name}.html` }, titleOf(lesson)),
    h('span', { class: 'minutes' }, `${lesson.minutes} minutes${i === 0 ? ', start here' : ''}`),
    h('span', {}, lesson.idea)))));
document.documentElement.dataset.ready = '';
