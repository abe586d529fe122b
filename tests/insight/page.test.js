/** dist/insight.js in a page: the model runs in its Worker, and errors have the class of dist/heed.js. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { directLogitAttribution, headScores, logitLens } from '../../js/insight/index.js';
import { load } from '../../js/index.js';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { ROOT } from '../support/installed.js';
import { resultOf } from '../support/until.js';

const MODEL = 'models/stories.gguf';
const PROMPT = 'Lily and Tom had a ball. Lily gave the ball to';
const SCRIPT = `
  import { load, HeedError } from '/dist/heed.js';
  import { directLogitAttribution, headScores, logitLens } from '/dist/insight.js';
  (async () => {
    const model = await load('/${MODEL}', { strict: true });
    const reports = [];
    const lens = await logitLens(model, '${PROMPT}', { top: 1, onProgress: ({ done }) => reports.push(done) });
    const parts = await directLogitAttribution(model, '${PROMPT}', { by: 'head' });
    const scores = await headScores(model, { repeated: 20, texts: 1 });
    const error = await logitLens(model, [], {}).catch((thrown) => thrown);
    model.dispose();
    return { candidates: [...lens.candidates], parts: [...parts.data], scores: [...scores.data], reports,
      isOurs: error instanceof HeedError, code: error.code };
  })().then((result) => { globalThis.result = result; }, (error) => { globalThis.result = String(error.stack); });`;

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`analyses in ${browserName}`, { timeout: 300_000 }, () => {
    test('give the numbers of Node.js', async () => {
      /** @param {string} type @param {string} text @returns {import('node:http').RequestListener} */
      const answer = (type, text) => (_, response) => response.writeHead(200, { 'content-type': type }).end(text);
      const server = await plainServer({ root: ROOT, below: '/', extra: {
        '/page.html': answer('text/html',
          '<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>'),
        '/page.js': answer('text/javascript', SCRIPT),
      } });
      const browser = await openBrowser({ width: 600, height: 400 });
      const model = await load(`${ROOT}/${MODEL}`, { strict: true });
      try {
        const found = await resultOf(browser, new URL('page.html', server.url).href);
        const lens = await logitLens(model, PROMPT, { top: 1 });
        assert.deepEqual(found.candidates, [...lens.candidates], String(found));
        assert.deepEqual(found.parts, [...(await directLogitAttribution(model, PROMPT, { by: 'head' })).data]);
        assert.deepEqual(found.scores, [...(await headScores(model, { repeated: 20, texts: 1 })).data]);
        assert.deepEqual(found.reports, [1, 2, 3, 4, 5, 6, 7]);
        assert.ok(found.isOurs, 'one class of errors in both modules');
        assert.equal(found.code, 'bad-argument');
        assert.deepEqual(browser.complaints, []);
      } finally {
        model.dispose();
        await browser.close();
        await server.close();
      }
    });
  });
}
