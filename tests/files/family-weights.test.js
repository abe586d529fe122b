/** A model with missing or extra tensors is refused by their names, before any weight is read. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countWeights, load } from '../../js/index.js';
import { writeGguf } from '../../js/files/gguf/writer.js';
import { convertHf } from '../../js/cli/convert/hf.js';
import { assertClose, scaleOf } from '../support/compare.js';
import { rejects } from '../support/expect.js';
import { goldens, temporaryFolder } from '../support/goldens.js';
import { floats, randomFrom } from '../support/numbers.js';
import { forward, readModel } from '../support/reference.js';

const folder = await temporaryFolder(after);
const all = await goldens();

/** @typedef {{ shape: number[], bytes: Uint8Array }} Stored */
/** @typedef {Record<string, Stored>} Weights of a safetensors file, F32 */

/** @param {string} name */
function golden(name) {
  const found = all.find((golden) => golden.name === name);
  assert.ok(found, name);
  return found;
}

/** @param {string} name @returns {Promise<Weights>} */
async function weightsOf(name) {
  const file = new Uint8Array(await readFile(join(golden(name).folder, 'model.safetensors')));
  const length = Number(new DataView(file.buffer).getBigUint64(0, true));
  const { __metadata__: _, ...header } = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
  return Object.fromEntries(Object.entries(header).map(([tensor, { dtype, shape, data_offsets: [from, to] }]) => {
    const bytes = file.slice(8 + length + from, 8 + length + to);
    return [tensor, { shape, bytes: dtype === 'F32' ? bytes : widened(dtype, bytes) }];
  }));
}

/** @param {string} type @param {Uint8Array} bytes of 16-bit numbers */
function widened(type, bytes) {
  assert.equal(type, 'BF16');
  return new Uint8Array(Uint32Array.from(new Uint16Array(bytes.buffer), (bits) => bits << 16).buffer);
}

/** @param {Weights} weights */
function asSafetensors(weights) {
  let end = 0;
  const header = Object.fromEntries(Object.entries(weights).map(([tensor, { shape, bytes }]) =>
    [tensor, { dtype: 'F32', shape, data_offsets: [end, (end += bytes.length)] }]));
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(new BigUint64Array([BigInt(text.length)]).buffer);
  return Buffer.concat([length, text, ...Object.values(weights).map(({ bytes }) => bytes)]);
}

/** @param {string} name @param {(weights: Weights) => void} change @param {object} [config] */
async function changed(name, change, config = {}) {
  const weights = await weightsOf(name);
  change(weights);
  return { weights: asSafetensors(weights), config: { ...golden(name).config, ...config } };
}

/** @param {string} name @param {(names: string[]) => string[]} [keep] @returns {Promise<Uint8Array>} a GGUF file */
async function ggufOf(name, keep = (names) => names) {
  const { metadata, tensors } = await convertHf(golden(name).folder, { type: 'f32' });
  const kept = new Set(keep(tensors.map((tensor) => tensor.name)));
  return writeGguf({ metadata, tensors: tensors.filter((tensor) => kept.has(tensor.name)) });
}

const vector = (/** @type {number} */ n, seed = 1) =>
  ({ shape: [n], bytes: new Uint8Array(floats(randomFrom(seed), n, 0.5).buffer) });

describe('a weight that is missing', () => {
  for (const name of ['gpt2', 'llama', 'mistral', 'qwen2']) {
    test(`each tensor of ${name}, one at a time`, async () => {
      const weights = await weightsOf(name);
      for (const tensor of Object.keys(weights)) {
        const { [tensor]: _, ...rest } = weights;
        await rejects(load({ weights: asSafetensors(rest), config: golden(name).config }), 'bad-tensor',
          new RegExp(`lacks the tensor ‘${tensor.replaceAll('.', '\\.')}’`));
      }
    });

    test(`each tensor of ${name} in a GGUF file`, async () => {
      const { tensors } = await convertHf(golden(name).folder, { type: 'f32' });
      for (const { name: tensor } of tensors) {
        if (tensor === 'output.weight') continue; // a GGUF file without a head is tied
        await rejects(ggufOf(name, (names) => names.filter((one) => one !== tensor)).then((file) => load(file)),
          'bad-tensor', new RegExp(`‘${tensor.replaceAll('.', '\\.')}’`));
      }
    });
  }

  test('all biases of GPT-2', async () => {
    const none = await changed('gpt2', (weights) => {
      for (const tensor of Object.keys(weights)) if (tensor.endsWith('.bias')) delete weights[tensor];
    });
    await rejects(load(none), 'bad-tensor', /lacks the tensor ‘transformer\.ln_f\.bias’: every gpt2 model has it/);
    const bare = await changed('gpt2', (weights) => {
      for (const [tensor, stored] of Object.entries(weights)) {
        delete weights[tensor];
        const name = tensor.replace('transformer.', '');
        if (name !== 'h.1.mlp.c_fc.bias') weights[name] = stored;
      }
    });
    await rejects(load(bare), 'bad-tensor', /lacks the tensor ‘h\.1\.mlp\.c_fc\.bias’/);
  });

  test('biases that config.json switches on', async () => {
    for (const [key, tensor] of [['attention_bias', 'self_attn.q_proj'], ['mlp_bias', 'mlp.gate_proj']]) {
      await rejects(changed('llama', () => {}, { [key]: true }).then(load), 'bad-tensor',
        new RegExp(`lacks the tensor ‘model\\.layers\\.0\\.${tensor}\\.bias’: ‘.*’ sets ‘${key}’ to true`));
    }
  });
});

describe('an extra weight', () => {
  const bias = (/** @type {string} */ tensor, n = 64) => (/** @type {Weights} */ weights) => {
    weights[tensor] = vector(n);
  };

  test('biases that config.json switches off', async () => {
    const attention = 'model.layers.0.self_attn.q_proj.bias';
    await rejects(changed('llama', bias(attention), { attention_bias: false }).then(load), 'bad-tensor',
      /has the tensor ‘model\.layers\.0\.self_attn\.q_proj\.bias’: ‘.*’ sets ‘attention_bias’ to false/);
    await rejects(changed('llama', bias(attention)).then(load), 'bad-tensor',
      /q_proj\.bias’: ‘.*’ does not set ‘attention_bias’, which means false/);
    await rejects(changed('llama', bias('model.layers.2.mlp.up_proj.bias', 96)).then(load), 'bad-tensor',
      /up_proj\.bias’: ‘.*’ does not set ‘mlp_bias’/);
  });

  test('biases that the class does not have', async () => {
    await rejects(changed('mistral', bias('model.layers.0.self_attn.q_proj.bias', 48)).then(load), 'bad-tensor',
      /q_proj\.bias’: no Mistral has it/);
    await rejects(changed('qwen2', bias('model.layers.1.self_attn.o_proj.bias')).then(load), 'bad-tensor',
      /o_proj\.bias’: no qwen2 model has it/);
    await rejects(changed('llama', bias('model.layers.0.input_layernorm.bias')).then(load), 'bad-tensor',
      /input_layernorm\.bias’: no llama model has it/);
  });

  test('a block that the configuration does not have', async () => {
    await rejects(changed('gpt2', bias('transformer.h.2.ln_1.bias')).then(load), 'bad-tensor',
      /‘transformer\.h\.2\.ln_1\.bias’: its configuration has the blocks 0 to 1/);
  });
});

describe('biases of a Llama', () => {
  const sizes = { q_proj: 64, k_proj: 32, v_proj: 32, o_proj: 64 };
  /** @param {Weights} weights */
  const attention = (weights) => {
    for (let layer = 0; layer < 3; layer++) {
      Object.entries(sizes).forEach(([product, n], i) => {
        weights[`model.layers.${layer}.self_attn.${product}.bias`] = vector(n, 10 * layer + i + 1);
      });
    }
  };
  /** @param {Weights} weights */
  const feedForward = (weights) => {
    for (let layer = 0; layer < 3; layer++) {
      [['gate', 96], ['up', 96], ['down', 64]].forEach(([product, n], i) => {
        weights[`model.layers.${layer}.mlp.${product}_proj.bias`] = vector(Number(n), 100 * layer + i + 1);
      });
    }
  };
  const both = (/** @type {Weights} */ weights) => (attention(weights), feedForward(weights));

  /** @type {[string, (weights: Weights) => void, object, string][]} */
  const cases = [
    ['attention_bias', attention, { attention_bias: true }, 'attention'],
    ['mlp_bias', feedForward, { mlp_bias: true }, 'feed-forward'],
    ['both', both, { attention_bias: true, mlp_bias: true }, 'all'],
  ];
  for (const [what, change, config, biases] of cases) {
    test(`${what}: applied, and counted`, async (t) => {
      const source = await changed('llama', change, config);
      await writeFile(join(folder, 'model.safetensors'), source.weights);
      await writeFile(join(folder, 'config.json'), JSON.stringify(source.config));
      const path = join(folder, `${what}.gguf`);
      const content = await convertHf(folder, { type: 'f32' });
      await writeFile(path, await writeGguf(content));
      const { ids } = golden('llama');
      const expected = forward(await readModel(path), ids).data;
      for (const from of [source, path]) {
        const model = await load(from);
        t.after(() => model.dispose());
        const logits = await model.forward(ids, { all: true });
        assertClose(logits, expected, 1e-5 * scaleOf(expected), 'logits');
        assert.equal(model.info.biases, biases);
        assert.equal(countWeights(model.info).total, model.info.parameters);
      }
    });
  }

  test('a GGUF file has biases in every block or in no block', async () => {
    const source = await changed('llama', attention, { attention_bias: true });
    await writeFile(join(folder, 'model.safetensors'), source.weights);
    await writeFile(join(folder, 'config.json'), JSON.stringify(source.config));
    const { metadata, tensors } = await convertHf(folder, { type: 'f32' });
    const without = async (/** @type {RegExp} */ names) =>
      load(await writeGguf({ metadata, tensors: tensors.filter(({ name }) => !names.test(name)) }));
    await rejects(without(/blk\.1\.attn_k\.bias/), 'bad-tensor',
      /lacks the tensor ‘blk\.1\.attn_k\.bias’: it has ‘blk\.0\.attn_q\.bias’/);
    await rejects(without(/blk\.[12]\.attn_output\.bias/), 'bad-tensor',
      /lacks the tensor ‘blk\.1\.attn_output\.bias’/);
    const model = await without(/attn_output\.bias/);
    assert.equal(model.info.biases, 'qkv');
    model.dispose();
  });
});
