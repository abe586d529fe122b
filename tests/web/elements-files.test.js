/** Files that the elements save and copy, their menus, and all elements checked by axe, in real browsers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violationsIn } from '../support/axe.js';
import { elementsIn } from '../support/elements.js';
import { until } from '../support/until.js';

elementsIn('files', ({ name, browser, noComplaints }) => {
  /** A dark page with a map and a grid with provenance. */
  const open = () => browser.page.evaluate(() => {
    const { stage, causal, rowsOf, tokensOf } = /** @type {any} */ (globalThis).helpers;
    stage.style.cssText = 'width: 500px; color-scheme: dark';
    const map = /** @type {any} */ (document.createElement('heed-attention-map'));
    const grid = /** @type {any} */ (document.createElement('heed-head-grid'));
    Object.assign(map, { id: 'map' });
    Object.assign(grid, { id: 'grid' });
    stage.append(map, grid);
    map.data = { ...causal(5, () => 1), tokens: [...tokensOf(4), ' incomprehensibilities'], layer: 3, head: 1 };
    grid.shape = { layers: 2, heads: 2 };
    grid.extend(rowsOf(2, 2, 0, 5));
    map.provenance = grid.provenance = { model: 'tiny', prompt: 'Ä prompt', seed: 5, date: '2026-11-22' };
  });
  /** @param {string} id @param {string} format @param {object} wishes */
  const made = (id, format, wishes) => browser.page.evaluate(async ([of, wanted, how]) => {
    const blob = await /** @type {any} */ (document.getElementById(String(of))).export(wanted, how);
    const bytes = new Uint8Array(await blob.arrayBuffer());
    if (wanted !== 'png') return { type: blob.type, text: new TextDecoder().decode(bytes), corner: [], size: [] };
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.drawImage(bitmap, 0, 0);
    return { type: blob.type, text: new TextDecoder().decode(bytes), size: [bitmap.width, bitmap.height],
      corner: [...context.getImageData(2, 2, 1, 1).data] };
  }, /** @type {const} */ ([id, format, wishes]));

  test('of the map: colors and their scale end at max, as on the page', async () => {
    await open();
    const saved = [];
    for (const max of [null, 1, 0.5]) {
      await browser.page.evaluate((end) => {
        Object.assign(/** @type {any} */ (document.getElementById('map')), { scale: 'linear', max: end });
      }, max);
      const { text } = await made('map', 'svg', { theme: 'light' });
      saved.push({ cells: text.match(/<path fill="rgb[^>]*>/g),
        words: [...text.matchAll(/>([^<>]+)<\/text>/g)].map(([, words]) => words) });
    }
    assert.deepEqual(saved[1], saved[0], 'the largest weight of this map is 1');
    assert.notDeepEqual(saved[2].cells, saved[0].cells);
    assert.ok(saved[2].words.includes('0.5') && !saved[2].words.includes('1'), saved[2].words.join(', '));
    noComplaints();
  });

  test('of a map whose rows load: with the tokens, the head and the scale at the time of the request', async () => {
    const [json, svg] = await browser.page.evaluate(async () => {
      const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
      const map = /** @type {any} */ (document.createElement('heed-attention-map'));
      stage.append(map);
      const none = { data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0 };
      /** @type {((rows: object) => void)[]} */
      const answers = [];
      map.source = () => new Promise((answer) => answers.push(answer));
      map.data = { ...none, tokens: tokensOf(3), layer: 2, head: 1 };
      const files = ['json', 'svg'].map((format) => map.export(format));
      map.extend([' later']);
      map.data = { ...none, tokens: tokensOf(4), layer: 5, head: 0 };
      map.scale = 'log';
      for (const answer of answers) answer(causal(3, () => 1));
      return Promise.all(files.map(async (file) => (await file).text()));
    });
    const { tokens, layer, head, title } = JSON.parse(json);
    assert.deepEqual({ tokens, layer, head, title },
      { tokens: [' t0', ' t1', ' t2'], layer: 2, head: 1, title: 'attention, layer 2, head 1' });
    assert.match(svg, /<title>attention, layer 2, head 1, linear scale<\/title>/);
    noComplaints();
  });

  for (const id of ['map', 'grid']) {
    test(`of the ${id}: light on a dark page, transparent, larger font, with provenance`, async () => {
      await open();
      const shown = await made(id, 'png', {});
      const light = await made(id, 'png', { theme: 'light' });
      const clear = await made(id, 'png', { transparent: true });
      const large = await made(id, 'png', { fontSize: 24 });
      assert.deepEqual([shown.type, shown.corner, light.corner], ['image/png', [21, 22, 25, 255],
        [255, 255, 255, 255]]);
      assert.equal(clear.corner[3], 0);
      assert.ok(large.size[0] > shown.size[0] && large.size[1] > shown.size[1]);
      assert.match(shown.text,
        /iTXtDescription\0+\{"model":"tiny","prompt":"Ä prompt","seed":5,"date":"2026-11-22","heed":"/);
      const bare = await made(id, 'png', { caption: false });
      assert.ok(bare.size[1] < shown.size[1]);

      const svg = await made(id, 'svg', { theme: 'light' });
      assert.match(svg.text, /fill="rgb\(255, 255, 255\)"[^]*Model tiny[^]*Prompt “Ä prompt”, seed 5/);
      const csv = await made(id, 'csv', {});
      const lines = { map: /^layer,head,query,[^]*" incomprehensibilities"/, grid: /^layer,head,previous/ };
      assert.match(csv.text, lines[/** @type {'map' | 'grid'} */ (id)]);
      const html = await made(id, 'html', { theme: 'light' });
      assert.match(html.text, /^<!doctype html>[^]*default-src 'none'[^]*<svg [^]*<table>[^]*<\/html>\n$/);
      const opened = await browser.page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, 'text/html');
        return [parsed.querySelectorAll('script, link, iframe, object, [onload]').length,
          parsed.querySelectorAll('tbody tr').length];
      }, html.text);
      assert.deepEqual(opened, [0, id === 'map' ? 15 : 4], 'five rows of up to five cells, or four heads');
      if (id === 'map') {
        const tex = await made(id, 'tex', { theme: 'light' });
        const tikz = await made(id, 'tikz', { theme: 'light' });
        assert.ok(tex.text.includes(tikz.text));
        assert.match(tikz.text, /incomprehensibilities\};[^]*Prompt\\ /);
      }
      const refused = await browser.page.evaluate(async (of) => {
        const element = /** @type {any} */ (document.getElementById(of));
        const all = [['gif', {}], ['png', { fontSize: 900 }], ['png', { fontSize: NaN }]];
        return Promise.all(all.map(([format, wishes]) => element.export(format, wishes).then(() => '', String)));
      }, id);
      refused.forEach((sentence) => assert.match(sentence, /must be/));
      noComplaints();
    });
  }

  test('pictures of cells and of lines name their axes, and cells have a color bar', async () => {
    const words = await browser.page.evaluate(async () => {
      const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
      const axes = { layer: [-1, 0], position: ['The', ' cat'] };
      const quantity = ['stream', 'attention', 'attentionCosine', 'mlp', 'mlpCosine'];
      const map = { ...causal(3, () => 1), tokens: tokensOf(3) };
      const figures = /** @type {const} */ ([
        ['heed-logit-lens', {}, { data: Float32Array.of(0.4, 0.7, 0.9, 0.25).map(Math.log),
          axes: { ...axes, rank: [0] }, texts: [' a', ' b', ' c', ' d'] }],
        ['heed-residual', {}, { data: new Float32Array(20).fill(3), axes: { ...axes, quantity } }],
        ['heed-residual', { quantity: 'mlpCosine' },
          { data: new Float32Array(20).fill(0.5), axes: { ...axes, quantity } }],
        ['heed-heat-map', {}, { data: new Float32Array(4).fill(0.5), axes: { layer: [0, 1], head: [0, 1] } }],
        ['heed-attention-lines', {}, map],
        ['heed-attention-lines', { layout: 'rows' }, map]]);
      return Promise.all(figures.map(async ([tag, properties, data]) => {
        const element = /** @type {any} */ (document.createElement(tag));
        stage.append(element);
        Object.assign(element, properties, { data });
        const svg = new DOMParser().parseFromString(await (await element.export('svg', { caption: false })).text(),
          'image/svg+xml').documentElement;
        const bar = [...svg.querySelectorAll('rect')].filter((rect) => rect.getAttribute('height') === '10').length;
        const [width, height] = ['width', 'height'].map((side) => Number(svg.getAttribute(side)));
        for (const text of svg.querySelectorAll('text')) {
          const [x, y] = ['x', 'y'].map((at) => Number(text.getAttribute(at)) + 8);
          if (!(x > 0 && x < width && y > 0 && y < height)) throw new Error(`${text.textContent} at ${x}, ${y}`);
        }
        return [[...svg.querySelectorAll('text')].map(({ textContent }) => textContent), bar];
      }));
    });
    const inside = (/** @type {any} */ [texts], /** @type {string[]} */ wanted) =>
      wanted.forEach((text) => assert.ok(texts.includes(text), `${text} in ${texts}`));
    const [lens, norm, cosine, heat, columns, rows] = words;
    inside(lens, ['after ↓ layer →', 'probability of the token', '0', '0.5', '1']);
    inside(norm, ['after ↓ layer →', 'norm of the stream', '0', '3']);
    inside(cosine, ['after ↓ layer →', 'cosine of the MLP with the stream', '−1', '+1']);
    inside(heat, ['head ↓ layer →', 'value', '−0.5', '+0.5']);
    inside(columns, ['attends from ↓', 'to ↓']);
    inside(rows, ['attends from ↑', 'to ↓']);
    assert.deepEqual(words.map(([, bar]) => bar), [50, 50, 50, 50, 0, 0]);
    noComplaints();
  });

  /** Saves an element as text, and as a picture whose width tells that it has one.
   *  @param {'heed-token-strip' | 'heed-next-token'} tag @param {string} setUp body of a function of the element */
  const saved = (tag, setUp) => browser.page.evaluate(async ([name, body]) => {
    const { stage } = /** @type {any} */ (globalThis).helpers;
    const element = /** @type {any} */ (document.createElement(name));
    element.setAttribute('name', 'tiny');
    element.provenance = { model: 'tiny', date: '2026-11-22' };
    stage.append(element);
    const empty = await element.export('svg').then(() => '', String);
    new Function('element', body)(element);
    const text = async (/** @type {string} */ format) =>
      (await element.export(format, { theme: 'light', caption: format === 'json' })).text();
    const svg = new DOMParser().parseFromString(await text('svg'), 'image/svg+xml').documentElement;
    const { width } = await createImageBitmap(await element.export('png'));
    return { empty, csv: await text('csv'), json: JSON.parse(await text('json')), html: await text('html'), width,
      menu: element.shadowRoot.querySelector('.export button').getAttribute('aria-label'),
      title: svg.querySelector('title')?.textContent, lines: svg.querySelectorAll('path').length,
      fills: [...svg.querySelectorAll('rect')].map((rect) => rect.getAttribute('fill')),
      texts: [...svg.querySelectorAll('text')].map((node) =>
        [node.textContent, node.getAttribute('fill'), node.getAttribute('font-weight')]) };
  }, /** @type {const} */ ([tag, setUp]));

  test('of a text: muted prompt, and the attention of a token with its color bar', async () => {
    const plain = await saved('heed-token-strip',
      "Object.assign(element, { tokens: ['The', ' cat', ' <b>\\n'], promptLength: 2 });");
    assert.match(plain.empty, /there is no data to save/);
    assert.equal(plain.title, 'tiny: tokens of the text');
    assert.deepEqual(plain.texts, [['The', '#5f6063', null], ['cat', '#5f6063', null], ['<b>⏎', '#1a1a1c', null]]);
    assert.equal(plain.csv, 'position,token,prompt\r\n0,"The",1\r\n1," cat",1\r\n2," <b>\n",0\r\n');
    assert.match(plain.html, /^<!doctype html>[^]*&lt;b&gt;/);
    assert.deepEqual([plain.menu, plain.lines, plain.fills.length], ['Save the text as PNG', 0, 1], 'only the paper');
    assert.ok(plain.width > 600);

    const lit = await saved('heed-token-strip', `element.tokens = ['The', ' cat', ' sat'];
      element.selected = 0;
      element.light(2, Float32Array.of(0.75, 0.25, 0), 1);`);
    assert.equal(lit.title, 'tiny: ‘sat’ (2) gives 25\u00a0% of its attention to ‘cat’ (1)');
    assert.equal(lit.fills.length, 1 + 2 + 50, 'paper, two tokens with attention, the color bar');
    assert.notEqual(lit.fills[1], lit.fills[2]);
    assert.equal(lit.lines, 4, 'frames of query, key and color bar, and the underlined token');
    assert.ok(lit.texts.some(([text]) => text === 'attention weight'));
    assert.match(lit.csv, /^position,token,prompt,weight\r\n0,"The",0,0\.75\r\n/);
    const { title, provenance, ...numbers } = lit.json;
    assert.deepEqual([title, provenance.model], [lit.title, 'tiny']);
    assert.deepEqual(numbers, { tokens: ['The', ' cat', ' sat'], promptLength: 0, query: 2, key: 1,
      weights: [0.75, 0.25, 0] });
    noComplaints();
  });

  test('of candidates: one bar, the bars of the sampler, and of two runs', async () => {
    const one = await saved('heed-next-token', `element.show([{ id: 7, text: ' cat', logprob: Math.log(0.6) },
      { id: 9, text: ' "dog"', logprob: Math.log(0.3) }], { chosen: 7 });`);
    assert.match(one.empty, /there is no data to save/);
    assert.equal(one.title, 'tiny: Candidates for the next token');
    assert.deepEqual(one.texts, [['Token', '#5f6063', null], ['Model', '#5f6063', null], ['·cat', '#1a1a1c', '600'],
      ['60\u00a0%', '#1a1a1c', null], ['·"dog"', '#1a1a1c', null], ['30\u00a0%', '#1a1a1c', null]]);
    assert.deepEqual(one.fills.slice(1), ['#1a1a1c', '#8a2a80', '#1a1a1c', '#5f6063'], 'the chosen bar has the accent');
    assert.match(one.csv, /^id,text,logprob\r\n7," cat",-0\.510825624\r\n9," ""dog""",/);
    assert.deepEqual([one.menu, one.json.chosen, one.json.candidates[1].text],
      ['Save the candidates as PNG', 7, ' "dog"']);
    assert.ok(one.width > 500);

    const staged = await saved('heed-next-token', `element.show([
      { id: 7, text: ' cat', logprob: Math.log(0.6), logit: 3, scaled: 6, cut: null, chance: 1 },
      { id: 9, text: ' dog', logprob: Math.log(0.3), logit: 2, scaled: 4, cut: 'top-k', chance: 0 }],
      { temperature: 0.5 });`);
    assert.deepEqual(staged.texts.map(([text]) => text),
      ['Token', 'Model', 'Sampler', '·cat', '60\u00a0%', '100\u00a0%', '·dog', '30\u00a0%', 'top-k']);
    assert.equal(staged.fills.length, 1 + 4 + 3, 'paper, four places, and no bar of a candidate that is cut');
    assert.match(staged.csv, /logit,scaled,cut,chance\r\n[^]*9," dog",-1\.2039728,2,4,top-k,0\r\n/);
    assert.equal(staged.json.temperature, 0.5);

    const compared = await saved('heed-next-token', `element.show([{ id: 7, text: 'Good', logprob: Math.log(0.6),
      after: Math.log(0.5) }], { words: { list: 'Labels of the text', column: 'Label', action: null } });`);
    assert.equal(compared.title, 'tiny: Labels of the text');
    assert.deepEqual(compared.texts.map(([text]) => text),
      ['Label', 'Before', 'After', 'Good', '60\u00a0%', '50\u00a0%']);
    assert.match(compared.csv, /^id,text,logprob,logprob_after\r\n/);
    noComplaints();
  });

  test('a page that requires Trusted Types saves an HTML page', async () => {
    const html = await browser.page.evaluate(async () => {
      const policy = Object.assign(document.createElement('meta'), { httpEquiv: 'Content-Security-Policy',
        content: "require-trusted-types-for 'script'" });
      document.head.append(policy);
      const { stage } = /** @type {any} */ (globalThis).helpers;
      const strip = /** @type {any} */ (document.createElement('heed-token-strip'));
      strip.setAttribute('name', `<&lt;"'`);
      stage.append(strip);
      strip.tokens = ['a'];
      return (await strip.export('html')).text();
    });
    assert.match(html, /<title>&lt;&amp;lt;&quot;&#39;: tokens of the text<\/title>/);
    noComplaints();
  });

  test('the menu works by keyboard and reports the result', async () => {
    await open();
    const inMenu = () => browser.page.evaluate(() => {
      const root = /** @type {any} */ (document.getElementById('map')).shadowRoot;
      const { activeElement } = root;
      const menu = root.querySelector('.export');
      return { open: menu.open, said: menu.querySelector('[role=status]').textContent,
        focus: activeElement?.getAttribute('aria-label') ?? activeElement?.textContent };
    });
    await browser.page.evaluate(() => {
      HTMLAnchorElement.prototype.click = function click() {
        /** @type {any} */ (globalThis).file = this.download;
      };
      /** @type {any} */ (document.getElementById('map')).shadowRoot.querySelector('.export summary').focus();
    });
    await browser.page.keyboard.press('Enter');
    await browser.page.keyboard.press('Tab');
    assert.deepEqual(await inMenu(), { open: true, said: '', focus: 'Save the map as PNG' });
    await browser.page.keyboard.press('Tab');
    await browser.page.keyboard.press('Enter');
    await until(browser.page, () => /** @type {any} */ (globalThis).file === 'attention-layer-3-head-1.svg');
    assert.equal((await inMenu()).said, 'Saved attention-layer-3-head-1.svg.');
    await browser.page.keyboard.press('Escape');
    assert.deepEqual(await inMenu(), { open: false, said: 'Saved attention-layer-3-head-1.svg.',
      focus: 'Save or copy' });
    noComplaints();
  });

  test('a map of differences has its own file name', async () => {
    await open();
    const names = await browser.page.evaluate(async () => {
      const map = /** @type {any} */ (document.getElementById('map'));
      /** @type {string[]} */
      const files = [];
      /** @type {string[]} */
      const said = [];
      HTMLAnchorElement.prototype.click = function click() {
        files.push(this.download);
      };
      const status = map.shadowRoot.querySelector('.export [role=status]');
      new MutationObserver((changes) => {
        for (const { addedNodes: [text] } of changes) said.push(text.textContent ?? '');
      }).observe(status, { childList: true });
      for (const difference of [false, true]) {
        map.difference = difference;
        map.shadowRoot.querySelector('.export').open = true;
        map.shadowRoot.querySelector('[aria-label="Save the map as CSV"]').click();
        while (files.length <= Number(difference)) await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await new Promise((resolve) => setTimeout(resolve, 10)); // the last message
      return { files, said };
    });
    assert.deepEqual(names, { files: ['attention-layer-3-head-1.csv', 'attention-difference-layer-3-head-1.csv'],
      said: ['Saving the map…', 'Saved attention-layer-3-head-1.csv.',
        'Saving the map…', 'Saved attention-difference-layer-3-head-1.csv.'] });
    noComplaints();
  });

  if (name === 'chromium') {
    test('copies a picture and a table', async () => {
      await open();
      await /** @type {any} */ (browser.page).context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const copy = (/** @type {string} */ format) => browser.page.evaluate(async (wanted) => {
        const root = /** @type {any} */ (document.getElementById('map')).shadowRoot;
        root.querySelector('.export').open = true;
        root.querySelector(`[aria-label="Copy the map as ${wanted}"]`).click();
        const status = root.querySelector('.export [role=status]');
        while (status.textContent.endsWith('…')) await new Promise((resolve) => setTimeout(resolve, 10));
        const [item] = await navigator.clipboard.read();
        const text = item.types.includes('text/plain') ? await (await item.getType('text/plain')).text() : '';
        return { said: status.textContent, types: item.types, text };
      }, format);
      const table = await copy('CSV');
      assert.equal(table.said, 'Copied the map as CSV.');
      assert.match(table.text, /^layer,head,query/);
      assert.deepEqual((await copy('PNG')).types, ['image/png']);
      noComplaints();
    });

    test('axe finds no violations in any element, in light and dark, with open menus', async () => {
      await open();
      await browser.page.evaluate(() => {
        const { stage, causal, heatOf, lensOf, lossOf, neuronsOf, partsOf, residualOf, scoresOf, sharesOf, tokensOf } =
          /** @type {any} */ (globalThis).helpers;
        const strip = /** @type {any} */ (document.createElement('heed-token-strip'));
        const next = /** @type {any} */ (document.createElement('heed-next-token'));
        stage.append(strip, next);
        strip.tokens = tokensOf(9);
        next.show([{ id: 1, text: ' a', logprob: -0.5 }, { id: 2, text: ' b', logprob: -1 }], { chosen: 1 });
        next.show(null);
        const lines = /** @type {any} */ (document.createElement('heed-attention-lines'));
        stage.append(lines);
        lines.data = { ...causal(5, () => 1), tokens: tokensOf(5), layer: 3, head: 1 };
        lines.select({ side: 'query', at: 4 });
        const lens = /** @type {any} */ (document.createElement('heed-logit-lens'));
        stage.append(lens);
        lens.data = lensOf(2, 3);
        const parts = /** @type {any} */ (document.createElement('heed-contributions'));
        const finder = /** @type {any} */ (document.createElement('heed-head-finder'));
        stage.append(parts, finder);
        parts.data = partsOf();
        finder.data = scoresOf();
        const neurons = /** @type {any} */ (document.createElement('heed-neurons'));
        const residual = /** @type {any} */ (document.createElement('heed-residual'));
        stage.append(neurons, residual);
        Object.assign(neurons, { editable: true, data: neuronsOf() });
        residual.data = residualOf();
        const heat = /** @type {any} */ (document.createElement('heed-heat-map'));
        stage.append(heat);
        heat.data = heatOf();
        const loss = /** @type {any} */ (document.createElement('heed-token-loss'));
        stage.append(loss);
        loss.data = lossOf();
        const shares = /** @type {any} */ (document.createElement('heed-token-shares'));
        stage.append(shares);
        shares.data = sharesOf();
        for (const element of stage.children) {
          for (const details of element.shadowRoot.querySelectorAll('details')) details.open = true;
        }
      });
      browser.complaints.length = 0;
      const setScheme = (/** @type {string} */ scheme) => browser.page.evaluate((css) => {
        /** @type {any} */ (globalThis).helpers.stage.style.colorScheme = css;
        document.documentElement.style.background = css === 'dark' ? '#000' : '#fff';
      }, scheme);
      assert.deepEqual(await violationsIn(browser.page, setScheme, { within: '#stage' }), []);
      noComplaints();
    });
  }
});
