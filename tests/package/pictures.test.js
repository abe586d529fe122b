/** The bundle in a page: a Vision Transformer in a Worker reads images, canvases, bitmaps and files. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { ROOT } from '../support/installed.js';
import { resultOf } from '../support/until.js';
import { tinyVit } from '../support/vit.js';

/** The same 4 × 3 pixels by five ways; and a file without a picture. */
const SCRIPT = `
  import { load } from '/dist/heed.js';
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [4, 3];
  const context = canvas.getContext('2d');
  for (let i = 0; i < 12; i++) {
    context.fillStyle = \`rgb(\${20 * i}, \${255 - 20 * i}, \${7 * i})\`;
    context.fillRect(i % 4, Math.floor(i / 4), 1, 1);
  }
  const run = async () => {
    const model = await load({ weights: '/weights', config: '/config' });
    const blob = await new Promise((done) => canvas.toBlob(done));
    const image = new Image();
    image.src = URL.createObjectURL(blob);
    await image.decode();
    const pictures = { pixels: context.getImageData(0, 0, 4, 3), canvas, bitmap: await createImageBitmap(canvas), image,
      file: new File([blob], 'a.png') };
    const logits = {};
    for (const [name, picture] of Object.entries(pictures)) logits[name] = (await model.classify(picture))[0].logit;
    const error = await model.look(new Blob(['no picture'])).catch(({ code, message }) => ({ code, message }));
    return { logits, error, worker: model.info.picture.columns };
  };
  run().then((result) => { globalThis.result = result; }, ({ message }) => { globalThis.result = { message }; });`;

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`pictures in ${browserName}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/browsers.js').Opened} */ let browser;
    before(async () => { browser = await openBrowser({ width: 600, height: 400 }); });
    after(() => browser?.close());

    test('every kind of picture gives the same logits', async () => {
      const { weights, config } = tinyVit();
      const send = (/** @type {string} */ type, /** @type {string | Uint8Array} */ body) =>
        (/** @type {any} */ _, /** @type {import('node:http').ServerResponse} */ response) =>
          response.writeHead(200, { 'content-type': type }).end(body);
      const server = await plainServer({ root: ROOT, below: '/', extra: {
        '/page.html': send('text/html', '<!doctype html><title>A page</title><link rel="icon" href="data:,">' +
          '<script type="module" src="page.js"></script>'),
        '/page.js': send('text/javascript', SCRIPT),
        '/weights': send('application/octet-stream', weights),
        '/config': send('application/json', JSON.stringify(config)),
      } });
      try {
        const result = await resultOf(browser, new URL('page.html', server.url).href);
        assert.equal(result.message, undefined);
        const logits = Object.values(result.logits);
        assert.equal(logits.length, 5);
        assert.deepEqual(logits, Array(5).fill(logits[0]));
        assert.equal(result.error.code, 'bad-argument');
        assert.match(result.error.message, /cannot read .* as a picture/);
      } finally {
        await server.close();
      }
    });
  });
}
