/**
 * A lesson as slides: one heading with its text, or one figure, on each screen. A slide hides the rest of the page, so
 * the figures stay live. Keys, a swipe, and the buttons below change the slide.
 */
import { h } from '../../elements/dom.js';
import { fragmentOfState, placeOf } from './state.js';

/** Sizes of the type in pixels. The largest with which the slide fits on the screen is taken. */
const SIZES = [32, 28, 25, 22, 20, 18, 16];
/** Pixels of a swipe. */
const SWIPE = 60;
/** Parts that use arrow keys or the pointer themselves. */
const INTERACTIVE = 'input, select, textarea, canvas, [role=application], [tabindex="0"], button, a, summary';
/** The number of slides that each key moves by. @type {Record<string, number>} */
const KEYS = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1,
  Home: -Infinity, End: Infinity };

/** The parts of the lesson by slides. A heading, a figure and the text after a figure begin a slide. Code stays with
 *  the figure before it. */
function slidesOf() {
  /** @type {HTMLElement[][]} */
  const slides = [];
  let afterFigure = false;
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('main > :not(template)'))) {
    const isFigure = each.localName === 'figure';
    /** @type {boolean} */
    const joins = afterFigure ? each.localName === 'pre' : !isFigure && !['h2', 'section'].includes(each.localName);
    if (slides.length === 0 || !joins) slides.push([]);
    slides[slides.length - 1].push(each);
    afterFigure = isFigure || (afterFigure && joins);
  }
  return slides;
}

/** @param {Event} event */
const interactive = (event) => event.defaultPrevented || event.composedPath().some((each) =>
  each instanceof Element && each.matches(INTERACTIVE));

/** Shows the open lesson as slides. @param {string} title of the lesson */
export function showSlides(title) {
  const root = document.documentElement;
  const slides = slidesOf();
  const number = h('span', { 'aria-live': 'polite' });
  const back = h('button', { type: 'button', 'aria-label': 'Slide before' }, '←');
  const on = h('button', { type: 'button', 'aria-label': 'Next slide' }, '→');
  const leave = h('a', {}, 'Lesson');
  let at = 0;

  /** The type is as large as the screen allows. */
  function fit() {
    const sizes = SIZES.filter((size) => size <= Math.max(18, innerWidth / 40));
    for (const size of sizes) {
      root.style.fontSize = `${size}px`;
      if (root.scrollHeight <= innerHeight && root.scrollWidth <= innerWidth) return;
    }
  }

  /** @param {number} index */
  function show(index) {
    at = Math.max(0, Math.min(slides.length - 1, index));
    slides.forEach((parts, i) => parts.forEach((part) => part.classList.toggle('other-slide', i !== at)));
    number.textContent = `${at + 1} / ${slides.length}`;
    back.disabled = at === 0;
    on.disabled = at === slides.length - 1;
    const place = slides[at].find(({ id }) => id)?.id ?? '';
    leave.href = `${location.pathname}#${[place, fragmentOfState()].filter(Boolean).join('&')}`;
    history.replaceState(history.state, '', `?slides=${at + 1}${location.hash}`);
    fit();
    scrollTo(0, 0);
  }

  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === 'Escape') leave.click();
    const by = KEYS[event.key];
    if (by === undefined || interactive(event)) return;
    event.preventDefault();
    show(at + by);
  });
  /** @type {{ x: number, y: number } | null} */
  let from = null;
  addEventListener('touchstart', (event) => {
    const [{ clientX: x, clientY: y }] = event.touches;
    from = event.touches.length > 1 || interactive(event) ? null : { x, y };
  }, { passive: true });
  addEventListener('touchend', ({ changedTouches: [{ clientX, clientY }] }) => {
    const [x, y] = from ? [clientX - from.x, clientY - from.y] : [0, 0];
    if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) show(at - Math.sign(x));
  }, { passive: true });
  back.addEventListener('click', () => show(at - 1));
  on.addEventListener('click', () => show(at + 1));
  addEventListener('resize', fit);

  root.classList.add('slides');
  document.body.append(h('nav', { class: 'slide-bar', 'aria-label': 'Slides' }, leave,
    h('span', { role: 'heading', 'aria-level': 1 }, title), back, number, on));
  const asked = Number(new URLSearchParams(location.search).get('slides'));
  const target = document.getElementById(placeOf());
  const placed = slides.findIndex((parts) => parts.some((part) => part.contains(target)));
  show(asked >= 1 ? asked - 1 : Math.max(0, placed));
}
