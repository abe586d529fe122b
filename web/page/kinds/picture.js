/** Models of pictures on the page: a picture, its labels, and the maps between its patches. */
import { describe, draw, SIZE } from '../../../js/train/tasks/shapes.js';
import { pixelsOfPicture } from '../../draw/patches.js';
import { h } from '../../elements/dom.js';
import { headOf } from '../address.js';
import { MapController } from '../map-controller.js';
import { view } from '../view.js';
import { arrange } from './arrange.js';
import { Looking } from './looking.js';
import { PatchFigure } from './patch-figure.js';

/** @typedef {import('../../../js/train/tasks/shapes.js').Shape} Shape */

/** Pictures that the page draws, as in lesson 16. @type {Shape[][]} */
const DRAWN = [
  [{ color: 'red', shape: 'circle', x: 11, y: 9, size: 6 },
    { color: 'blue', shape: 'square', x: 21, y: 24, size: 3.6 }],
  [{ color: 'yellow', shape: 'triangle', x: 16, y: 16, size: 8 }],
  [{ color: 'green', shape: 'square', x: 9, y: 20, size: 6 },
    { color: 'red', shape: 'triangle', x: 25, y: 12, size: 4 }],
];
const EXAMPLES = new Map(DRAWN.map((shapes) => [describe(shapes), shapes]));
const [FIRST] = EXAMPLES.keys();

/** @type {import('../kinds.js').KindModule['openKind']} */
export async function openKind(app, model, events, address) {
  const format = /** @type {NonNullable<typeof model.info.picture>} */ (model.info.picture);
  /** Chosen pictures by name. @type {Map<string, File>} */
  const files = new Map();

  const figure = new PatchFigure(format, (token) => point(token ?? figure.pinned));
  const input = h('input', { type: 'file', id: 'picture', accept: 'image/*' });
  const choose = h('p', {}, h('label', { for: 'picture' }, 'Your picture'), ' ', input);
  const examples = h('div', { class: 'examples', role: 'group', 'aria-label': 'Drawn pictures' },
    ...[...EXAMPLES.keys()].map((name) => {
      const button = h('button', { type: 'button' }, name);
      button.addEventListener('click', () => open(name));
      return button;
    }));
  const block = h('div', { class: 'looking' }, figure.element, examples, choose);

  /** The next picture, which the page shows after its pass. @type {{ bitmap: ImageBitmap, name: string } | null} */
  let next = null;
  const looking = new Looking(model, { ...events,
    onCut: (kept) => {
      if (next) figure.show(next.bitmap, next.name);
      next?.bitmap.close();
      next = null;
      events.onCut(kept);
    },
    onRead: async () => {
      await events.onRead();
      point(figure.pinned);
    },
    onEdited: async () => {
      await events.onEdited();
      point(figure.pinned);
    } }, pictureOf);
  const maps = new MapController(model, view, headOf(address), () => looking.idle(), { kind: 'bidirectional',
    light: (query, weights, key) => figure.light(query, weights, key) });

  /** Shows the attention of a token. @param {number} token */
  function point(token) {
    maps.highlightToken(token).catch((error) => app.fail(error));
  }

  /** The picture of a name. @param {string} name */
  async function pictureOf(name) {
    const file = files.get(name);
    const shapes = EXAMPLES.get(name) ?? DRAWN[0];
    const pixels = file ? null : new ImageData(pixelsOfPicture(draw(shapes)), SIZE, SIZE);
    const bitmap = await createImageBitmap(file ?? /** @type {ImageData} */ (pixels)).catch(() => {
      throw new TypeError(`The browser cannot read ‘${name}’ as a picture. Choose a PNG, JPEG or WebP file.`);
    });
    next?.bitmap.close();
    next = { bitmap, name };
    return file ?? /** @type {ImageData} */ (pixels);
  }

  /** @param {string} name */
  function open(name) {
    view.prompt.value = name;
    figure.pinned = 0;
    void app.generate();
  }

  /** Opens chosen or dropped pictures: the first. @param {File[]} chosen @returns {boolean} false for other files */
  function takeFiles(chosen) {
    const [file] = chosen;
    if (!file || !chosen.every(({ type }) => type.startsWith('image/'))) return false;
    files.set(file.name, file);
    open(file.name);
    return true;
  }

  input.addEventListener('change', () => {
    takeFiles([...input.files ?? []]);
    input.value = '';
  });
  const listening = new AbortController();
  const again = () => point(figure.pinned);
  view.grid.addEventListener('heed-head', again, { signal: listening.signal });
  view.highlight.addEventListener('change', again, { signal: listening.signal });

  const takeBack = arrange({
    hide: [view.prompt, view.examples, view.generate, view.step, view.undo, view.redo, view.chat, view.learn,
      view.strip, 'label[for=prompt]', '.settings'],
    words: [
      ['#text-heading', 'Picture'],
      ['#text-heading + .note', `The model reads ${format.columns} × ${format.columns} patches at once. Choose a `
        + 'picture, drop one on the page, or take a drawn one.'],
      ['label[for=lit]', 'Point at a patch to see its attention in'],
      ['#next-heading', model.info.labels ? 'Labels' : 'Vector'],
      ['#map-panel > .note', `Rows and columns are the class token${format.leading > 1 ? ', the distillation token' : ''
      } and the patches, row by row. A stronger color means more attention.`],
    ],
    prompt: FIRST,
  });
  if (!EXAMPLES.has(view.prompt.value)) view.prompt.value = FIRST;
  view.examples.after(block);

  return {
    generation: looking, maps, views: ['map'], takeFiles,
    close() {
      listening.abort();
      if (EXAMPLES.has(view.prompt.value) || files.has(view.prompt.value)) view.prompt.value = FIRST;
      takeBack();
      block.remove();
    },
  };
}
