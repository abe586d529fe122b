/** Answers to exercises: what the reader fills in, and how the page judges it. Nothing here needs a document. */

/**
 * Input of an exercise: the lab, random numbers, and files.
 * @typedef {object} Context
 * @property {import('../../../js/lab/index.js').Lab} l
 * @property {() => number} random  seeded random numbers in [0, 1)
 * @property {(name: string) => Promise<Uint8Array>} file  the file `models/NAME.safetensors`
 */

/** @typedef {{ correct: boolean, why: string }} Verdict */

/**
 * A table of the question. `blank` is the cell that the reader fills in.
 * @typedef {object} Given
 * @property {string} caption
 * @property {[rows: string, columns: string]} axes
 * @property {string[]} [rows]
 * @property {string[]} [columns]
 * @property {ArrayLike<number>} data     row after row
 * @property {number} [digits]            decimals; default 3
 * @property {[row: number, column: number]} [blank]
 */

/**
 * A slider that is locked before the first try.
 * @typedef {object} Explore
 * @property {string} label
 * @property {number} min
 * @property {number} max
 * @property {number} step
 * @property {number} value
 * @property {(value: number) => string} [format]
 * @property {(value: number) => string} say  a sentence with the number that the kernels compute for this value
 */

/** @typedef {{ label: string, options: string[] }} Blank  a gap in a line of code, and what may stand there */

/**
 * The input of the reader. Answers: a number; the index of an option; the indices of all blanks; the numbers of all
 * matrices, one after the other; a text.
 * @typedef {{ type: 'number', label: string, tolerance: number } | { type: 'choice', options: string[] }
 *   | { type: 'code', parts: (string | Blank)[] } | { type: 'matrix', tables: Given[] }
 *   | { type: 'text', label: string }} Form
 */

/**
 * An exercise with its numbers.
 * @typedef {object} Posed
 * @property {Form} form
 * @property {(answer: any) => Verdict | Promise<Verdict>} check
 * @property {any} right                              an answer that `check` accepts
 * @property {{ answer: any, why: string }[]} wrong   answers that it refuses, each with a part of the reason
 * @property {string} solution                        how to find the answer
 * @property {Given[]} [given]
 * @property {Explore} [explore]
 */

/**
 * @typedef {object} Exercise
 * @property {string} id     unique in all lessons; its address is `LESSON.html#ID`
 * @property {'predict' | 'cell' | 'matrix' | 'code' | 'choice' | 'page'} kind
 * @property {string} title
 * @property {string} question  plain text; `code` between backticks
 * @property {string[]} hints   shown one at a time
 * @property {boolean} [varied]  whether other seeds give other numbers
 * @property {(context: Context) => Posed | Promise<Posed>} [pose]  computes the numbers; not for the kind 'page'
 * @property {string} [place]     kind 'page': id of the figure of the lesson where the reader does the exercise
 * @property {string} [solution]  kind 'page'
 */

/** The kinds in words. @type {Record<Exercise['kind'], string>} */
export const KINDS = { predict: 'predict', cell: 'fill in', matrix: 'set a matrix', code: 'complete the code',
  choice: 'choose', page: 'in a figure' };

/** A number computed in 32 bits is not exactly the one that the reader computes. */
const ROUNDING = 1e-4;

/**
 * A number that the reader types.
 * @param {object} options
 * @param {string} options.label
 * @param {number} options.right
 * @param {number} [options.tolerance]  largest accepted difference; default 0, apart from rounding
 * @param {string} options.why          the reason, shown with a right answer
 * @param {[value: number, why: string][]} [options.mistakes]  numbers that a misconception gives; a number that
 *   is right by chance is left out
 * @param {string} options.solution
 * @returns {Posed}
 */
export function number({ label, right, tolerance = 0, why, mistakes = [], solution }) {
  const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) <= tolerance + ROUNDING;
  const known = mistakes.filter(([value], i) => !near(value, right)
    && mistakes.findIndex(([other]) => near(other, value)) === i);
  return {
    form: { type: 'number', label, tolerance }, right, solution,
    wrong: known.map(([answer, reason]) => ({ answer, why: reason })),
    check: (/** @type {number} */ answer) => {
      if (near(answer, right)) return { correct: true, why };
      const [, reason] = known.find(([value]) => near(value, answer)) ?? [];
      return { correct: false, why: reason ?? `The number is too ${answer < right ? 'small' : 'large'}.` };
    },
  };
}

/**
 * One of several options.
 * @param {object} options
 * @param {[text: string, why: string][]} options.options  each with the reason why it is right or wrong
 * @param {number} options.right  index, computed by the exercise
 * @param {string} options.solution
 * @returns {Posed}
 */
export function choice({ options, right, solution }) {
  return {
    form: { type: 'choice', options: options.map(([text]) => text) }, right, solution,
    wrong: options.flatMap(([, why], answer) => (answer === right ? [] : [{ answer, why }])),
    check: (/** @type {number} */ answer) => ({ correct: answer === right, why: options[answer][1] }),
  };
}

/**
 * A line of code with gaps. `run` makes the call with the chosen options and judges its result.
 * @param {object} options
 * @param {(string | Blank)[]} options.parts  code and gaps, in order
 * @param {(chosen: string[]) => Verdict | Promise<Verdict>} options.run
 * @param {string[]} options.right
 * @param {{ answer: string[], why: string }[]} options.wrong
 * @param {string} options.solution
 * @returns {Posed}
 */
export function code({ parts, run, right, wrong, solution }) {
  const blanks = parts.flatMap((part) => (typeof part === 'string' ? [] : [part]));
  const indices = (/** @type {string[]} */ chosen) => chosen.map((text, i) => blanks[i].options.indexOf(text));
  return {
    form: { type: 'code', parts }, solution, right: indices(right),
    wrong: wrong.map(({ answer, why }) => ({ answer: indices(answer), why })),
    check: (/** @type {number[]} */ answer) => run(answer.map((option, i) => blanks[i].options[option])),
  };
}

/**
 * Matrices that the reader sets.
 * @param {object} options
 * @param {Given[]} options.tables  with their first numbers
 * @param {(...matrices: number[][]) => Verdict} options.run  gets the numbers of each table
 * @param {number[][]} options.right
 * @param {{ answer: number[][], why: string }[]} options.wrong
 * @param {string} options.solution
 * @returns {Posed}
 */
export function matrix({ tables, run, right, wrong, solution }) {
  return { form: { type: 'matrix', tables }, solution, right, wrong,
    check: (/** @type {number[][]} */ answer) => run(...answer) };
}

/**
 * The number that a reader wrote: 0.5, −2, 57,982,058,496, 0,5 or 1/8; NaN for anything else.
 * @param {string} text
 */
export function numberOf(text) {
  const [above, below, ...more] = text.split('/').map(plainNumber);
  return below === undefined ? above : below === 0 || more.length > 0 ? NaN : above / below;
}

/** A number without a fraction bar. @param {string} text */
function plainNumber(text) {
  const written = text.trim().replace(/[−–]/g, '-').replace(/[\s\u00a0']/g, '');
  const plain = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(written) ? written.replaceAll(',', '')
    : written.replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}
