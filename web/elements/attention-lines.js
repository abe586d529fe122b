/** `<heed-attention-lines>`: lines between the words of a text, or of two texts, for one or several heads. */
import { checkCount, checkObject, InputError } from '../draw/check.js';
import { colorOf, COLORS } from '../draw/categorical.js';
import { paletteFor } from '../draw/color.js';
import { textWidth } from '../draw/figure-layout.js';
import { columnPlaces, labelsWidth, rowPlaces } from '../draw/line-places.js';
import { lineMarks, strongest } from '../draw/lines.js';
import { inkOf, mapCsvSteps, mapsJsonSteps } from '../draw/map-export.js';
import { moved, paintMarks } from '../draw/marks.js';
import { niceMax } from '../draw/scale.js';
import { formatWeight, linesSentence } from '../draw/sentence.js';
import { tokenLabel, tokenName } from '../draw/token.js';
import { STYLE } from './attention-map-style.js';
import { choiceAttribute, numberAttribute } from './attributes.js';
import { CanvasWindow, WINDOW_STYLE } from './canvas-window.js';
import { h } from './dom.js';
import { HeedFigure } from './figure.js';
import { MapContent } from './map-content.js';
import { markFile } from './mark-file.js';
import { textFile } from './text-file.js';

/** @typedef {import('./map-content.js').AttentionMapData} AttentionMapData */
/** @typedef {import('../draw/line-places.js').Focus} Focus */

const HINT = 'Point at a token, or use the arrow keys, to see its lines alone.';
const FONT_SIZE = 12;
/** Most characters of a label on the screen. Labels of a window narrower than NARROW have fewer. */
const LABEL = 16;
const SHORT_LABEL = 10;
const NARROW = 480;
/** Partners of a token in the sentence, and in the table. */
const SAID = 3;
const LISTED = 12;
/** Width of the lines in a saved figure. */
const FILE_LINES = 240;

const CSS = `${STYLE}${WINDOW_STYLE}
  .window { cursor: default; }
  .heads { display: flex; flex-wrap: wrap; gap: 4px 14px; margin: 0; padding: 0; list-style: none; }
  .heads { font-size: var(--small); color: var(--muted); }
  .heads li { display: inline-flex; gap: 6px; align-items: center; }
  .heads span { width: 16px; height: 4px; border-radius: 2px; forced-color-adjust: none; }
  .sides { display: flex; justify-content: space-between; font-size: var(--small); color: var(--muted); }
`;

/** How keys move within a side, in tokens. */
const JUMPS = { PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
/**
 * For each layout: how keys move within a side, the keys that lead to the other side, and the words above and below.
 * @type {Record<'columns' | 'rows', { strides: Record<string, number>, sides: Record<string, Focus['side']>,
 *   above: string[], below: string[], keys: string }>}
 */
const LAYOUTS = {
  columns: {
    strides: { ArrowUp: -1, ArrowDown: 1, ...JUMPS },
    sides: { ArrowLeft: 'query', ArrowRight: 'key' },
    above: ['attends from ↓', 'to ↓'],
    below: [],
    keys: 'Up and down move between tokens, left and right between the columns.',
  },
  rows: {
    strides: { ArrowLeft: -1, ArrowRight: 1, ...JUMPS },
    sides: { ArrowUp: 'key', ArrowDown: 'query' },
    above: ['to ↓'],
    below: ['attends from ↑'],
    keys: 'Left and right move between tokens, up and down between the rows.',
  },
};

/**
 * `<heed-attention-lines>`: lines between the words of a text. A line runs from a query on the left to a key on the
 * right; it is thicker and less transparent the larger the weight. Each head has a color. With `layout="rows"` the
 * queries are a row below the keys, which suits cross-attention.
 *
 *     lines.data = [await model.attention({ layer: 3, head: 2 }), await model.attention({ layer: 4, head: 4 })];
 *
 * Attributes: `layout`, `leave-first-out`, `max`, `name`. Invalid input never throws: the element shows a sentence and
 * fires `heed-error`.
 *
 * @fires heed-line-token `{ token: { side, at } | null }` a token was hovered, clicked or reached by key
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedAttentionLines extends HeedFigure {
  static attributeReaders = {
    layout: choiceAttribute('layout', 'layout', { columns: 'columns', rows: 'rows' }, 'columns'),
    'leave-first-out': choiceAttribute('leave-first-out', 'leaveFirstOut', { true: true, false: false }, false),
    max: numberAttribute('max', null),
  };

  /** One content for each head; all have the same tokens. @type {MapContent[]} */
  #maps = [];
  /** @type {keyof typeof LAYOUTS} */
  #layout = 'columns';
  #leaveFirstOut = false;
  /** @type {number | null} */
  #max = null;
  /** @type {Focus | null} */
  #hovered = null;
  /** @type {Focus | null} */
  #selected = null;
  /** First query with lines, until the window has shown the data. @type {number | null} */
  #firstQuery = null;
  #palette = paletteFor([255, 255, 255]);
  #colors = { text: '', muted: '', face: '', mono: '' };
  /** Widths of the label columns by the limit of characters. @type {Map<number, number>} */
  #labelWidths = new Map();

  #output = h('output', { 'aria-live': 'polite', class: 'hint' });
  #heads = h('ul', { class: 'heads', 'aria-label': 'Heads' });
  #above = h('div', { class: 'sides', 'aria-hidden': 'true' });
  #below = h('div', { class: 'sides', 'aria-hidden': 'true' });
  #window = new CanvasWindow('lines of attention', () => this.invalidate());
  #firstOutBox = h('input', { type: 'checkbox' });
  #firstOut = h('div', { class: 'bar' }, h('label', {}, this.#firstOutBox, 'Leave out the first token'));
  #table = h('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Lines as a table' });
  #details = h('details', {}, h('summary', {}, 'Lines as a table'), this.#table);

  constructor() {
    super(CSS);
    this.#firstOut.title = 'Hides the lines to the first token. Weights are not renormalized.';
    this.root.append(h('figure', {},
      this.#heads,
      h('div', {}, this.#above, this.#window.element, this.#below),
      this.#output, // below the lines, because a longer sentence must not move them
      this.#firstOut,
      h('div', { class: 'more' }, this.#details, this.menu({ subject: 'lines', fileName: () => 'attention-lines' }))));
    this.#firstOutBox.addEventListener('change', () => { this.leaveFirstOut = this.#firstOutBox.checked; });
    const { element } = this.#window;
    element.addEventListener('pointermove', (event) => this.#hover(this.#tokenAt(event)));
    element.addEventListener('pointerleave', () => this.#hover(null));
    element.addEventListener('click', (event) => this.#select(this.#tokenAt(event)));
    element.addEventListener('keydown', (event) => this.#pressKey(event));
    this.#details.addEventListener('toggle', () => this.invalidate());
  }

  connectedCallback() {
    super.connectedCallback();
    this.#window.connect();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#window.disconnect();
  }

  /**
   * Replaces the maps whose lines are shown: the map of one head, or an Array of maps of one text. The element copies
   * them.
   * @param {AttentionMapData | AttentionMapData[]} maps
   */
  set data(maps) {
    this.accept('data', () => {
      const list = Array.isArray(maps) ? maps : [maps];
      if (list.length > COLORS) throw new InputError(`data has ${list.length} maps; at most ${COLORS} have a color.`);
      const contents = list.map((map) => new MapContent(map));
      for (const { tokens, rowTokens } of contents) {
        if (tokens.length !== contents[0].tokens.length || rowTokens.length !== contents[0].rowTokens.length) {
          throw new InputError('data must have maps of one text; their numbers of tokens differ.');
        }
      }
      this.#maps = contents;
      this.#firstQuery = Math.min(...list.map(({ firstQuery }) => firstQuery));
      this.#firstOut.hidden = Boolean(contents[0]?.queryTokens);
      this.#labelWidths.clear();
      this.#hovered = null;
      if (this.#selected && !this.#has(this.#selected)) this.#selected = null;
      this.#changed();
    });
  }

  /** ‘columns’: queries on the left, keys on the right. ‘rows’: keys above, queries below. */
  get layout() {
    return this.#layout;
  }

  set layout(given) {
    this.accept('layout', () => {
      const layout = this.orDefault('layout', given);
      if (!Object.hasOwn(LAYOUTS, layout)) {
        throw new InputError(`layout must be 'columns' or 'rows', got ${String(layout)}.`);
      }
      this.#layout = layout;
      this.#changed();
    });
  }

  /** Whether lines to the first token are left out. */
  get leaveFirstOut() {
    return this.#leaveFirstOut;
  }

  set leaveFirstOut(leave) {
    this.accept('leaveFirstOut', () => {
      this.#leaveFirstOut = Boolean(leave);
      this.#firstOutBox.checked = this.#leaveFirstOut;
      this.#changed();
    });
  }

  /** The weight of the thickest line, to compare pictures. Null, the default, takes the largest weight. */
  get max() {
    return this.#max;
  }

  set max(given) {
    this.accept('max', () => {
      const max = this.orDefault('max', given);
      if (max !== null && !(max > 0 && max < Infinity)) {
        throw new InputError(`max must be null or a number above 0, got ${String(max)}.`);
      }
      this.#max = max;
      this.#changed();
    });
  }

  /** The token whose lines are shown alone, or null. */
  get selected() {
    return this.#selected && { ...this.#selected };
  }

  /**
   * Shows the lines of one token alone, and scrolls to it. Fires no event.
   * @param {Focus | null} token `{ side: 'query' | 'key', at }`; null shows all lines
   * @throws {never} invalid input fires `heed-error`
   */
  select(token) {
    this.accept('token', () => {
      if (token !== null) {
        const { side, at } = checkObject(token, 'token', "{ side: 'query', at: 3 }");
        if (side !== 'query' && side !== 'key') throw new InputError("token.side must be 'query' or 'key'.");
        checkCount(at, 'token.at', 0, this.#tokensOf(side).length - 1);
        this.#selected = { side, at };
        this.#reveal(token);
      } else {
        this.#selected = null;
      }
      this.#changed();
    });
  }

  /** Scrolls to a token. @param {Focus} token */
  #reveal(token) {
    const [x, y, width, height] = this.#places.of(token).box;
    this.#window.reveal({ x, y, width, height });
  }

  themeChanged() {
    const { paper, text, muted, face, mono } = this.colors();
    this.#palette = paletteFor(paper);
    this.#colors = { text, muted, face, mono };
    this.#nameHeads();
  }

  redraw() {
    const [map] = this.#maps;
    const places = this.#places;
    this.#window.resize(places);
    const { view } = this.#window;
    if (!map || view.width === 0 || view.height === 0) return;
    const context = this.#window.clear();
    const range = places.within(view);
    // Of a long text, only the last queries may have lines.
    if (this.#firstQuery !== null && range[1] <= this.#firstQuery) {
      this.#reveal({ side: 'query', at: map.rowTokens.length - 1 });
    }
    this.#firstQuery = null;
    const { text, muted, face, mono } = this.#colors;
    const marks = lineMarks(this.#scene(this.#focus), { places, range, limit: this.#limit, ink: { text, muted },
      dark: this.#palette.dark });
    context.translate(-view.scrollX, -view.scrollY);
    paintMarks(context, marks, { fontSize: FONT_SIZE, face, mono });
    context.translate(view.scrollX, view.scrollY);
    if (this.#details.open) this.#fillTable(this.#focus ?? { side: 'query', at: range[0] });
  }

  get #focus() {
    return this.#hovered ?? this.#selected;
  }

  /** Most characters of a label. */
  get #limit() {
    return this.#window.view.width < NARROW ? SHORT_LABEL : LABEL;
  }

  /** Where the tokens are. */
  get #places() {
    const limit = this.#limit;
    const { width } = this.#window.view;
    const queries = this.#tokensOf('query');
    const keys = this.#tokensOf('key');
    if (this.#layout === 'rows') return rowPlaces({ queries, keys, width, fontSize: FONT_SIZE, limit });
    let labels = this.#labelWidths.get(limit);
    if (labels === undefined) {
      labels = 6 + labelsWidth([...keys, ...queries], FONT_SIZE, limit);
      this.#labelWidths.set(limit, labels);
    }
    return columnPlaces({ queries, keys, width, labels });
  }

  /** @param {Focus | null} focus @returns {import('../draw/lines.js').LinesScene} */
  #scene(focus) {
    const [{ tokens, queryTokens }] = this.#maps;
    const heads = this.#maps.map(({ rows }) => rows);
    const largest = Math.max(...heads.map((rows) => rows.max(this.#leaveFirstOut)));
    return { heads, tokens, queryTokens, focus, leaveFirstOut: this.#leaveFirstOut,
      max: this.#max ?? niceMax(largest) };
  }

  /** @param {'query' | 'key'} side */
  #tokensOf(side) {
    const [map] = this.#maps;
    return map ? (side === 'query' ? map.rowTokens : map.tokens) : [];
  }

  /** @param {Focus} token */
  #has = ({ side, at }) => at < this.#tokensOf(side).length;

  #changed() {
    const [map] = this.#maps;
    const count = map?.tokens.length ?? 0;
    const { above, below, keys } = LAYOUTS[this.#layout];
    const queries = map && map.rowTokens.length !== count ? `${map.rowTokens.length} by ` : '';
    this.#window.element.setAttribute('aria-label', `Lines of attention of ${
      this.#maps.map(nameOf).join(' and ') || 'no head'}, ${queries}${count} tokens. ${keys}`);
    for (const [side, words] of /** @type {const} */ ([[this.#above, above], [this.#below, below]])) {
      side.replaceChildren(...words.map((text) => h('span', {}, text)));
    }
    this.#nameHeads();
    this.#speak();
    this.invalidate();
  }

  #nameHeads() {
    this.#heads.replaceChildren(...this.#maps.map((map, head) => {
      const swatch = h('span');
      swatch.style.background = colorOf(this.#palette.dark, head);
      return h('li', {}, swatch, nameOf(map));
    }));
  }

  /** Describes the token in focus. */
  #speak() {
    const focus = this.#focus;
    const said = focus ? this.#sentence(focus) : this.#maps.length ? HINT : '';
    if (this.#output.textContent !== said) this.#output.textContent = said;
    this.#output.classList.toggle('hint', !focus);
  }

  /** @param {Focus} focus */
  #sentence({ side, at }) {
    const place = (/** @type {'query' | 'key'} */ of, /** @type {number} */ i) =>
      ({ token: this.#tokensOf(of)[i], at: i });
    const other = side === 'query' ? 'key' : 'query';
    const partners = strongest(this.#scene(null), { side, at }, SAID).filter(({ weight }) => weight > 0)
      .map(({ head, at: i, weight }) => ({ place: place(other, i), weight,
        name: this.#maps.length > 1 ? shortName(this.#maps[head]) : undefined }));
    return linesSentence({ side, place: place(side, at), partners });
  }

  /** @param {Focus} focus */
  #fillTable(focus) {
    const { side, at } = focus;
    const other = side === 'query' ? 'key' : 'query';
    const rows = strongest(this.#scene(null), focus, LISTED).map(({ head, at: i, weight }) =>
      h('tr', {}, h('th', { scope: 'row' }, tokenLabel(this.#tokensOf(other)[i], 40)),
        ...[String(i), nameOf(this.#maps[head]), formatWeight(weight)].map((text) => h('td', {}, text))));
    const caption = `${LISTED} strongest lines ${side === 'query' ? 'from' : 'to'} ${
      tokenName(this.#tokensOf(side)[at])} (${at}). The JSON file has all weights.`;
    this.#table.replaceChildren(h('table', {}, h('caption', {}, caption),
      h('thead', {}, h('tr', {}, ...[side === 'query' ? 'to' : 'from', 'position', 'head', 'weight']
        .map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, ...rows)));
  }

  /** The token under the pointer; null between the sides. @param {MouseEvent} event @returns {Focus | null} */
  #tokenAt(event) {
    const { x, y } = this.#window.pointOf(event);
    const token = this.#places.at(x, y);
    const text = token ? this.#tokensOf(token.side)[token.at] : undefined;
    this.#window.element.title = token && text !== undefined ? `${token.at}: ${tokenName(text)}` : '';
    return text === undefined ? null : token;
  }

  /** @param {Focus | null} token */
  #hover(token) {
    if (token?.side === this.#hovered?.side && token?.at === this.#hovered?.at) return;
    this.#hovered = token;
    this.#emitToken();
  }

  /** @param {Focus | null} token */
  #select(token) {
    this.#selected = token;
    this.#emitToken();
  }

  #emitToken() {
    const token = this.#focus;
    this.#speak();
    this.emit('heed-line-token', { token: token && { ...token } });
    this.invalidate();
  }

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#maps.length === 0) return;
    const { key } = event;
    const { strides, sides } = LAYOUTS[this.#layout];
    const stride = strides[key];
    const across = sides[key];
    if (stride === undefined && across === undefined && !(key === 'Escape' && this.#selected)) return;
    event.preventDefault();
    this.#hovered = null;
    if (key === 'Escape') {
      this.#select(null);
      return;
    }
    const [first] = this.#places.within(this.#window.view);
    const { side, at } = this.#selected ?? { side: 'query', at: first - (stride ? Math.sign(stride) : 0) };
    const to = across ?? side;
    this.select({ side: to, at: Math.max(0, Math.min(this.#tokensOf(to).length - 1, at + (stride ?? 0))) });
    this.#emitToken();
  }

  /**
   * The lines of the whole text, or of the selected token if there is one. JSON and CSV have all weights.
   * @protected
   * @param {import('./figure.js').FileFormat} format
   * @param {import('./figure.js').FileStyle} style
   */
  async file(format, style) {
    const [map] = this.#maps;
    if (!map) throw new InputError('there is no data to save.');
    const { provenance, caption } = this.origin();
    const title = `${this.getAttribute('name') ?? 'attention'}, ${this.#maps.map(nameOf).join(' and ')}`;
    const maps = this.#maps.map((each) => ({ ...each, title: nameOf(each), firstQuery: firstOf(each.rows) }));
    if (format === 'csv') return textFile(mapCsvSteps(...maps), 'text/csv');
    if (format === 'json') return textFile(mapsJsonSteps({ title, provenance }, maps), 'application/json');
    const { options: { fontSize }, palette } = style;
    const { tokens: keys, rowTokens: queries } = map;
    const row = Math.ceil(1.6 * fontSize);
    const limit = Infinity;
    const { above, below } = LAYOUTS[this.#layout];
    const labels = Math.max(labelsWidth([...keys, ...queries], fontSize, limit),
      ...above.map((words) => Math.ceil(textWidth(words, fontSize)))) + 6;
    const places = this.#layout === 'rows' ? rowPlaces({ queries, keys, width: FILE_LINES, fontSize, limit, row })
      : columnPlaces({ queries, keys, width: 2 * labels + FILE_LINES, labels, row });
    const ink = { text: inkOf(palette), muted: inkOf(palette) };
    const side = (/** @type {string} */ text, /** @type {number} */ y, /** @type {'start' | 'end'} */ anchor, x = 0) =>
      ({ text, x, y, anchor, fill: ink.muted });
    const bottom = row + places.height + below.length * row;
    const marks = [
      ...moved(lineMarks(this.#scene(this.#selected), { places, ink, dark: palette.dark, limit,
        range: [0, Math.max(queries.length, keys.length)] }), 0, row),
      ...(this.#layout === 'rows' ? [side(above[0], row / 2, 'start'), side(below[0], bottom - row / 2, 'start')]
        : [side(above[0], row / 2, 'end', labels), side(above[1], row / 2, 'start', places.width - labels)]),
    ];
    maps.forEach((each, head) => {
      const y = bottom + (1 + head) * row;
      marks.push({ rect: [0, y - 2, 16, 4], fill: colorOf(palette.dark, head) },
        { text: nameOf(each), x: 22, y, fill: ink.text });
    });
    const alone = this.#selected ? `: ${this.#sentence(this.#selected)}` : '';
    return markFile(format, { width: places.width, height: bottom + (1 + maps.length) * row, marks,
      title: title + alone, caption, provenance }, style);
  }
}

/** @param {MapContent | { layer?: number, head?: number }} map */
const nameOf = ({ layer, head }) => (layer === undefined ? 'attention' : `layer ${layer}, head ${head}`);
/** @param {MapContent} map */
const shortName = ({ layer, head }) => `${layer}.${head}`;
/** The position of the first row. @param {import('../draw/rows.js').Rows} rows */
const firstOf = (rows) => [...rows.entries()].reduce((first, [query]) => Math.min(first, query), Infinity);
