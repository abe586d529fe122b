/** Fills the list of lessons. */
import { h } from '../elements/dom.js';
import { element } from './kit/page.js';
import { LESSONS, titleOf } from './list.js';

element('lessons').append(...LESSONS.map((lesson) =>
  h('li', {}, h('a', { href: `./${lesson.name}.html` }, titleOf(lesson)), h('span', {}, lesson.idea))));
document.documentElement.dataset.ready = '';
