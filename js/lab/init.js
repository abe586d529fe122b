/** Parameters as PyTorch makes them: the same names, layouts and distributions; numbers by the lab's seed. */
import { HeedError } from '../errors.js';
import { needOptions } from '../options.js';
import { needCounts, needInRange, needNumbers, needPrefix } from './arguments.js';
import { parseShape, product } from './axes.js';
import { normal, randomFrom, uniform } from './random.js';

/** @typedef {import('./operations.js').Operations} Operations */
/** @typedef {import('./blocks.js').Weights} Weights */
/** @typedef {import('./axes.js').Shape} Shape */
/** @typedef {import('./tensor.js').Tensor} Tensor */

/** Of one recurrent network; known ones have up to 16. */
const MAX_LAYERS = 1000;

export class Init {
  #lab;
  #random;

  /** @param {Operations} lab @param {number} seed */
  constructor(lab, seed) {
    this.#lab = lab;
    this.#random = randomFrom(seed);
  }

  /** A tensor that learns. @param {ArrayLike<number>} data @param {Shape} shape @param {string} [name] */
  parameter(data, shape, name = '') {
    if (this.#lab.inStep) {
      throw new HeedError('bad-argument', `A parameter${name && ` (‘${name}’)`} made in a step would end with it; ` +
        'make parameters before the first step.');
    }
    const tensor = this.#lab.making('parameters', () => this.#lab.tensor(data, shape, { learns: true }));
    tensor.name = name;
    this.#lab.learning.add(tensor);
    return tensor;
  }

  /** Numbers of a shape, for which there is room. @param {string} call @param {Shape} shape */
  #count(call, shape) {
    const axes = parseShape(shape);
    this.#lab.needRoom(call, axes);
    return product(axes.sizes);
  }

  /** U(-bound, bound). @param {string} name @param {Shape & object} shape @param {number} bound */
  uniform(name, shape, bound) {
    needInRange('init.uniform', { bound: bound ?? NaN }, { least: 0 });
    return this.parameter(uniform(this.#random, this.#count('init.uniform', shape), bound), shape, name);
  }

  /** N(0, deviation²). @param {string} name @param {Shape & object} shape @param {number} [deviation] */
  normal(name, shape, deviation = 1) {
    needInRange('init.normal', { deviation }, { least: 0 });
    return this.parameter(normal(this.#random, this.#count('init.normal', shape), deviation), shape, name);
  }

  /** @param {string} name @param {Shape & object} shape @param {number} value */
  constant(name, shape, value) {
    needNumbers('init.constant', { value });
    return this.parameter(new Float32Array(this.#count('init.constant', shape)).fill(value), shape, name);
  }

  /** nn.Linear: U(±1/√in). @param {string} prefix such as `head.` @param {number} inputs @param {number} outputs
   *  @param {{ bias?: boolean }} [options] @returns {Weights} */
  linear(prefix, inputs, outputs, options = {}) {
    needOptions('init.linear', options, ['bias']);
    needPrefix('init.linear', prefix);
    needCounts('init.linear', { inputs, outputs });
    const { bias = true } = options;
    const bound = 1 / Math.sqrt(inputs);
    const weights = { [`${prefix}weight`]: this.uniform(`${prefix}weight`, [outputs, inputs], bound) };
    return bias ? { ...weights, [`${prefix}bias`]: this.uniform(`${prefix}bias`, [outputs], bound) } : weights;
  }

  /** nn.Embedding: N(0, 1). @param {string} prefix @param {number} entries @param {number} width
   *  @param {{ deviation?: number }} [options] @returns {Weights} */
  embedding(prefix, entries, width, options = {}) {
    needOptions('init.embedding', options, ['deviation']);
    needPrefix('init.embedding', prefix);
    needCounts('init.embedding', { entries, width });
    return { [`${prefix}weight`]: this.normal(`${prefix}weight`, [entries, width], options.deviation) };
  }

  /** nn.LayerNorm: ones and zeros. @param {string} prefix @param {number} width @returns {Weights} */
  layerNorm(prefix, width) {
    needPrefix('init.layerNorm', prefix);
    needCounts('init.layerNorm', { width });
    return {
      [`${prefix}weight`]: this.constant(`${prefix}weight`, [width], 1),
      [`${prefix}bias`]: this.constant(`${prefix}bias`, [width], 0),
    };
  }

  /** nn.MultiheadAttention: in_proj Xavier uniform, its bias zeros. @param {string} prefix @param {number} width
   *  @returns {Weights} */
  multiHead(prefix, width) {
    const out = this.linear(`${prefix}out_proj.`, width, width);
    out[`${prefix}out_proj.bias`].data.fill(0);
    return {
      [`${prefix}in_proj_weight`]: this.uniform(`${prefix}in_proj_weight`, [3 * width, width],
        Math.sqrt(6 / (4 * width))),
      [`${prefix}in_proj_bias`]: this.constant(`${prefix}in_proj_bias`, [3 * width], 0),
      ...out,
    };
  }

  /** nn.TransformerEncoderLayer. @param {string} prefix @param {number} width @param {number} hidden of the
   *  feed-forward network @returns {Weights} */
  encoderBlock(prefix, width, hidden) {
    return {
      ...this.multiHead(`${prefix}self_attn.`, width),
      ...this.linear(`${prefix}linear1.`, width, hidden),
      ...this.linear(`${prefix}linear2.`, hidden, width),
      ...this.layerNorm(`${prefix}norm1.`, width),
      ...this.layerNorm(`${prefix}norm2.`, width),
    };
  }

  /** nn.TransformerDecoderLayer. @param {string} prefix @param {number} width @param {number} hidden
   *  @returns {Weights} */
  decoderBlock(prefix, width, hidden) {
    return {
      ...this.encoderBlock(prefix, width, hidden),
      ...this.multiHead(`${prefix}multihead_attn.`, width),
      ...this.layerNorm(`${prefix}norm3.`, width),
    };
  }

  /** nn.GRU: U(±1/√hidden). @param {string} prefix @param {number} inputs @param {number} hidden
   *  @param {{ bidirectional?: boolean, layers?: number }} [options] @returns {Weights} */
  gru(prefix, inputs, hidden, options = {}) {
    needOptions('init.gru', options, ['bidirectional', 'layers']);
    const { bidirectional = false, layers = 1 } = options;
    needCounts('init.gru', { layers });
    needInRange('init.gru', { layers }, { below: MAX_LAYERS + 1 });
    const directions = bidirectional ? ['', '_reverse'] : [''];
    const layer = (/** @type {number} */ i) => directions.map((direction) =>
      this.#gates(prefix, `_l${i}${direction}`, i === 0 ? inputs : directions.length * hidden, hidden));
    return Object.assign({}, ...Array.from({ length: layers }, (_, i) => layer(i)).flat());
  }

  /** nn.GRUCell. @param {string} prefix @param {number} inputs @param {number} hidden @returns {Weights} */
  gruCell(prefix, inputs, hidden) {
    return this.#gates(prefix, '', inputs, hidden);
  }

  /** @param {string} prefix @param {string} suffix @param {number} inputs @param {number} hidden @returns {Weights} */
  #gates(prefix, suffix, inputs, hidden) {
    needPrefix('init.gru', prefix);
    needCounts('init.gru', { inputs, hidden });
    const bound = 1 / Math.sqrt(hidden);
    /** @type {[string, number[]][]} */
    const shapes = [['weight_ih', [3 * hidden, inputs]], ['weight_hh', [3 * hidden, hidden]], ['bias_ih', [3 * hidden]],
      ['bias_hh', [3 * hidden]]];
    return Object.fromEntries(shapes.map(([name, shape]) => {
      const full = `${prefix}${name}${suffix}`;
      return [full, this.uniform(full, shape, bound)];
    }));
  }
}
