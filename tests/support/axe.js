/** Runs axe, which finds barriers for readers with disabilities, in a page. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const SCRIPT = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Checks a page with axe in both color schemes.
 * @param {Pick<import('./browsers.js').Page, 'evaluate'>} page
 * @param {((scheme: 'light' | 'dark') => Promise<unknown>) | null} setScheme  null checks only the scheme as it is
 * @param {{ within?: string, disabled?: string[] }} [options]  a selector (default: the whole page), rules to leave out
 * @returns {Promise<string[]>} the violations, with their elements
 */
export async function violationsIn(page, setScheme, { within, disabled = [] } = {}) {
  if (!await page.evaluate(() => 'axe' in globalThis)) {
    await page.evaluate(/** @type {any} */ (`${await readFile(SCRIPT, 'utf8')}; 0`));
  }
  const found = [];
  for (const scheme of setScheme ? /** @type {const} */ (['dark', 'light']) : [null]) {
    if (scheme) await setScheme?.(scheme);
    // The page returns only texts, because a whole result describes every element.
    found.push(...await page.evaluate(async ({ selector, rules, where }) => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const { violations } = await /** @type {any} */ (globalThis).axe.run(selector ?? document,
        { resultTypes: ['violations'], rules });
      return violations.map((/** @type {any} */ { id, impact, nodes }) => `${where}${impact} ${id}: ${
        nodes.map((/** @type {any} */ { html }) => html.slice(0, 160)).join('; ')}`);
    }, {
      selector: within,
      rules: Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }])),
      where: scheme ? `in ${scheme}: ` : '',
    }));
  }
  return found;
}
