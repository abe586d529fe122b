/**
 * The lessons that the reader has read, and the place where the reader left. The browser keeps both (localStorage);
 * without storage nothing is kept. A lesson is read when its end was on the screen, or when its page was visible for
 * the minutes of the lesson.
 */
import { LESSONS } from '../list.js';

/** @typedef {{ read: string[], last: { name: string, fragment: string } | null }} Reading  names of lessons */

const KEY = 'heed.reading';
/** Most characters of a kept fragment. */
const FRAGMENT_CHARACTERS = 8000;
/** How often the time on the page is counted. */
const TICK_MS = 15_000;

const isLesson = (/** @type {unknown} */ name) => LESSONS.some((each) => each.name === name);

/** @returns {Reading} only known lessons; anything else that may be stored is ignored */
export function reading() {
  try {
    const { read, last } = JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {};
    const place = isLesson(last?.name) && String(last.fragment ?? '').length <= FRAGMENT_CHARACTERS;
    return { read: Array.isArray(read) ? [...new Set(read)].filter(isLesson) : [],
      last: place ? { name: last.name, fragment: String(last.fragment ?? '') } : null };
  } catch {
    return { read: [], last: null }; // no storage, or not JSON
  }
}

/** @param {Partial<Reading>} changes */
function keep(changes) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...reading(), ...changes }));
  } catch { /* no storage, or a full one */ }
}

/** Forgets everything. */
export function forgetReading() {
  try {
    localStorage.removeItem(KEY);
  } catch { /* no storage */ }
}

/** The last figure or heading with an id that begins above the middle of the screen. */
function place() {
  const places = [...document.querySelectorAll('main :is(figure, h2, details)[id]')];
  return places.findLast((each) => each.getBoundingClientRect().top < innerHeight / 2)?.id ?? '';
}

/** Notes the reading of the open lesson. @param {string} name @param {() => string} state the values of its address */
export function noteReading(name, state) {
  const lesson = LESSONS.find((each) => each.name === name);
  if (!lesson) return;
  const done = () => keep({ read: [...new Set([...reading().read, name])] });
  const leave = () => keep({ last: { name, fragment: [place(), state()].filter(Boolean).join('&') } });
  leave();
  addEventListener('visibilitychange', () => document.hidden && leave());
  addEventListener('pagehide', leave);

  const end = document.querySelector('body > footer');
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    watch.disconnect();
    done();
  });
  if (end) watch.observe(end);
  let visible = 0;
  const ticks = setInterval(() => {
    if (!document.hidden) visible += TICK_MS;
    if (visible < lesson.minutes * 60_000) return;
    clearInterval(ticks);
    done();
  }, TICK_MS);
}
