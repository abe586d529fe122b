/** Models of other kinds on the page: encoders, encoder–decoders with the maps of their parts, models of pictures. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { integratedGradients } from '../../js/insight/index.js';
import { draw } from '../../js/train/tasks/shapes.js';
import { pixelsOfPicture } from '../../web/draw/patches.js';
import { Translation } from '../../web/page/kinds/translation.js';
import { BROWSERS } from '../support/browsers.js';
import { tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { CLIP_PROCESSOR, tinyClip } from '../support/clip.js';
import { ENCODERS } from '../support/encoders.js';
import { huggingFaceOf } from '../support/families.js';
import { LETTERS } from '../support/letters.js';
import { collect } from '../support/model.js';
import { openSite } from '../support/site.js';
import { PREPROCESSOR, tinyDeit, tinyVit } from '../support/vit.js';
import { MASK, WORD_PIECE } from '../support/word-piece.js';

/** Parts of the page that only decoders have. */
const OF_DECODERS = ['#step', '#chat', '#learn', '.settings', '#tab-lens'];
/** A view that only encoder–decoders have. */
const SHARES = '#tab-shares';

/** @param {string} name */
const encoder = (name) => huggingFaceOf(ENCODERS.find((row) => row.name === name) ?? assert.fail(name));

describe('the text of an encoder–decoder', () => {
  before(() => Object.assign(globalThis, { requestAnimationFrame: () => 0 }));
  after(() => Reflect.deleteProperty(globalThis, 'requestAnimationFrame'));

  test('a source that the model refuses drops neither the text nor its rows', async (t) => {
    /** @type {[tokenizer: object | null, source: string, refused: [string, RegExp][]][]} */
    const cases = [
      [LETTERS, 'a cat', [['a'.repeat(70), /^The source has 72 tokens, but the model reads at most 64\. Shorten/]]],
      [null, '3 5', [['3 40', /from 0 to 39, got ‘40’/], [' ', /^The source is empty/],
        ['a cat', /^This model has no tokenizer\. Enter token ids as the source, for example 1, 15, 7/]]],
    ];
    for (const [tokenizer, source, refused] of cases) {
      const model = await load({ ...tinyEncoderDecoder('t5 v1.1'), ...(tokenizer && { tokenizer }) });
      t.after(() => model.dispose());
      /** @type {string[]} */
      const said = [];
      const nothing = async () => {};
      const text = new Translation(model, { onRunning: () => {}, onReading: () => {}, onRead: nothing,
        onEdited: nothing, onCut: () => said.push('cut'), onTokens: () => {} },
      { onReading: () => said.push('reading'), onSource: () => {}, onTexts: () => {}, beams: () => 1 });
      await text.begin(source, 4);
      assert.deepEqual(said.splice(0), ['reading', 'cut']);
      const { ids, prompt } = text;
      const rows = await model.attentionRows({ of: 'cross' });
      for (const [other, about] of refused) {
        await assert.rejects(text.begin(other, 4), { message: about });
        assert.deepEqual(said, []);
        assert.deepEqual([text.ids, text.prompt], [ids, prompt]);
        assert.deepEqual(await model.attentionRows({ of: 'cross' }), rows);
      }
    }
  });
});

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`kinds of models in ${name}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    const byId = (/** @type {string} */ id, /** @type {string} */ property) => site.page.evaluate(([at, key]) =>
      /** @type {any} */ (document.getElementById(at))[key], [id, property]);
    const click = (/** @type {string} */ id) => site.page.evaluate((at) => document.getElementById(at)?.click(), id);
    const idle = () => site.until(() => document.getElementById('stop')?.getAttribute('aria-disabled') === 'true'
      && document.getElementById('loading')?.hidden);
    /** Buttons of a region by their text. @param {string} text */
    const press = (text) => site.page.evaluate((wanted) => {
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === wanted)?.click();
    }, text);
    const focused = () => site.page.evaluate(() => document.activeElement?.textContent);
    const isShown = (/** @type {string} */ selector) =>
      site.page.evaluate((at) => document.querySelector(at)?.checkVisibility() ?? false, selector);

    /** Drops the files of a model on the page. @param {{ weights: Uint8Array, config: object }} files
     *  @param {object} [more] other JSON files by name */
    const drop = (files, more = {}) => site.page.evaluate(({ json, base64 }) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], 'model.safetensors'));
      for (const [file, text] of Object.entries(json)) dataTransfer.items.add(new File([text], file));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, { base64: Buffer.from(files.weights).toString('base64'),
      json: Object.fromEntries(Object.entries({ 'config.json': files.config, ...more })
        .map(([file, value]) => [file, JSON.stringify(value)])) });

    /** Waits until the page shows a text. @param {number} count of its tokens */
    const hasTokens = async (count) => {
      await site.until((wanted) => /** @type {any} */ (document.getElementById('grid')).length === wanted
        && document.getElementById('status')?.textContent === `${wanted} tokens`, count);
      await idle();
      await site.drawn();
    };
    /** Waits until the open map has all rows. @param {number} count */
    const hasRows = async (count) => {
      await idle();
      await site.until((wanted) => {
        const [map, grid] = ['map', 'grid'].map((id) => /** @type {any} */ (document.getElementById(id)));
        return grid.length === wanted && map.queryCount === wanted
          && map.row(wanted - 1) !== null && map.row(0) !== null;
      }, count);
    };
    /** The open map, and its head. */
    const shownMap = () => site.page.evaluate(async () => {
      const [map, grid] = ['map', 'grid'].map((id) => /** @type {any} */ (document.getElementById(id)));
      const rows = Array.from({ length: map.queryCount }, (_, query) => Array.from(map.row(query) ?? []));
      return { ...grid.selected, rows, kind: grid.shape.kind };
    });
    /** Compares the open map with the model's. @param {import('../../js/index.js').Model} model
     *  @param {object} [part] */
    const checkMap = (model, part = {}) => site.settles(async () => {
      const { layer, head, rows, kind } = await shownMap();
      const { data, keys } = await model.attention({ layer, head, ...part });
      assert.equal(rows.length * keys, data.length);
      rows.forEach(({ length }, query) => assert.equal(length, kind === 'causal' ? query + 1 : keys, `row ${query}`));
      rows.forEach((row, query) => row.forEach((weight, key) =>
        assert.ok(Math.abs(weight - data[query * keys + key]) < 1e-4, `${query} ${key}: ${weight}`)));
    });
    /** The names and shares of the candidates. */
    const candidates = () => site.page.evaluate(() => {
      const list = /** @type {any} */ (document.getElementById('next')).shadowRoot.querySelector('ol');
      return { label: list.getAttribute('aria-label'), buttons: list.querySelectorAll('button').length,
        names: Array.from(list.querySelectorAll('.token'), (each) => each.textContent.replaceAll('·', ' ').trim()),
        shares: Array.from(list.querySelectorAll('.share'), (each) =>
          Number.parseFloat(each.lastChild.textContent.replace(/[^\d.]/g, '')) / 100) };
    });
    const quiet = () => assert.deepEqual(site.browser.complaints.splice(0), []);

    before(async () => {
      site = await openSite(openBrowser);
      await site.page.goto(`${site.server.url}#length=4&temperature=0`);
      await site.until(() => /per second/.test(document.getElementById('status')?.textContent ?? ''));
      for (const part of [...OF_DECODERS, SHARES]) assert.ok(await isShown(part), part);
    });
    after(() => site?.close());

    test('an encoder reads a text: maps on both sides, and candidates for its hidden word', async (t) => {
      assert.equal(site.server.asked.some((path) => path.includes('encoder')), false, 'loaded only for an encoder');
      const files = encoder('bert-words');
      const model = await load({ ...files, tokenizer: WORD_PIECE });
      t.after(() => model.dispose());
      await drop(files, { 'tokenizer.json': WORD_PIECE });
      await hasTokens(9);
      assert.equal(await byId('prompt', 'value'), 'The cat sat on the [MASK].');
      const [{ position, candidates: best }] = await model.fillMask('The cat sat on the [MASK].', { top: 8 });
      await checkMap(model);
      assert.equal((await shownMap()).kind, 'bidirectional');
      const shown = await candidates();
      const words = best.map(({ token }) => token.trim());
      assert.deepEqual(shown.names, words);
      assert.equal(shown.label, 'Candidates for the hidden word');
      assert.equal(await byId('generate', 'textContent'), 'Read');
      for (const part of [...OF_DECODERS, SHARES]) assert.equal(await isShown(part), false, part);

      // A candidate fills the word in; hiding it brings the mask back.
      await site.page.evaluate(() => /** @type {any} */ (document.getElementById('next')).shadowRoot
        .querySelector('ol button').click());
      await site.until((word) => /** @type {any} */ (document.getElementById('strip')).tokens.includes(word)
        && !/** @type {any} */ (document.getElementById('strip')).tokens.includes('[MASK]'), best[0].token);
      await idle();
      assert.equal((await byId('prompt', 'value')).includes('[MASK]'), false);
      await site.page.evaluate((at) => /** @type {any} */ (document.getElementById('strip')).shadowRoot
        .querySelectorAll('[role=option]')[at].click(), position);
      await site.until(() => /Hide it, and the model has to guess/.test(
        document.getElementById('next-words')?.textContent ?? ''));
      await site.until(() => { // what the model expects where it sees a word
        const next = /** @type {any} */ (document.getElementById('next'));
        return next.shadowRoot.querySelectorAll('ol li').length >= 8;
      });
      await press('Hide a word');
      await site.until((at) => /** @type {any} */ (document.getElementById('strip')).tokens[at] === '[MASK]', position);
      await hasTokens(9);
      assert.deepEqual((await candidates()).names, words);
      quiet();
    });

    test('a cut head changes the maps and the candidates of an encoder', async (t) => {
      const files = encoder('bert-words');
      const model = await load({ ...files, tokenizer: WORD_PIECE });
      t.after(() => model.dispose());
      const ids = await model.encode('The cat sat on the [MASK].');
      const at = ids.indexOf(MASK);
      await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).shadowRoot
        .querySelectorAll('[role=gridcell]')[1].click());
      await click('cut-head');
      await site.until(() => /** @type {any} */ (document.getElementById('next')).shadowRoot
        .querySelector('.head')?.textContent?.includes('After'));
      await idle();
      const edits = [{ hook: 'blocks.0.attn.hook_z', head: 1, scale: 0 }];
      const logits = await model.runWithHooks(ids, edits, { all: true });
      const row = logits.subarray(at * model.info.outputs, (at + 1) * model.info.outputs);
      const sum = row.reduce((all, x) => all + Math.exp(x), 0);
      const { names, shares } = await candidates();
      const after = shares.filter((_, i) => i % 2 === 1);
      const expected = names.map((word) => Math.exp(row[WORD_PIECE.model.vocab[word]]) / sum);
      after.forEach((share, i) => assert.ok(Math.abs(share - expected[i]) < 0.006, `${names[i]}: ${share}`));
      await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).shadowRoot
        .querySelectorAll('[role=gridcell]')[4].click()); // a head of layer 1, whose map the cut changes
      await site.until(() => {
        const map = /** @type {any} */ (document.getElementById('map'));
        return map.queryCount === 9 && map.row(0) !== null && map.row(8) !== null;
      });
      await checkMap(model);
      assert.equal(await site.page.evaluate(() =>
        [...document.querySelectorAll('#edits button')].some((button) => button.checkVisibility()
          && /both ways/.test(button.textContent ?? ''))), false);
      await press('Remove all');
      await idle();
      quiet();
    });

    test('lines of an encoder run both ways', async () => {
      await click('tab-lines');
      await site.until(() => {
        const lines = document.querySelector('heed-attention-lines');
        return lines?.checkVisibility() && !document.querySelector('.empty');
      });
      assert.ok(await site.page.evaluate(() => document.querySelector('#view-panel .error:not([hidden])') === null
        && !document.querySelector('heed-attention-lines')?.shadowRoot?.querySelector('[role=alert]')?.textContent));
      await click('tab-map');
      quiet();
    });

    test('a classifier shows its labels with their probabilities', async (t) => {
      const files = encoder('distilbert-labels');
      const model = await load({ ...files, tokenizer: WORD_PIECE });
      t.after(() => model.dispose());
      await drop(files, { 'tokenizer.json': WORD_PIECE });
      await site.until(() => document.getElementById('next-heading')?.textContent === 'Labels');
      await site.page.evaluate(() => Object.assign(document.getElementById('prompt') ?? {}, { value: 'the cat sat.' }));
      await click('generate');
      await hasTokens(6);
      const labels = await model.classify('the cat sat.');
      const shown = await candidates();
      assert.deepEqual(shown.names, labels.map(({ label }) => label));
      assert.equal(shown.buttons, 0, 'a label cannot be put into the text');
      shown.shares.forEach((share, i) =>
        assert.ok(Math.abs(share - labels[i].probability) < 0.006, `${share}`));
      await checkMap(model);
      assert.equal(await byId('next-words', 'textContent'), 'What the model says about the text.');
      quiet();
    });

    test('a classifier reads a pair, and Undo, links and shorter texts keep the second text', async (t) => {
      const files = encoder('bert-labels');
      const model = await load({ ...files, tokenizer: WORD_PIECE });
      t.after(() => model.dispose());
      await site.page.evaluate(() => document.getElementById('pair')?.setAttribute('data-before', ''));
      await drop(files, { 'tokenizer.json': WORD_PIECE });
      await site.until(() => document.querySelector('#pair:not([data-before])') !== null);
      await idle();
      /** Reads texts. @param {string} prompt @param {string} pair */
      const read = async (prompt, pair) => {
        await site.page.evaluate((values) => {
          for (const [id, value] of Object.entries(values)) Object.assign(document.getElementById(id) ?? {}, { value });
          document.getElementById('pair')?.dispatchEvent(new KeyboardEvent('keydown',
            { key: 'Enter', ctrlKey: true, bubbles: true }));
        }, { prompt, pair });
        await has(prompt, pair);
      };
      /** Waits for texts. @param {string} prompt @param {string} pair */
      const has = async (prompt, pair) => {
        const ids = pair ? await model.pair(prompt, pair) : await model.encode(prompt);
        const labels = await model.classify(prompt, pair ? { pair } : {});
        await site.settles(async () => {
          assert.deepEqual(await byId('strip', 'tokens'), await model.tokens(ids));
          const { names, shares } = await candidates();
          assert.deepEqual(names, labels.map(({ label }) => label));
          shares.forEach((share, i) => assert.ok(Math.abs(share - labels[i].probability) < 0.006, `${share}`));
        });
        await hasRows(ids.length);
        await checkMap(model);
        assert.deepEqual([await byId('prompt', 'value'), await byId('pair', 'value')], [prompt, pair]);
        await site.settles(async () => {
          const address = new URLSearchParams((await site.page.evaluate(() => location.hash)).slice(1));
          assert.deepEqual([address.get('prompt'), address.get('pair') ?? ''], [prompt, pair]);
        });
        assert.equal(await byId('next-words', 'textContent'),
          `What the model says about the ${pair ? 'pair' : 'text'}.`);
      };
      await read('the cat sat.', 'a dog ran.');
      const link = await site.page.evaluate(() => location.hash);
      await read('the cat sat.', '');
      await click('undo');
      await has('the cat sat.', 'a dog ran.');
      await read('a dog ran.', '');
      await site.page.evaluate((hash) => {
        location.hash = hash;
      }, link);
      await has('the cat sat.', 'a dog ran.');
      assert.notEqual(await byId('temperature', 'value'), '', 'a hidden setting that the page opened with stays');
      if (name === 'chromium') await site.checkAccess();
      quiet();
    });

    test('a CLIP file asks which of its models to open, and the address keeps it', async (t) => {
      const files = tinyClip();
      const more = { 'preprocessor_config.json': CLIP_PROCESSOR, 'tokenizer.json': LETTERS };
      for (const [tower, words, tabs] of /** @type {const} */ ([['text', 'Open the text model', 1],
        ['vision', 'Open the picture model', 2]])) {
        const model = await load({ ...files, tokenizer: LETTERS, preprocessor: CLIP_PROCESSOR }, { tower });
        t.after(() => model.dispose());
        await drop(files, more);
        await site.until(() => document.getElementById('error')?.textContent
          === 'The CLIP file has two models: one reads texts, the other pictures. '
          + 'Open the text modelOpen the picture model');
        assert.equal(await site.page.evaluate(() => document.querySelector('#error [role=group]')
          ?.getAttribute('aria-label')), 'Models of the CLIP file');
        await site.page.evaluate(() => document.querySelector('summary')?.focus());
        for (let i = 0; i < tabs; i++) await site.page.keyboard.press('Tab');
        assert.equal(await focused(), words);
        await site.page.keyboard.press('Enter');
        await site.until(() => document.getElementById('error')?.hidden);
        assert.equal(await focused(), 'Load another model');
        await site.until((at) => new URLSearchParams(location.hash.slice(1)).get('tower') === at, tower);
        await idle();
        assert.equal(await byId('error', 'hidden'), true);
        assert.equal(await isShown('#picture'), tower === 'vision');
        assert.equal(await isShown('#sentences'), tower === 'text');
        if (tower === 'text') {
          await site.page.evaluate(() => Object.assign(document.getElementById('prompt') ?? {}, { value: 'a cat' }));
          await click('generate');
          const ids = await model.encode('a cat');
          await hasTokens(ids.length);
          await model.embed('a cat');
          assert.equal((await shownMap()).kind, 'causal');
          await hasRows(ids.length);
        } else {
          const shapes = /** @type {const} */ ([{ color: 'red', shape: 'circle', x: 11, y: 9, size: 6 },
            { color: 'blue', shape: 'square', x: 21, y: 24, size: 3.6 }]);
          await model.embed({ data: pixelsOfPicture(draw([...shapes])), width: 32, height: 32 });
          await hasRows(17);
        }
        await checkMap(model);
      }
      quiet();
    });

    test('an embedding model compares sentences by the cosines of their vectors', async (t) => {
      const files = encoder('bert');
      const model = await load({ ...files, tokenizer: WORD_PIECE });
      t.after(() => model.dispose());
      await drop(files, { 'tokenizer.json': WORD_PIECE });
      await site.until(() => document.getElementById('compare') !== null);
      await idle();
      const before = await byId('strip', 'tokens');
      const sentences = ['the cat sat.', 'a dog ran.', 'the cats sat on a mat.'];
      await site.page.evaluate((text) => Object.assign(document.getElementById('sentences') ?? {}, { value: text }),
        sentences.join('\n'));
      await click('compare');
      await site.until(() => document.querySelectorAll('.cosines td').length === 10);
      const vectors = await model.embed(sentences);
      const shown = await site.page.evaluate(() => Array.from(document.querySelectorAll('.cosines tbody td'), (cell) =>
        Number(cell.textContent?.replace('−', '-'))));
      shown.forEach((cosine, i) => {
        const a = vectors[Math.floor(i / 3)];
        const b = vectors[i % 3];
        assert.ok(Math.abs(cosine - a.reduce((sum, x, at) => sum + x * b[at], 0)) < 0.006, `${i}: ${cosine}`);
      });
      // The session holds the text again, so maps of other heads are of the text.
      await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).shadowRoot
        .querySelectorAll('[role=gridcell]')[6].click());
      await site.until((count) => /** @type {any} */ (document.getElementById('map')).row(count - 1) !== null,
        before.length);
      await model.embed(await byId('prompt', 'value'));
      await checkMap(model);
      await site.page.evaluate(() => Object.assign(document.getElementById('sentences') ?? {}, { value: 'one' }));
      await click('compare');
      await site.until(() => [...document.querySelectorAll('.similar [role=status]')].some(({ textContent }) =>
        textContent === 'Write 2 to 12 sentences, one a line; there are 1.'));
      quiet();
    });

    if (name === 'chromium') {
      test('axe finds no violations on the page of an encoder', async () => {
        await site.checkAccess();
      });
    }

    test('an encoder–decoder writes from a source, and each part has its maps', async (t) => {
      const files = tinyEncoderDecoder('t5 v1.1');
      const model = await load({ ...files, tokenizer: LETTERS });
      t.after(() => model.dispose());
      await drop(files, { 'tokenizer.json': LETTERS });
      await site.until(() => document.getElementById('part-cross') !== null
        && document.getElementById('loading')?.hidden);
      await site.page.evaluate(() => Object.assign(document.getElementById('prompt') ?? {}, { value: 'a cat sat' }));
      await site.page.evaluate(() => Object.assign(document.getElementById('length') ?? {}, { value: '12' }));
      await click('generate');
      const source = await model.tokens(await model.encode('a cat sat'));
      await site.until((wanted) => String(/** @type {any} */ (document.getElementById('source'))?.tokens) === wanted
        && /per second/.test(document.getElementById('status')?.textContent ?? ''), String(source));
      await idle();
      await site.drawn();
      const { steps } = await collect(model.generate('a cat sat', { temperature: 0, maxTokens: 12, top: 8 }));
      const ids = [...model.info.parts?.start ?? [], ...steps.map(({ id }) => id)];
      assert.deepEqual(await byId('strip', 'tokens'), await model.tokens(ids));
      assert.deepEqual((await candidates()).names, steps[steps.length - 1].top.map(({ text }) => text.trim()));
      assert.equal((await candidates()).buttons, 0);
      await model.forward(ids.slice(model.position));
      await checkMap(model, { of: 'cross' });
      assert.equal((await shownMap()).kind, 'cross');
      for (const part of /** @type {const} */ (['encoder', 'decoder'])) {
        await click(`part-${part}`);
        await hasRows(part === 'encoder' ? source.length : ids.length);
        await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).shadowRoot
          .querySelectorAll('[role=gridcell]')[5].click());
        await hasRows(part === 'encoder' ? source.length : ids.length);
        assert.deepEqual((({ layer, head, kind }) => [layer, head, kind])(await shownMap()),
          [1, 1, part === 'encoder' ? 'bidirectional' : 'causal']);
        await checkMap(model, { of: part });
      }
      await site.until(() => /[#&]part=decoder/.test(location.hash));
      for (const part of ['#step', '#tab-lines', 'label[data-term=temperature]']) {
        assert.equal(await isShown(part), false, part);
      }
      quiet();
    });

    test('a part chosen while another source is read shows its maps, without errors', async (t) => {
      const model = await load({ ...tinyEncoderDecoder('t5 v1.1'), tokenizer: LETTERS });
      t.after(() => model.dispose());
      await site.page.evaluate(async () => {
        const prompt = /** @type {HTMLTextAreaElement} */ (document.getElementById('prompt'));
        const error = /** @type {HTMLElement} */ (document.getElementById('error'));
        const errors = /** @type {any} */ (globalThis).errors = /** @type {string[]} */ ([]);
        new MutationObserver(() => error.hidden || errors.push(error.textContent ?? ''))
          .observe(error, { attributes: true, childList: true, subtree: true });
        for (const milliseconds of [0, 2, 5, 10, 20, 40]) {
          for (const part of ['cross', 'encoder', 'decoder']) {
            prompt.value = prompt.value === 'a cat' ? 'a cat sat on a mat' : 'a cat'; // fewer rows, then more
            document.getElementById('generate')?.click();
            await new Promise((done) => setTimeout(done, milliseconds));
            document.getElementById(`part-${part}`)?.click();
          }
        }
        prompt.value = 'a cat sat';
        document.getElementById('generate')?.click();
      });
      const source = await model.tokens(await model.encode('a cat sat'));
      await site.until((wanted) => String(/** @type {any} */ (document.getElementById('source'))?.tokens) === wanted
        && /per second/.test(document.getElementById('status')?.textContent ?? ''), String(source));
      await idle();
      const { steps } = await collect(model.generate('a cat sat', { temperature: 0, maxTokens: 12 }));
      await model.forward(steps.slice(-1).map(({ id }) => id));
      await hasRows(model.position);
      await checkMap(model, { of: 'decoder' });
      assert.deepEqual(await site.page.evaluate(() => /** @type {any} */ (globalThis).errors), []);
      quiet();
    });

    test('maps stay whole if the model refuses another source while their rows arrive', async (t) => {
      const model = await load({ ...tinyEncoderDecoder('t5 v1.1'), tokenizer: LETTERS });
      t.after(() => model.dispose());
      const { steps } = await collect(model.generate('a cat sat', { temperature: 0, maxTokens: 12 }));
      await model.forward(steps.slice(-1).map(({ id }) => id));
      for (const milliseconds of [0, 2, 5, 10, 20, 40]) {
        for (const part of /** @type {const} */ (['cross', 'encoder', 'decoder'])) {
          await site.page.evaluate(async ([of, delay]) => {
            Object.assign(document.getElementById('prompt') ?? {}, { value: 'a'.repeat(70) });
            document.getElementById('generate')?.click();
            await new Promise((done) => setTimeout(done, Number(delay)));
            document.getElementById(`part-${of}`)?.click();
          }, [part, milliseconds]);
          await site.until(() => document.getElementById('error')?.textContent?.startsWith('The source has 72 tokens'));
          await hasRows(part === 'encoder' ? (await model.encode('a cat sat')).length : model.position);
          await checkMap(model, { of: part });
        }
      }
      await site.page.evaluate(() => Object.assign(document.getElementById('prompt') ?? {}, { value: 'a cat sat' }));
      quiet();
    });

    test('cut heads and silenced cells of every part change the run of an encoder–decoder', async (t) => {
      const model = await load({ ...tinyEncoderDecoder('t5 v1.1'), tokenizer: LETTERS });
      t.after(() => model.dispose());
      const { steps } = await collect(model.generate('a cat sat', { temperature: 0, maxTokens: 12, top: 8 }));
      const ids = [...model.info.parts?.start ?? [], ...steps.map(({ id }) => id)];
      const said = (/** @type {string} */ text) => site.until((wanted) =>
        document.getElementById('edits-status')?.textContent?.startsWith(wanted)
        && document.querySelector('.changes')?.checkVisibility(), text);
      /** @type {import('../../js/index.js').Edit[]} */
      const edits = [];
      for (const [part, name, attention] of /** @type {const} */ ([['encoder', 'the encoder', 'encoder.1.attn'],
        ['decoder', 'the decoder', 'decoder.1.attn'], ['cross', 'cross-attention', 'decoder.1.cross_attn']])) {
        await click(`part-${part}`);
        await idle();
        await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).shadowRoot
          .querySelectorAll('[role=gridcell]')[6].click());
        await site.until((text) => document.getElementById('cut-head')?.textContent === text,
          `Cut head 1.2 of ${name}`);
        await click('cut-head');
        await said(`Head 1.2 of ${name} cut.`);
        await idle();
        edits.push({ hook: `${attention}.hook_z`, head: 2, scale: 0 });
        const marks = await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).changes);
        assert.deepEqual(marks, [{ layer: 1, head: 2, scale: 0 }], 'only the changes of this part');
      }
      // A silenced cell of the open map.
      await hasRows(ids.length);
      await site.page.evaluate(() => /** @type {any} */ (document.getElementById('map')).select({ query: 3, key: 2 }));
      await click('cut-cells');
      await said('Map 1.2 of cross-attention: ');
      await idle();
      const source = await model.encode('a cat sat');
      edits.push({ hook: 'decoder.1.cross_attn.hook_attn_scores', head: 2, positions: [3, 4], keys: [2, 3],
        values: [-Infinity] });
      await model.read(source);
      const before = await model.runWithHooks(ids.slice(0, -1), []);
      const after = await model.runWithHooks(ids.slice(0, -1), edits);
      const shareOf = (/** @type {Float32Array} */ logits, /** @type {number} */ id) =>
        Math.exp(logits[id]) / logits.reduce((sum, x) => sum + Math.exp(x), 0);
      await site.until(() => /** @type {any} */ (document.getElementById('next')).shadowRoot
        .querySelector('.head')?.textContent?.includes('After'));
      const texts = await model.tokens(Array.from({ length: 40 }, (_, id) => id));
      await site.settles(async () => {
        const { names, shares } = await candidates();
        names.forEach((text, i) => {
          const id = texts.findIndex((each) => each.trim() === text);
          assert.ok(Math.abs(shares[2 * i] - shareOf(before, id)) < 0.006, `${text} before: ${shares[2 * i]}`);
          assert.ok(Math.abs(shares[2 * i + 1] - shareOf(after, id)) < 0.006, `${text} after: ${shares[2 * i + 1]}`);
        });
      });
      await model.runWithHooks(ids, edits);
      await hasRows(ids.length);
      await checkMap(model, { of: 'cross' });
      await click('part-encoder');
      await hasRows(source.length);
      await checkMap(model, { of: 'encoder' });
      await site.until(() => /edits=eh1\.2_dh1\.2_xh1\.2_xc1\.2q3-4k2-3/.test(location.hash));
      assert.equal(await site.page.evaluate(() =>
        [...document.querySelectorAll('#edits button')].some((button) => button.checkVisibility()
          && /both ways/.test(button.textContent ?? ''))), false);
      await press('Remove all');
      await idle();
      await model.runWithHooks(ids, []);
      await hasRows(source.length);
      await checkMap(model, { of: 'encoder' });
      quiet();
    });

    test('the view Shares has the shares of the source in the selected token, also of a changed run', async (t) => {
      const model = await load({ ...tinyEncoderDecoder('t5 v1.1'), tokenizer: LETTERS });
      t.after(() => model.dispose());
      const { steps } = await collect(model.generate('a cat sat', { temperature: 0, maxTokens: 12, top: 8 }));
      const ids = [...model.info.parts?.start ?? [], ...steps.map(({ id }) => id)];
      const source = await model.encode('a cat sat');
      const names = await model.tokens(source);
      /** Waits for the shares in a token. @param {number} at @param {import('../../js/index.js').Edit[]} [edits] */
      const hasShares = async (at, edits = []) => {
        const expected = await integratedGradients(model, ids.slice(0, at), { of: { logprob: ids[at] }, source, edits,
          steps: 32 });
        await site.settles(async () => {
          const { data, axes, metric } = await site.page.evaluate(async () => {
            const element = /** @type {any} */ (document.querySelector('heed-token-shares'));
            return JSON.parse(await (await element.export('json')).text());
          });
          assert.deepEqual(axes.position, names);
          assert.ok(metric.startsWith('log-probability of ') && metric.endsWith(` (${at})`), metric);
          data.forEach((/** @type {number} */ share, /** @type {number} */ i) =>
            assert.ok(Math.abs(share - expected.data[i]) < 2e-3, `${i}: ${share}, not ${expected.data[i]}`));
        });
        assert.equal(await site.page.evaluate(() => document.querySelector('#view-panel .error')?.textContent), '');
      };
      const select = (/** @type {number} */ at) => site.page.evaluate((position) => /** @type {any} */ (
        document.getElementById('strip')).shadowRoot.querySelectorAll('[role=option]')[position].click(), at);
      await select(ids.length - 1);
      await click('tab-shares');
      await site.until(() => document.querySelector('heed-token-shares')?.checkVisibility()
        && !document.querySelector('#view-panel .empty'));
      await hasShares(ids.length - 1);
      await select(3);
      await hasShares(3);
      await site.until(() => /[#&]view=shares/.test(location.hash));
      if (name === 'chromium') await site.checkAccess();
      await select(0);
      await site.until(() => /^This token begins every text/.test(
        document.querySelector('#view-panel .error')?.textContent ?? ''));
      await select(3);
      await hasShares(3);
      await click('part-cross');
      await site.page.evaluate(() => /** @type {any} */ (document.getElementById('grid')).shadowRoot
        .querySelectorAll('[role=gridcell]')[6].click());
      await site.until(() => document.getElementById('cut-head')?.textContent === 'Cut head 1.2 of cross-attention');
      await click('cut-head');
      await hasShares(3, [{ hook: 'decoder.1.cross_attn.hook_z', head: 2, scale: 0 }]);
      await press('Remove all');
      await hasShares(3);
      await click('tab-map');
      await idle();
      await model.runWithHooks(ids, []);
      await hasRows(ids.length);
      await checkMap(model, { of: 'cross' }); // the model holds the text again
      quiet();
    });

    test('a token of the text lights up tokens of the source', async () => {
      await click('part-cross');
      await hasRows((await byId('strip', 'tokens')).length);
      await site.page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).shadowRoot
        .querySelectorAll('[role=option]')[2].dispatchEvent(new PointerEvent('pointerover', { bubbles: true })));
      await site.until(() => [.../** @type {any} */ (document.getElementById('source')).shadowRoot
        .querySelectorAll('.body')].some(({ style }) => style.backgroundColor !== ''));
      assert.equal(await site.page.evaluate(() => [.../** @type {any} */ (document.getElementById('strip')).shadowRoot
        .querySelectorAll('.body')].some(({ style }) => style.backgroundColor !== '')), false);
      quiet();
    });

    test('beam search shows the texts that it found, and the maps of the chosen one', async (t) => {
      const model = await load({ ...tinyEncoderDecoder('t5 v1.1'), tokenizer: LETTERS });
      t.after(() => model.dispose());
      await site.page.evaluate(() => Object.assign(document.getElementById('beams') ?? {}, { value: '3' }));
      await click('generate');
      const texts = await model.beamSearch('a cat sat', { beams: 3, maxTokens: 12 });
      await site.until((count) => document.querySelectorAll('.found li').length === count, texts.length);
      await idle();
      assert.deepEqual(await site.page.evaluate(() => Array.from(document.querySelectorAll('.found li'), (item) =>
        item.textContent)), texts.map(({ text, score }) => `${text} ${score.toFixed(2).replace('-', '−')}`));
      await site.until(() => /[#&]beams=3/.test(location.hash));
      const start = model.info.parts?.start ?? [];
      assert.deepEqual(await byId('strip', 'tokens'), await model.tokens([...start, ...texts[0].ids]));
      await checkMap(model, { of: 'cross' });
      await site.page.evaluate(() => /** @type {any} */ (document.querySelectorAll('.found button')[1]).click());
      const second = await model.tokens([...start, ...texts[1].ids]);
      await site.until((wanted) => String(/** @type {any} */ (document.getElementById('strip')).tokens) === wanted,
        String(second));
      await hasRows(second.length);
      await model.read('a cat sat');
      await model.forward([...start, ...texts[1].ids]);
      await checkMap(model, { of: 'cross' });
      await site.page.evaluate(() => Object.assign(document.getElementById('prompt') ?? {}, { value: '' }));
      await click('generate');
      await idle();
      quiet();
    });

    if (name === 'chromium') {
      test('axe finds no violations on the page of an encoder–decoder', async () => {
        await site.checkAccess();
      });
    }

    test('a model of pictures shows labels, and what each patch attends to', async (t) => {
      const files = tinyVit();
      const model = await load({ ...files, preprocessor: PREPROCESSOR });
      t.after(() => model.dispose());
      await drop(files, { 'preprocessor_config.json': PREPROCESSOR });
      await site.until(() => document.getElementById('picture') !== null
        && document.getElementById('loading')?.hidden);
      await hasTokens(17);
      const drawn = 'a red circle above a blue square';
      const pixels = pixelsOfPicture(draw([{ color: 'red', shape: 'circle', x: 11, y: 9, size: 6 },
        { color: 'blue', shape: 'square', x: 21, y: 24, size: 3.6 }]));
      const labels = await model.classify({ data: pixels, width: 32, height: 32 });
      const shown = await candidates();
      assert.deepEqual(shown.names, labels.slice(0, 12).map(({ label }) => label));
      assert.equal(shown.label, 'Labels of the picture');
      await checkMap(model);
      assert.equal(await byId('prompt', 'value'), drawn);
      await site.until(() => /prompt=a\+red\+circle/.test(location.hash));
      for (const part of ['#prompt', '#strip', '#generate', '#tab-lines', '.settings']) {
        assert.equal(await isShown(part), false, part);
      }

      // The class token first; then the patch of the key.
      const said = () => site.page.evaluate(() => document.querySelector('.patches output')?.textContent ?? '');
      const { layer, head } = await shownMap();
      const { data, keys } = await model.attention({ layer, head });
      const sentence = (/** @type {number} */ query) => {
        const row = [...data.subarray(query * keys + 1, (query + 1) * keys)];
        const best = row.indexOf(Math.max(...row));
        return `attends most to patch ${Math.floor(best / 4)},${best % 4}`;
      };
      await site.until((text) => document.querySelector('.patches output')?.textContent?.includes(text),
        `The class token ${sentence(0)}`);
      for (const [key, text] of [['ArrowRight', `Patch 0,0 ${sentence(1)}`], ['ArrowRight', `Patch 0,1 ${sentence(2)}`],
        ['ArrowDown', `Patch 1,1 ${sentence(6)}`], ['Escape', `The class token ${sentence(0)}`]]) {
        await site.page.evaluate((pressed) => document.querySelector('.patches .stage')?.dispatchEvent(
          new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true })), key);
        await site.until((wanted) => document.querySelector('.patches output')?.textContent?.includes(wanted), text);
      }
      assert.match(await said(), /^The class token/);
      quiet();
    });

    test('a dropped picture is read, and a broken file is refused with a sentence', async () => {
      const dropPicture = (/** @type {string} */ fileName, /** @type {boolean} */ isBroken) =>
        site.page.evaluate(async ([file, broken]) => {
          const canvas = new OffscreenCanvas(40, 30);
          const context = canvas.getContext('2d');
          if (context) context.fillStyle = '#3a7';
          context?.fillRect(0, 0, 20, 30);
          const blob = broken ? new Blob(['no picture']) : await canvas.convertToBlob();
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([blob], String(file), { type: 'image/png' }));
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        }, [fileName, isBroken]);
      await dropPicture('field.png', false);
      await site.until(() => document.querySelector('.patches canvas')?.getAttribute('aria-label')
        === 'The picture: field.png');
      await hasTokens(17);
      await dropPicture('broken.png', true);
      await site.until(() => !document.getElementById('error')?.hidden);
      assert.match(await byId('error', 'textContent'), /^The browser cannot read ‘broken\.png’ as a picture\./);
      await press('a yellow triangle');
      await hasTokens(17);
      assert.equal(await byId('error', 'hidden'), true);
      quiet();
    });

    test('an encoder without a tokenizer asks for ids, and reads them', async () => {
      await drop(encoder('bert'));
      const write = async (/** @type {string} */ text) => {
        await site.page.evaluate((value) => Object.assign(document.getElementById('prompt') ?? {}, { value }), text);
        await click('generate');
      };
      const says = (/** @type {string} */ text) =>
        site.until((wanted) => document.getElementById('error')?.textContent === wanted, text);
      await idle();
      await write('the 5 cats');
      await says('This model has no tokenizer. Enter token ids as the text, for example 1, 15, 7.');
      await write(' ');
      await says('The text is empty. Enter token ids.');
      await write('2 5, 6 3');
      await hasTokens(4);
      await says('');
      quiet();
    });

    test('DeiT has the labels of both heads, and two tokens before the patches', async (t) => {
      const files = tinyDeit();
      const model = await load({ ...files, preprocessor: PREPROCESSOR });
      t.after(() => model.dispose());
      await drop(files, { 'preprocessor_config.json': PREPROCESSOR });
      await hasTokens(18);
      const pixels = pixelsOfPicture(draw([{ color: 'yellow', shape: 'triangle', x: 16, y: 16, size: 8 }]));
      await press('a yellow triangle');
      await hasTokens(18);
      const labels = await model.classify({ data: pixels, width: 32, height: 32 });
      assert.deepEqual((await candidates()).names, labels.slice(0, 12).map(({ label }) => label));
      await checkMap(model);
      const { layer, head } = await shownMap();
      const { data, keys } = await model.attention({ layer, head });
      const row = [...data.subarray(2 * keys + 2, 3 * keys)]; // of patch 0,0
      const best = row.indexOf(Math.max(...row));
      const pressed = async (/** @type {string} */ key, /** @type {string} */ text) => {
        await site.page.evaluate((code) => document.querySelector('.patches .stage')?.dispatchEvent(
          new KeyboardEvent('keydown', { key: code, bubbles: true, cancelable: true })), key);
        await site.until((wanted) => document.querySelector('.patches output')?.textContent?.startsWith(wanted), text);
      };
      for (const [key, token] of [['ArrowRight', 'The distillation token'], ['ArrowLeft', 'The class token'],
        ['ArrowUp', 'The class token'], ['ArrowDown', 'The distillation token'], ['ArrowRight', 'Patch 0,0'],
        ['ArrowLeft', 'The distillation token']]) await pressed(key, `${token} attends most`);
      await pressed('ArrowRight', `Patch 0,0 attends most to patch ${Math.floor(best / 4)},${best % 4} (`);
      assert.match(await site.page.evaluate(() => document.querySelector('.patches output')?.textContent ?? ''),
        / to the class token and .* to the distillation token\.$/);
      quiet();
    });

    if (name === 'chromium') {
      test('axe finds no violations on the page of a model of pictures', async () => {
        await site.checkAccess();
      });
    }

    test('a decoder after an encoder has the whole page again', async () => {
      await site.page.evaluate(() => {
        /** @type {any} */ (document.getElementById('open')).open = true;
        document.querySelector('#offers button')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      });
      await site.until(() => /stories/.test(document.getElementById('model')?.textContent ?? '')
        && document.getElementById('loading')?.hidden);
      await site.until(() => /** @type {any} */ (document.getElementById('strip')).tokens.length > 5
        && document.getElementById('stop')?.getAttribute('aria-disabled') === 'true');
      for (const part of [...OF_DECODERS, SHARES]) assert.ok(await isShown(part), part);
      assert.equal(await byId('generate', 'textContent'), 'Generate');
      assert.equal((await shownMap()).kind, 'causal');
      assert.equal(await site.page.evaluate(() => document.getElementById('compare')), null);
      quiet();
    });
  });
}
