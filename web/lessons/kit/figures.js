/** Single figures: a link to each, and a page that shows only one. */
import { h } from '../../elements/dom.js';
import { writeFragment } from './state.js';

/** The figures of the lesson, each with an id. */
const all = () => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('main figure[id]'))];

/** @param {string} id */
export const figureOf = (id) => all().find((figure) => figure.id === id);

/** Says that a lesson has no such figure. @param {string} id @param {string} title of the lesson */
export const noFigure = (id, title) =>
  `The lesson “${title}” has no figure ‘${id}’. Its figures are: ${all().map((figure) => figure.id).join(', ')}.`;

/** Adds a link to each figure, visible on hover and focus. */
export function linkFigures() {
  for (const figure of all()) {
    const name = `Link to figure ${figure.id}`;
    figure.append(h('a', { class: 'figure-link', href: `#${figure.id}`, 'aria-label': name }, '#'));
  }
}

/** Puts the state of the controls into the links. @param {Map<string, string>} values */
export function updateFigureLinks(values) {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('.figure-link'))) {
    link.href = `#${writeFragment(link.parentElement?.id ?? '', values)}`;
  }
}

/**
 * Hides all but one figure, and adds a link to its lesson.
 * @param {string} id of a figure @param {string} title of the lesson
 * @returns {(values: Map<string, string>) => void} puts the state of the controls into that link
 */
export function showOnly(id, title) {
  const figure = /** @type {HTMLElement} */ (figureOf(id));
  const link = h('a', {}, title);
  document.documentElement.classList.add('one-figure');
  figure.closest('main > *')?.classList.add('shown');
  figure.append(h('p', { class: 'from' }, 'From the lesson ', link));
  for (const each of figure.querySelectorAll('a')) each.target = '_blank';
  return (values) => { link.href = `${location.pathname}#${writeFragment(id, values)}`; };
}
