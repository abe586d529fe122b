/** RASP (Weiss, Goldberg and Yahav 2021, arXiv:2106.06981): programs that an interpreter and a transformer run. */
import { HeedError, quoted } from '../../errors.js';
import { needInteger, needOptions } from '../../options.js';
import { planOf } from './compiler.js';
import { graphOf } from './graph.js';
import { interpret } from './interpreter.js';
import { MAX_INPUT, MAX_LENGTH, MAX_VOCABULARY } from './limits.js';
import { RaspModel, matricesOf, sizeOf, tokensOf } from './model.js';
import { parse } from './parser.js';

export { RaspError } from './limits.js';
export { RaspModel } from './model.js';

/** @typedef {import('./values.js').Value} Value */

/**
 * Options of `program.compile()`.
 * @typedef {object} CompileOptions
 * @property {string | string[]} vocabulary  tokens, or a string of one-letter tokens; at most 64
 * @property {number} [length]               largest number of tokens of an input; default 10, at most 32
 */

/**
 * Reads a program in RASP.
 * @param {string} source  the program; its last statement is its result
 * @returns {RaspProgram} the program, for `run` and `compile`
 * @throws {RaspError} 'bad-argument' for a mistake, 'too-large' for a program beyond a limit; both with line and column
 * @example
 * const reverse = rasp('aggregate(select(indices, length - 1 - indices, ==), tokens);');
 * reverse.run('abc'); // ['c', 'b', 'a']
 */
export function rasp(source) {
  return new RaspProgram(source);
}

/** A program that was read without mistakes. `rasp(source)` makes it. */
export class RaspProgram {
  #result;

  /** @param {string} source @internal */
  constructor(source) {
    this.#result = graphOf(parse(source));
    /** Its text. */
    this.source = source;
    /** Type of the result's values. */
    this.type = this.#result.type;
  }

  /**
   * Interprets the program: the reference for a compiled model.
   * @param {string | string[]} input  1 to 256 tokens, or a string of one-letter tokens
   * @returns {Value[]} one value for each token
   * @throws {RaspError} 'bad-argument' for a division by zero, or for different strings that one aggregate selects;
   *   'too-large' for too many selectors
   * @throws {HeedError} 'bad-argument' for an input that is empty; 'too-large' for one that is too long
   */
  run(input) {
    const tokens = tokensOf('rasp: the input', input);
    if (tokens.length > MAX_INPUT) {
      throw new HeedError('too-large', `rasp: the input has ${tokens.length} tokens; the maximum is ${MAX_INPUT}.`);
    }
    return interpret(this.#result, tokens);
  }

  /**
   * Compiles the program to the weights of a transformer for one vocabulary and all inputs up to a length.
   * @param {CompileOptions} options  vocabulary and length
   * @returns {CompiledProgram} the weights, which `open(lab)` runs
   * @throws {RaspError} 'too-large' if a variable has too many values, or a network too many units
   * @throws {HeedError} 'bad-argument' for an option; 'too-large' for a model that is too wide
   * @see Lindner et al. 2023 (arXiv:2301.05062)
   */
  compile(options) {
    needOptions('compile', options, ['vocabulary', 'length']);
    const { vocabulary, length = 10 } = options ?? {};
    const tokens = tokensOf('compile: vocabulary', vocabulary);
    if (new Set(tokens).size !== tokens.length || tokens.length > MAX_VOCABULARY) {
      throw new HeedError('bad-argument', `compile: the vocabulary has ${tokens.length} tokens, ` +
        `${new Set(tokens).size} of them different; expected 1 to ${MAX_VOCABULARY} different tokens.`);
    }
    needInteger('the length of compile', length, 1, MAX_LENGTH);
    return new CompiledProgram(planOf(this.#result, tokens, length));
  }
}

/** The transformer of a program, without a lab. `program.compile()` makes it. */
export class CompiledProgram {
  #plan;

  /** @param {import('./compiler.js').Plan} plan @internal */
  constructor(plan) {
    this.#plan = plan;
    /** Numbers of layers, heads, features and weights. */
    this.size = sizeOf(plan);
    /** Parts of the residual stream, in order. @type {{ name: string, dimensions: number }[]} */
    this.variables = plan.variables;
  }

  /**
   * The weights without a lab, by name: `tok_emb`, `pos_emb`, `blocks.L.attn.{query, key, value, out}`,
   * `blocks.L.mlp.{0, 2}`, `head`.
   * @returns {Record<string, { shape: number[], data: Float32Array }>} row-major, [out][in]
   */
  weights() {
    return matricesOf(this.#plan);
  }

  /**
   * Makes the model in a lab.
   * @param {import('../index.js').Lab} lab  a lab from `lab()`
   * @returns {RaspModel} the model, for `run`
   * @throws {HeedError} 'out-of-memory'; 'bad-argument' for anything but a lab
   */
  open(lab) {
    if (typeof lab?.parameter !== 'function') {
      throw new HeedError('bad-argument', `open: expected a lab, such as await lab(), got ${quoted(lab)}.`);
    }
    return new RaspModel(lab, this.#plan);
  }
}
