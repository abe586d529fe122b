/** The page: connects its controls and elements to the app. The model computes in a worker. */
import './first-model.js'; // first: the model loads while the other modules run
import { HeedAttentionMap } from '../elements/attention-map.js';
import { register } from '../elements/define/register.js';
import { HeedHeadGrid } from '../elements/head-grid.js';
import { HeedNextToken } from '../elements/next-token.js';
import { HeedTokenStrip } from '../elements/token-strip.js';
import { App } from './app.js';
import { EXAMPLES } from './examples.js';
import { formatBytes } from './format.js';
import { chooseToKeep, keepsModels } from './keep-choice.js';
import { refuseAddress, sourceFromAddress } from './model-source.js';
import { isShipped, OFFERS } from './models.js';
import { attachTooltip } from '../term-tooltip.js';
import { closePanel, fieldOf, SETTINGS, showNotice, view } from './view.js';

// One element in a task, because the worker of the model starts meanwhile, and needs this thread.
for (const [tag, element] of /** @type {const} */ ([
  ['heed-attention-map', HeedAttentionMap],
  ['heed-head-grid', HeedHeadGrid],
  ['heed-next-token', HeedNextToken],
  ['heed-token-strip', HeedTokenStrip],
])) {
  await new Promise((resolve) => setTimeout(resolve));
  register(tag, element);
}

const app = new App();

// Prompt and buttons

view.form.addEventListener('submit', (event) => {
  event.preventDefault();
  void app.generate();
});
view.prompt.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void app.generate();
  }
});
view.step.addEventListener('click', () => void app.step());
view.stop.addEventListener('click', () => app.stop());
view.undo.addEventListener('click', () => void app.stepHistory(-1));
view.redo.addEventListener('click', () => void app.stepHistory(1));
addEventListener('keydown', (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return;
  // Fields have their own undo.
  const fields = 'input:not([type=checkbox], [type=range]), textarea, select';
  if (/** @type {Element} */ (event.composedPath()[0]).matches?.(fields)) return;
  event.preventDefault();
  const direction = key === 'y' || event.shiftKey ? 1 : -1;
  if (app.edits.takesUndo(event)) app.edits.editor?.stepHistory(direction);
  else void app.stepHistory(direction);
});
for (const name of SETTINGS) {
  fieldOf(name).addEventListener('input', () => app.refreshCandidates());
  fieldOf(name).addEventListener('change', () => app.saveAddress());
}
view.examples.append(...EXAMPLES.map(({ name, prompt, hint }) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = name;
  button.title = hint;
  button.addEventListener('click', () => {
    view.prompt.value = prompt;
    void app.generate();
  });
  return button;
}));

// Elements

view.next.addEventListener('heed-candidate', ({ detail: { id } }) => app.continueWith(id));
view.grid.addEventListener('heed-head', ({ detail }) => app.chooseHead(detail));
view.map.addEventListener('heed-map-cell', ({ detail: { cell } }) => app.maps?.highlightCell(cell));
view.map.addEventListener('heed-map-options', ({ detail: { leaveFirstOut } }) => {
  view.grid.leaveFirstOut = leaveFirstOut || 'auto';
  app.saveAddress();
});
view.strip.addEventListener('heed-token-hover', ({ detail: { position } }) => {
  app.maps?.highlightToken(position).catch((error) => app.fail(error));
});
view.strip.addEventListener('heed-token-select', ({ detail: { position } }) => app.selectToken(position));
view.highlight.addEventListener('change', () => {
  if (app.maps) app.maps.highlight = view.highlight.value === 'mean' ? 'mean' : 'head';
});

// Changes of the run

view.grid.addEventListener('heed-head-cut', ({ detail: { layer, head } }) =>
  void app.edits.use((editor) => (head === null ? editor.cutHeads(layer) : editor.cutHead({ layer, head }))));
view.grid.addEventListener('heed-head-menu', (event) => {
  event.preventDefault();
  void app.edits.use((editor) => editor.openMenu(event.detail));
});
view.map.addEventListener('heed-map-cut', ({ detail }) => void app.edits.use((editor) => editor.cutCells(detail)));
view.cutHead.addEventListener('click', () => void app.edits.use((editor) => editor.cutHead(view.grid.selected)));
view.cutMore.addEventListener('click', () => {
  const { left: x, bottom: y } = view.cutMore.getBoundingClientRect();
  void app.edits.use((editor) => editor.openMenu({ ...view.grid.selected, x, y }));
});
view.cutCells.addEventListener('click', () => void app.edits.use((editor) => editor.cutCells(view.map.selection)));
view.tryEdit.addEventListener('click', () => void app.edits.use((editor) => editor.runExample()));

view.chat.addEventListener('toggle', () => {
  if (view.chat.open) void app.chats.open();
});
view.learn.addEventListener('toggle', () => {
  if (view.learn.open) void app.learn.open();
});

// Models

view.offers.append(...OFFERS.map((offer) => {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = offer.name;
  const shipped = isShipped(offer);
  button.addEventListener('click', () => {
    app.openModel(shipped ? new URL(offer.source, document.baseURI) : offer.source, offer.name);
    closePanel();
  });
  const size = shipped ? `${formatBytes(offer.bytes)}, beside this page`
    : `about ${formatBytes(offer.bytes)} to download and as much memory, from huggingface.co`;
  item.append(button, ` ${offer.about} · ${size}`);
  return item;
}));

/** The list of kept models, which the first opening of the panel loads.
 *  @type {Promise<import('./kept.js').KeptModels> | undefined} */
let keptModels;
view.keep.addEventListener('change', () => chooseToKeep(view.keep.checked));
view.panel.addEventListener('toggle', async () => {
  if (!view.panel.open) return;
  view.keep.checked = keepsModels(); // only now, because the first use of the storage blocks this thread
  keptModels ??= import('./kept.js').then(({ KeptModels }) => new KeptModels(view, (name) => {
    app.openModel(name, name, { keep: true });
    closePanel();
  }));
  keptModels.catch(() => { keptModels = undefined; }); // the next opening tries again
  try {
    await (await keptModels).refresh();
  } catch (error) {
    app.fail(error);
  }
});

view.panel.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closePanel();
});
view.cancel.addEventListener('click', () => app.cancelLoading());
view.file.addEventListener('change', () => {
  app.openFiles([...view.file.files ?? []]);
  view.file.value = '';
  closePanel();
});
view.folder.addEventListener('change', () => {
  const files = [...view.folder.files ?? []];
  // A browser without folders, such as on some phones, lets the user pick files.
  if (files[0]?.webkitRelativePath) void app.openFolder(files);
  else app.openFiles(files);
  view.folder.value = '';
  closePanel();
});
view.addressForm.addEventListener('submit', (event) => {
  event.preventDefault();
  const source = sourceFromAddress(view.url.value);
  showNotice(source ? '' : refuseAddress(view.url.value));
  if (source) app.openModel(source, view.url.value);
  closePanel();
});
const dragsFiles = (/** @type {DragEvent} */ { dataTransfer }) => dataTransfer?.types.includes('Files') ?? false;
/** True for a text over a field, which takes it. @param {DragEvent} event */
const dragsText = (event) => !dragsFiles(event)
  && Boolean(/** @type {Element} */ (event.composedPath()[0]).matches?.('input, textarea'));
addEventListener('dragover', (event) => {
  if (dragsText(event)) return;
  event.preventDefault(); // a browser would leave the page for a dropped link
  document.body.classList.toggle('dropping', dragsFiles(event));
});
addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) document.body.classList.remove('dropping');
});
addEventListener('drop', (event) => {
  if (dragsText(event)) return;
  event.preventDefault();
  document.body.classList.remove('dropping');
  const entries = [...event.dataTransfer?.items ?? []].map((item) => item.webkitGetAsEntry());
  const folder = /** @type {FileSystemDirectoryEntry | undefined} */ (entries.find((entry) => entry?.isDirectory));
  if (!folder) app.openFiles([...event.dataTransfer?.files ?? []]);
  else if (entries.length === 1) void app.openFolder(folder);
  else app.fail(new RangeError(`Drop the folder ‘${folder.name}’ alone, or drop files.`));
});

// The page

addEventListener('hashchange', () => {
  // Links within the page, such as the skip link, change only the fragment.
  if (location.hash === '' || location.hash.includes('=')) void app.openAddress(location.hash);
});
addEventListener('pagehide', () => app.stop());
attachTooltip(document.body);
void app.openAddress(location.hash, history.state?.fields);
