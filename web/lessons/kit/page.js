/** The frame of a lesson: links, exercises, embedding, state in the address, progress, errors, numbers in its text. */
import { HeedError } from '../../../js/errors.js';
import { h, messageOf } from '../../elements/dom.js';
import { LESSONS, titleOf } from '../list.js';
import { figureOf, linkFigures, noFigure, showOnly, updateFigureLinks } from './figures.js';
import { makeScrollFocusable } from './focusable-scroll.js';
import { noteReading } from './reading.js';
import { preparePrinting } from './print.js';
import { shareButton } from './share.js';
import { showSlides } from './slides.js';
import { linkSources } from './sources.js';
import { fragmentOfState, keepState, refusalOf, showPlace } from './state.js';
import { lowerSubscripts } from './subscripts.js';
import { markTerms } from './terms.js';

const root = document.documentElement;
/** A lesson that is ready sooner shows no progress, and appears with its figures. */
const PROGRESS_DELAY_MS = 300;
const progress = h('p', { class: 'waiting', role: 'status' });

/**
 * Frames the page and draws its figures. Call it once, last in the script of a lesson.
 *
 * The page needs `<main id="lesson">` with a paragraph of class `idea`. Errors appear below it.
 * `<html data-ready>` is set once `draw` has resolved and the controls have the values of the address. With `?embed` in
 * its address the page shows the lesson alone and posts its height to the page that embeds it. With `?embed&figure=ID`
 * it shows only that figure, and with `?slides` one part of the lesson on each screen.
 * @param {() => Promise<void>} draw computes and draws the figures; a HeedError that it throws is shown to the reader
 * @returns {Promise<void>} when the figures are drawn, or the error is shown
 */
export async function lesson(draw) {
  const name = location.pathname.replace(/^.*\/|\.html$/g, '');
  const asked = new URLSearchParams(location.search);
  const figure = asked.has('embed') ? asked.get('figure') : null;
  const title = document.title.replace(/: heed$/, '');
  linkSources();
  markTerms();
  let postHeight = () => {};
  if (asked.has('embed')) postHeight = embed();
  else addNavigation(LESSONS.findIndex((each) => each.name === name));
  lowerSubscripts();
  for (const box of document.querySelectorAll('main pre, main .scrolls')) {
    makeScrollFocusable(/** @type {HTMLElement} */ (box));
  }
  setLiveRegions();
  preparePrinting();
  document.querySelector('.idea')?.after(progress);
  let showState = updateFigureLinks;
  if (figure === null) linkFigures();
  else if (figureOf(figure)) showState = showOnly(figure, title);
  else {
    tell(noFigure(figure, title));
    appear();
    return postHeight();
  }
  const exercises = figure === null ? withExercises(name) : Promise.resolve(() => {});
  const slow = setTimeout(() => {
    appear();
    if (!progress.textContent) showProgress('Computing the figures.');
  }, PROGRESS_DELAY_MS);
  try {
    await draw();
    const openAddressed = await exercises;
    const refused = await keepState(showState);
    if (figure !== null && refused.length > 0) tell(...refused.map(refusalOf));
    if (!asked.has('embed')) noteReading(name, fragmentOfState);
    progress.remove();
    if (asked.has('slides')) showSlides(title);
    else showPlace();
    appear(); // before the focus, which a hidden element does not take
    root.dataset.ready = '';
    await loaded();
    openAddressed();
  } catch (error) {
    stop(error);
  } finally {
    clearTimeout(slow);
    appear();
    progress.remove();
    postHeight(); // browsers do not observe the size of a frame outside the viewport
  }
}

/** Shows the text, which lessons.css hides while the first figures are drawn. */
export const appear = () => root.classList.add('framed');

/** Resolves after the browser has scrolled to the fragment of the address. Firefox then takes the focus away. */
async function loaded() {
  if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve));
  await new Promise((resolve) => setTimeout(resolve));
}

/** Adds the exercises while the figures are computed. The lesson works without them.
 *  @param {string} name of the lesson @returns {Promise<() => void>} opens the exercise of the address */
async function withExercises(name) {
  try {
    const { addExercises } = await import('./exercise.js');
    return await addExercises(name);
  } catch (error) {
    reportError(error);
    return () => tell('The exercises of this lesson could not be fetched. Reload the page to try again.');
  }
}

/**
 * Says why a lesson stopped, and offers another try if a file could not be fetched.
 * @param {unknown} error
 * @throws {unknown} any other error
 */
function stop(error) {
  const alert = tell(`This lesson stopped. ${messageOf(error)} `);
  if (!(error instanceof HeedError && error.code === 'unavailable')) throw error;
  const retry = h('button', { type: 'button' }, 'Try again');
  retry.addEventListener('click', () => location.reload());
  alert.append(retry);
}

/** Shows an error below the idea of the lesson. @param {...string} sentences */
function tell(...sentences) {
  const alert = h('p', { class: 'error', role: 'alert' }, sentences.join(' '));
  document.querySelector('.idea')?.after(alert);
  return alert;
}

/** A live caption is announced as a whole sentence. Other numbers in the text are not announced when they change. */
function setLiveRegions() {
  for (const live of document.querySelectorAll('figcaption[aria-live]')) live.setAttribute('aria-atomic', 'true');
  for (const number of document.querySelectorAll('output[data-value]:not([aria-live])')) {
    number.setAttribute('role', 'none');
  }
}

/**
 * Shows a message until the lesson is ready: at the edge of the page, or below the idea of an embedded lesson.
 * @param {string} message one sentence
 */
export function showProgress(message) {
  progress.textContent = message;
}

/** Adds the links above and below the lesson. @param {number} index in the list; -1 for a page that is not listed */
function addNavigation(index) {
  const link = (/** @type {string} */ rel, /** @type {number} */ to) => (LESSONS[to]
    ? [h('a', { rel, href: `./${LESSONS[to].name}.html` }, titleOf(LESSONS[to]))]
    : []);
  document.body.prepend(
    h('header', {},
      h('a', { class: 'skip', href: '#lesson' }, 'Skip to the lesson'),
      h('nav', { 'aria-label': 'heed' },
        h('a', { href: '../index.html' }, 'heed'), ' / ', h('a', { href: './index.html' }, 'Lessons'), ' / ',
        h('a', { href: './notation.html' }, 'Notation')),
      ...(document.querySelector('main figure') ? [shareButton()] : [])),
  );
  if (index < 0) return;
  document.body.append(
    h('footer', {}, h('nav', { 'aria-label': 'Lessons before and after' },
      ...link('prev', index - 1), ...link('next', index + 1))),
  );
}

/** Prepares a page that is shown in a frame of another page. @returns {() => void} posts the height of the lesson */
function embed() {
  root.classList.add('embedded');
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('main a[href^="./"]'))) {
    link.search = '?embed'; // the linked lesson opens in the same frame
  }
  const post = () => parent.postMessage({ heed: 'lesson', height: Math.ceil(document.body.scrollHeight) }, '*');
  new ResizeObserver(post).observe(document.body);
  return post;
}

/**
 * An element of the page by its id.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 * @throws {Error} if the page has no such element
 */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element with id ‘${id}’.`);
  return /** @type {T} */ (found);
}

/**
 * Shows values in the text: each `<output data-value="name">` of the page shows the value of that name.
 * @param {Record<string, string | number>} values by name
 * @throws {Error} if the page has no place for a name
 */
export function showValues(values) {
  for (const [name, value] of Object.entries(values)) {
    const places = document.querySelectorAll(`[data-value="${name}"]`);
    if (places.length === 0) throw new Error(`The page has no <output data-value="${name}">.`);
    for (const place of places) place.textContent = String(value);
  }
}
