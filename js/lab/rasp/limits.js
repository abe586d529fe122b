/** Limits of programs, inputs and compiled models, and the error that names a place in a program. */
import { HeedError } from '../../errors.js';

/** Characters of a program, far beyond programs written by hand. */
export const MAX_CHARACTERS = 10_000;
/** Calls of functions copy their body, so a short program can have very many steps. */
export const MAX_STEPS = 20_000;
/** Parentheses, calls and conditionals inside each other; the parser recurses. */
export const MAX_DEPTH = 100;
/** The interpreter keeps a matrix [query][key] for each selector. */
export const MAX_INPUT = 256;
/** Pairs of a query and a key over all selectors of one interpretation: about a tenth of a second. */
export const MAX_CELLS = 4_000_000;
/** Tokens of a compiled model: the width grows with them. */
export const MAX_VOCABULARY = 64;
/** Longest input of a compiled model: positions are one-hot. */
export const MAX_LENGTH = 32;
/** Values of one variable, which is one-hot in the residual stream. */
export const MAX_VALUES = 600;
/** Evaluations of functions and selectors that a compilation may need: about a second. */
export const MAX_WORK = 4_000_000;
/** Combinations of values for which one function is computed. */
export const MAX_COMBINATIONS = 4096;
/** Hidden units of one layer. */
export const MAX_HIDDEN = 4096;
/** Width of the residual stream. */
export const MAX_WIDTH = 4096;
/** All weights of a compiled model: 64 MB. */
export const MAX_WEIGHTS = 16_000_000;

/**
 * A place in a program.
 * @typedef {object} Place
 * @property {number} line    counts from 1
 * @property {number} column  counts from 1
 * @property {string} text    the words of the program there
 */

/** @param {Place} place @param {string} problem */
export const tooLarge = (place, problem) => new RaspError(place, problem, 'too-large');

/** The error of a program. Its message begins with the line and the column. */
export class RaspError extends HeedError {
  /** Line of the program, counts from 1. @type {number} */ line;
  /** Column of the line, counts from 1. @type {number} */ column;

  /**
   * @param {Pick<Place, 'line' | 'column'>} place
   * @param {string} problem  what is wrong and what to do, without the place
   * @param {'bad-argument' | 'too-large'} [code]
   */
  constructor({ line, column }, problem, code = 'bad-argument') {
    super(code, `Line ${line}, column ${column}: ${problem}`);
    this.name = 'RaspError';
    this.line = line;
    this.column = column;
  }
}
