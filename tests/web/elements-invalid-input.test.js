/** The elements in real browsers report invalid input, and keep their state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementsIn } from '../support/elements.js';

elementsIn('invalid input', ({ browser, drawn, noComplaints }) => {
  for (const name of ['attention-map', 'attention-lines', 'contributions', 'head-finder', 'head-grid',
    'heat-map', 'logit-lens', 'neurons', 'residual', 'token-loss', 'token-shares', 'token-strip', 'next-token',
    'training', 'anatomy']) {
    const tag = `heed-${name}`;
    test(`<${tag}> reports each error once, does not change, and recovers`, async () => {
      await browser.page.evaluate(/** @type {any} */ (`helpers.hostile = (${hostileInputs})()`));
      const told = await browser.page.evaluate(tellOfHostile, tag);
      for (const { input, sentences, events, visible, again, after } of told) {
        assert.equal(events, 1, `${input}: ${events} events`);
        assert.equal(visible, true, `${input}: the error is visible`);
        assert.match(sentences, /.{20}/, input);
        assert.equal(again, 1, `${input}: a repeated error fires no second event`);
        assert.equal(after, '', `${input}: recovers`);
      }
      assert.ok(told.length >= 5, `${told.length} inputs`);
      await drawn();
      noComplaints();
    });
  }

  test('an error without a listener goes to the console once', async () => {
    const said = await browser.page.evaluate(() => {
      /** @type {string[]} */
      const lines = [];
      console.error = (...words) => lines.push(words.map(String).join(' '));
      const map = /** @type {any} */ (document.createElement('heed-attention-map'));
      document.getElementById('stage')?.append(map);
      map.data = null;
      map.data = null;
      return lines;
    });
    const [complaint, ...others] = said;
    assert.match(complaint, /heed-attention-map.*data must be an object/s);
    assert.deepEqual(others, []);
  });

  test('input can change or be transferred afterwards', async () => {
    const rows = await browser.page.evaluate(() => {
      const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
      const map = /** @type {any} */ (document.createElement('heed-attention-map'));
      const strip = /** @type {any} */ (document.createElement('heed-token-strip'));
      stage.append(map, strip);
      const block = causal(4, () => 1);
      const tokens = tokensOf(4);
      map.data = { ...block, tokens, layer: 0, head: 0 };
      strip.tokens = tokens;
      strip.light(3, block.data.subarray(12));
      tokens.length = 0;
      structuredClone(block.data.buffer, { transfer: [block.data.buffer] });
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
        resolve([map.length, Array.from(map.row(3)), strip.tokens.length]))));
    });
    assert.deepEqual(rows, [4, [0.25, 0.25, 0.25, 0.25], 4]);
    noComplaints();
  });

  test('requests to a source that returns other rows end', async () => {
    const [asked, said] = await browser.page.evaluate(async () => {
      const { stage, causal, tokensOf } = /** @type {any} */ (globalThis).helpers;
      const map = /** @type {any} */ (document.createElement('heed-attention-map'));
      stage.append(map);
      let count = 0;
      map.source = () => {
        count++;
        return { ...causal(2, () => 1), firstQuery: 0, queries: 0, data: new Float32Array(0) };
      };
      map.data = { data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0, tokens: tokensOf(9) };
      for (let i = 0; i < 10; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
      return [count, map.shadowRoot.querySelector('output').textContent];
    });
    assert.ok(Number(asked) < 4, `asked ${asked} times`);
    assert.equal(said, 'The map could not be loaded: the source returned no rows instead of rows 0 to 8.');
    noComplaints();
  });
});


/**
 * Gives an element every invalid input of its list, and returns the errors.
 * @param {string} tag
 */
async function tellOfHostile(tag) {
  const { stage, hostile } = /** @type {any} */ (globalThis).helpers;
  const element = document.createElement(tag);
  stage.append(element);
  /** @type {any[]} */
  const heard = [];
  element.addEventListener('heed-error', (event) => {
    event.preventDefault();
    heard.push(/** @type {CustomEvent} */ (event).detail);
  });
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const problem = /** @type {any} */ (element.shadowRoot?.querySelector('[role=alert]'));
  const told = [];
  for (const [input, give, mend] of hostile[tag]) {
    mend(element);
    heard.length = 0;
    give(element);
    await frame();
    const events = heard.length;
    const visible = !problem.hidden && problem.getClientRects().length > 0;
    const sentences = problem.textContent;
    give(element);
    await frame();
    const again = heard.length;
    mend(element);
    await frame();
    told.push({ input, events, visible, sentences, again, after: problem.hidden ? '' : problem.textContent });
  }
  return told;
}

/** @returns {Record<string, [input: string, give: (element: any) => void, mend: (element: any) => void][]>} */
function hostileInputs() {
  const { causal, heatOf, lensOf, lossOf, neuronsOf, partsOf, residualOf, rowsOf, scoresOf, sharesOf, tokensOf } =
    /** @type {any} */ (globalThis).helpers ?? {};
  const detached = () => {
    const data = new Float32Array(9);
    structuredClone(data.buffer, { transfer: [data.buffer] });
    return data;
  };
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const goodMap = (/** @type {any} */ map) => {
    map.data = { ...causal(3, () => 1), tokens: tokensOf(3), layer: 0, head: 0 };
    map.scale = 'linear';
    map.select({ query: 2, key: 1 });
    map.marked = [{ queries: [1, 3], keys: [0, 1] }];
  };
  const mapData = (/** @type {any} */ change) => (/** @type {any} */ map) => {
    map.data = { ...causal(3, () => 1), tokens: tokensOf(3), layer: 0, head: 0, ...change() };
  };
  const goodLens = (/** @type {any} */ lens) => {
    lens.data = lensOf(2, 3);
    lens.select({ position: 1, layer: 1 });
  };
  const lensData = (/** @type {any} */ change) => (/** @type {any} */ lens) => {
    lens.data = { ...lensOf(2, 3), ...change() };
  };
  const goodParts = (/** @type {any} */ parts) => {
    parts.data = partsOf();
    parts.order = 'model';
  };
  const goodNeurons = (/** @type {any} */ neurons) => {
    neurons.data = neuronsOf();
    neurons.select(7);
  };
  const goodHeat = (/** @type {any} */ heat) => {
    heat.data = heatOf();
    Object.assign(heat, { label: 'effect', max: 2, at: { site: 'attn_out' } });
    heat.select({ layer: 3, position: 1 });
  };
  const goodResidual = (/** @type {any} */ residual) => {
    residual.data = residualOf();
    residual.quantity = 'mlp';
    residual.select({ position: 0, layer: 1 });
  };
  const goodLoss = (/** @type {any} */ loss) => {
    loss.data = lossOf();
    loss.quantity = 'change';
  };
  const goodShares = (/** @type {any} */ shares) => { shares.data = sharesOf(); };
  const goodFinder = (/** @type {any} */ finder) => {
    finder.data = scoresOf();
    finder.most = 5;
  };
  const oneMap = () => ({ ...causal(3, () => 1), tokens: tokensOf(3), layer: 0, head: 0 });
  const goodLines = (/** @type {any} */ lines) => {
    lines.data = oneMap();
    lines.max = null;
    lines.layout = 'columns';
    lines.select({ side: 'key', at: 1 });
  };
  const goodGrid = (/** @type {any} */ grid) => {
    grid.shape = { layers: 2, heads: 3 };
    grid.extend(rowsOf(2, 3, 0, 4), tokensOf(4));
    grid.selected = { layer: 1, head: 2 };
    grid.leaveFirstOut = 'auto';
    grid.changes = [{ layer: 1, head: 0, scale: 0 }, { layer: 0, head: 2, scale: -1 }];
  };
  const gridRows = (/** @type {any} */ change) => (/** @type {any} */ grid) =>
    grid.extend({ ...rowsOf(2, 3, 4, 2), ...change });
  const goodStrip = (/** @type {any} */ strip) => {
    strip.tokens = tokensOf(5);
    strip.promptLength = 2;
    strip.selected = 1;
    strip.light(2, Float32Array.of(0.2, 0.3, 0.5));
  };
  const goodNext = (/** @type {any} */ next) => next.show([{ id: 1, text: 'a', logprob: -1 }], { chosen: 1 });
  const frame = () => ({ step: 0, tokens: tokensOf(3), layers: 1, heads: 1, causal: true, data: causal(3, () => 1).data,
    answer: ['a'], wanted: ['a'] });
  const goodTraining = (/** @type {any} */ training) => {
    training.start();
    training.begin({ steps: 5, frame: frame() });
  };
  const begin = (/** @type {any} */ change) => (/** @type {any} */ training) =>
    training.begin({ steps: 5, frame: { ...frame(), ...change() } });
  const info = { layers: 2, heads: 2, kvHeads: 1, dModel: 4, dHead: 2, dFeedForward: 8, vocabulary: 5,
    learnedPositions: 0, rotary: false, gated: false, tied: true, norm: 'layernorm', normEpsilon: 1e-5,
    activation: 'relu' };
  const goodAnatomy = (/** @type {any} */ anatomy) => {
    anatomy.load = null;
    anatomy.words = null;
    const pattern = { data: Float32Array.of(1, 0, 0.5, 0.5, 1, 0, 0.5, 0.5), shape: [2, 2, 2] };
    anatomy.data = { info, tokens: tokensOf(2), activations: { 'blocks.0.attn.hook_pattern': pattern } };
    Object.assign(anatomy, { layer: 0, head: 0, position: null, box: 'pattern', lessons: '', editable: false });
    anatomy.changes = [{ weight: 'output.bias', index: 4, value: 1 }];
    anatomy.select({ row: 1, column: 0 });
  };
  const anatomyData = (/** @type {any} */ change) => (/** @type {any} */ anatomy) => {
    anatomy.data = { info, tokens: tokensOf(2), ...change() };
  };
  const infoOf = (/** @type {any} */ change) => anatomyData(() => ({ info: { ...info, ...change } }));
  const activation = (/** @type {any} */ value, name = 'blocks.0.hook_resid_pre') =>
    anatomyData(() => ({ activations: { [name]: value } }));
  return {
    'heed-anatomy': [
      ...[null, 7, [], { info }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ anatomy) => { anatomy.data = value; }, goodAnatomy])),
      ['a revoked proxy', (anatomy) => { anatomy.data = revoked(); }, goodAnatomy],
      ['no tokens', anatomyData(() => ({ tokens: [] })), goodAnatomy],
      ['too many tokens', anatomyData(() => ({ tokens: tokensOf(5000) })), goodAnatomy],
      ['huge layers', infoOf({ layers: 2 ** 31 }), goodAnatomy],
      ['key heads that do not divide', infoOf({ heads: 3, kvHeads: 2 }), goodAnatomy],
      ['a norm that does not exist', infoOf({ norm: 'batch' }), goodAnatomy],
      ['an epsilon of NaN', infoOf({ normEpsilon: NaN }), goodAnatomy],
      ['a layer that the model lacks', activation({ data: new Float32Array(8) }, 'blocks.2.hook_resid_pre'),
        goodAnatomy],
      ['an unknown name', activation({ data: new Float32Array(8) }, '__proto__.x'), goodAnatomy],
      ['too few numbers', activation({ data: new Float32Array(7) }), goodAnatomy],
      ['an Array', activation({ data: [1, 2, 3, 4, 5, 6, 7, 8] }), goodAnatomy],
      ['NaN', activation({ data: new Float32Array(8).fill(NaN) }), goodAnatomy],
      ['an activation without data', activation(null), goodAnatomy],
      ['load that is a string', (anatomy) => { anatomy.load = 'numbers'; }, goodAnatomy],
      ['load that returns nothing', (anatomy) => { anatomy.load = async () => ({}); }, goodAnatomy],
      ['load that throws', (anatomy) => { anatomy.load = () => { throw new Error('the model is not loaded'); }; },
        goodAnatomy],
      ['words that is an object', (anatomy) => { anatomy.words = {}; }, goodAnatomy],
      ['a layer outside', (anatomy) => { anatomy.layer = 2; }, goodAnatomy],
      ['a head that is a word', (anatomy) => { anatomy.head = 'x'; }, goodAnatomy],
      ['a position outside', (anatomy) => { anatomy.position = 2; }, goodAnatomy],
      ['a box that does not exist', (anatomy) => { anatomy.box = 'constructor'; }, goodAnatomy],
      ['lessons that are a script', (anatomy) => { anatomy.lessons = 'javascript:alert(1)'; }, goodAnatomy],
      ['a cell outside', (anatomy) => anatomy.select({ row: 2, column: 0 }), goodAnatomy],
      ['too few ids', anatomyData(() => ({ ids: [1] })), goodAnatomy],
      ['an id outside the vocabulary', anatomyData(() => ({ ids: [1, 5] })), goodAnatomy],
      ['ids that are a number', anatomyData(() => ({ ids: 3 })), goodAnatomy],
      ['an unknown weight', anatomyData(() => ({ weights: ['constructor.weight'] })), goodAnatomy],
      ['editable as a word', (anatomy) => { anatomy.editable = 'yes'; }, goodAnatomy],
      ...[null, 7, [null], [{ weight: 7, index: 0, value: 1 }], [{ weight: 'output.bias', index: -1, value: 1 }],
        [{ weight: 'output.bias', index: 5, value: 1 }], [{ weight: 'blk.2.ffn_up.bias', index: 0, value: 1 }],
        [{ weight: 'output.bias', index: 0, value: NaN }]].map((value) => /** @type {any} */ (
        [`changes = ${JSON.stringify(value)}`, (/** @type {any} */ anatomy) => { anatomy.changes = value; },
          goodAnatomy])),
    ],
    'heed-attention-map': [
      ...[null, undefined, 7, 'map', Symbol('map'), []].map((value) => /** @type {any} */ (
        [`data = ${String(value)}`, (/** @type {any} */ map) => { map.data = value; }, goodMap])),
      ['a revoked proxy', (map) => { map.data = revoked(); }, goodMap],
      ...[null, 7, [null], [{ queries: [1, 2] }], [{ queries: [2, 1], keys: [0, 1] }]].map((value) =>
        /** @type {any} */ ([`marked = ${JSON.stringify(value)}`, (/** @type {any} */ map) => { map.marked = value; },
          goodMap])),
      ['too few weights', mapData(() => ({ data: new Float32Array(8) })), goodMap],
      ['an Array', mapData(() => ({ data: [1, 0, 0, 1, 0, 0, 1, 0, 0] })), goodMap],
      ['big integers', mapData(() => ({ data: new BigInt64Array(9) })), goodMap],
      ['a DataView', mapData(() => ({ data: new DataView(new ArrayBuffer(36)) })), goodMap],
      ['a detached view', mapData(() => ({ data: detached() })), goodMap],
      ['NaN', mapData(() => ({ data: new Float32Array(9).fill(NaN) })), goodMap],
      ['huge sizes', mapData(() => ({ queries: 2 ** 31, keys: 1e9 })), goodMap],
      ['negative sizes', mapData(() => ({ queries: -3, keys: -3 })), goodMap],
      ['fractions', mapData(() => ({ queries: 4.5, keys: 2 })), goodMap],
      ['rows without tokens', mapData(() => ({ tokens: ['a'] })), goodMap],
      ['no tokens', mapData(() => ({ tokens: null })), goodMap],
      ['tokens that are numbers', mapData(() => ({ tokens: [1, 2, 3] })), goodMap],
      ['too many tokens', mapData(() => ({ tokens: Array(2e5).fill('a') })), goodMap],
      ['a layer that is a word', mapData(() => ({ layer: 'last' })), goodMap],
      ['a number instead of a longer text', (map) => map.extend(7), goodMap],
      ['extended with rows of another size', (map) => map.extend(['a'], { ...causal(2, () => 1), keys: 3 }), goodMap],
      ['truncated to NaN', (map) => map.truncate(NaN), goodMap],
      ['a scale that does not exist', (map) => { map.scale = 'cubic'; }, goodMap],
      ['a cell outside', (map) => map.select({ query: 99, key: 0 }), goodMap],
      ['a number instead of a cell', (map) => map.select(3), goodMap],
      ['a source that is a string', (map) => { map.source = 'rows'; },
        (map) => Object.assign(map, { source: null }) && goodMap(map)],
    ],
    'heed-attention-lines': [
      ...[null, 7, 'map', [null], [{}]].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ lines) => { lines.data = value; }, goodLines])),
      ['too many heads', (lines) => { lines.data = Array(9).fill(oneMap()); }, goodLines],
      ['maps of two texts', (lines) => { lines.data = [oneMap(), { ...causal(2, () => 1), tokens: tokensOf(2) }]; },
        goodLines],
      ['NaN', (lines) => { lines.data = { ...oneMap(), data: new Float32Array(9).fill(NaN) }; }, goodLines],
      ['a detached view', (lines) => { lines.data = { ...oneMap(), data: detached() }; }, goodLines],
      ['a token outside', (lines) => lines.select({ side: 'query', at: 99 }), goodLines],
      ['a side that does not exist', (lines) => lines.select({ side: 'left', at: 0 }), goodLines],
      ['a maximum of NaN', (lines) => { lines.max = NaN; }, goodLines],
      ['a layout that does not exist', (lines) => { lines.layout = 'rings'; }, goodLines],
    ],
    'heed-logit-lens': [
      ...[null, 7, 'lens', {}, { data: new Float32Array(1), axes: {} }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ lens) => { lens.data = value; }, goodLens])),
      ['too few numbers', lensData(() => ({ data: new Float32Array(3) })), goodLens],
      ['NaN', lensData(() => ({ data: new Float32Array(12).fill(NaN) })), goodLens],
      ['a detached view', lensData(() => ({ data: detached() })), goodLens],
      ['texts of other candidates', lensData(() => ({ texts: ['a'] })), goodLens],
      ['texts that are numbers', lensData(() => ({ texts: Array(12).fill(3) })), goodLens],
      ['no layers', lensData(() => ({ axes: { layer: [], position: ['a'], rank: [0] } })), goodLens],
      ['a cell outside', (lens) => lens.select({ position: 99, layer: 0 }), goodLens],
    ],
    'heed-contributions': [
      ...[null, 7, {}, { data: new Float32Array(1), axes: null }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ parts) => { parts.data = value; }, goodParts])),
      ['too few parts', (parts) => { parts.data = { ...partsOf(), data: new Float32Array(2) }; }, goodParts],
      ['NaN', (parts) => { parts.data = { ...partsOf(), data: new Float32Array(3).fill(NaN) }; }, goodParts],
      ['a logit of NaN', (parts) => { parts.data = { ...partsOf(), value: NaN }; }, goodParts],
      ['heads of other sizes', (parts) => { parts.data = { ...partsOf(), heads: { ...partsOf().heads,
        data: new Float32Array(5) } }; }, goodParts],
      ['an order that does not exist', (parts) => { parts.order = 'name'; }, goodParts],
    ],
    'heed-neurons': [
      ...[null, 7, {}, { axes: { neuron: [] } }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ neurons) => { neurons.data = value; }, goodNeurons])),
      ['too few parts', (neurons) => { neurons.data = { ...neuronsOf(), data: new Float32Array(1) }; }, goodNeurons],
      ['activations of other tokens', (neurons) => { neurons.data = { ...neuronsOf(), tokens: ['a'] }; }, goodNeurons],
      ['NaN', (neurons) => { neurons.data = { ...neuronsOf(), activations: new Float32Array(4).fill(NaN) }; },
        goodNeurons],
      ['words of one neuron', (neurons) => { neurons.data = { ...neuronsOf(), raised: ['a'] }; }, goodNeurons],
      ['a neuron that is not listed', (neurons) => neurons.select(8), goodNeurons],
    ],
    'heed-heat-map': [
      ...[null, 7, {}, { data: new Float32Array(1), axes: {} }, { axes: { layer: [] } }, { axes: { layer: [{}] } }]
        .map((value) => /** @type {any} */ (
          [`data = ${JSON.stringify(value)}`, (/** @type {any} */ heat) => { heat.data = value; }, goodHeat])),
      ['too few numbers', (heat) => { heat.data = { ...heatOf(), data: new Float32Array(3) }; }, goodHeat],
      ['NaN', (heat) => { heat.data = { ...heatOf(), data: new Float32Array(4).fill(NaN) }; }, goodHeat],
      ['a label that is not a text', (heat) => { heat.label = 7; }, goodHeat],
      ['max = 0', (heat) => { heat.max = 0; }, goodHeat],
      ['a site that does not exist', (heat) => { heat.at = { site: 'mlp' }; }, goodHeat],
      ['a choice of the columns', (heat) => { heat.at = { layer: 3 }; }, goodHeat],
      ['a cell outside', (heat) => heat.select({ layer: 4, position: 0 }), goodHeat],
      ['a cell without its row', (heat) => heat.select({ layer: 3 }), goodHeat],
    ],
    'heed-residual': [
      ...[null, 7, {}, { data: new Float32Array(1), axes: {} }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ residual) => { residual.data = value; },
          goodResidual])),
      ['too few numbers', (residual) => { residual.data = { ...residualOf(), data: new Float32Array(3) }; },
        goodResidual],
      ['NaN', (residual) => { residual.data = { ...residualOf(), data: new Float32Array(20).fill(NaN) }; },
        goodResidual],
      ['a quantity that does not exist', (residual) => { residual.quantity = 'size'; }, goodResidual],
      ['a cell outside', (residual) => residual.select({ position: 99, layer: 0 }), goodResidual],
    ],
    'heed-token-loss': [
      ...[null, 7, {}, { tokens: ['a'] }, { tokens: [], logprobs: new Float32Array() }].map((value) =>
        /** @type {any} */ ([`data = ${JSON.stringify(value)}`, (/** @type {any} */ loss) => { loss.data = value; },
          goodLoss])),
      ['a number for the first token', (loss) => { loss.data = { ...lossOf(), logprobs: new Float32Array(4) }; },
        goodLoss],
      ['a probability above 1', (loss) => { loss.data = { ...lossOf(), logprobs: Float32Array.of(-1, 0.1, -1) }; },
        goodLoss],
      ['NaN', (loss) => { loss.data = { ...lossOf(), before: new Float32Array(3).fill(NaN) }; }, goodLoss],
      ['another run of another size', (loss) => { loss.data = { ...lossOf(), before: new Float32Array(2) }; },
        goodLoss],
      ['a quantity that does not exist', (loss) => { loss.quantity = 'perplexity'; }, goodLoss],
    ],
    'heed-token-shares': [
      ...[null, 7, {}, { ...sharesOf(), axes: { position: [] } }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ shares) => { shares.data = value; }, goodShares])),
      ['too few shares', (shares) => { shares.data = { ...sharesOf(), data: new Float32Array(2) }; }, goodShares],
      ['NaN', (shares) => { shares.data = { ...sharesOf(), data: new Float32Array(3).fill(NaN) }; }, goodShares],
      ['no metric', (shares) => { shares.data = { ...sharesOf(), value: undefined }; }, goodShares],
      ['no baseline', (shares) => { shares.data = { ...sharesOf(), baselineValue: '0' }; }, goodShares],
      ['a name of the metric that is no text', (shares) => { shares.data = { ...sharesOf(), metric: 3 }; }, goodShares],
    ],
    'heed-head-finder': [
      ...[null, 7, {}, { data: new Float32Array(1), axes: {} }].map((value) => /** @type {any} */ (
        [`data = ${JSON.stringify(value)}`, (/** @type {any} */ finder) => { finder.data = value; }, goodFinder])),
      ['too few scores', (finder) => { finder.data = { ...scoresOf(), data: new Float32Array(3) }; }, goodFinder],
      ['infinite scores', (finder) => { finder.data = { ...scoresOf(), data: new Float32Array(6).fill(Infinity) }; },
        goodFinder],
      ['uniform scores of another size', (finder) => { finder.data = { ...scoresOf(), uniform: new Float32Array(1) }; },
        goodFinder],
      ['half a head', (finder) => { finder.most = 0.5; }, goodFinder],
    ],
    'heed-head-grid': [
      ...[null, 7, { layers: 1e9, heads: 1e9 }, { layers: -1, heads: 2 }, { layers: 2 }].map((value) =>
        /** @type {any} */ ([`shape = ${JSON.stringify(value)}`, (/** @type {any} */ grid) => { grid.shape = value; },
          goodGrid])),
      ['rows of other heads', (grid) => grid.extend(rowsOf(1, 3, 4, 2)), goodGrid],
      ['rows with a gap', (grid) => grid.extend(rowsOf(2, 3, 5, 2)), goodGrid],
      ['too few weights', gridRows({ data: new Float32Array(3) }), goodGrid],
      ['no weights', gridRows({ data: null }), goodGrid],
      ['a detached view', gridRows({ data: detached() }), goodGrid],
      ['huge sizes', gridRows({ queries: 2 ** 31 }), goodGrid],
      ['tokens of other rows', (grid) => grid.extend(rowsOf(2, 3, 4, 2), ['a']), goodGrid],
      ['no rows at all', (grid) => grid.extend(), goodGrid],
      ['truncated to a word', (grid) => grid.truncate('all'), goodGrid],
      ['a layer that does not exist', (grid) => { grid.selected = { layer: 2, head: 0 }; }, goodGrid],
      ['a head that is a word', (grid) => { grid.selected = { layer: 0, head: 'x' }; }, goodGrid],
      ['no head', (grid) => { grid.selected = null; }, goodGrid],
      ['a first token that is a word', (grid) => { grid.leaveFirstOut = 'sometimes'; }, goodGrid],
      ...[null, 7, [null], [{ layer: 0, head: 3, scale: 0 }], [{ layer: 0, head: 0 }]].map((value) =>
        /** @type {any} */ ([`changes = ${JSON.stringify(value)}`,
          (/** @type {any} */ grid) => { grid.changes = value; }, goodGrid])),
    ],
    'heed-token-strip': [
      ...[null, 7, 'text', [1], [null]].map((value) => /** @type {any} */ (
        [`tokens = ${JSON.stringify(value)}`, (/** @type {any} */ strip) => { strip.tokens = value; }, goodStrip])),
      ['undefined instead of a longer text', (strip) => strip.extend(undefined), goodStrip],
      ['a prompt of -1', (strip) => { strip.promptLength = -1; }, goodStrip],
      ['a token outside', (strip) => { strip.selected = 99; }, goodStrip],
      ['weights in an Array', (strip) => strip.light(1, [0.5, 0.5]), goodStrip],
      ['weights that are NaN', (strip) => strip.light(1, Float32Array.of(NaN)), goodStrip],
      ['a query that is a word', (strip) => strip.light('cat', Float32Array.of(1)), goodStrip],
    ],
    'heed-next-token': [
      ...[null, 7, 'a', [null], [{ id: 'a', text: 'a', logprob: 0 }], [{ id: 1, text: 2, logprob: 0 }],
        [{ id: 1, text: 'a' }], [{ id: 1, text: 'a', logprob: -1, after: 'b' }]].map((value) => /** @type {any} */ (
        [`show(${JSON.stringify(value)})`, (/** @type {any} */ next) => next.show(value), goodNext])),
      ['null instead of options', (next) => next.show([], null), goodNext],
    ],
    'heed-training': [
      ['a start without a training', (training) => training.begin(), goodTraining],
      ['steps that are a word', (training) => training.begin({ steps: 'many' }), goodTraining],
      ['a frame of other sizes', begin(() => ({ heads: 2 })), goodTraining],
      ['a frame of huge sizes', begin(() => ({ layers: 1e9, heads: 1e9 })), goodTraining],
      ['a frame without tokens', begin(() => ({ tokens: null })), goodTraining],
      ['a detached view', begin(() => ({ data: detached() })), goodTraining],
      ['a frame without an answer', begin(() => ({ answer: undefined })), goodTraining],
      ['losses that are a word', (training) => training.learned({ losses: 7 }), goodTraining],
      ['nothing learned', (training) => training.learned(null), goodTraining],
    ],
  };
}
