/** Attributes of the elements in real browsers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementsIn } from '../support/elements.js';

elementsIn('attributes', ({ browser, noComplaints }) => {
  test('set properties, also before data and shape', async () => {
    const [map, grid, strip] = await browser.page.evaluate(() => {
      const { stage, causal, rowsOf, tokensOf } = /** @type {any} */ (globalThis).helpers;
      const make = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes) => {
        const element = /** @type {any} */ (document.createElement(tag));
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        stage.append(element);
        return element;
      };
      const map = make('heed-attention-map',
        { scale: 'log', 'leave-first-out': '', max: '0.5', layer: '3', head: '1' });
      map.data = { ...causal(4, () => 1), tokens: tokensOf(4) };
      map.select({ query: 3, key: 1 });
      const grid = make('heed-head-grid', { 'leave-first-out': 'false', layer: '1', head: '2' });
      grid.shape = { layers: 2, heads: 3 };
      grid.extend(rowsOf(2, 3, 0, 4));
      const strip = make('heed-token-strip', { 'prompt-length': '2' });
      strip.tokens = tokensOf(4);
      const { scale, leaveFirstOut, max, layer, head } = map;
      const controls = [map.shadowRoot.querySelector('select').value,
        map.shadowRoot.querySelector('.bar input').checked];
      const said = map.shadowRoot.querySelector('output').textContent;
      return [{ scale, leaveFirstOut, max, layer, head, controls, said },
      { leaveFirstOut: grid.leaveFirstOut, selected: grid.selected, layer: grid.layer, head: grid.head },
      { promptLength: strip.promptLength, muted: strip.shadowRoot.querySelectorAll('.prompt').length }];
    });
    assert.deepEqual(map, { scale: 'log', leaveFirstOut: true, max: 0.5, layer: 3, head: 1, controls: ['log', true],
      said: '‘t3’ (3) gives 25\u00a0% of its attention to ‘t1’ (1), layer 3, head 1' });
    assert.deepEqual(grid, { leaveFirstOut: false, selected: { layer: 1, head: 2 }, layer: 1, head: 2 });
    assert.deepEqual(strip, { promptLength: 2, muted: 2 });
    noComplaints();
  });

  test('properties that are set before the tag is registered take effect when it is', async () => {
    const found = await browser.page.evaluate(() => {
      const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
      const map = /** @type {any} */ (document.createElement('early-map'));
      Object.assign(map, { data: { ...causal(4, () => 1), tokens: tokensOf(4) }, scale: 'log', max: 0 });
      stage.append(map);
      map.addEventListener('heed-error', (/** @type {Event} */ event) => event.preventDefault());
      const Map = /** @type {any} */ (customElements.get('heed-attention-map'));
      customElements.define('early-map', class extends Map {});
      map.leaveFirstOut = true;
      const said = map.shadowRoot.querySelector('[role=alert]').textContent;
      return [map.length, map.scale, map.max, map.leaveFirstOut, Object.hasOwn(map, 'data'), said];
    });
    assert.deepEqual(found, [4, 'log', null, true, false, 'max must be null or a number above 0, got 0.']);
    noComplaints();
  });

  test('restore the default when they are removed, and data names the head first', async () => {
    const states = await browser.page.evaluate(() => {
      const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
      const html = '<heed-attention-map scale="row-max" leave-first-out="true" max="1" layer="3" head="1">';
      stage.append(document.createRange().createContextualFragment(html));
      const map = stage.firstElementChild;
      map.data = { ...causal(2, () => 1), tokens: tokensOf(2), layer: 7, head: 5 };
      const state = () => [map.scale, map.leaveFirstOut, map.max, map.layer, map.head];
      const before = state();
      map.data = { ...causal(2, () => 1), tokens: tokensOf(2) };
      const unnamed = state();
      for (const name of map.getAttributeNames()) map.removeAttribute(name);
      return [before, unnamed, state()];
    });
    assert.deepEqual(states, [['row-max', true, 1, 7, 5], ['row-max', true, 1, 3, 1],
      ['linear', false, null, null, null]]);
    noComplaints();
  });

  test('undefined, which frameworks set to remove a property, restores the default', async () => {
    const found = await browser.page.evaluate(() => {
      const { stage, rowsOf } = /** @type {any} */ (globalThis).helpers;
      /** @type {Record<string, Record<string, unknown>>} */
      const given = {
        'attention-map': { scale: 'log', leaveFirstOut: true, max: 0.5, difference: true, layer: 3, head: 1,
          source() {}, editable: true, compact: true },
        'attention-lines': { layout: 'rows', leaveFirstOut: true, max: 0.5 },
        'head-grid': { leaveFirstOut: false, layer: 1, head: 2, editable: true },
        'token-strip': { promptLength: 2, label: 'Words', tokens: ['a', 'b'], selected: 1 },
        anatomy: { layer: 1, head: 1, position: 3, box: 'q', lessons: '.', editable: true, load() {}, words() {} },
        contributions: { order: 'size' }, neurons: { editable: true }, residual: { quantity: 'mlp' },
        'heat-map': { label: 'effect', max: 2 }, 'token-loss': { quantity: 'change' }, 'head-finder': { most: 3 },
      };
      return Object.entries(given).flatMap(([name, { tokens, ...properties }]) => {
        const [element, other] = [0, 1].map(() => /** @type {any} */ (document.createElement(`heed-${name}`)));
        stage.append(element, other);
        for (const each of [element, other]) {
          if (tokens) each.tokens = tokens;
          if (name === 'head-grid') each.shape = { layers: 2, heads: 3 };
          if (name === 'head-grid') each.extend(rowsOf(2, 3, 0, 4));
        }
        Object.assign(element, properties);
        for (const property of Object.keys(properties)) element[property] = undefined;
        const said = element.shadowRoot.querySelector('[role=alert]').textContent;
        const kept = Object.keys(properties).filter((property) => element[property] !== other[property]);
        return [said, ...kept].filter(Boolean).map((each) => `${name}: ${each}`);
      });
    });
    assert.deepEqual(found, []);
    noComplaints();
  });

  test('an invalid value is reported once, changes nothing, and a valid one clears it', async () => {
    const results = await browser.page.evaluate(() => {
      const { stage } = /** @type {any} */ (globalThis).helpers;
      /** @type {[tag: string, name: string, bad: string, good: string][]} */
      const cases = [['attention-map', 'scale', 'cubic', 'log'], ['attention-map', 'leave-first-out', 'maybe', ''],
        ['attention-map', 'max', '-1', '0.5'], ['attention-map', 'max', 'big', '0.5'],
        ['attention-map', 'layer', '1.5', '1'], ['attention-map', 'head', '', '0'],
        ['head-grid', 'leave-first-out', 'sometimes', 'auto'], ['head-grid', 'layer', '9', '1'],
        ['head-grid', 'head', 'x', '2'], ['attention-lines', 'max', '0', '1'],
        ['attention-lines', 'layout', 'rings', 'rows'], ['attention-lines', 'leave-first-out', 'maybe', ''],
        ['contributions', 'order', 'name', 'size'],
        ['residual', 'quantity', 'size', 'mlp'], ['heat-map', 'max', '0', '2'], ['neurons', 'editable', 'maybe', ''],
        ['token-loss', 'quantity', 'size', 'change'],
        ['head-finder', 'most', '0', '3'], ['token-strip', 'prompt-length', '-2', '2'],
        ['token-strip', 'prompt-length', 'two', '2']];
      return cases.map(([tag, name, bad, good]) => {
        const element = /** @type {any} */ (document.createElement(`heed-${tag}`));
        stage.append(element);
        if (tag === 'head-grid') element.shape = { layers: 2, heads: 3 };
        let events = 0;
        element.addEventListener('heed-error', (/** @type {Event} */ event) => {
          event.preventDefault();
          events++;
        });
        const problem = element.shadowRoot.querySelector('[role=alert]');
        element.setAttribute(name, bad);
        element.setAttribute(name, `${bad} `);
        const shown = !problem.hidden && problem.textContent;
        element.setAttribute(name, good);
        return { attribute: `${tag} ${name}`, events, shown, after: problem.hidden };
      });
    });
    for (const { attribute, events, shown, after } of results) {
      assert.equal(events, 1, `${attribute}: ${events} events`);
      assert.match(String(shown), /.{20}/, attribute);
      assert.equal(after, true, `${attribute}: the error is hidden`);
    }
    assert.equal(results.at(-1)?.shown, 'the attribute prompt-length must be a number, got "two ".');
    noComplaints();
  });
});
