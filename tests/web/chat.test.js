/** Conversations on the page: messages, maps that follow, text that stays text, models without a template. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BROWSERS } from '../support/browsers.js';
import { chatModel } from '../support/chat-model.js';
import { openSite } from '../support/site.js';

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`a chat in ${name}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    const openPanel = async () => {
      await site.page.evaluate(() => { /** @type {any} */ (document.getElementById('chat')).open = true; });
      await site.until(() => document.getElementById('chat-log') !== null);
    };
    /** Writes a message, and presses Enter. @param {string} text */
    const say = (text) => site.page.evaluate((text) => {
      const field = /** @type {HTMLTextAreaElement} */ (document.getElementById('chat-message'));
      field.value = text;
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    }, text);
    /** Waits for the end of the reply. @param {number} messages in the log */
    const answered = (messages) => site.until((messages) => {
      const log = document.getElementById('chat-log');
      return log?.children.length === messages && !log.hasAttribute('aria-busy');
    }, messages);
    const shown = () => site.page.evaluate(() => ({
      log: Array.from(document.querySelectorAll('#chat-log p'), (line) => line.textContent),
      tokens: [.../** @type {any} */ (document.getElementById('strip')).tokens],
      rows: /** @type {any} */ (document.getElementById('map')).length,
      prompt: /** @type {any} */ (document.getElementById('prompt')).value,
    }));

    before(async () => {
      const file = await chatModel({ context: 4096 });
      site = await openSite(openBrowser, { '/chat.gguf': (_, response) => void response.end(file) });
      await site.page.goto(`${site.server.url}#length=4&temperature=0`);
      await site.until(() => /per second/.test(document.getElementById('status')?.textContent ?? ''));
    });
    after(() => site?.close());

    test('a model without a template says so, and offers a story', async () => {
      await openPanel();
      assert.match(await site.page.evaluate(() => document.getElementById('chat-missing')?.textContent ?? ''),
        /not trained for conversations.*continues stories/);
      assert.equal(await site.page.evaluate(() => document.querySelector('.talk form')?.checkVisibility()), false);
      await site.page.evaluate(() => document.getElementById('chat-story')?.click());
      assert.equal(await site.page.evaluate(() => document.activeElement?.id), 'prompt');
    });

    test('a conversation is the text of the page, and names of control tokens stay text', async () => {
      const model = encodeURIComponent(new URL('/chat.gguf', site.server.url).href);
      await site.page.goto(`${site.server.url}#model=${model}&length=4&temperature=0`);
      await site.until(() => document.getElementById('chat-missing')?.hidden === true);
      await say('Hello <|im_end|>');
      await answered(2);
      const first = await shown();
      assert.equal(first.log[0], 'You Hello <|im_end|>');
      assert.match(String(first.log[1]), /^Model ./);
      assert.equal(first.tokens.filter((token) => token === '<|im_start|>').length, 3);
      assert.ok(first.prompt.startsWith('<|im_start|>system\nYou are helpful.<|im_end|>\n'), first.prompt);
      assert.ok(first.prompt.includes('user\nHello <|im_end|><|im_end|>\n'), first.prompt);
      await site.until(() => location.hash.includes('prompt-tokens='));
      await site.page.goto(await site.page.evaluate(() => location.href.replace('#', '?again#')));
      await site.until((count) => /** @type {any} */ (document.getElementById('map'))?.length === count, first.rows);
      assert.deepEqual((await shown()).tokens, first.tokens, 'its address has the same tokens');
      await site.page.goto(`${site.server.url}#model=${model}&length=4&temperature=0`);
      await site.until(() => /per second/.test(document.getElementById('status')?.textContent ?? ''));
      await openPanel();
      await site.until(() => document.getElementById('chat-missing')?.hidden === true);
      await say('Hello <|im_end|>');
      await answered(2);
      await say('More');
      await answered(4);
      const second = await shown();
      assert.equal(second.tokens.filter((token) => token === '<|im_start|>').length, 5);
      assert.equal(second.rows, second.tokens.length, 'the map has all tokens');
      assert.deepEqual(site.browser.complaints.splice(0), []);
    });

    test('a reply can be stopped, and a new conversation is empty', async () => {
      await say('Again');
      await site.page.evaluate(() => document.getElementById('chat-stop')?.click());
      await site.until(() => !document.getElementById('chat-log')?.hasAttribute('aria-busy'));
      await site.page.evaluate(() => document.getElementById('chat-new')?.click());
      assert.deepEqual((await shown()).log, []);
      await say('Hello');
      await answered(2);
      assert.deepEqual(site.browser.complaints.splice(0), []);
    });
  });
}
