/** Fills the page of all lessons: the next lesson, the map, and the list by parts of the course. */
import { h } from '../elements/dom.js';
import { appear, element } from './kit/page.js';
import { solvedOf } from './kit/progress.js';
import { forgetReading, reading } from './kit/reading.js';
import { svg } from './kit/svg.js';
import { drawMap } from './lessons-map.js';
import { GROUPS, LESSONS, titleOf } from './list.js';
import { PICTURES } from './pictures.js';

/** @typedef {import('./list.js').Lesson} Lesson */

/** The picture of a lesson, 6 × 4 cells. @param {string} name */
function pictureOf(name) {
  const { cells, lines = '' } = PICTURES[name] ?? { cells: [] };
  const squares = cells.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === ' ' ? []
    : [svg('rect', { x: x + 0.05, y: y + 0.05, width: 0.9, height: 0.9, class: `cell cell-${cell}` })])));
  return svg('svg', { viewBox: '-.1 -.6 6.2 4.7', class: 'picture', 'aria-hidden': 'true' }, ...squares,
    svg('path', { d: lines }));
}

/** @param {Lesson} lesson @param {boolean} read */
function entryOf(lesson, read) {
  const { name, minutes, needs, idea } = lesson;
  const after = needs.length > 0 ? h('span', {}, `after ${new Intl.ListFormat('en').format(needs.map(String))}`)
    : h('strong', {}, 'start here');
  return h('li', { 'data-lesson': name }, pictureOf(name), h('div', {},
    h('a', { href: `./${name}.html` }, titleOf(lesson)),
    h('span', { class: 'marks' }, h('span', {}, `${minutes} minutes`), after,
      ...(read ? [h('span', { class: 'read' }, '✓ read')] : []), h('span', {}, solvedOf(name))),
    h('span', {}, idea)));
}

/** @param {readonly Lesson[]} lessons */
const minutesOf = (lessons) => lessons.reduce((sum, { minutes }) => sum + minutes, 0);

/** Draws everything; again after the reader has come back from a lesson. */
function show() {
  const { read, last } = reading();
  const known = new Set(read);
  element('lessons').replaceChildren(...Object.entries(GROUPS).map(([group, title]) => {
    const lessons = LESSONS.filter((each) => each.group === group);
    return h('section', {}, h('h2', {}, title, ' ', h('span', { class: 'minutes' }, `${minutesOf(lessons)} minutes`)),
      h('ol', { class: 'lessons' }, ...lessons.map((each) => entryOf(each, known.has(each.name)))));
  }));
  drawMap(element('map'), LESSONS, known);
  const lesson = LESSONS.find(({ name }) => name === last?.name);
  const on = element('continue');
  on.hidden = !lesson;
  if (!lesson || !last) return;
  const forget = h('button', { type: 'button' }, 'Forget');
  forget.addEventListener('click', () => {
    forgetReading();
    show();
    element('map').querySelector('a')?.focus();
  });
  on.replaceChildren(
    h('a', { href: `./${lesson.name}.html${last.fragment && `#${last.fragment}`}` }, `Continue: ${titleOf(lesson)}`),
    h('span', {}, `${read.length} of ${LESSONS.length} lessons read`), forget);
}

show();
appear();
new ResizeObserver(() => drawMap(element('map'), LESSONS, new Set(reading().read))).observe(element('map'));
addEventListener('pageshow', ({ persisted }) => persisted && show());
addEventListener('storage', show); // progress in another tab
document.documentElement.dataset.ready = '';
