/** Undo, the page's address and a reload in real browsers: a text keeps the settings and the model that made it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { writeAddress } from '../../web/page/address.js';
import { BROWSERS } from '../support/browsers.js';
import { openSite } from '../support/site.js';

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`texts and links in ${name}`, { timeout: 600_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    before(async () => {
      site = await openSite(openBrowser);
    });
    after(() => site?.close());

    /** @param {string} url opened as in another tab */
    async function open(url) {
      await site.page.goto('about:blank');
      await site.page.goto(url);
      await idle();
    }
    /** Waits until no model loads or runs, and the page shows a text. */
    const idle = () => site.until(() => document.getElementById('stop')?.getAttribute('aria-disabled') === 'true'
      && document.getElementById('loading')?.hidden
      && /** @type {any} */ (document.getElementById('strip')).tokens?.length > 0);
    const click = (/** @type {string} */ id) => site.page.evaluate((at) => document.getElementById(at)?.click(), id);
    const tokens = () => site.page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).tokens);
    const hash = () => site.page.evaluate(() => location.hash);

    /** Waits for a text. @param {string[]} text */
    const shows = (text) => site.until((json) =>
      JSON.stringify(/** @type {any} */ (document.getElementById('strip'))?.tokens) === json, JSON.stringify(text));

    /** Runs an action, and waits for another text. @param {() => Promise<unknown>} act @returns {Promise<string[]>} */
    async function afterwards(act) {
      const shown = JSON.stringify(await tokens());
      await act();
      await site.until((json) => {
        const { tokens: now } = /** @type {any} */ (document.getElementById('strip'));
        return now.length > 0 && JSON.stringify(now) !== json;
      }, shown);
      await idle();
      return tokens();
    }

    /** Changes settings as a user does who leaves each field. @param {Record<string, number | string>} values by id */
    const change = (values) => site.page.evaluate((all) => {
      for (const [id, value] of Object.entries(all)) {
        const field = /** @type {HTMLInputElement} */ (document.getElementById(id));
        field.value = String(value);
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      }
    }, values);

    /** Length, temperature and seed: in the fields, in the address and in the files of figures. */
    const settings = () => site.page.evaluate(() => {
      const fields = ['length', 'temperature', 'seed'];
      const address = new URLSearchParams(location.hash.slice(1));
      return {
        fields: fields.map((id) => Number(/** @type {HTMLInputElement} */ (document.getElementById(id)).value)),
        address: fields.map((id) => Number(address.get(id))),
        seeds: ['map', 'grid'].map((id) => /** @type {any} */ (document.getElementById(id)).provenance.seed),
      };
    });
    /** @param {{ fields: number[], address?: number[] }} expected address: default the fields */
    const settles = ({ fields, address = fields }) => site.settles(async () =>
      assert.deepEqual(await settings(), { fields, address, seeds: [address[2], address[2]] }));

    test('Undo and Redo restore the settings that made the text', async () => {
      await open(new URL('#length=20&temperature=0.7&seed=1', site.server.url).href);
      const first = await tokens();
      await settles({ fields: [20, 0.7, 1] });
      await change({ length: 30, temperature: 2, seed: 5 });
      const second = await afterwards(() => click('generate'));
      await settles({ fields: [30, 2, 5] });
      await afterwards(() => click('undo'));
      await shows(first);
      await settles({ fields: [20, 0.7, 1] });
      await afterwards(() => click('redo'));
      await shows(second);
      await settles({ fields: [30, 2, 5] });
    });

    test('after a setting alone changed, the link has the settings of the text, and a reload keeps the field',
      async () => {
        await change({ prompt: 'Once upon a time', length: 20, temperature: 0.7, seed: 1 });
        const text = await afterwards(() => click('generate'));
        await settles({ fields: [20, 0.7, 1] });
        const link = await site.page.evaluate(() => location.href);
        await change({ seed: 9, length: 25 });
        await settles({ fields: [25, 0.7, 9], address: [20, 0.7, 1] });
        assert.equal(await site.page.evaluate(() => location.href), link);
        await site.page.evaluate(() => {
          Object.assign(globalThis, { beforeReload: true });
          location.reload();
        });
        await site.until(() => !('beforeReload' in globalThis)
          && /** @type {any} */ (document.getElementById('seed'))?.value === '9');
        await shows(text);
        await idle();
        await settles({ fields: [25, 0.7, 9], address: [20, 0.7, 1] });
        await afterwards(() => click('generate'));
        await settles({ fields: [25, 0.7, 9] });
        await site.page.evaluate(() => history.back());
        await shows(text);
        await idle();
        await settles({ fields: [20, 0.7, 1] });
      });

    /** The shown text, its map and its names: all describe one run. */
    const shown = () => site.page.evaluate(() => {
      const [strip, grid, map] = ['strip', 'grid', 'map'].map((id) => /** @type {any} */ (document.getElementById(id)));
      const address = new URLSearchParams(location.hash.slice(1));
      const { length } = strip.tokens;
      return { text: strip.tokens.join(''), prompt: address.get('prompt'), seed: Number(address.get('seed')),
        named: { prompt: map.provenance.prompt, seed: map.provenance.seed },
        rows: [grid.length === length, map.length === length, map.row(length - 1) !== null],
        status: document.getElementById('status')?.textContent, error: document.getElementById('error')?.textContent };
    });
    /** Changes fields and clicks a button without a pause in between. @param {[object, string][]} acts
     *  @param {number} [pause] milliseconds after the first act */
    const quickly = (acts, pause = 0) => site.page.evaluate(async ([all, milliseconds]) => {
      for (const [at, [values, button]] of /** @type {[object, string][]} */ (all).entries()) {
        if (at === 1 && milliseconds) await new Promise((done) => setTimeout(done, Number(milliseconds)));
        for (const [id, value] of Object.entries(values)) {
          Object.assign(document.getElementById(id) ?? {}, { value: String(value) });
        }
        document.getElementById(button)?.click();
      }
    }, /** @type {const} */ ([acts, pause]));

    test('a run that fails while another one begins leaves one run: text, map, settings, address and history',
      async () => {
        const first = 'Once upon a time';
        const second = 'Tom and Lily';
        const tooLong = 'the cat '.repeat(600);
        let begun = 0;
        for (const pause of [0, 1, 5, 20, 60, 300]) {
          await open(new URL(`#length=200&temperature=0.7&seed=1&prompt=${encodeURIComponent(first)}`,
            site.server.url).href);
          const before = (await shown()).text;
          const entries = await site.page.evaluate(() => history.length);
          await quickly([[{ prompt: second, seed: 5 }, 'generate'], [{ prompt: tooLong, seed: 6 }, 'generate']], pause);
          await site.until(() =>
            /^The prompt has 1,20\d tokens/.test(document.getElementById('error')?.textContent ?? ''));
          await idle();
          const isFirst = (await shown()).text === before;
          begun += Number(!isFirst);
          const [prompt, seed] = isFirst ? [first, 1] : [second, 5];
          await site.settles(async () => {
            const now = await shown();
            assert.ok(now.text.includes(prompt), `${pause} ms: ${now.text}`);
            assert.deepEqual([now.prompt, now.seed, now.named, now.rows],
              [prompt, seed, { prompt, seed }, [true, true, true]], `${pause} ms`);
          });
          assert.equal(await site.page.evaluate(() => /** @type {any} */ (document.getElementById('prompt')).value),
            tooLong, 'the typed prompt can be shortened');
          const undo = () => site.page.evaluate(() => document.getElementById('undo')?.getAttribute('aria-disabled'));
          assert.equal(await undo(), String(isFirst), `${pause} ms`);
          await site.settles(async () => assert.equal(await site.page.evaluate(() => history.length),
            entries + Number(!isFirst), `${pause} ms`));
          if (isFirst) continue;
          await afterwards(() => click('undo'));
          assert.equal((await shown()).text, before);
          await settles({ fields: [200, 0.7, 1] });
        }
        assert.ok(begun > 0, 'at least one first run had changed the text');
      });

    test('Stop before the text changes leaves the text, and Undo twice at once goes two texts back', async () => {
      const prompts = ['Once upon a time', 'Tom and Lily', 'One day, a dog'];
      await open(new URL(`#length=20&temperature=0.7&seed=1&prompt=${encodeURIComponent(prompts[0])}`,
        site.server.url).href);
      const texts = [await tokens()];
      for (const [at, prompt] of prompts.entries()) {
        if (at === 0) continue;
        await change({ prompt, seed: at + 1 });
        texts.push(await afterwards(() => click('generate')));
      }
      await quickly([[{ prompt: 'The end', seed: 9 }, 'generate'], [{}, 'stop']]);
      await site.until(() => document.getElementById('status')?.textContent === 'Stopped.');
      await idle();
      await site.settles(async () => {
        const { prompt, seed, named, rows } = await shown();
        assert.deepEqual([prompt, seed, named, rows],
          [prompts[2], 3, { prompt: prompts[2], seed: 3 }, [true, true, true]]);
      });
      assert.deepEqual(await tokens(), texts[2]);
      await quickly([[{}, 'undo'], [{}, 'undo']]);
      await shows(texts[0]);
      await idle();
      await settles({ fields: [20, 0.7, 1] });
      for (const text of texts.slice(1)) {
        await click('redo');
        await shows(text);
        await idle();
      }
      // A candidate of the shown text, chosen while another run begins, continues the shown text.
      await site.page.evaluate(() => {
        Object.assign(document.getElementById('prompt') ?? {}, { value: 'Tom and Lily' });
        document.getElementById('generate')?.click();
        /** @type {any} */ (document.getElementById('next')).shadowRoot.querySelectorAll('button')[1].click();
      });
      await site.settles(async () => {
        const { prompt, text, rows } = await shown();
        assert.deepEqual([prompt, rows], [prompts[2], [true, true, true]]);
        assert.ok(text.includes(texts[2].slice(0, -1).join('')) && !text.includes(texts[2].join('')), text);
      });
      assert.equal(await site.page.evaluate(() => /** @type {any} */ (document.getElementById('prompt')).value),
        prompts[2]);
    });

    /** Drops a copy of the default model. @param {string} file its name */
    const drop = (file) => site.page.evaluate(async (fileName) => {
      const response = await fetch('./models/stories.gguf');
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([await response.arrayBuffer()], fileName));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, file);
    /** Waits for the address of an open file. @param {string} file */
    const hasOpened = async (file) => {
      await site.until((fileName) => new URLSearchParams(location.hash.slice(1)).get('file') === fileName
        && location.hash.includes('text='), file);
      await idle();
    };
    const openView = () => site.page.evaluate(() => document.querySelector('[role=tab][aria-selected=true]')?.id);
    const changes = () => site.page.evaluate(() =>
      new URLSearchParams(location.hash.slice(1)).get('edits')?.split('@')[0]);
    const waits = () => site.until(() =>
      document.getElementById('notice')?.textContent?.includes('local model file ‘my.gguf’'));

    test('an address of a local model file waits for this file, and then shows its text', async () => {
      await open(new URL('#length=20&temperature=0.7&seed=1', site.server.url).href);
      const standIn = await tokens();
      await drop('my.gguf');
      await hasOpened('my.gguf');
      await change({ seed: 7 });
      const text = await afterwards(() => site.page.evaluate(() => /** @type {any} */ (document.getElementById('next'))
        .shadowRoot.querySelectorAll('button')[1].click()));
      await change({ temperature: 1 }); // the link has the settings of the text
      await click('tab-contributions');
      await click('cut-head');
      await site.settles(async () => assert.match(await changes() ?? '', /^h\d\.\d$/));
      const link = await site.page.evaluate(() => location.href);
      const made = await changes();

      await open(link);
      await waits();
      await site.until(() => (document.getElementById('status')?.textContent ?? '') !== '');
      assert.notDeepEqual(await tokens(), text);
      await change({ length: 12 });
      await click('tab-map');
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.equal(await site.page.evaluate(() => location.href), link, 'the default model does not change the link');
      await drop('my.gguf');
      await shows(text);
      await hasOpened('my.gguf');
      await settles({ fields: [20, 0.7, 7] });
      assert.deepEqual([await openView(), await changes()], ['tab-contributions', made]);
      assert.notDeepEqual(text, standIn);

      // A text of the user, and a model of another name, get addresses of their own. Back shows the link.
      await open(link);
      await waits();
      await change({ prompt: 'Tom and Lily' });
      await afterwards(() => click('generate'));
      await site.settles(async () => assert.ok(!(await hash()).includes('file=')));
      await site.page.evaluate(() => history.back());
      await site.settles(async () => assert.equal(await site.page.evaluate(() => location.href), link));
      await waits();
      await idle();
      await drop('other.gguf');
      await hasOpened('other.gguf');
      await drop('my.gguf');
      await shows(text);
      await hasOpened('my.gguf');
      assert.equal(await openView(), 'tab-contributions');
    });

    test('an address with a model and a file opens the model', async () => {
      await open(new URL('#model=models/shakespeare.gguf&file=my.gguf&length=5&temperature=0', site.server.url).href);
      await site.until(() => document.getElementById('model')?.textContent?.includes('shakespeare'));
      await site.settles(async () => assert.equal(await site.page.evaluate(() => {
        const address = new URLSearchParams(location.hash.slice(1));
        return `${address.get('model')} ${address.get('file')}`;
      }), './models/shakespeare.gguf null'));
      assert.equal(await site.page.evaluate(() => document.getElementById('notice')?.hidden), true);
    });

    test('of two addresses one after the other the page shows the last, even if the first takes longer', async () => {
      await open(new URL('#length=20&temperature=0.7&seed=1', site.server.url).href);
      const { hash: long } = await writeAddress({ prompt: 'a'.repeat(1e6), length: 1 });
      await site.page.evaluate(async ([first, second]) => {
        const opened = new Promise((done) => addEventListener('hashchange', done, { once: true }));
        location.hash = first;
        await opened;
        location.hash = second;
        await new Promise((done) => setTimeout(done, 1000));
      }, [long, '#prompt=Two&length=3&temperature=0&seed=1']);
      await idle();
      assert.equal(await site.page.evaluate(() =>
        /** @type {HTMLTextAreaElement} */ (document.getElementById('prompt')).value.slice(0, 20)), 'Two');
      assert.match((await tokens()).join(''), /^<\|endoftext\|>Two/);
    });

    test('the address follows again after more changes than the browser takes in some seconds', async () => {
      await open(new URL('#length=20&temperature=0.7&seed=1', site.server.url).href);
      await site.page.evaluate(() => {
        for (let i = 0; i < 300; i++) {
          try {
            history.replaceState(history.state, '', `${location.hash}&i=${i}`);
          } catch {
            return; // WebKit after 100 changes, Firefox after 200; Chromium ignores them
          }
        }
      });
      for (const head of [2, 3]) {
        await site.page.evaluate((at) => document.getElementById('grid')?.dispatchEvent(
          new CustomEvent('heed-head', { detail: { layer: 1, head: at } })), head);
        await site.until((at) => new RegExp(`&layer=1&head=${at}\\b`).test(location.hash), head);
      }
    });

    test('the console is empty', () => assert.deepEqual(site.browser.complaints, []));
  });
}
