/** With prefers-reduced-motion, nothing moves on the page, in the lessons or in the elements. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LESSONS } from '../../web/lessons/list.js';
import { BROWSERS } from '../support/browsers.js';
import { openSite } from '../support/site.js';

const WEB = fileURLToPath(new URL('../../web/', import.meta.url));

/** Lessons without models; tests/lessons/with-models.test.js covers the others. */
const OF_NUMBERS = LESSONS.filter(({ name }) => name < '07');

/** Motion in style sheets, and motion in scripts. */
const BY_STYLE =
  /(?:^|[\s;{])(?:(?:transition|animation)(?:-\w+)*|scroll-behavior|view-transition-name)\s*:|@keyframes/;
/** Lessons are hidden until their figures are drawn. This animation moves nothing: it ends in one step. */
const HIDING =
  /\bmain \{ animation: (?:hidden 1s step-end|none); \}|@keyframes hidden \{ from \{ visibility: hidden; \} \}/g;
const BY_SCRIPT = /\.animate\s*\(|behavior:\s*['"]smooth|startViewTransition/;
/** Rules that allow motion. */
const MOVING = /@media \(prefers-reduced-motion: no-preference\) \{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g;

test('motion in style sheets is inside prefers-reduced-motion: no-preference', async () => {
  const files = (await readdir(WEB, { recursive: true })).filter((path) => /\.(css|js|html)$/.test(path));
  assert.ok(files.length > 50);
  let moving = 0;
  for (const path of files) {
    const text = await readFile(WEB + path, 'utf8');
    const still = text.replace(MOVING, (rules) => {
      moving += Number(BY_STYLE.test(rules));
      return '';
    }).replace(HIDING, '');
    assert.doesNotMatch(still, BY_STYLE, path);
    assert.doesNotMatch(still, BY_SCRIPT, path);
  }
  assert.ok(moving > 0, 'the patterns match some motion');
});

describe('with reduced motion', { timeout: 600_000 }, () => {
  /** @type {import('../support/site.js').Site} */ let site;
  before(async () => { site = await openSite(BROWSERS.chromium); });
  after(() => site?.close());

  /** Running animations of the page, including shadow roots. */
  const moving = () => site.page.evaluate(() => {
    /** @param {ParentNode} within @returns {Element[]} */
    const all = (within) => [...within.querySelectorAll('*')].flatMap((each) =>
      [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]);
    const found = all(document).flatMap((each) => [undefined, '::before', '::after'].flatMap((part) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(each, part);
      const still = /^0s(, 0s)*$/.test(transitionDuration) && animationName === 'none' && scrollBehavior === 'auto';
      return still ? [] : [`${each.localName}${part ?? ''}: ${transitionDuration} ${animationName} ${scrollBehavior}`];
    }));
    return [...found, ...document.getAnimations().map((each) => String(each))];
  });

  for (const path of ['index.html', 'lessons/index.html', ...OF_NUMBERS.map(({ name }) => `lessons/${name}.html`)]) {
    test(`${path}: nothing moves`, async () => {
      await site.browser.stillness?.(true);
      await site.page.goto(new URL(path, site.server.url).href);
      if (path !== 'index.html') await site.until(() => document.documentElement.dataset.ready !== undefined);
      assert.deepEqual(await moving(), []);
    });
  }
});
