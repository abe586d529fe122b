/** Reads a lesson's page in a browser, and uses its controls, for the claims beside the lessons. */

/**
 * The assertions of node:assert/strict that claims use.
 * @typedef {object} Assert
 * @property {(value: unknown, message?: string) => void} ok
 * @property {(actual: unknown, expected: unknown, message?: string) => void} equal
 * @property {(actual: unknown, expected: unknown, message?: string) => void} notEqual
 * @property {(actual: unknown, expected: unknown, message?: string) => void} deepEqual
 * @property {(text: string, pattern: RegExp, message?: string) => void} match
 */

/**
 * @typedef {object} Reader
 * @property {(name: string) => Promise<string>} value           the text of <output data-value="name">
 * @property {(name: string, text: string) => Promise<void>} becomes  waits until this text is `text`
 * @property {(caption: string) => Promise<string[][]>} cells    the cells of the table with this caption, row by row
 * @property {(selector: string) => Promise<string>} text        the text of the first matching element
 * @property {(selector: string) => Promise<string[][]>} tableRows  the cells of a table with their row headings
 * @property {(selector: string) => Promise<string>} mapLabel    the accessible name of an attention map
 * @property {(selector: string) => Promise<string[]>} scaleTicks  the ticks of a map's color scale
 * @property {(selector: string, keys: string[]) => Promise<void>} press  focuses an element and presses keys; `a >>> b`
 *   is b in the shadow root of a
 * @property {(selector: string, text: string) => Promise<void>} fill     writes into a field
 * @property {<A>(condition: (argument: A) => unknown, argument?: A) => Promise<void>} waitFor  waits until a condition
 *   holds in the page
 * @property {(label: string, value: string | number | boolean) => Promise<void>} set  sets a control, by its label
 */

/** The claims of a lesson: they fail if the page does not show what its text says.
 *  @typedef {(page: Reader & { assert: Assert, number: typeof number }) => Promise<void>} Claims */

/** The number in a text: 2 × 10⁻⁵ is 0.00002. @param {string} text */
export const number = (text) => Number(text.replace('−', '-').replace(/\s×\s10/, 'e').replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/g,
  (mark) => (mark === '⁻' ? '-' : String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(mark)))));

/** @param {import('./site.js').Site} site @returns {Reader} of the page that is open */
export function readerOf({ page, until, drawn }) {
  return {
    cells: (caption) => page.evaluate((wanted) => {
      const table = [...document.querySelectorAll('table')].find((each) => each.caption?.textContent === wanted);
      return [...table?.tBodies[0].rows ?? []].map((row) => [...row.querySelectorAll('td')].map((cell) =>
        cell.textContent ?? ''));
    }, caption),
    value: (name) => page.evaluate((wanted) =>
      document.querySelector(`[data-value="${wanted}"]`)?.textContent ?? '', name),
    waitFor: (condition, argument) => until(condition, argument),
    becomes: (name, text) => until(([wanted, expected]) =>
      document.querySelector(`[data-value="${wanted}"]`)?.textContent === expected, [name, text]),
    fill: async (selector, text) => {
      await page.evaluate(([wanted, written]) => {
        const input = /** @type {HTMLInputElement} */ (document.querySelector(wanted));
        input.value = written;
        input.dispatchEvent(new Event('input'));
      }, /** @type {const} */ ([selector, text]));
      await drawn();
    },
    text: (selector) => page.evaluate((wanted) => document.querySelector(wanted)?.textContent ?? '', selector),
    mapLabel: (selector) => page.evaluate((wanted) => document.querySelector(wanted)?.shadowRoot
      ?.querySelector('.window')?.getAttribute('aria-label') ?? '', selector),
    scaleTicks: (selector) => page.evaluate((wanted) => [...document.querySelector(wanted)?.shadowRoot
      ?.querySelectorAll('.ticks > *') ?? []].map((each) => each.textContent ?? ''), selector),
    tableRows: (selector) => page.evaluate((wanted) => [...document.querySelectorAll(`${wanted} tr`)].map((row) =>
      [...row.children].map((cell) => cell.textContent ?? '')), selector),
    press: async (selector, keys) => {
      await page.evaluate((wanted) => {
        const [outer, inner] = wanted.split(' >>> ');
        const found = document.querySelector(outer);
        /** @type {HTMLElement} */ (inner ? found?.shadowRoot?.querySelector(inner) : found).focus();
      }, selector);
      for (const key of keys) await page.keyboard.press(key);
    },
    set: async (label, value) => {
      await page.evaluate(([wanted, to]) => {
        const found = [...document.querySelectorAll('label')].find((each) => (each.querySelector('span') ?? each)
          .textContent === wanted);
        if (!found) throw new Error(`The page has no control ‘${wanted}’.`);
        const control = /** @type {any} */ (found.control);
        if (typeof to === 'boolean') control.checked = to;
        else control.value = String(to);
        for (const type of ['input', 'change']) control.dispatchEvent(new Event(type));
      }, /** @type {const} */ ([label, value]));
      await drawn(); // controls call back once per frame
    },
  };
}
