/** Attention maps of a session: checks requests, and copies the rows that the engine recomputes. */
import { HeedError, quoted } from '../errors.js';
import { needInteger, needOptions, refuse } from '../options.js';
import { needRange } from '../range.js';
import { BATCH } from './context.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./info.js').ModelInfo} ModelInfo */

/** Largest number of elements of one result: half a gigabyte of float32. */
const MAP_LIMIT = 2 ** 27;

/**
 * One head's attention over the text so far.
 * @typedef {object} AttentionMap
 * @property {Float32Array} data   weights or scores, [queries][keys]
 * @property {number} queries      number of rows
 * @property {number} keys         number of columns: tokens of the text
 * @property {number} firstQuery   position of the first row in the text
 * @property {number} layer        block, from 0
 * @property {number} head         head of queries, from 0
 * @property {'pattern' | 'scores'} kind  `pattern`: after softmax, rows sum to 1, masked keys are 0.  `scores`: before
 *   softmax, masked keys are -Infinity
 * @property {string[]} tokens     readable text of each key, [keys]
 * @property {string[]} [queryTokens]  readable text of each query, [queries]; only in cross-attention, where queries
 *   are tokens of the decoder's text
 */

/**
 * Rows of every head of every layer.
 * @typedef {object} AttentionRows
 * @property {Float32Array} data   weights or scores, [layers][heads][queries][keys]
 * @property {number} layers       number of blocks
 * @property {number} heads        number of query heads per block
 * @property {number} queries      number of rows per head
 * @property {number} keys         number of columns: tokens of the text
 * @property {number} firstQuery   position of the first row in the text
 */

/** Query rows [from, to) of `position` over the first `keys` of `stride` tokens.  ofSource: the keys are of the source.
 *  @typedef {{ from: number, to: number, position: number, keys: number, stride: number,
 *    ofSource: boolean }} MapRange */

/**
 * @typedef {object} RowsRequest
 * @property {'pattern' | 'scores'} [kind]  weights after softmax (default), or scores before it
 * @property {readonly [from: number, to: number]} [queries]  rows from ≤ query < to; default: all rows
 * @property {number} [position]  number of tokens that the map covers; default: the whole session
 * @property {'encoder' | 'decoder' | 'cross'} [of]  part of an encoder–decoder: the encoder's map of the source, the
 *   decoder's of the text (default), or cross-attention from the text to the source
 *
 * @typedef {{ layer: number, head: number } & RowsRequest} MapRequest  layer and head, both from 0
 */

/**
 * One head's map.
 * @param {Session} session
 * @param {ModelInfo} info
 * @param {MapRequest} request
 * @param {(ids: Int32Array) => string[]} textsOf  readable texts of tokens
 * @returns {AttentionMap}
 * @throws {HeedError} 'bad-argument', 'too-large', 'disposed'
 */
export function attentionMap(session, info, request, textsOf) {
  session.needOpen();
  needOptions('attention', request, ['layer', 'head', 'kind', 'queries', 'position', 'of']);
  const { layer, head, kind = 'pattern' } = request ?? {};
  const part = partOf(info, request?.of);
  const range = rangeOf(session, info, request, 1);
  needInteger('layer', layer, 0, part.layers - 1);
  needInteger('head', head, 0, info.heads - 1);
  const { from, to, keys, position, ofSource } = range;
  const data = new Float32Array((to - from) * keys);
  copyMap(session, data, part.first + part.step * layer, head, kind, range);
  const tokens = textsOf((ofSource ? session.source : session.ids).subarray(0, keys));
  return { data, queries: to - from, keys, firstQuery: from, layer, head, kind, tokens,
    ...(ofSource && !part.ofSource && { queryTokens: textsOf(session.ids.subarray(0, position)) }) };
}

/**
 * Rows of all heads.
 * @param {Session} session
 * @param {ModelInfo} info
 * @param {RowsRequest} request
 * @returns {AttentionRows}
 * @throws {HeedError} 'bad-argument', 'too-large', 'disposed'
 */
export function attentionRows(session, info, request) {
  session.needOpen();
  needOptions('attentionRows', request, ['kind', 'queries', 'position', 'of']);
  const { kind = 'pattern' } = request;
  const { first, step, layers } = partOf(info, request.of);
  const { heads } = info;
  const range = rangeOf(session, info, request, layers * heads);
  const { from, to, keys } = range;
  const size = (to - from) * keys;
  const data = new Float32Array(layers * heads * size);
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const at = (layer * heads + head) * size;
      copyMap(session, data.subarray(at, at + size), first + step * layer, head, kind, range);
    }
  }
  return { data, layers, heads, queries: to - from, keys, firstQuery: from };
}

/**
 * Rows of all heads for the token of a generation before `position`.
 * @param {Session} session
 * @param {ModelInfo} info
 * @param {number} position
 * @param {number} epoch
 * @returns {AttentionRows}
 * @throws {HeedError} 'superseded'
 */
export function rowsBefore(session, info, position, epoch) {
  session.needEpoch(epoch);
  return attentionRows(session, info, { queries: [position - 1, position], position });
}

/** The blocks of a part; of other models, all blocks.
 *  @param {ModelInfo} info @param {RowsRequest['of']} of @returns {import('../files/families/parts.js').Part} */
function partOf({ layers, parts, name }, of) {
  if (parts && ['encoder', 'cross', 'decoder', undefined].includes(of)) return parts[of ?? 'decoder'];
  if (of === undefined) return { first: 0, step: 1, layers, ofSource: false };
  throw new HeedError('bad-argument', `${quoted(name)} has no part ${quoted(of)}. An encoder–decoder has the parts ` +
    'encoder, decoder and cross.');
}

/**
 * The checked rows of a request.
 * @param {Session} session
 * @param {ModelInfo} info
 * @param {RowsRequest | undefined} request
 * @param {number} maps  the number of maps that will be read over this range
 * @returns {MapRange}
 * @throws {HeedError} 'bad-argument', 'too-large'
 */
function rangeOf(session, info, request, maps) {
  const { kind = 'pattern', queries, position, of } = request ?? {};
  const length = of === 'encoder' && session.position ? session.source.length : session.position;
  if (!info.maps) {
    throw new HeedError('bad-argument', 'The model was loaded with maps: false, so its session keeps no queries. ' +
      'Load it with maps: true.');
  }
  if (kind !== 'pattern' && kind !== 'scores') refuse('kind', '‘pattern’ or ‘scores’', kind);
  if (!length) throw new HeedError('bad-argument', 'The session is empty. Call forward first.');
  const keys = position ?? length;
  if ((info.bidirectional || of === 'encoder') && keys !== length) {
    throw new HeedError('bad-argument', 'Every row of an encoder covers the whole text. Omit position.');
  }
  needInteger('position', keys, 0, length);
  const [from, to] = needRange('queries', keys, queries, '', 0);
  const ofSource = of === 'encoder' || of === 'cross';
  const stride = ofSource ? session.source.length : length;
  if ((to - from) * stride * maps > MAP_LIMIT) {
    throw new HeedError('too-large', `A map of ${to - from} queries by ${stride} keys has too many elements for one ` +
      'array. Ask for a range of queries.');
  }
  return { from, to, position: keys, keys: ofSource ? stride : keys, stride, ofSource };
}

/** @param {Session} session @param {Float32Array} data [to - from][keys] @param {number} layer @param {number} head
 *  @param {'pattern' | 'scores'} kind @param {MapRange} range */
function copyMap(session, data, layer, head, kind, { from, to, keys, stride }) {
  for (let first = from; first < to; first += BATCH) {
    const end = Math.min(to, first + BATCH);
    const rows = session.mapRows(layer, head, kind, first, end, stride);
    if (keys === stride) data.set(rows, (first - from) * keys);
    else for (let query = first; query < end; query++) {
      const row = (query - first) * stride;
      data.set(rows.subarray(row, row + keys), (query - from) * keys);
    }
  }
}
