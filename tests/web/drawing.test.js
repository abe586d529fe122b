/** Drawing functions without a browser: colors, scales, labels, thumbnails, geometry, files. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { checkHead } from '../../web/draw/check.js';
import { contrast, inkOn, LEVELS, lightness, paletteFor, parseRgb } from '../../web/draw/color.js';
import {
  escapeXml, mapCsvSteps, mapJsonSteps, mapsJsonSteps, mapSvgSteps, mapToCsv, mapToJson, mapToSvg, mapToTable,
} from '../../web/draw/map-export.js';
import { textFile } from '../../web/elements/text-file.js';
import { gridToSvg, headStatsToCsv, headStatsToJson } from '../../web/draw/grid-export.js';
import { HeadStats } from '../../web/draw/head-stats.js';
import { layOutFigure, DEFAULT_FIGURE_OPTIONS, textWidth, wrapped } from '../../web/draw/figure-layout.js';
import { pngWithText } from '../../web/draw/png.js';
import { checkProvenance, provenanceData, provenanceLines } from '../../web/draw/provenance.js';
import { meanRasterOf, rasterOf, rowLevels, shadingOf } from '../../web/draw/raster.js';
import { meanOverHeads, ROW_NUMBERS_LIMIT, Rows } from '../../web/draw/rows.js';
import { legendTicks, levelOf, LOG_FLOOR, niceMax, SCALES } from '../../web/draw/scale.js';
import { attendsSentence, formatPercent, formatWeight, maskedSentence } from '../../web/draw/sentence.js';
import { SIDE, Thumbnail } from '../../web/draw/thumbnail.js';
import { tokenLabel, tokenName, tokenParts } from '../../web/draw/token.js';
import { VERSION } from '../../web/draw/version.js';
import { boxInWindow, cellAfterKey, cellAt, CELL_SIZES, exactCellSize, fittingCellSize, labelAt, labelStep,
  nextCellSize, pointInElement, scrollToCell, scrollToEnd, visible } from '../../web/draw/view.js';

const PAPERS = /** @type {const} */ ([[253, 253, 252], [255, 255, 255], [21, 22, 25], [0, 0, 0]]);

/**
 * A causal map. Each row is `weight(query, key)` divided by its sum.
 * @param {number} count
 * @param {(query: number, key: number) => number} weight
 */
function causalBlock(count, weight) {
  const data = new Float32Array(count * count);
  for (let query = 0; query < count; query++) {
    const row = data.subarray(query * count, query * count + query + 1);
    row.set(row.map((_, key) => weight(query, key)));
    const sum = row.reduce((a, b) => a + b);
    row.forEach((value, key) => { row[key] = value / sum; });
  }
  return { data, queries: count, keys: count, firstQuery: 0 };
}

/** @param {ReturnType<typeof causalBlock>} block */
function rowsOf(block) {
  const rows = new Rows();
  rows.add(block);
  return rows;
}

const hash = (/** @type {number} */ query, /** @type {number} */ key) => ((query * 31 + key * 17 + 7) % 97) + 0.5;

describe('color', () => {
  for (const paper of PAPERS) {
    test(`rgb(${paper}) is the color of zero, and lightness changes evenly with the level`, () => {
      const palette = paletteFor(paper);
      assert.deepEqual(palette.rgb[0], [...paper]);
      assert.equal(palette.rgb.length, LEVELS);
      const steps = Array.from({ length: 16 }, (_, i) => i * 17).map((level) => lightness(palette.rgb[level]));
      const sign = palette.dark ? 1 : -1;
      const differences = steps.slice(1).map((value, i) => sign * (value - steps[i]));
      const mean = differences.reduce((a, b) => a + b) / differences.length;
      assert.ok(mean > 5, `${mean} of L* a step`);
      const even = differences.every((difference) => difference > 0.4 * mean && difference < 1.8 * mean);
      assert.ok(even, `${differences}`);
    });
  }

  test('palette.pixels has the same colors as palette.rgb, in the byte order of ImageData', () => {
    const palette = paletteFor([253, 253, 252]);
    assert.deepEqual([...new Uint8Array(palette.pixels.buffer, 4 * 200, 4)], [...palette.rgb[200], 255]);
  });

  test('inkOn gives readable text on every level', () => {
    for (const rgb of PAPERS.flatMap((paper) => paletteFor(paper).rgb)) {
      assert.ok(contrast(rgb, inkOn(rgb) === '#000' ? [0, 0, 0] : [255, 255, 255]) >= 4.5);
    }
  });

  test('parseRgb reads the notations of getComputedStyle and refuses others', () => {
    assert.deepEqual(parseRgb('rgb(1, 20, 255)'), [1, 20, 255]);
    assert.deepEqual(parseRgb('#0114ff'), [1, 20, 255]);
    assert.throws(() => parseRgb('light-dark(white, black)'), /Expected an RGB color/);
  });
});

describe('scale', () => {
  test('zero has the first level and the largest weight the last, on every scale', () => {
    for (const kind of SCALES) {
      assert.equal(levelOf(kind, 0, 0.5), 0);
      assert.equal(levelOf(kind, 0.5, 0.5), LEVELS - 1);
      assert.equal(levelOf(kind, 0.7, 0.5), LEVELS - 1);
      assert.equal(levelOf(kind, 0, 0), 0);
    }
  });

  test('linear is proportional, and log gives each decade the same number of levels', () => {
    assert.equal(levelOf('linear', 0.25, 0.5), 128);
    assert.equal(levelOf('log', 0.01, 1), 128);
    assert.equal(levelOf('log', LOG_FLOOR, 1), 0);
    assert.ok(levelOf('log', 0.001, 1) > 4 * levelOf('linear', 0.001, 1));
  });

  test('niceMax is one of few round numbers', () => {
    assert.equal(niceMax(0.83), 1);
    assert.equal(niceMax(0.31), 0.4);
    assert.equal(niceMax(0.4), 0.4);
    assert.equal(niceMax(0.00003), 0.001);
    assert.equal(niceMax(0), 1);
  });

  test('legendTicks labels both ends', () => {
    assert.deepEqual(legendTicks('linear', 0.4), [['0', 0], ['0.2', 0.5], ['0.4', 1]]);
    assert.deepEqual(legendTicks('log', 1), [['≤ 0.0001', 0], ['0.01', 0.5], ['1', 1]]);
    assert.deepEqual(legendTicks('log', 0.01), [['≤ 0.0001', 0], ['0.01', 1]]);
    assert.deepEqual(legendTicks('difference', 2), [['−2', 0], ['0', 0.5], ['+2', 1]]);
  });
});

describe('tokens', () => {
  test('invisible characters get a mark', () => {
    assert.deepEqual(tokenParts(' mat'), [{ kind: 'space', text: '·' }, { kind: 'text', text: 'mat' }]);
    assert.deepEqual(tokenParts('a\n\tb').map((part) => part.text), ['a', '⏎', '⇥', 'b']);
    assert.deepEqual(tokenParts('\r\n'), [{ kind: 'newline', text: '⏎' }]);
    assert.deepEqual(tokenParts('<0xE2>'), [{ kind: 'byte', text: '<0xE2>' }]);
    assert.deepEqual(tokenParts('a\u202eb'), [{ kind: 'text', text: 'a' }, { kind: 'byte', text: '<U+202E>' },
      { kind: 'text', text: 'b' }]);
    assert.deepEqual(tokenParts('<s>'), [{ kind: 'text', text: '<s>' }]);
    assert.deepEqual(tokenParts(''), []);
  });

  test('labels are cut by characters, not by UTF-16 units', () => {
    assert.equal(tokenLabel(' mat'), 'mat');
    assert.equal(tokenLabel(' '), '·');
    assert.equal(tokenLabel('incomprehensible'), 'incompreh…');
    assert.equal(tokenLabel('😀😀😀😀', 3), '😀😀…');
    assert.equal(tokenName('\n'), 'a newline');
    assert.equal(tokenName(' cat'), '‘cat’');
  });

  test('names isolate letters that run from right to left, so that a sentence keeps the order of its words', () => {
    for (const text of ['שלום', 'مرحبا', '\u{1e900}']) assert.equal(tokenName(` ${text}`), `‘\u2068${text}\u2069’`);
    assert.equal(tokenName(' \u202eabc'), '‘<U+202E>abc’');
    assert.equal(tokenName('日本'), '‘日本’');
  });

  test('sentences describe visible and masked cells', () => {
    const mat = { token: ' mat', at: 5 };
    const cat = { token: ' cat', at: 1 };
    const newline = { token: '\n', at: 0 };
    const nbsp = '\u00a0';
    assert.equal(attendsSentence({ query: mat, key: cat, weight: 0.4199, layer: 3, head: 2 }),
      `‘mat’ (5) gives 42${nbsp}% of its attention to ‘cat’ (1), layer 3, head 2`);
    assert.equal(attendsSentence({ query: mat, key: newline, weight: 1e-5 }),
      `‘mat’ (5) gives less than 0.1${nbsp}% of its attention to a newline (0)`);
    assert.equal(attendsSentence({ query: newline, key: cat, weight: 1 }),
      `A newline (0) gives 100${nbsp}% of its attention to ‘cat’ (1)`);
    assert.equal(attendsSentence({ query: mat, key: cat, weight: 0 }),
      `‘mat’ (5) gives 0${nbsp}% of its attention to ‘cat’ (1)`);
    assert.equal(maskedSentence({ query: cat, key: mat }), '‘cat’ (1) cannot see ‘mat’ (5), which comes later');
    assert.deepEqual([1, 0.0456, 0.004, 0.0002, 0].map(formatWeight), ['1.00', '0.05', '0.004', '< 0.001', '0']);
    assert.deepEqual([1, 0.456, 0.0456, 0.0002, 0].map(formatPercent), ['100\u00a0%', '46\u00a0%', '4.6\u00a0%',
      '<\u00a00.1\u00a0%', '0\u00a0%']);
  });
});

describe('rows', () => {
  test('keeps the visible keys of each row and its largest weights', () => {
    const rows = rowsOf({ data: Float32Array.of(1, 0, 0, 0.75, 0.25, 0), queries: 2, keys: 3, firstQuery: 0 });
    assert.deepEqual([...(rows.get(1)?.weights ?? [])], [0.75, 0.25]);
    assert.equal(rows.max(false), 1);
    assert.equal(rows.max(true), 0.25);
  });

  test('keeps, draws and saves whole rows of a map that is not causal', () => {
    const map = { data: Float32Array.of(0.25, 0.75, 1, 0), queries: 2, keys: 2, firstQuery: 0 };
    const rows = new Rows({ causal: false });
    rows.add(map);
    assert.deepEqual([...(rows.get(0)?.weights ?? [])], [0.25, 0.75]);
    const shading = shadingOf(rows, { kind: 'linear', leaveFirstOut: false });
    const palette = paletteFor([255, 255, 255]);
    const pixels = rasterOf(rows, { queries: [0, 2], keys: [0, 2] }, shading, palette, 0);
    assert.deepEqual([...pixels], [...map.data].map((weight) => palette.pixels[levelOf('linear', weight, 1)]));
    assert.equal(shadingOf(rows, { kind: 'linear', leaveFirstOut: false, max: 0.5 }).max, 0.5, 'a given maximum');
    const svg = mapToSvg({ rows, tokens: ['a', 'b'], layer: 0, head: 0, title: 'all' }, shading, palette, 10);
    assert.doesNotMatch(svg, /url\(#masked\)/);
    assert.equal(svg.match(/M\d+ \d+h1v1h-1z/g)?.length, 4);
    const view = { width: 99, height: 99, left: 0, top: 0, cell: 10, scrollX: 0, scrollY: 0, count: 2, causal: false };
    assert.deepEqual(cellAfterKey(view, { query: 0, key: 0 }, 'End'), { query: 0, key: 1 });
  });

  test('missing() gives the missing range, and truncate() drops later rows', () => {
    const rows = rowsOf({ data: new Float32Array(12), queries: 3, keys: 4, firstQuery: 4 });
    assert.deepEqual(rows.missing(2, 9), [2, 9]);
    assert.deepEqual(rows.missing(4, 9), [7, 9]);
    assert.deepEqual(rows.missing(2, 6), [2, 4]);
    assert.equal(rows.missing(4, 7), null);
    rows.truncate(5);
    assert.deepEqual(rows.missing(4, 7), [5, 7]);
  });

  test('prune() keeps the visible rows and stays below the limit', () => {
    const keys = 1 << 16;
    const rows = new Rows();
    for (let query = keys; query < keys + 80; query++) {
      rows.add({ data: new Float32Array(keys), queries: 1, keys, firstQuery: query });
    }
    rows.prune(keys + 10, keys + 20);
    assert.equal(rows.size, ROW_NUMBERS_LIMIT / keys);
    assert.equal(rows.missing(keys + 10, keys + 20), null);
    assert.equal(rows.get(keys + 79), undefined);
  });

  test('meanOverHeads averages the first query of each head', () => {
    const data = Float32Array.of(1, 0, 9, 9, 0, 1, 9, 9);
    const mean = meanOverHeads({ data, layers: 1, heads: 2, queries: 2, keys: 2 });
    assert.deepEqual([...mean], [0.5, 0.5]);
  });
});

describe('raster', () => {
  const block = causalBlock(6, hash);
  const rows = rowsOf(block);
  const palette = paletteFor([255, 255, 255]);
  const range = /** @type {const} */ ({ queries: [2, 5], keys: [1, 6] });

  test('each weight has its color, masked cells are transparent, and missing rows have a separate color', () => {
    const shading = shadingOf(rows, { kind: 'linear', leaveFirstOut: false });
    const known = rowsOf({ ...block, queries: 4 });
    const pixels = rasterOf(known, { queries: [2, 5], keys: [1, 6] }, shading, palette, 0x12345678);
    assert.equal(pixels.length, 15);
    for (let query = range.queries[0]; query < range.queries[1]; query++) {
      for (let key = range.keys[0]; key < range.keys[1]; key++) {
        const pixel = pixels[(query - 2) * 5 + key - 1];
        if (key > query) assert.equal(pixel, 0);
        else if (query === 4) assert.equal(pixel, 0x12345678);
        else assert.equal(pixel, palette.pixels[levelOf('linear', block.data[query * 6 + key], shading.max)]);
      }
    }
  });

  test('leaveFirstOut empties the first column and fits the scale to the others', () => {
    const sink = rowsOf(causalBlock(6, (_, key) => (key === 0 ? 100 : 1)));
    const shading = shadingOf(sink, { kind: 'linear', leaveFirstOut: true });
    assert.equal(shading.max, 0.01);
    const row = sink.get(5);
    assert.ok(row);
    const levels = rowLevels(row, shading, 0, 6);
    assert.equal(levels[0], -1);
    assert.ok(levels[1] > 200);
  });

  test('row-max scales each row to its largest weight', () => {
    const shading = shadingOf(rows, { kind: 'row-max', leaveFirstOut: false });
    for (let query = 0; query < 6; query++) {
      const row = rows.get(query);
      assert.ok(row);
      assert.equal(Math.max(...rowLevels(row, shading, 0, 6)), LEVELS - 1);
    }
  });
});

describe('mean raster', () => {
  const palette = paletteFor([255, 255, 255]);
  const unknown = /** @type {const} */ ([10, 20, 30]);
  const bytesOf = (/** @type {Uint32Array} */ pixels) => Array.from(pixels, (_, at) =>
    [...new Uint8Array(pixels.buffer, 4 * at, 4)]);
  /** @param {Rows} rows @param {number} count @param {number} cell */
  const drawn = (rows, count, cell, options = {}) => {
    const shading = shadingOf(rows, { kind: 'linear', leaveFirstOut: false, ...options });
    const side = Math.ceil(count * cell);
    const view = { queries: count, keys: count, cell, width: side, height: side, scrollX: 0, scrollY: 0 };
    return { shading, side, pixels: meanRasterOf(rows, view, shading, palette, unknown) };
  };

  test('equals the raster if each cell is one pixel', () => {
    const rows = rowsOf(causalBlock(9, hash));
    const { shading, pixels } = drawn(rows, 9, 1);
    assert.deepEqual(pixels, rasterOf(rows, { queries: [0, 9], keys: [0, 9] }, shading, palette, 0));
  });

  test('a pixel is the mean of the weights under it, by area', () => {
    const count = 12;
    const block = causalBlock(count, hash);
    for (const cell of [0.5, 0.75, 1.25]) {
      const { shading, side, pixels } = drawn(rowsOf(block), count, cell);
      for (let y = 0; y < side; y++) {
        for (let x = 0; x < side; x++) {
          let sum = 0;
          let area = 0;
          for (let query = 0; query < count; query++) {
            for (let key = 0; key <= query; key++) {
              const overlap = Math.max(0, Math.min(y + 1, (query + 1) * cell) - Math.max(y, query * cell))
                * Math.max(0, Math.min(x + 1, (key + 1) * cell) - Math.max(x, key * cell));
              sum += overlap * block.data[query * count + key];
              area += overlap;
            }
          }
          const [r, g, b, opacity] = bytesOf(pixels)[y * side + x];
          assert.ok(Math.abs(opacity - 255 * area) <= 1, `opacity ${opacity} for ${area} of pixel ${y}, ${x}`);
          const wanted = palette.rgb[levelOf('linear', sum / area, shading.max)];
          if (area > 0.01) assert.deepEqual([r, g, b], wanted.map(Math.round), `pixel ${y}, ${x} of cells of ${cell}`);
        }
      }
    }
  });

  test('masked cells are transparent, missing rows have a color, and the first column can be left out', () => {
    const block = causalBlock(8, hash);
    const known = rowsOf({ ...block, queries: 4 });
    const { pixels, side } = drawn(known, 8, 0.5);
    const bytes = bytesOf(pixels);
    assert.equal(bytes[3][3], 0, 'above the diagonal');
    assert.deepEqual(bytes[3 * side], [...unknown, 255]);
    assert.equal(bytesOf(drawn(known, 8, 1, { leaveFirstOut: true }).pixels)[2 * 8][3], 0);
  });

  test('row-max scales each row before the average', () => {
    const rows = rowsOf(causalBlock(8, hash));
    const bytes = bytesOf(drawn(rows, 8, 1, { kind: 'row-max' }).pixels);
    for (let query = 0; query < 8; query++) {
      const row = rows.get(query)?.weights ?? new Float32Array(1);
      assert.deepEqual(bytes[query * 8 + row.indexOf(Math.max(...row))].slice(0, 3), palette.rgb[LEVELS - 1]);
    }
  });
});

describe('thumbnail', () => {
  /** @param {ReturnType<typeof causalBlock>} block @param {Thumbnail} [thumbnail] @param {number} [from] */
  function fed(block, thumbnail = new Thumbnail(), from = 0) {
    for (let query = from; query < block.queries; query++) {
      thumbnail.append(block.data.subarray(query * block.keys, (query + 1) * block.keys));
    }
    return thumbnail;
  }
  const palette = paletteFor([255, 255, 255]);

  test('equals the map while the text is short', () => {
    const block = causalBlock(9, hash);
    const pixels = fed(block).paint(palette, { leaveFirstOut: false });
    const max = Math.max(...block.data);
    for (let query = 0; query < 9; query++) {
      for (let key = 0; key < 9; key++) {
        const expected = key > query ? 0 : palette.pixels[levelOf('linear', block.data[query * 9 + key], max)];
        assert.equal(pixels[query * 9 + key], expected);
      }
    }
  });

  test('shows the largest weight under each pixel of a long text', () => {
    const count = 3 * SIDE + 5;
    const block = causalBlock(count, (query, key) => (key === query - 1 ? 50 : 1));
    const thumbnail = fed(block);
    assert.equal(thumbnail.stride, 4);
    assert.equal(thumbnail.side, Math.ceil(count / 4));
    const pixels = thumbnail.paint(palette, { leaveFirstOut: true });
    const max = Math.max(...block.data.filter((_, i) => i % count > 0));
    for (let y = 0; y < thumbnail.side; y++) {
      for (let x = 0; x <= y; x++) {
        let largest = 0;
        for (let query = 4 * y; query < Math.min(count, 4 * y + 4); query++) {
          for (let key = Math.max(1, 4 * x); key < Math.min(count, 4 * x + 4); key++) {
            largest = Math.max(largest, block.data[query * count + key]);
          }
        }
        const level = levelOf('linear', largest, max);
        assert.equal(pixels[y * thumbnail.side + x], palette.pixels[level], `pixel ${y}, ${x}`);
      }
    }
  });

  test('without a mask has every key, and halves the rows alone', () => {
    const queries = SIDE + 6;
    const keys = 3;
    const whole = new Thumbnail({ causal: false });
    const weight = (/** @type {number} */ query, /** @type {number} */ key) => (1 + hash(query, key)) / 2;
    const data = Float32Array.from({ length: queries * keys }, (_, i) => weight(Math.floor(i / keys), i % keys));
    for (let query = 0; query < queries; query++) whole.append(data.subarray(query * keys, (query + 1) * keys));
    assert.deepEqual([whole.stride, whole.side, whole.width], [2, (SIDE + 6) / 2, keys]);
    const max = Math.max(...data);
    whole.levels({ leaveFirstOut: false }).forEach((levels, y) => levels.forEach((level, x) => assert.equal(level,
      levelOf('linear', Math.max(data[2 * y * keys + x], data[(2 * y + 1) * keys + x]), max), `${y}, ${x}`)));
    const wide = new Thumbnail({ causal: false });
    wide.append(Float32Array.from({ length: 3 * SIDE }, (_, key) => Number(key === 3 * SIDE - 1)));
    assert.equal(wide.width, 3 * SIDE / 4);
    assert.equal(wide.levels({ leaveFirstOut: false })[0].at(-1), levelOf('linear', 1, 1), 'the last key has a pixel');
  });

  test('truncate() restores the resolution of a short text', () => {
    for (const kept of [131, 100, 64, 20, 0]) {
      const short = causalBlock(kept, hash);
      const cut = fed(causalBlock(200, hash));
      fed(short, cut, cut.truncate(kept));
      assert.equal(cut.stride, fed(short).stride);
    }
  });

  test('truncate() and other rows give the same raster as those rows alone', () => {
    for (const [length, kept] of [[10, 7], [150, 129], [200, 131], [200, 100], [200, 20]]) {
      const before = fed(causalBlock(length, hash));
      const block = causalBlock(length, (query, key) => (query < kept ? hash(query, key) : hash(key, query)));
      const from = before.truncate(kept);
      assert.ok(from <= kept);
      fed(block, before, from);
      const options = { leaveFirstOut: false };
      assert.deepEqual(before.paint(palette, options), fed(block).paint(palette, options));
    }
  });
});

describe('view', () => {
  const view = { width: 500, height: 400, left: 100, top: 80, cell: 8, scrollX: 20, scrollY: 40, count: 1000 };

  test('visible() gives the ranges in the window', () => {
    assert.deepEqual(visible(view), { queries: [5, 45], keys: [2, 53] });
    assert.deepEqual(visible({ ...view, count: 3 }), { queries: [3, 3], keys: [2, 3] });
  });

  test('cellAt() gives the cell under a point', () => {
    assert.deepEqual(cellAt(view, 100, 80), { query: 5, key: 2 });
    assert.deepEqual(cellAt(view, 104, 80), { query: 5, key: 3 });
    assert.equal(cellAt(view, 99, 200), null);
    assert.equal(cellAt({ ...view, count: 4 }, 200, 200), null);
    assert.equal(labelAt(view, 50, 88), 6);
    assert.equal(labelAt(view, 50, 50), null);
  });

  test('scrollToCell() moves only as far as needed', () => {
    assert.deepEqual(scrollToCell(view, { query: 10, key: 10 }), { x: 20, y: 40 });
    assert.deepEqual(scrollToCell(view, { query: 0, key: 999 }), { x: 7600, y: 0 });
    const shown = { ...view, scrollX: 7600, scrollY: 0 };
    assert.deepEqual(visible(shown).keys, [950, 1000]);
  });

  test('scrollToEnd() shows the last row, and never only masked cells of a causal map', () => {
    const at = { ...view, cell: 10, scrollX: 0, scrollY: 0, count: 100 };
    assert.deepEqual(scrollToEnd({ ...at, width: 600, height: 380 }), { x: 500, y: 700 }, 'wide: the last column too');
    const narrow = { ...at, width: 200, height: 880 };
    assert.deepEqual(scrollToEnd(narrow), { x: 200, y: 200 });
    const shown = visible({ ...narrow, scrollX: 200, scrollY: 200 });
    assert.ok(shown.keys[0] <= shown.queries[0], 'the first row shows its own token');
    assert.deepEqual(scrollToEnd({ ...narrow, causal: false }), { x: 900, y: 200 });
    assert.deepEqual(scrollToEnd({ ...narrow, height: 2000 }), { x: 0, y: 0 });
  });

  test('pointInElement and boxInWindow undo and apply a scale', () => {
    const size = { width: 400, height: 200 };
    const box = { x: 50, y: 30, width: 440, height: 100 };
    assert.deepEqual(pointInElement(box, size, { x: 160, y: 80 }), { x: 100, y: 100 });
    assert.deepEqual(boxInWindow(box, size, { x: 100, y: 100, width: 20, height: 20 }),
      { x: 160, y: 80, width: 22, height: 10 });
    assert.deepEqual(pointInElement({ ...box, width: 0 }, { width: 0, height: 0 }, { x: 60, y: 30 }), { x: 10, y: 0 });
  });

  test('keys move between cells and stop at the edges', () => {
    const walk = (/** @type {{ query: number, key: number } | null} */ from, /** @type {string[]} */ ...pressed) =>
      pressed.reduce((at, key) => cellAfterKey({ ...view, count: 50 }, at, key) ?? at, from);
    assert.deepEqual(walk(null, 'ArrowDown'), { query: 5, key: 2 }, 'into the window');
    assert.deepEqual(walk({ query: 5, key: 1 }, 'ArrowDown', 'ArrowLeft', 'ArrowLeft'), { query: 6, key: 0 });
    assert.deepEqual(walk({ query: 5, key: 2 }, 'ArrowUp', 'ArrowRight'), { query: 4, key: 3 });
    assert.deepEqual(walk({ query: 5, key: 9 }, 'End'), { query: 5, key: 5 });
    assert.deepEqual(walk({ query: 45, key: 9 }, 'PageDown', 'Home'), { query: 49, key: 0 });
    assert.deepEqual(walk({ query: 5, key: 9 }, 'PageUp'), { query: 0, key: 9 });
    assert.equal(cellAfterKey(view, { query: 5, key: 9 }, 'a'), undefined);
  });

  test('nextCellSize, fittingCellSize and exactCellSize give the zoom', () => {
    const square = (/** @type {number} */ tokens) => ({ width: 560, height: 560, keys: tokens, queries: tokens });
    assert.deepEqual([30, 38, 1000, 1, 0].map((tokens) => fittingCellSize(square(tokens))), [18, 14, 1, 60, 60]);
    assert.deepEqual([100, 1000, 1].map((tokens) => exactCellSize(square(tokens))), [5.6, 0.56, 60]);
    assert.equal(exactCellSize({ width: 600, height: 100, keys: 10, queries: 20 }), 5);
    assert.equal(nextCellSize(0.56, 1), 1);
    assert.equal(nextCellSize(0.56, -1), 0.56);
    assert.equal(nextCellSize(8, 1), 10);
    assert.equal(nextCellSize(13, 1), 14);
    assert.equal(nextCellSize(13, -1), 12);
    assert.equal(nextCellSize(CELL_SIZES[0], -1), CELL_SIZES[0]);
    assert.equal(nextCellSize(CELL_SIZES[CELL_SIZES.length - 1], 1), CELL_SIZES[CELL_SIZES.length - 1]);
  });

  test('labelStep keeps labels apart', () => {
    assert.deepEqual([32, 12, 11, 6, 2, 1].map((cell) => labelStep(cell, 12)), [1, 1, 2, 2, 10, 20]);
  });
});

describe('files', () => {
  const tokens = ['<s>',  '"a"&<b>', '\n', '\u0007', '\ud800'];
  const rows = rowsOf(causalBlock(5, hash));
  const figure = { rows, tokens, layer: 1, head: 2, title: 'layer 1, head 2 <script>' };
  const palette = paletteFor([255, 255, 255]);

  test('SVG escapes tokens, and draws every visible weight in the path of its color', () => {
    const shading = shadingOf(rows, { kind: 'linear', leaveFirstOut: false });
    const svg = mapToSvg(figure, shading, palette, 14);
    assert.ok(!svg.includes('<script') && !svg.includes('<b>') && !svg.includes('<s>'));
    assert.ok(svg.includes('&quot;a&quot;&amp;&lt;b&gt;'));
    assert.ok(!/[\u0000-\u0008\ud800]/.test(svg));
    /** @type {Map<string, string>} */
    const cells = new Map();
    for (const [, fill, path] of svg.matchAll(/<path fill="(rgb[^"]+)" d="([^"]+)"/g)) {
      for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
        for (let i = 0; i < Number(run); i++) cells.set(`${y},${Number(x) + i}`, fill);
      }
    }
    assert.equal(cells.size, 15);
    for (let query = 0; query < 5; query++) {
      rows.get(query)?.weights.forEach((weight, key) => {
        const [r, g, b] = palette.rgb[levelOf('linear', weight, shading.max)];
        assert.equal(cells.get(`${query},${key}`), `rgb(${r}, ${g}, ${b})`);
      });
    }
  });

  test('JSON has the same numbers and tokens', () => {
    const back = JSON.parse(mapToJson(figure));
    assert.deepEqual(back.tokens, tokens);
    assert.deepEqual([back.layer, back.head, back.queries, back.keys, back.firstQuery], [1, 2, 5, 5, 0]);
    for (let query = 0; query < 5; query++) {
      assert.deepEqual(Float32Array.from(back.data[query]), rows.get(query)?.weights);
    }
  });

  test('a map with a missing row is refused', () => {
    const part = rowsOf({ data: new Float32Array(4), queries: 2, keys: 2, firstQuery: 1 });
    assert.throws(() => mapToJson({ ...figure, rows: part }), /Row 0/);
  });

  test('a file is written row by row, and rows that change meanwhile do not matter', () => {
    const shading = shadingOf(rows, { kind: 'linear', leaveFirstOut: false });
    for (const [steps, text] of /** @type {[(figure: any) => Iterable<string>, string][]} */ ([
      [(one) => mapCsvSteps(one), mapToCsv(figure)],
      [(one) => mapJsonSteps(one, shading), mapToJson(figure, shading)],
      [(one) => mapSvgSteps(one, shading, palette, 14), mapToSvg(figure, shading, palette, 14)],
    ])) {
      const growing = rowsOf(causalBlock(5, hash));
      const written = steps({ ...figure, rows: growing })[Symbol.iterator]();
      const parts = [written.next().value];
      growing.add({ data: new Float32Array(6).fill(1 / 6), queries: 1, keys: 6, firstQuery: 5 });
      for (let next = written.next(); !next.done; next = written.next()) parts.push(next.value);
      assert.ok(parts.length > rows.size);
      assert.equal(parts.join(''), text);
    }
  });

  test('several maps are one JSON object', () => {
    const back = JSON.parse([...mapsJsonSteps({ title: 'two' }, [figure, { ...figure, head: 3 }])].join(''));
    assert.equal(back.title, 'two');
    assert.deepEqual(back.maps, [JSON.parse(mapToJson(figure)), { ...JSON.parse(mapToJson(figure)), head: 3 }]);
  });

  test('other tasks run while a long text is written', async () => {
    const step = 4; // milliseconds
    const steps = (function* () {
      for (let i = 0; i < 20; i++) {
        for (const end = performance.now() + step; performance.now() < end;);
        yield `${i} `;
      }
    })();
    let tasks = 0;
    let running = true;
    const count = () => running && setTimeout(() => (tasks++, count()));
    count();
    const blob = await textFile(steps, 'text/plain');
    running = false;
    assert.equal(await blob.text(), Array.from({ length: 20 }, (_, i) => `${i} `).join(''));
    assert.equal(blob.type, 'text/plain');
    assert.ok(tasks >= 3, `${tasks} tasks ran in 80 ms of work`);
  });

  test('the table has tokens and weights, and empty cells for masked keys', () => {
    const table = mapToTable(figure, { queries: [1, 3], keys: [0, 3] }, (weight) => weight.toFixed(2));
    assert.deepEqual(table[0], ['', '<s>', '"a"&<b>', '⏎']);
    assert.equal(table[1][0], '"a"&<b>');
    assert.equal(table[1][3], '');
    assert.equal(table[2][3], rows.get(2)?.weights[2].toFixed(2));
  });

  test('JSON names its values and the color scale', () => {
    const shading = shadingOf(rows, { kind: 'log', leaveFirstOut: true });
    const back = JSON.parse(mapToJson({ ...figure, provenance: { model: 'm', seed: 3 } }, shading));
    assert.match(back.values, /0 to 1/);
    assert.deepEqual(back.display, { scale: 'log', max: shading.max, firstTokenLeftOut: true });
    assert.deepEqual(back.provenance, { model: 'm', seed: 3 });
  });

  test('CSV has one line per visible weight, with quoted tokens', () => {
    const lines = mapToCsv(figure).split('\r\n');
    assert.equal(lines[0], 'layer,head,query,query_token,key,key_token,weight');
    assert.equal(lines.length, 1 + 15 + 1);
    const [weight] = rows.get(1)?.weights ?? [];
    assert.equal(lines[2], `1,2,1,"""a""&<b>",0,"<s>",${Number(weight.toPrecision(9))}`);
    assert.equal(Math.fround(Number(lines[2].split(',').at(-1))), weight);
  });

  test('SVG has whole labels, a color bar with numbers, and provenance', () => {
    const long = ['<|endoftext|>', 'incomprehensibilities', 'a', 'b', 'c'];
    const shading = shadingOf(rows, { kind: 'linear', leaveFirstOut: false });
    const given = checkProvenance({ model: 'stories', file: 'stories.gguf', prompt: 'Once <b>', seed: 7 });
    const provenance = provenanceData(given, new Date(Date.UTC(2026, 10, 22)));
    const whole = { ...figure, tokens: long, caption: provenanceLines(provenance), provenance };
    const svg = mapToSvg(whole, shading, palette, 16);
    for (const token of long) assert.equal(svg.split(`>${escapeXml(token)}<`).length, 3, token);
    for (const [text] of legendTicks('linear', shading.max)) assert.ok(svg.includes(`>${text}</text>`), text);
    assert.ok(svg.match(/<rect /g)?.length ?? 0 > 40);
    assert.match(svg, /Model stories \(file stories\.gguf\)/);
    assert.match(svg, /Prompt “Once &lt;b&gt;”, seed 7/);
    assert.ok(svg.includes(`2026-11-22, heed ${VERSION}`));
    const [, metadata] = /<metadata>(.*)<\/metadata>/.exec(svg) ?? [];
    assert.deepEqual(JSON.parse(metadata.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
      { ...given, date: '2026-11-22', heed: VERSION });
    const bare = mapToSvg(whole, shading, palette, 16,
      { ...DEFAULT_FIGURE_OPTIONS, hatch: false, transparent: true, caption: false, fontSize: 20 });
    assert.doesNotMatch(bare, /masked|width="100%"|Model stories/);
    assert.match(bare, /font-size="20"/);
  });

  test('escapeXml escapes markup and replaces invalid characters', () => {
    assert.equal(escapeXml('<a href="x">\'&\'</a>'), '&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;');
  });
});

describe('a figure', () => {
  test('has space for its longest labels, its color bar and its caption', () => {
    for (const fontSize of [6, 12, 32]) {
      const options = { ...DEFAULT_FIGURE_OPTIONS, fontSize };
      const caption = ['A title', 'word '.repeat(60).trim(), 'x'.repeat(300)];
      const tokens = ['<|endoftext|>', '日本語', 'a'];
      const { left, top, width, height, bar, ticks, lines, down, across } =
        layOutFigure({ queries: tokens, keys: tokens, cell: 20, options, caption });
      assert.deepEqual(down.map(({ text }) => text), fontSize > 20 ? ['0', '2'] : tokens);
      assert.deepEqual(across, down);
      for (const { text } of down) assert.ok(Math.min(left, top) > textWidth(text, fontSize));
      assert.ok(bar.y > top + 60 && bar.x + bar.width < width && ticks > bar.y + bar.height);
      assert.ok(lines.length > 3 && lines[0].y > ticks && height > lines[lines.length - 1].y);
      for (const { text } of lines) assert.ok(textWidth(text, fontSize) <= width - 8, text);
      assert.equal(lines.map(({ text }) => text).join('').replaceAll(' ', ''), caption.join('').replaceAll(' ', ''));
    }
    assert.equal(textWidth('日本', 10), textWidth('abcd', 10));
    assert.deepEqual(wrapped('one two three', 7), ['one two', 'three']);
  });

  test('has the known provenance, and refuses invalid provenance', () => {
    const now = new Date(Date.UTC(2026, 0, 2));
    assert.deepEqual(provenanceLines(provenanceData({}, now)), [`2026-01-02, heed ${VERSION}`]);
    assert.deepEqual(provenanceLines(provenanceData({ model: 'm', revision: 'abc', seed: 0, date: '2025-05-05' }, now)),
      ['Model m (revision abc)', 'seed 0', `2025-05-05, heed ${VERSION}`]);
    const [, line] = provenanceLines(provenanceData({ model: 'm', prompt: 'a\nb'.repeat(400), promptSource: 'a test' },
      now));
    assert.ok(line.startsWith('Prompt “a ba b') && line.endsWith('…” (a test)') && line.length < 330);
    assert.deepEqual(provenanceLines(provenanceData({ prompt: 'p', changes: 'Head 3.5 cut' }, now)).slice(0, 2),
      ['Prompt “p”', 'Changed run: Head 3.5 cut']);
    assert.equal(provenanceLines(provenanceData({ prompt: 'p', subtractedPrompt: 'q', seed: 1 }, now))[0],
      'Prompt “p” minus “q”, seed 1');
    assert.throws(() => checkProvenance(null), /provenance must be an object/);
    assert.throws(() => checkProvenance({ seed: 'one' }), /provenance\.seed must be a number/);
    assert.deepEqual(checkProvenance({ model: 'm', other: 7 }), { model: 'm' });
  });

  test('names the version of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    assert.equal(VERSION, version);
  });

  test('as PNG has its texts in valid chunks', () => {
    const chunk = (/** @type {string} */ type, /** @type {Uint8Array} */ data) => {
      const body = Buffer.concat([Buffer.from(type), data]);
      const length = Buffer.alloc(4);
      const crc = Buffer.alloc(4);
      length.writeUInt32BE(data.length);
      crc.writeUInt32BE(crc32(body));
      return Buffer.concat([length, body, crc]);
    };
    const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    const header = chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]));
    const rest = Buffer.concat([chunk('IDAT', deflateSync(Buffer.from([0, 255]))), chunk('IEND', Buffer.alloc(0))]);
    const png = pngWithText(Buffer.concat([signature, header, rest]), { Title: 'Köpfe', Software: 'heed' });
    const texts = ['Title\0\0\0\0\0Köpfe', 'Software\0\0\0\0\0heed'].map((text) => chunk('iTXt', Buffer.from(text)));
    assert.deepEqual(Buffer.from(png), Buffer.concat([signature, header, ...texts, rest]));
  });

  test('of all heads is an SVG of thumbnails, or a CSV of scores', () => {
    const block = causalBlock(6, hash);
    const thumbnail = new Thumbnail();
    for (let query = 0; query < 6; query++) thumbnail.append(block.data.subarray(query * 6, query * 6 + 6));
    const levels = thumbnail.levels({ leaveFirstOut: false });
    assert.deepEqual(levels.map((line) => line.length), [1, 2, 3, 4, 5, 6]);
    const palette = paletteFor([255, 255, 255]);
    const heads = ['Layer 0, head 0 <b>', 'Layer 0, head 1'].map((label) => ({ levels, label }));
    const grid = { layers: 1, heads: 2, thumbnails: heads, title: 'two heads', caption: ['here'], provenance: {} };
    const svg = gridToSvg(grid, palette, DEFAULT_FIGURE_OPTIONS);
    assert.equal(svg.match(/<title>/g)?.length, 3);
    assert.ok(svg.includes('head 0 &lt;b&gt;') && svg.includes('>here<'));
    for (const level of levels.flatMap((line) => [...line])) {
      assert.ok(svg.includes(`fill="rgb(${palette.rgb[level].join(', ')})"`), String(level));
    }
    const many = { ...grid, thumbnails: Array(2000).fill({ levels: Array(64).fill(new Int16Array(64)), label: '' }) };
    assert.throws(() => gridToSvg(many, palette, DEFAULT_FIGURE_OPTIONS), /too many for an SVG/);

    const stats = new HeadStats({ layers: 1, heads: 1 });
    assert.equal(headStatsToCsv(stats).split('\r\n')[1], '0,0,,,,,');
    const figure = { layers: 1, heads: 1, title: 'stories: “<b>”', provenance: { model: 'stories' } };
    const json = () => JSON.parse(headStatsToJson(stats, figure));
    assert.deepEqual(json().data, [{ layer: 0, head: 0, previous_token: null, first_token: null, same_position: null,
      duplicate_token: null, induction: null }]);
    stats.add(block);
    const [layer, head, previous, ...others] = headStatsToCsv(stats).split('\r\n')[1].split(',');
    assert.deepEqual([layer, head, others.length, others.slice(2)], ['0', '0', 4, ['', '']]);
    const mean = [2, 3, 4, 5].reduce((sum, query) => sum + block.data[query * 6 + query - 1] / 4, 0);
    assert.ok(Math.abs(Number(previous) - mean) < 1e-5);
    assert.deepEqual({ ...json(), data: json().data[0].previous_token }, { ...figure, data: Number(previous) });
  });
});

describe('a cross-attention map', () => {
  const tokens = ['4', ' ', 'j', 'u', 'n'];
  const queryTokens = ['0', '6'];
  const data = Float32Array.of(0.1, 0.1, 0.5, 0.2, 0.1, 0, 0, 0.2, 0.3, 0.5);
  const rows = new Rows({ causal: false });
  rows.add({ data, queries: 2, keys: 5, firstQuery: 0 });
  const palette = paletteFor([255, 255, 255]);
  const shading = shadingOf(rows, { kind: 'linear', leaveFirstOut: false });

  test('has no masked cell', () => {
    const pixels = rasterOf(rows, { queries: [0, 2], keys: [0, 5] }, shading, palette, 0);
    assert.deepEqual([...pixels], [...data].map((weight) => palette.pixels[levelOf('linear', weight, shading.max)]));
    const unknown = rasterOf(new Rows({ causal: false }), { queries: [0, 1], keys: [1, 5] }, shading, palette, 7);
    assert.deepEqual([...unknown], [7, 7, 7, 7]);
  });

  test('has the rows of one text and the columns of the other', () => {
    const view = { width: 500, height: 400, left: 100, top: 80, cell: 20, scrollX: 0, scrollY: 0, count: 5,
      queryCount: 2, causal: false };
    assert.deepEqual(visible(view), { queries: [0, 2], keys: [0, 5] });
    assert.deepEqual(cellAt(view, 190, 110), { query: 1, key: 4 });
    assert.equal(cellAt(view, 110, 130), null);
    assert.deepEqual([labelAt(view, 50, 110), labelAt(view, 50, 130), labelAt(view, 190, 50)], [1, null, 4]);
    assert.deepEqual(cellAfterKey(view, { query: 1, key: 1 }, 'ArrowDown'), { query: 1, key: 1 });
    assert.deepEqual(cellAfterKey(view, { query: 0, key: 1 }, 'End'), { query: 0, key: 4 });
  });

  test('is described without a layer if no layer is given', () => {
    assert.equal(attendsSentence({ query: { token: '6', at: 1 }, key: { token: 'n', at: 4 }, weight: 0.5 }),
      '‘6’ (1) gives 50\u00a0% of its attention to ‘n’ (4)');
  });

  test('is complete in files and tables', () => {
    const figure = { rows, tokens, queryTokens, title: 'dates' };
    const back = JSON.parse(mapToJson(figure));
    assert.deepEqual([back.queries, back.keys, back.tokens, back.queryTokens], [2, 5, tokens, queryTokens]);
    assert.deepEqual(back.data.map((/** @type {number[]} */ row) => row.length), [5, 5]);
    const svg = mapToSvg(figure, shading, palette, 14);
    assert.ok(!svg.includes('url(#masked)'));
    const columns = [...svg.matchAll(/rotate\(-90\)">([^<]*)</g)].map(([, label]) => label);
    assert.deepEqual(columns, ['4', '·', 'j', 'u', 'n']);
    const table = mapToTable(figure, { queries: [0, 2], keys: [3, 5] }, formatWeight);
    assert.deepEqual(table, [['', 'u', 'n'], ['0', '0.20', '0.10'], ['6', '0.30', '0.50']]);
  });
});

test('a head of a grid without a shape is refused with the remedy', () => {
  const at = { layer: 2, head: 2 };
  assert.throws(() => checkHead(at, 'selected', { layers: 0, heads: 0 }),
    /layer 2, head 2 does not exist\. Set shape first/);
  assert.throws(() => checkHead(at, 'selected', { layers: 2, heads: 2 }), /There are 2 layers of 2 heads/);
});
