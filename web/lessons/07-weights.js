/** Weights of every part of a transformer, counted from its configuration, and held against a file. */
import { countWeights, extrasOf } from '../../js/count.js';
import { openModelFile } from '../../js/model-file.js';
import { h } from '../elements/base.js';
import { choice, slider } from './kit/controls.js';
import { fixed, grouped, short } from './kit/numbers.js';
import { $, lesson, say } from './kit/page.js';

const MODEL = new URL('../../models/heed-stories-q8_0.gguf', import.meta.url);

/** @param {number} layers @param {number} d @param {number} heads @param {number} vocabulary @param {number} context
 *  @returns {import('../../js/count.js').CountedConfig} of a GPT: as many keys as queries, four times as wide inside */
const gpt = (layers, d, heads, vocabulary, context) => ({ layers, heads, kv_heads: heads, d_model: d,
  d_head: Math.floor(d / heads), d_ff: 4 * d, vocabulary, context_length: context, norm: 'layernorm',
  position: 'learned', gated: 'no' });

/** Radford et al. 2019 and Brown et al. 2020, table 2.1. */
const GPT3 = gpt(96, 12288, 96, 50257, 2048);
const GPTS = {
  'GPT-3': GPT3,
  'GPT-2 XL': gpt(48, 1600, 25, 50257, 1024),
  'GPT-2 small': gpt(12, 768, 12, 50257, 1024),
};
const SHIPPED = 'the model of this page';
const BYTES = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** @param {number} bytes */
function sizeOf(bytes) {
  const power = Math.min(BYTES.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${short(bytes / 1000 ** power, 1)} ${BYTES[power]}`;
}

/** @param {number} part @param {number} whole */
const shareOf = (part, whole) => (part < 1e-4 * whole ? '< 0.01 %' : `${fixed(100 * part / whole, 2)} %`);

lesson(async () => {
  const file = await openModelFile(MODEL);
  await file.close();
  const loaded = file.tensors.reduce((sum, { shape }) => sum + shape.reduce((product, n) => product * n, 1), 0);
  const shipped = { config: file.config, extras: extrasOf(file.tensors) };
  const counted = countWeights(shipped.config, shipped.extras);
  const { layers, d_model: d, heads, kv_heads: kvHeads } = shipped.config;
  say({ tensors: file.tensors.length, loaded: grouped(loaded), counted: grouped(counted.total), heads,
    'kv-heads': kvHeads, ratio: short(counted.attention / (layers * d * d), 3) });

  const gpt3 = countWeights(GPT3);
  say({ 'gpt3-layers': GPT3.layers, 'gpt3-d': grouped(GPT3.d_model), 'gpt3-attention': grouped(gpt3.attention),
    'gpt3-billion': short(gpt3.attention / 1e9, 0), 'note-product': grouped(GPT3.layers * GPT3.d_model ** 2) });

  /** @type {Record<string, { config: import('../../js/count.js').CountedConfig,
   *   extras: import('../../js/count.js').Extras }>} */
  const models = Object.fromEntries(Object.entries(GPTS).map(([name, config]) => [name, { config, extras: {} }]));
  models[SHIPPED] = shipped;
  let chosen = Object.keys(models)[0];
  let { layers: depth, d_model: width } = GPT3;

  function show() {
    const { extras, config: whole } = models[chosen];
    const scale = width / whole.d_model;
    const config = { ...whole, layers: depth, d_model: width, d_head: whole.d_head * scale, d_ff: whole.d_ff * scale };
    const { parts, total, attention } = countWeights(config, extras);
    $('parts').replaceChildren(...parts.map(({ name, shape, copies, weights }) => h('tr', {},
      h('th', { scope: 'row' }, name), h('td', {}, shape.map(grouped).join(' × ')), h('td', {}, grouped(copies)),
      h('td', {}, grouped(weights)), h('td', {}, shareOf(weights, total)))));
    say({ total: grouped(total), attention: grouped(attention), bytes: sizeOf(2 * total) });
  }

  choice($('controls'), 'Model', Object.fromEntries(Object.keys(models).map((name) => [name, name])), (value) => {
    chosen = value;
    const { config } = models[chosen];
    [depth, width] = [config.layers, config.d_model];
    deeper.value = String(depth);
    wider.value = '0';
    for (const each of [deeper, wider]) each.dispatchEvent(new Event('input'));
  });
  const deeper = slider($('controls'), { label: 'Layers', min: 1, max: 128, step: 1, value: depth }, (value) => {
    depth = value;
    show();
  });
  const wider = slider($('controls'), { label: 'Width', min: -2, max: 2, step: 1, value: 0,
    words: (value) => `d = ${grouped(models[chosen].config.d_model * 2 ** value)}` }, (value) => {
    width = models[chosen].config.d_model * 2 ** value;
    show();
  });
  show();
});
