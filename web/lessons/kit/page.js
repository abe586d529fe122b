/** What every lesson has around its one idea: the way to the others, how it is embedded, what happens on an error. */
import { HeedError } from '../../../js/errors.js';
import { h } from '../../elements/dom.js';
import { LESSONS, titleOf } from '../list.js';
import { lowerIndices } from './subscripts.js';
import { reachable } from './focusable-scroll.js';

const root = document.documentElement;
/** Until a reader wants to know why there is nothing yet. */
const PATIENCE_MS = 300;
const waiting = h('p', { class: 'waiting', role: 'status' });

/**
 * Frames the page and runs the lesson. `<html data-ready>` is set once its figures are computed.
 * @param {() => Promise<void>} work makes the figures
 */
export async function lesson(work) {
  const name = location.pathname.replace(/^.*\/|\.html$/g, '');
  /** Tells the page around how high this one is. */
  let tell = () => {};
  if (new URLSearchParams(location.search).has('embed')) tell = embedded();
  else framed(LESSONS.findIndex((each) => each.name === name));
  lowerIndices();
  for (const box of document.querySelectorAll('main pre, main .scrolls')) {
    reachable(/** @type {HTMLElement} */ (box));
  }
  spoken();
  document.querySelector('.idea')?.after(waiting);
  const slow = setTimeout(() => waiting.textContent || wait('Computing the figures.'), PATIENCE_MS);
  try {
    await work();
    root.dataset.ready = '';
  } catch (error) {
    const lost = error instanceof HeedError && error.code === 'unavailable';
    const words = error instanceof Error ? error.message : String(error);
    const again = h('button', { type: 'button' }, 'Try again');
    again.addEventListener('click', () => location.reload());
    const said = h('p', { class: 'error', role: 'alert' }, `This lesson stopped. ${words} `);
    if (lost) said.append(again);
    waiting.after(said);
    if (!lost) throw error;
  } finally {
    clearTimeout(slow);
    waiting.remove();
    tell(); // where nobody sees it yet, browsers do not observe it either
  }
}

/** A caption that is live is read whole, as a sentence is, and not each of its numbers by itself, which an output would
 *  be; those in the text are not read when they change, unless they are live by themselves. */
function spoken() {
  for (const live of document.querySelectorAll('figcaption[aria-live]')) live.setAttribute('aria-atomic', 'true');
  for (const number of document.querySelectorAll('output[data-value]:not([aria-live])')) {
    number.setAttribute('role', 'none');
  }
}

/** Says what the reader waits for, until the lesson is there. @param {string} words */
export function wait(words) {
  waiting.textContent = words;
}

/** Puts the list before the lesson, and its neighbours after it. @param {number} at in the list */
function framed(at) {
  const link = (/** @type {string} */ rel, /** @type {number} */ to) => (LESSONS[to]
    ? [h('a', { rel, href: `./${LESSONS[to].name}.html` }, titleOf(LESSONS[to]))]
    : []);
  document.body.prepend(
    h('header', {},
      h('a', { class: 'skip', href: '#lesson' }, 'Skip to the lesson'),
      h('nav', { 'aria-label': 'heed' },
        h('a', { href: '../index.html' }, 'heed'), ' / ', h('a', { href: './index.html' }, 'Lessons'))),
  );
  document.body.append(
    h('footer', {}, h('nav', { 'aria-label': 'Lessons before and after' },
      ...link('prev', at - 1), ...link('next', at + 1))),
  );
}

/** In a frame of another page: nothing but the lesson, as high as it is. The page around may listen for the height. */
function embedded() {
  root.classList.add('embedded');
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('main a[href^="./"]'))) {
    link.search = '?embed'; // another lesson takes its place in the frame
  }
  const tell = () => parent.postMessage({ heed: 'lesson', height: Math.ceil(document.body.scrollHeight) }, '*');
  new ResizeObserver(tell).observe(document.body);
  return tell;
}

/**
 * An element of the page that must be there.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function $(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ‘${id}’.`);
  return /** @type {T} */ (element);
}

/** Says a value in the text: every `<output data-value="name">` shows it.
 *  @param {Record<string, string | number>} values by name */
export function say(values) {
  for (const [name, value] of Object.entries(values)) {
    const places = document.querySelectorAll(`[data-value="${name}"]`);
    if (places.length === 0) throw new Error(`The page has no place for ‘${name}’.`);
    for (const place of places) place.textContent = String(value);
  }
}
