/** The frame of a lesson: links to other lessons, papers and terms, embedding, progress, errors, and the numbers in
 *  its text. */
import { HeedError } from '../../../js/errors.js';
import { h } from '../../elements/dom.js';
import { LESSONS, titleOf } from '../list.js';
import { makeScrollFocusable } from './focusable-scroll.js';
import { linkSources } from './sources.js';
import { lowerSubscripts } from './subscripts.js';
import { markTerms } from './terms.js';

const root = document.documentElement;
/** A lesson that is ready sooner shows no progress. */
const PROGRESS_DELAY_MS = 300;
const progress = h('p', { class: 'waiting', role: 'status' });

/**
 * Frames the page and draws its figures. Call it once, last in the script of a lesson.
 *
 * The page needs `<main id="lesson">` with a paragraph of class `idea`. Progress and errors appear below it.
 * `<html data-ready>` is set once `draw` has resolved. With `?embed` in its address the page shows the lesson
 * alone and posts its height to the page that embeds it.
 * @param {() => Promise<void>} draw computes and draws the figures; a HeedError that it throws is shown to the reader
 * @returns {Promise<void>} when the figures are drawn, or the error is shown
 */
export async function lesson(draw) {
  const name = location.pathname.replace(/^.*\/|\.html$/g, '');
  linkSources();
  markTerms();
  let postHeight = () => {};
  if (new URLSearchParams(location.search).has('embed')) postHeight = embed();
  else addNavigation(LESSONS.findIndex((each) => each.name === name));
  lowerSubscripts();
  for (const box of document.querySelectorAll('main pre, main .scrolls')) {
    makeScrollFocusable(/** @type {HTMLElement} */ (box));
  }
  setLiveRegions();
  document.querySelector('.idea')?.after(progress);
  const slow = setTimeout(() => progress.textContent || showProgress('Computing the figures.'), PROGRESS_DELAY_MS);
  try {
    await draw();
    root.dataset.ready = '';
  } catch (error) {
    const unavailable = error instanceof HeedError && error.code === 'unavailable';
    const message = error instanceof Error ? error.message : String(error);
    const retry = h('button', { type: 'button' }, 'Try again');
    retry.addEventListener('click', () => location.reload());
    const alert = h('p', { class: 'error', role: 'alert' }, `This lesson stopped. ${message} `);
    if (unavailable) alert.append(retry);
    progress.after(alert);
    if (!unavailable) throw error;
  } finally {
    clearTimeout(slow);
    progress.remove();
    postHeight(); // browsers do not observe the size of a frame outside the viewport
  }
}

/** A live caption is announced as a whole sentence. Other numbers in the text are not announced when they change. */
function setLiveRegions() {
  for (const live of document.querySelectorAll('figcaption[aria-live]')) live.setAttribute('aria-atomic', 'true');
  for (const number of document.querySelectorAll('output[data-value]:not([aria-live])')) {
    number.setAttribute('role', 'none');
  }
}

/**
 * Shows a message below the idea of the lesson, until the lesson is ready.
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
        h('a', { href: './notation.html' }, 'Notation'))),
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
