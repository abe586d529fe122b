/** The elements that show analyses, in real browsers: the logit lens, contributions, neurons and more. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { elementsIn } from '../support/elements.js';

elementsIn('elements of analyses', ({ browser, drawn, noComplaints }) => {
  /** The files of elements, by their ids. @param {string[]} ids */
  const filesOf = (ids) => browser.page.evaluate(async (all) => Object.fromEntries(await Promise.all(all
    .map(async (id) => {
      const element = /** @type {any} */ (document.getElementById(id));
      const text = async (/** @type {string} */ format) => (await element.export(format)).text();
      const { width } = await createImageBitmap(await element.export('png'));
      const json = JSON.parse(await text('json'));
      return [id, { svg: await text('svg'), csv: await text('csv'), json, width }];
    }))), ids);

  describe('the logit lens', () => {
    /** @param {number} layers @param {number} positions of a lens whose candidates name their place */
    const open = (layers, positions) => browser.page.evaluate(([down, count]) => {
      const { stage, lensOf } = /** @type {any} */ (globalThis).helpers;
      stage.style.cssText = 'width: 500px; --heed-map-height: 300px';
      const lens = /** @type {any} */ (document.createElement('heed-logit-lens'));
      lens.id = 'lens';
      stage.append(lens);
      lens.data = lensOf(down, count);
    }, [layers, positions]);
    const inLens = () => browser.page.evaluate(() => {
      const { shadowRoot } = /** @type {any} */ (document.getElementById('lens'));
      const window = shadowRoot.querySelector('.window');
      const { x, y } = window.getBoundingClientRect();
      return { x, y, said: shadowRoot.querySelector('output').textContent, scroll: window.scrollTop };
    });

    test('the pointer and the keys show the candidates of a cell', async () => {
      await open(3, 40);
      await drawn();
      const { x, y } = await inLens();
      await browser.page.mouse.move(x + 104 + 140, y + 24 + 2.5 * 21.6);
      await drawn();
      assert.equal((await inLens()).said, 'After ‘t2’ (2), layer 0 predicts ‘1.2’ 50\u00a0% and ‘other’ 25\u00a0%');
      await browser.page.mouse.move(2, 2);
      await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('lens')).shadowRoot
        .querySelector('.window').focus());
      for (const key of ['ArrowDown', 'End', 'PageDown', 'PageDown', 'PageDown', 'PageDown']) {
        await browser.page.keyboard.press(key);
      }
      const { said, scroll } = await inLens();
      assert.match(said, /^After ‘t39’ \(39\), layer 1 predicts ‘2\.39’/);
      assert.ok(scroll > 400, `scrolled by ${scroll}`);
      await browser.page.keyboard.press('Escape');
      assert.match((await inLens()).said, /^Point at a cell/);
      noComplaints();
    });

    test('files and the table have the candidates, with markup escaped', async () => {
      await open(2, 3);
      const { svg, csv, json, size, table } = await browser.page.evaluate(async () => {
        const lens = /** @type {any} */ (document.getElementById('lens'));
        const text = async (/** @type {string} */ format) => (await lens.export(format)).text();
        const picture = await createImageBitmap(await lens.export('png'));
        const details = lens.shadowRoot.querySelector('details');
        const opened = new Promise((resolve) => details.addEventListener('toggle', resolve, { once: true }));
        details.open = true;
        await opened; // the table is drawn in a frame after this event
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return { svg: await text('svg'), csv: await text('csv'), json: await text('json'),
          size: [picture.width, picture.height],
          table: lens.shadowRoot.querySelector('tbody').textContent };
      });
      assert.match(svg, /<title>[^]*<rect[^]*>1\.2<\/text>/);
      assert.equal(csv.trim().split('\r\n').length, 1 + 2 * 3 * 2);
      assert.equal(JSON.parse(json).data.length, 12);
      assert.ok(size[0] > 300 && size[1] > 150, String(size));
      assert.match(table, /t2.*0\.2 50\u00a0%.*1\.2 50\u00a0%/);
      noComplaints();
    });

    test('31 layers of 1,024 tokens draw only the visible cells', async () => {
      await open(31, 1024);
      await drawn();
      const [canvas, window] = await browser.page.evaluate(() => ['canvas', '.window'].map((selector) => {
        const { shadowRoot } = /** @type {any} */ (document.getElementById('lens'));
        const { width, height } = shadowRoot.querySelectorAll(selector)[selector === 'canvas' ? 1 : 0]
          .getBoundingClientRect();
        return width * height;
      }));
      assert.ok(canvas <= window && window <= 500 * 300, `${canvas} of ${window}`);
      noComplaints();
    });
  });

  describe('contributions and the head finder', () => {
    const open = () => browser.page.evaluate(() => {
      const { stage, partsOf, scoresOf } = /** @type {any} */ (globalThis).helpers;
      stage.style.cssText = 'width: 600px';
      const parts = /** @type {any} */ (document.createElement('heed-contributions'));
      const finder = /** @type {any} */ (document.createElement('heed-head-finder'));
      Object.assign(parts, { id: 'parts' });
      Object.assign(finder, { id: 'finder' });
      stage.append(parts, finder);
      parts.data = partsOf();
      finder.data = scoresOf();
      /** @type {any} */ (globalThis).heads = [];
      document.addEventListener('heed-head', ({ detail }) => /** @type {any} */ (globalThis).heads.push(detail));
    });
    const rows = (/** @type {string} */ id, /** @type {string} */ selector) => browser.page.evaluate(([of, inner]) =>
      [.../** @type {any} */ (document.getElementById(of)).shadowRoot.querySelectorAll(inner)]
        .map((row) => row.textContent.replace(/\s+/g, ' ')), [id, selector]);

    test('bars sum to the logit, an attention bar opens its heads, and order sorts', async () => {
      await open();
      await drawn();
      assert.deepEqual(await rows('parts', '.part'), ['Token embedding+0.50', 'Layer 0, attention+3.00',
        'Layer 0, feed-forward\u22121.00']);
      assert.deepEqual(await rows('parts', 'output'), ['The logit of ‘sat’ after ‘cat’ (1) is 2.50, the sum of these '
        + 'parts. The largest part is +3.00: layer 0, attention']);
      await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('parts')).shadowRoot
        .querySelector('button.part').focus());
      await browser.page.keyboard.press('Enter');
      await drawn();
      await browser.page.keyboard.press('Tab');
      await browser.page.keyboard.press('Enter');
      await browser.page.evaluate(() => document.getElementById('parts')?.setAttribute('order', 'size'));
      await drawn();
      assert.deepEqual(await rows('parts', '.part'), ['Layer 0, attention+3.00', 'Head 0.0+2.50', 'Head 0.1+0.50',
        'Layer 0, feed-forward\u22121.00', 'Token embedding+0.50']);
      assert.deepEqual(await browser.page.evaluate(() => /** @type {any} */ (globalThis).heads),
        [{ layer: 0, head: 0 }]);
      const bars = await browser.page.evaluate(() => [.../** @type {any} */ (document.getElementById('parts'))
        .shadowRoot.querySelectorAll('.track span')].map((bar) => {
        const [own, whole] = [bar, bar.parentElement].map((each) => each.getBoundingClientRect());
        return [own.left, own.right].map((x) => Math.round(100 * (x - whole.left) / whole.width));
      }));
      assert.deepEqual([bars[0], bars[3]], [[50, 100], [33, 50]]);
      noComplaints();
    });

    test('patterns have names, heads below uniform attention are left out, and a click fires heed-head', async () => {
      await open();
      await drawn();
      assert.deepEqual(await rows('finder', '.title'), ['Looks one token back', 'Looks at the first token']);
      assert.deepEqual(await rows('finder', 'button.head'), ['4.0 looks one token back: 43 %',
        '4.1 looks one token back: 10 %', '4.1 looks at the first token: 60 %']);
      await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('finder')).shadowRoot
        .querySelectorAll('button.head')[2].click());
      assert.deepEqual(await browser.page.evaluate(() => /** @type {any} */ (globalThis).heads),
        [{ layer: 4, head: 1 }]);
      noComplaints();
    });

    test('files have all numbers', async () => {
      await open();
      const files = await filesOf(['parts', 'finder']);
      assert.match(files.parts.svg, /Token embedding<[^]*\u22121\.00</);
      assert.match(files.parts.csv, /^component,layer,head,part\r\nembed,,,0\.5\r\n[^]*head,0,1,0\.5\r\n$/);
      assert.deepEqual(files.parts.json.heads.data, [2.5, 0.5]);
      assert.match(files.finder.svg, /4\.0 looks one token back: 43/);
      assert.match(files.finder.csv, /^layer,head,previous,first,induction\r\n4,0,0\.43,0\.05,\r\n/);
      assert.equal(files.finder.json.data.length, 6);
      assert.ok(files.parts.width > 600 && files.finder.width > 600);
      noComplaints();
    });
  });

  describe('losses of tokens', () => {
    const open = () => browser.page.evaluate(() => {
      const { stage, lossOf } = /** @type {any} */ (globalThis).helpers;
      stage.style.cssText = 'width: 500px';
      const loss = Object.assign(document.createElement('heed-token-loss'), { id: 'loss' });
      stage.append(loss);
      Object.assign(loss, { data: lossOf() });
      /** @type {any} */ (globalThis).events = [];
      for (const type of ['heed-token-hover', 'heed-token-select']) {
        document.addEventListener(type, ({ detail }) => /** @type {any} */ (globalThis).events.push(detail));
      }
    });
    const said = () => browser.page.evaluate(() => /** @type {any} */ (document.getElementById('loss')).shadowRoot
      .querySelector('output').textContent);
    const colors = () => browser.page.evaluate(() => [.../** @type {any} */ (document.getElementById('loss')).shadowRoot
      .querySelectorAll('.body')].map(({ style }) => style.backgroundColor));

    test('tokens have the color of their loss, or of its change', async () => {
      await open();
      await drawn();
      assert.equal(await said(), 'Mean loss 0.9 nats, 0.56 before, perplexity 2.45. The largest loss is 2, of ‘sat’ '
        + '(2).');
      const losses = await colors();
      assert.equal(losses[0], '', 'the first token has no loss');
      assert.equal(new Set(losses).size, 4);
      await browser.page.evaluate(() => {
        /** @type {any} */ (document.getElementById('loss')).quantity = 'change';
      });
      await drawn();
      assert.match(await said(), /The loss of ‘sat’ \(2\) changes most, by \+1\.$/);
      const changes = await colors();
      assert.equal(changes[1], changes[3], 'both stay equal');
      assert.notEqual(changes[2], changes[3]);
      noComplaints();
    });

    test('keys walk over the tokens, and each has a sentence', async () => {
      await open();
      await drawn();
      await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('loss')).shadowRoot
        .querySelector('[role=option]').focus());
      assert.equal(await said(), '‘The’ (0) is the first token, which no token predicts');
      for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await browser.page.keyboard.press(key);
      assert.equal(await said(), '‘sat’ (2) has probability 14\u00a0% and loss 2 nats; before, probability 37\u00a0% '
        + 'and loss 1');
      const events = await browser.page.evaluate(() => /** @type {any} */ (globalThis).events);
      assert.deepEqual(events.slice(-2), [{ position: 2 }, { position: 2 }]);
      await browser.page.keyboard.press('ArrowRight');
      assert.match(await said(), /^A newline \(3\) has probability/);
      noComplaints();
    });

    test('files have all numbers', async () => {
      await open();
      await drawn();
      const { svg, csv, json, width } = (await filesOf(['loss'])).loss;
      assert.match(svg, />cat<[^]*>sat<[^]*>⏎<[^]*>loss in nats</);
      assert.match(csv, /^position,token,logprob,logprob_before\r\n0,"The",,\r\n1," cat",0,0\r\n2," sat",-2,-1\r\n/);
      assert.deepEqual(json.logprobs.slice(0, 2), [0, -2]);
      assert.ok(width > 600, `${width}`);
      noComplaints();
    });

    test('without another run, the choice of the number is hidden, and a text of one token has a sentence',
      async () => {
        await open();
        await browser.page.evaluate(() => {
          const loss = /** @type {any} */ (document.getElementById('loss'));
          loss.quantity = 'change';
          loss.data = { tokens: ['The'], logprobs: new Float32Array() };
        });
        await drawn();
        assert.match(await said(), /^The first token of a text is not predicted/);
        assert.equal(await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('loss')).shadowRoot
          .querySelector('select').checkVisibility()), false);
        noComplaints();
      });
  });

  describe('shares of tokens', () => {
    const open = () => browser.page.evaluate(() => {
      const { stage, sharesOf } = /** @type {any} */ (globalThis).helpers;
      stage.style.cssText = 'width: 500px';
      const shares = Object.assign(document.createElement('heed-token-shares'), { id: 'shares' });
      stage.append(shares);
      Object.assign(shares, { data: sharesOf() });
    });
    const said = () => browser.page.evaluate(() => /** @type {any} */ (document.getElementById('shares')).shadowRoot
      .querySelector('output').textContent);

    test('tokens have the color of their share, and the text and each token a sentence', async () => {
      await open();
      await drawn();
      assert.equal(await said(), 'The log-probability of ‘Haus’ (2) is −0.25, and −1.75 at the baseline. The largest '
        + 'share is +2.00, of ‘house’ (1).');
      const colors = await browser.page.evaluate(() => {
        const { shadowRoot } = /** @type {any} */ (document.getElementById('shares'));
        return Array.from(shadowRoot.querySelectorAll('.body'), ({ style }) =>
          style.backgroundColor.match(/\d+/g).map(Number));
      });
      assert.ok(colors[1][0] > colors[1][2] + 50, `orange raises: ${colors[1]}`);
      assert.ok(colors[0][2] > colors[0][1], `purple lowers: ${colors[0]}`);
      assert.equal(new Set(colors.map(String)).size, 3);
      await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('shares')).shadowRoot
        .querySelector('[role=option]').focus());
      assert.equal(await said(), '‘The’ (0) has a share of −0.50 in the log-probability of ‘Haus’ (2)');
      await browser.page.keyboard.press('ArrowRight');
      assert.equal(await said(), '‘house’ (1) has a share of +2.00 in the log-probability of ‘Haus’ (2)');
      await browser.page.keyboard.press('ArrowRight');
      assert.equal(await said(), 'A newline (2) has a share of +0.00 in the log-probability of ‘Haus’ (2)');
      noComplaints();
    });

    test('files have all shares', async () => {
      await open();
      await drawn();
      const { svg, csv, json } = (await filesOf(['shares'])).shares;
      assert.match(svg, />house<[^]*>share in the log-probability of ‘Haus’ \(2\)</);
      assert.equal(csv, 'position,token,share\r\n0,"The",-0.5\r\n1," house",2\r\n2,"\n",0\r\n');
      assert.deepEqual([json.data, json.value, json.baselineValue], [[-0.5, 2, 0], -0.25, -1.75]);
      noComplaints();
    });
  });

  describe('a heat map', () => {
    const open = () => browser.page.evaluate(() => {
      const { stage, heatOf } = /** @type {any} */ (globalThis).helpers;
      stage.style.cssText = 'width: 600px';
      const sweep = { data: Float32Array.of(1, 2, 3, 4, 5, -6), axes: { layer: [0, 1, 2], head: [0, 1] } };
      const all = { patch: heatOf(), sweep, line: { data: Float32Array.of(1, -2), axes: { layer: [0, 1] } } };
      for (const [id, data] of Object.entries(all)) {
        const heat = Object.assign(document.createElement('heed-heat-map'), { id });
        stage.append(heat);
        Object.assign(heat, { data });
      }
      /** @type {any} */ (globalThis).events = [];
      document.addEventListener('heed-heat-map-cell', ({ detail }) =>
        /** @type {any} */ (globalThis).events.push(detail));
    });
    const said = (/** @type {string} */ id) => browser.page.evaluate((of) => /** @type {any} */ (
      document.getElementById(of)).shadowRoot.querySelector('output').textContent, id);
    const press = async (/** @type {string} */ id, /** @type {string[]} */ keys) => {
      await browser.page.evaluate((of) => /** @type {any} */ (document.getElementById(of)).shadowRoot
        .querySelector('.window').focus(), id);
      for (const key of keys) await browser.page.keyboard.press(key);
      await drawn();
    };

    test('layers are columns, tokens or heads are rows, and a sentence has the labels of a cell', async () => {
      await open();
      await drawn();
      await press('patch', ['ArrowDown', 'ArrowDown']);
      assert.equal(await said('patch'), 'Site resid_pre, layer 3, ‘cat’ (5): 0.5');
      await press('sweep', ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']);
      assert.equal(await said('sweep'), 'Layer 2, head 1: −6');
      await press('line', ['ArrowDown', 'ArrowRight']);
      assert.equal(await said('line'), 'Layer 1: −2');
      const cells = (await browser.page.evaluate(() => /** @type {any} */ (globalThis).events))
        .map(({ cell }) => JSON.stringify(cell));
      for (const cell of [{ place: { site: 'resid_pre', layer: 3, position: 1 }, value: 0.5 },
        { place: { layer: 2, head: 1 }, value: -6 }, { place: { layer: 1 }, value: -2 }]) {
        assert.ok(cells.includes(JSON.stringify(cell)), cells.join('\n'));
      }
      const names = await browser.page.evaluate(() => ['patch', 'sweep', 'line'].map((id) => /** @type {any} */ (
        document.getElementById(id)).shadowRoot.querySelector('.window').ariaLabel));
      assert.deepEqual(names.map((name) => name.replace(/\. Arrow.*/, '')), ['Heat map of layer (1) and token (2)',
        'Heat map of layer (3) and head (2)', 'Heat map of layer (2)']);
      noComplaints();
    });

    test('a choice shows another site, for a reader and for a program', async () => {
      await open();
      await drawn();
      await press('patch', ['ArrowDown', 'ArrowDown']);
      const chosen = await browser.page.evaluate(() => {
        const patch = /** @type {any} */ (document.getElementById('patch'));
        const select = patch.shadowRoot.querySelector('select');
        select.selectedIndex = 1;
        select.dispatchEvent(new Event('change'));
        return { at: patch.at, selected: patch.selected };
      });
      assert.deepEqual(chosen, { at: { site: 'attn_out' }, selected: { site: 'attn_out', layer: 3, position: 1 } });
      assert.equal(await said('patch'), 'Site attn_out, layer 3, ‘cat’ (5): 1');
      await browser.page.evaluate(() => {
        const patch = /** @type {any} */ (document.getElementById('patch'));
        patch.label = 'effect';
        patch.select({ site: 'resid_pre', layer: 3, position: 0 });
      });
      assert.equal(await said('patch'), 'Effect at site resid_pre, layer 3, ‘The’ (4): 0');
      assert.equal(await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('patch')).shadowRoot
        .querySelector('select').selectedIndex), 0);
      assert.equal(await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('sweep')).shadowRoot
        .querySelector('.bar').hidden), true, 'no choice without a further axis');
      noComplaints();
    });

    test('the table has the shown numbers, and files have all of them with a bar of both signs', async () => {
      await open();
      await browser.page.evaluate(() => {
        const sweep = /** @type {any} */ (document.getElementById('sweep'));
        Object.assign(sweep, { max: 8, label: 'change of the loss' });
        sweep.shadowRoot.querySelector('details').open = true;
      });
      await drawn();
      const rows = await browser.page.evaluate(() => {
        const { shadowRoot } = /** @type {any} */ (document.getElementById('sweep'));
        return Array.from(shadowRoot.querySelectorAll('tr'), ({ cells }) =>
          Array.from(cells, ({ textContent }) => textContent).join('|'));
      });
      assert.deepEqual(rows, ['head|0|1|2', '0|1.00|3.00|5.00', '1|2.00|4.00|−6.00']);
      const files = await filesOf(['patch', 'sweep']);
      assert.match(files.sweep.svg, /head ↓ layer →<[^]*>−6.00<[^]*>−8<[^]*>\+8</);
      assert.match(files.sweep.svg, /change of the loss by layer and head/);
      assert.match(files.patch.csv, /^site,layer,position,token,value\r\n"resid_pre",3,4,"The",0\r\n/);
      assert.match(files.patch.csv, /\r\n"attn_out",3,5," cat",1\r\n$/);
      assert.deepEqual(files.patch.json.data, [0, 0.5, -0.25, 1]);
      noComplaints();
    });
  });

  describe('neurons and the residual stream', () => {
    const open = () => browser.page.evaluate(() => {
      const { stage, neuronsOf, residualOf } = /** @type {any} */ (globalThis).helpers;
      stage.style.cssText = 'width: 600px';
      const neurons = Object.assign(document.createElement('heed-neurons'), { id: 'neurons' });
      const residual = Object.assign(document.createElement('heed-residual'), { id: 'residual' });
      stage.append(neurons, residual);
      Object.assign(neurons, { editable: true, data: neuronsOf() });
      Object.assign(residual, { data: residualOf() });
      /** @type {any} */ (globalThis).events = [];
      for (const type of ['heed-neuron', 'heed-neuron-cut', 'heed-residual-cell']) {
        document.addEventListener(type, ({ detail }) => /** @type {any} */ (globalThis).events.push(detail));
      }
    });
    const text = (/** @type {string} */ id, /** @type {string} */ selector) => browser.page.evaluate(([of, inner]) =>
      [.../** @type {any} */ (document.getElementById(of)).shadowRoot.querySelectorAll(inner)]
        .map((each) => each.textContent), [id, selector]);

    test('a neuron has its part, colored words and raised tokens; cut neurons are marked', async () => {
      await open();
      await drawn();
      assert.deepEqual(await text('neurons', '.part'), ['Neuron 3.120+1.25', 'Neuron 3.7, cut\u22120.50']);
      assert.deepEqual(await text('neurons', 'output'), ['Neuron 3.120 adds +1.25 to the logit of ‘sat’ after ‘cat’ '
        + '(1). It is most active at ‘cat’ (1): 2']);
      const colors = await browser.page.evaluate(() => [.../** @type {any} */ (document.getElementById('neurons'))
        .shadowRoot.querySelectorAll('.words span')].map(({ style }) => style.background));
      assert.equal(new Set(colors).size, 2, String(colors));
      await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('neurons')).shadowRoot
        .querySelectorAll('button.part')[1].focus());
      await browser.page.keyboard.press('Enter');
      await drawn();
      assert.match((await text('neurons', 'output'))[0],
        /^Neuron 3\.7 is cut\. It would add \u22120\.50 .*‘The’ \(0\): −1$/);
      assert.match((await text('neurons', '.written'))[0], /raises ‘c’ and ‘d’, and lowers ‘g’ and ‘h’/);
      await browser.page.evaluate(() => [.../** @type {any} */ (document.getElementById('neurons')).shadowRoot
        .querySelectorAll('button')].find(({ textContent }) => textContent === 'Restore neuron 3.7').click());
      assert.deepEqual(await browser.page.evaluate(() => /** @type {any} */ (globalThis).events),
        [{ layer: 3, neuron: 7 }, { layer: 3, neuron: 7 }]);
      noComplaints();
    });

    test('a long text is colored in parts, a part in each frame', async () => {
      await open();
      await drawn();
      const count = () => browser.page.evaluate(() => /** @type {any} */ (document.getElementById('neurons')).shadowRoot
        .querySelectorAll('.words span').length);
      const first = await browser.page.evaluate(() => {
        const neurons = /** @type {any} */ (document.getElementById('neurons'));
        const { neuronsOf } = /** @type {any} */ (globalThis).helpers;
        const { axes } = neuronsOf();
        const tokens = Array.from({ length: 1000 }, (_, at) => `t${at}`);
        neurons.data = { ...neuronsOf(), tokens, activations: new Float32Array(1000 * axes.neuron.length).fill(1) };
        neurons.redraw();
        return neurons.shadowRoot.querySelectorAll('.words span').length;
      });
      assert.ok(first <= 200, `${first} words in a frame`);
      while (await count() < 1000) await drawn();
      await browser.page.evaluate(() => {
        const { neuronsOf } = /** @type {any} */ (globalThis).helpers;
        /** @type {any} */ (document.getElementById('neurons')).data = neuronsOf();
      });
      await drawn();
      assert.equal(await count(), 2);
      noComplaints();
    });

    test('the sentence of a residual cell gives the addition of its layer, by pointer and by keys', async () => {
      await open();
      await drawn();
      await browser.page.evaluate(() => /** @type {any} */ (document.getElementById('residual')).shadowRoot
        .querySelector('.window').focus());
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await browser.page.keyboard.press(key);
      await drawn();
      assert.deepEqual(await text('residual', 'output'), ['At ‘cat’ (1), layer 0 leaves a stream of norm 4: '
        + 'attention adds 2 (cosine −0.50), and the MLP 3 (cosine 0.25)']);
      assert.deepEqual((await browser.page.evaluate(() => /** @type {any} */ (globalThis).events)).at(-1),
        { cell: { position: 1, layer: 1 } });
      noComplaints();
    });

    test('files have all numbers', async () => {
      await open();
      const files = await filesOf(['neurons', 'residual']);
      assert.match(files.neurons.svg, /Neuron 3\.120<[^]*\u22120\.50<[^]*Activations of neuron 3\.120</);
      assert.match(files.neurons.csv,
        /^layer,neuron,part,position,token,activation\r\n3,120,1\.25,0,"The",0\r\n[^]*3,7,-0\.5,1," cat",0\.5\r\n$/);
      assert.deepEqual(files.neurons.json.activations, [0, 2, -1, 0.5]);
      assert.match(files.residual.svg, />embed<[^]*>4</);
      assert.match(files.residual.csv, /^layer,position,token,stream,attention,attentionCosine,mlp,mlpCosine\r\n/);
      assert.match(files.residual.csv, /\r\n-1,1," cat",2,,,,\r\n[^]*\r\n0,1," cat",4,2,-0\.5,3,0\.25\r\n$/);
      assert.equal(files.residual.json.data.length, 20);
      assert.ok(files.neurons.width > 300 && files.residual.width > 300);
      noComplaints();
    });
  });
});
