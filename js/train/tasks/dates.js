/** The task of the date translators: dates as people write them, and in ISO 8601. */

/** @typedef {{ year: number, month: number, day: number }} CalendarDate month 1 .. 12 */

const FIRST_YEAR = 1900;
const LAST_YEAR = 2099;

const MONTHS = [
  'january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november',
  'december',
];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
const month = (/** @type {CalendarDate} */ d) => MONTHS[d.month - 1];
const short = (/** @type {CalendarDate} */ d) => month(d).slice(0, 3);
const weekday = (/** @type {CalendarDate} */ d) => WEEKDAYS[utc(d).getUTCDay()];

/** Ordinal: 1st, 2nd, 3rd, 4th, 11th. @param {number} n */
function ordinal(n) {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${(!teens && ['th', 'st', 'nd', 'rd'][n % 10]) || 'th'}`;
}

/** Formats of dates. Each has one reading: the month stands before the day if both are numbers.
 *  @type {((d: CalendarDate) => string)[]} */
export const FORMATS = [
  (d) => `${weekday(d)} ${month(d)} ${d.day} ${d.year}`,
  (d) => `${weekday(d)}, ${month(d)} ${ordinal(d.day)}, ${d.year}`,
  (d) => `${month(d)} ${d.day}, ${d.year}`,
  (d) => `${month(d)} ${ordinal(d.day)} ${d.year}`,
  (d) => `${short(d)} ${d.day} ${d.year}`,
  (d) => `${short(d)}. ${d.day}, ${d.year}`,
  (d) => `${d.day} ${month(d)} ${d.year}`,
  (d) => `${d.day} ${short(d)} ${d.year}`,
  (d) => `the ${ordinal(d.day)} of ${month(d)} ${d.year}`,
  (d) => `${ordinal(d.day)} ${month(d)}, ${d.year}`,
  (d) => `${weekday(d).slice(0, 3)} ${d.day} ${short(d)} ${d.year}`,
  (d) => `${two(d.month)}/${two(d.day)}/${d.year}`,
  (d) => `${d.month}/${d.day}/${d.year}`,
  (d) => `${d.year}, ${month(d)} ${d.day}`,
  (d) => `${d.year} ${short(d)} ${two(d.day)}`,
  (d) => `${d.day}-${short(d)}-${d.year}`,
];

/** The first day, and the number of days. */
const BEGINNING = Date.UTC(FIRST_YEAR, 0, 1);
const DAY_MS = 86_400_000;
export const DAYS = (Date.UTC(LAST_YEAR + 1, 0, 1) - BEGINNING) / DAY_MS;

const utc = (/** @type {CalendarDate} */ d) => new Date(Date.UTC(d.year, d.month - 1, d.day));

/** @param {number} index 0 .. DAYS - 1 @returns {CalendarDate} */
export function dayOf(index) {
  const date = new Date(BEGINNING + index * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** @param {CalendarDate} d @returns {string} YYYY-MM-DD */
export const iso = (d) => `${d.year}-${two(d.month)}-${two(d.day)}`;

/** Whether a day is held out: one in ten, spread evenly, the same for every model and seed.
 *  @param {number} index */
export const isHeldOut = (index) => (Math.imul(index, 0x9e3779b1) >>> 0) % 10 === 0;

/**
 * Draws a pair of a written date and its ISO form.
 * @param {() => number} random in [0, 1)
 * @param {boolean} heldOut whether to draw a held-out day
 * @returns {{ source: string, target: string }}
 */
export function pair(random, heldOut) {
  for (;;) {
    const index = Math.floor(random() * DAYS);
    if (isHeldOut(index) !== heldOut) continue;
    const date = dayOf(index);
    return { source: FORMATS[Math.floor(random() * FORMATS.length)](date), target: iso(date) };
  }
}

/** Characters of written dates, and of ISO dates. */
export const SOURCE_SYMBOLS = [...' ,.-/0123456789abcdefghijklmnopqrstuvwxyz'].filter((symbol) =>
  /[^a-z]/.test(symbol) || [...MONTHS, ...WEEKDAYS, 'the', 'st', 'nd', 'rd', 'of'].join('').includes(symbol));
export const TARGET_SYMBOLS = [...'-0123456789'];

/**
 * Fraction of pairs whose translation is exact.
 * @param {{ source: string, target: string }[]} pairs @param {number} atOnce
 * @param {(sources: string[]) => { text: string }[]} translate
 * @returns {Generator<void, number, void>}
 */
export function* exactShare(pairs, atOnce, translate) {
  let right = 0;
  for (let from = 0; from < pairs.length; from += atOnce) {
    const part = pairs.slice(from, from + atOnce);
    const written = translate(part.map(({ source }) => source));
    right += written.filter(({ text }, i) => text === part[i].target).length;
    yield;
  }
  return right / pairs.length;
}
