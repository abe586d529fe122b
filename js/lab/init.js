/** Parameters with PyTorch's names, layouts and initial distributions. The lab's seed determines the numbers. */
import { HeedError } from '../errors.js';
import { needOptions } from '../options.js';
import { needCounts, needInRange, needNumbers, needPrefix } from './arguments.js';
import { parseShape, product } from './axes.js';
import { normal, randomFrom, uniform } from './random.js';

/** @typedef {import('./operations.js').Operations} Operations */
/** @typedef {import('./blocks.js').Weights} Weights */
/** @typedef {import('./axes.js').Shape} Shape */
/** @typedef {import('./tensor.js').Tensor} Tensor */

/** Limit for the layers of one recurrent network, against mistaken arguments. */
const MAX_LAYERS = 1000;

/**
 * Constructors of parameters. Each draws from the lab's random numbers and returns tensors by name, prefixed with
 * `prefix`.
 */
export class Init {
  #lab;
  #random;

  /** @param {Operations} lab @param {number} seed @internal */
  constructor(lab, seed) {
    this.#lab = lab;
    this.#random = randomFrom(seed);
  }

  /**
   * Makes a trainable tensor.
   * @see {@link import('./index.js').Lab.parameter}
   * @param {ArrayLike<number>} data  values in row-major order
   * @param {Shape} shape  sizes, or sizes by axis name
   * @param {string} [name]  name in error messages; default ''
   * @returns {Tensor} a tensor with a gradient
   * @throws {HeedError} 'bad-shape', 'bad-argument' inside a step, 'out-of-memory'
   */
  parameter(data, shape, name = '') {
    if (this.#lab.inStep) {
      throw new HeedError('bad-argument', `A step frees the tensors that it makes${name && `, such as ‘${name}’`}. ` +
        'Make parameters before the first step.');
    }
    const tensor = this.#lab.countedAs('parameters', () =>
      this.#lab.tensor(data, shape, { requiresGrad: true }));
    tensor.name = name;
    this.#lab.trainable.add(tensor);
    return tensor;
  }

  /** Number of elements of a shape, checked against the memory limit. @param {string} call @param {Shape} shape */
  #count(call, shape) {
    const axes = parseShape(shape);
    this.#lab.needMemory(call, axes);
    return product(axes.sizes);
  }

  /**
   * One parameter with the distribution U(-bound, bound).
   * @param {string} name  name of the parameter
   * @param {Shape & object} shape  sizes, or sizes by axis name
   * @param {number} bound  largest absolute value
   * @returns {Tensor} a tensor with a gradient
   * @throws {HeedError} 'bad-argument', 'bad-shape', 'out-of-memory'
   */
  uniform(name, shape, bound) {
    needInRange('init.uniform', { bound: bound ?? NaN }, { least: 0 });
    return this.parameter(uniform(this.#random, this.#count('init.uniform', shape), bound), shape, name);
  }

  /**
   * One parameter with the distribution N(0, deviation²).
   * @param {string} name  name of the parameter
   * @param {Shape & object} shape  sizes, or sizes by axis name
   * @param {number} [deviation]  standard deviation; default 1
   * @returns {Tensor} a tensor with a gradient
   * @throws {HeedError} 'bad-argument', 'bad-shape', 'out-of-memory'
   */
  normal(name, shape, deviation = 1) {
    needInRange('init.normal', { deviation }, { least: 0 });
    return this.parameter(normal(this.#random, this.#count('init.normal', shape), deviation), shape, name);
  }

  /**
   * One parameter with equal elements.
   * @param {string} name  name of the parameter
   * @param {Shape & object} shape  sizes, or sizes by axis name
   * @param {number} value  value of every element
   * @returns {Tensor} a tensor with a gradient
   * @throws {HeedError} 'bad-argument', 'bad-shape', 'out-of-memory'
   */
  constant(name, shape, value) {
    needNumbers('init.constant', { value });
    return this.parameter(new Float32Array(this.#count('init.constant', shape)).fill(value), shape, name);
  }

  /**
   * Parameters of `nn.Linear`: `weight` [out][in] and `bias` [out], both U(-1/√in, 1/√in).
   * @param {string} prefix  prefix of the names, such as `head.`
   * @param {number} inputs   number of input features
   * @param {number} outputs  number of output features
   * @param {{ bias?: boolean }} [options]  bias: default true
   * @returns {Weights} parameters by name
   * @throws {HeedError} 'bad-argument' for a size that is not a positive integer, or inside a step; 'out-of-memory'
   */
  linear(prefix, inputs, outputs, options = {}) {
    needOptions('init.linear', options, ['bias']);
    needPrefix('init.linear', prefix);
    needCounts('init.linear', { inputs, outputs });
    const { bias = true } = options;
    const bound = 1 / Math.sqrt(inputs);
    const weights = { [`${prefix}weight`]: this.uniform(`${prefix}weight`, [outputs, inputs], bound) };
    return bias ? { ...weights, [`${prefix}bias`]: this.uniform(`${prefix}bias`, [outputs], bound) } : weights;
  }

  /**
   * Parameter of `nn.Embedding`: `weight` [entry][feature], N(0, deviation²).
   * @param {string} prefix  prefix of the name, such as `token.`
   * @param {number} entries  number of ids
   * @param {number} width    number of features
   * @param {{ deviation?: number }} [options]  deviation: default 1
   * @returns {Weights} parameters by name
   * @throws {HeedError} 'bad-argument' for a size that is not a positive integer, or inside a step; 'out-of-memory'
   */
  embedding(prefix, entries, width, options = {}) {
    needOptions('init.embedding', options, ['deviation']);
    needPrefix('init.embedding', prefix);
    needCounts('init.embedding', { entries, width });
    return { [`${prefix}weight`]: this.normal(`${prefix}weight`, [entries, width], options.deviation) };
  }

  /**
   * Parameters of `nn.LayerNorm`: `weight` [feature], ones, and `bias` [feature], zeros.
   * @param {string} prefix  prefix of the names, such as `norm.`
   * @param {number} width   number of features
   * @returns {Weights} parameters by name
   * @throws {HeedError} 'bad-argument' for a size that is not a positive integer, or inside a step; 'out-of-memory'
   */
  layerNorm(prefix, width) {
    needPrefix('init.layerNorm', prefix);
    needCounts('init.layerNorm', { width });
    return {
      [`${prefix}weight`]: this.constant(`${prefix}weight`, [width], 1),
      [`${prefix}bias`]: this.constant(`${prefix}bias`, [width], 0),
    };
  }

  /**
   * Parameters of `nn.MultiheadAttention`: `in_proj_weight` [3·d][d], Xavier uniform; `out_proj.weight` [d][d], as
   * `nn.Linear`; `in_proj_bias` [3·d] and `out_proj.bias` [d], zeros.
   * @param {string} prefix  prefix of the names, such as `self_attn.`
   * @param {number} width   number of features d
   * @returns {Weights} parameters by name
   * @throws {HeedError} 'bad-argument' for a size that is not a positive integer, or inside a step; 'out-of-memory'
   */
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

  /**
   * Parameters of `nn.TransformerEncoderLayer`: `self_attn.*`, `linear1.*`, `linear2.*`, `norm1.*`, `norm2.*`.
   * @param {string} prefix  prefix of the names, such as `block.0.`
   * @param {number} width   number of features
   * @param {number} hidden  number of hidden units of the feed-forward network
   * @returns {Weights} parameters by name
   * @throws {HeedError} 'bad-argument' for a size that is not a positive integer, or inside a step; 'out-of-memory'
   */
  encoderBlock(prefix, width, hidden) {
    return {
      ...this.multiHead(`${prefix}self_attn.`, width),
      ...this.linear(`${prefix}linear1.`, width, hidden),
      ...this.linear(`${prefix}linear2.`, hidden, width),
      ...this.layerNorm(`${prefix}norm1.`, width),
      ...this.layerNorm(`${prefix}norm2.`, width),
    };
  }

  /**
   * Parameters of `nn.TransformerDecoderLayer`: as `encoderBlock`, with `multihead_attn.*` and `norm3.*`.
   * @param {string} prefix  prefix of the names, such as `decoder.0.`
   * @param {number} width   number of features
   * @param {number} hidden  number of hidden units of the feed-forward network
   * @returns {Weights} parameters by name
   * @throws {HeedError} 'bad-argument' for a size that is not a positive integer, or inside a step; 'out-of-memory'
   */
  decoderBlock(prefix, width, hidden) {
    return {
      ...this.encoderBlock(prefix, width, hidden),
      ...this.multiHead(`${prefix}multihead_attn.`, width),
      ...this.layerNorm(`${prefix}norm3.`, width),
    };
  }

  /**
   * Parameters of `nn.GRU`: `weight_ih_l0` [3·hidden][in], `weight_hh_l0` [3·hidden][hidden], `bias_ih_l0` and
   * `bias_hh_l0` [3·hidden], all U(-1/√hidden, 1/√hidden). Further layers have `_l1` and so on, the backward direction
   * has `_reverse`.
   * @param {string} prefix  prefix of the names, such as `encoder.`
   * @param {number} inputs  number of input features
   * @param {number} hidden  number of features of the state
   * @param {{ bidirectional?: boolean, layers?: number }} [options]  bidirectional: default false; layers: default 1
   * @returns {Weights} parameters by name
   * @throws {HeedError} 'bad-argument' for a size that is not a positive integer, or inside a step; 'out-of-memory'
   */
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

  /**
   * Parameters of `nn.GRUCell`: `weight_ih` [3·hidden][in], `weight_hh` [3·hidden][hidden], `bias_ih` and `bias_hh`
   * [3·hidden], all U(-1/√hidden, 1/√hidden).
   * @param {string} prefix  prefix of the names, such as `cell.`
   * @param {number} inputs  number of input features
   * @param {number} hidden  number of features of the state
   * @returns {Weights} parameters by name
   * @throws {HeedError} 'bad-argument' for a size that is not a positive integer, or inside a step; 'out-of-memory'
   */
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
