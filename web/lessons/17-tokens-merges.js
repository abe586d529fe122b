/** Byte-pair encoding with the first pairs of a vocabulary only. */
import { byteLevelOf, bytesOfByteLevel } from '../../js/text/tokenizer/byte-level.js';
import { PRE_TOKENIZERS } from '../../js/text/tokenizer/pre-tokenizers.js';
import { readable } from '../../js/text/text.js';
import { addSlider } from './kit/controls.js';
import { grouped } from './kit/format.js';
import { LinePlot } from './kit/line-plot.js';
import { element, showValues } from './kit/page.js';
import { Pieces } from './kit/pieces.js';

/** @typedef {import('../../js/files/model-file.js').ModelFile} ModelFile */

const BYTES = 256;
/** Numbers of pairs that the slider applies; the last is all of them. */
const STEPS = [0, 8, 16, 32, 64, 128, 256, 512, 1024];

/**
 * Merges neighbors, the pair that was learned first before the others.
 * @param {string[]} pieces the bytes of a word
 * @param {Map<string, number>} ranks of pairs, by ‘left right’
 * @param {number} most only pairs of a lower rank are merged
 */
function mergePieces(pieces, ranks, most) {
  for (;;) {
    let best = most;
    let at = -1;
    for (let i = 0; i + 1 < pieces.length; i++) {
      const rank = ranks.get(`${pieces[i]} ${pieces[i + 1]}`) ?? Infinity;
      if (rank < best) {
        best = rank;
        at = i;
      }
    }
    if (at < 0) return pieces;
    pieces.splice(at, 2, pieces[at] + pieces[at + 1]);
  }
}

/** The words of a text, each with the space before it. @param {string} text @param {string} kind of the file */
export function wordsOf(text, kind) {
  const [split] = PRE_TOKENIZERS.get(kind)?.splits ?? [];
  return text.match(new RegExp(split, 'gu')) ?? [];
}

/**
 * Shows a text with some of the pairs merged.
 * @param {ModelFile} file
 * @returns {(text: string, tokens: string[]) => void} shows another text and its tokens
 */
export function showMerges({ metadata, tokenizer }) {
  const merges = /** @type {{ length: number, at: (i: number) => string }} */ (metadata['tokenizer.ggml.merges']);
  const pairs = Array.from({ length: merges.length }, (_, i) => merges.at(i));
  const ranks = new Map(pairs.map((pair, rank) => [pair, rank]));
  const kind = String(metadata['tokenizer.ggml.pre']);
  const steps = [...STEPS.filter((step) => step < pairs.length), pairs.length];
  const spelled = (/** @type {string} */ piece) => readable(bytesOfByteLevel(piece));
  const list = new Pieces(element('merged'), 'The text with some pairs merged');
  const plot = new LinePlot(element('sizes'), { label: 'Tokens of the text by the size of the vocabulary',
    x: 'log₂ of the tokens of the vocabulary', y: 'tokens of the text', digits: 0 });
  let text = '';
  let at = 4;
  /** @type {string[]} */ let tokens = [];

  const piecesOf = (/** @type {number} */ most) => wordsOf(text, kind).flatMap((word) =>
    mergePieces([...byteLevelOf(word)], ranks, most)).map(spelled);

  function show() {
    const pieces = piecesOf(steps[at]);
    list.update(pieces.map((piece) => ({ text: piece })));
    showValues({ applied: grouped(steps[at]), smaller: grouped(BYTES + steps[at]), 'merged-count': pieces.length });
  }

  addSlider(element('merging'), { label: 'Pairs that are merged', min: 0, max: steps.length - 1, step: 1, value: at,
    format: (step) => grouped(steps[step]) }, (step) => {
    at = step;
    show();
  }).name = 'pairs';
  const single = Array.from({ length: tokenizer?.size ?? 0 }, (_, id) => tokenizer?.bytes(id).length)
    .filter((length) => length === 1).length;
  showValues({ merges: grouped(pairs.length), 'byte-tokens': single,
    'first-merges': pairs.slice(0, 6).map((pair) => `“${pair.replace('Ġ', '·').replace(' ', ' + ')}”`).join(', ') });

  return (newText, newTokens) => {
    text = newText;
    tokens = newTokens;
    const counts = steps.map((step) => piecesOf(step));
    plot.update(steps.map((step) => Math.log2(BYTES + step)), [
      { name: 'your text', ys: counts.map(({ length }) => length) },
    ]);
    showValues({ agree: counts[counts.length - 1].join('|') === tokens.join('|') ? 'the same' : 'not the same' });
    show();
  };
}
