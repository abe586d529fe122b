/** The page: joins the engine, which computes in its worker, and the elements, which draw. */
import '../elements/index.js';
import { tokenName } from '../draw/token.js';
import { readAddress, writeAddress } from './address.js';
import { sourceFromFiles } from './files.js';
import { Loading } from './loading.js';
import { Looking } from './looking.js';
import { counted, countInWords, endInWords, errorInWords, isAbort } from './words.js';
import { Writing } from './writing.js';

/** @typedef {import('../../js/index.js').Model} Model */

const DEFAULT_MODEL = 'stories.gguf';

/** @param {string} id @returns {any} the element, of the type that index.html gives it */
const byId = (id) => document.getElementById(id);
/** @param {string} id @returns {HTMLInputElement} */
const inputById = (id) => byId(id);

/** @type {HTMLTextAreaElement} */
const prompt = byId('prompt');
/** @type {HTMLFormElement} */
const form = byId('write');
/** @type {import('../elements/index.js').HeedTokenStrip} */
const strip = byId('strip');
/** @type {import('../elements/index.js').HeedNextToken} */
const next = byId('next');
/** @type {import('../elements/index.js').HeedAttentionMap} */
const map = byId('map');
/** @type {import('../elements/index.js').HeedHeadGrid} */
const grid = byId('grid');
const [generate, step, stop] = ['generate', 'step', 'stop'].map((id) => byId(id));
const [status, count, error] = ['status', 'count', 'error'].map((id) => byId(id));
const [look, nextWords] = ['look', 'next-words'].map((id) => byId(id));

const address = readAddress(location.hash);
if (address.prompt !== undefined) prompt.value = address.prompt;
if (address.seed !== undefined) inputById('seed').value = String(address.seed);

/** What there is once a model is loaded. @type {{ model: Model, writing: Writing, looking: Looking } | null} */
let open = null;

const loading = new Loading(
  { loading: byId('loading'), progress: byId('progress'), words: byId('loading-words'), error }, use);

/**
 * A new model takes the place of the one before, and writes.
 * @param {Model} model
 */
async function use(model) {
  const before = open;
  open = null;
  await before?.writing.settle();
  before?.looking.close();
  before?.model.dispose();
  const { layer, head } = address;
  const wished = !before && layer !== undefined && head !== undefined ? { layer, head } : null;
  strip.tokens = [];
  map.truncate(0);
  const looking = new Looking(model, { grid, map, strip, look }, wished);
  const writing = new Writing(model, { onCut, onTokens, onRead: () => looking.follow(), onRunning: showRunning });
  open = { model, looking, writing };
  showModel(model.info);
  byId('open').open = false;
  void begin();
}

/** @param {Model['info']} info */
function showModel({ name, parameters, layers, heads, contextLength, engine }) {
  const line = byId('model');
  const title = document.createElement('strong');
  title.textContent = name;
  line.replaceChildren(title, ` · ${countInWords(parameters)} parameters · ${counted(layers, 'layer')} × `
    + `${counted(heads, 'head')} · context ${contextLength.toLocaleString('en')} · runs on ${engine.binary}, `
    + counted(engine.threads, 'thread'));
  line.title = engine.why;
  showRunning(false);
}

/** @param {boolean} running */
function showRunning(running) {
  generate.setAttribute('aria-disabled', String(!open));
  step.setAttribute('aria-disabled', String(!open));
  stop.setAttribute('aria-disabled', String(!running));
  count.hidden = !running;
  count.textContent = 'Reading the prompt';
  if (running) status.textContent = '';
}

/**
 * @param {Writing} writing
 * @param {number} kept
 */
function onCut(writing, kept) {
  strip.promptLength = writing.promptLength;
  strip.tokens = writing.tokens;
  strip.selected = null;
  open?.looking.cut(writing.tokens, kept);
  showCandidates(writing, null);
}

/**
 * @param {Writing} writing
 * @param {number} from the first token that is new
 * @param {import('./looking.js').Rows[]} rows
 */
function onTokens(writing, from, rows) {
  strip.extend(writing.tokens.slice(from));
  count.textContent = counted(writing.tokens.length - writing.promptLength, 'token');
  showCandidates(writing, writing.ids.length - 1);
  open?.looking.follow(rows).catch(fail);
}

/** The token whose candidates are shown. @type {number | null} */
let branch = null;

/**
 * @param {Writing} writing
 * @param {number | null} position
 */
function showCandidates({ ids, tokens, candidates }, position) {
  const list = position === null ? undefined : candidates[position];
  branch = list ? position : null;
  next.show(list ?? [], { chosen: position === null ? undefined : ids[position] });
  nextWords.textContent = candidatesInWords(position === null ? null : tokenName(tokens[position]), Boolean(list));
}

/**
 * @param {string | null} token
 * @param {boolean} written whether the model wrote it
 */
function candidatesInWords(token, written) {
  if (token === null) return 'The candidates appear with the first token.';
  if (!written) return `${token} was given, not chosen by the model.`;
  return `Where ${token} was taken. Choose another to go on from there.`;
}

function sampling() {
  const value = (/** @type {string} */ id) => inputById(id).valueAsNumber;
  return { temperature: value('temperature'), topK: value('top-k'), topP: value('top-p'), seed: value('seed') };
}

/**
 * Runs the model, and says how it ended.
 * @param {(at: { writing: Writing, length: number, sampling: ReturnType<typeof sampling> }) => Promise<any>} work
 */
async function run(work) {
  if (!open || !form.reportValidity()) return;
  error.hidden = true;
  saveAddress();
  const { writing } = open;
  try {
    const summary = await work({ writing, length: inputById('length').valueAsNumber, sampling: sampling() });
    if (!writing.running) status.textContent = endInWords(summary);
  } catch (reason) {
    if (!isAbort(reason) && open?.writing === writing) fail(reason);
  }
}

/** @param {unknown} reason */
function fail(reason) {
  status.textContent = '';
  error.textContent = errorInWords(reason);
  error.hidden = false;
}

const begin = () => run(({ writing, length, sampling }) => writing.begin(prompt.value, length, sampling));

function oneStep() {
  return run(({ writing, sampling }) =>
    (writing.prompt === prompt.value ? writing.goOn(1, sampling) : writing.begin(prompt.value, 1, sampling)));
}

function saveAddress() {
  const chosen = open?.looking.chosen ?? {};
  const seed = inputById('seed').valueAsNumber;
  history.replaceState(null, '', writeAddress({ prompt: prompt.value, seed, ...chosen }));
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void begin();
});
prompt.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void begin();
  }
});
step.addEventListener('click', () => void oneStep());
stop.addEventListener('click', () => open?.writing.stop());
addEventListener('pagehide', () => open?.writing.stop());

/** @param {Event} event @returns {any} what an element tells */
const detailOf = (event) => /** @type {CustomEvent} */ (event).detail;

next.addEventListener('heed-candidate', (event) => {
  const { id } = detailOf(event);
  const position = branch;
  if (position !== null) void run(({ writing, length, sampling }) => writing.goOnWith(position, id, length, sampling));
});
grid.addEventListener('heed-head', (event) => {
  open?.looking.choose(detailOf(event));
  saveAddress();
});
map.addEventListener('heed-map-cell', (event) => open?.looking.lightCell(detailOf(event).cell));
map.addEventListener('heed-map-options', (event) => {
  grid.leaveFirstOut = detailOf(event).leaveFirstOut;
});
strip.addEventListener('heed-token-hover', (event) => {
  open?.looking.light(detailOf(event).position).catch(fail);
});
strip.addEventListener('heed-token-select', (event) => {
  const { position } = detailOf(event);
  if (!open) return;
  showCandidates(open.writing, position);
  open.looking.select(position);
});
/** @type {HTMLSelectElement} */
const lit = byId('lit');
lit.addEventListener('change', () => {
  if (open) open.looking.lit = lit.value === 'mean' ? 'mean' : 'head';
});

/** What comes of it is said beside the panel, not under it. */
function closePanel() {
  byId('open').open = false;
  byId('open').querySelector('summary').focus();
}

byId('open').addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
  if (event.key === 'Escape') closePanel();
});
byId('cancel').addEventListener('click', () => loading.cancel());
inputById('file').addEventListener('change', (/** @type {Event} */ event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  openFiles([...input.files ?? []]);
  input.value = '';
  closePanel();
});
byId('address').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  const { value } = inputById('url');
  void loading.open(value, value);
  closePanel();
});
addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('dropping');
});
addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) document.body.classList.remove('dropping');
});
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  openFiles([...event.dataTransfer?.files ?? []]);
});

/** @param {File[]} files */
function openFiles(files) {
  if (files.length) void loading.open(sourceFromFiles(files), files.map((file) => file.name).join(', '));
}

showRunning(false);
void loading.open(new URL(`./models/${DEFAULT_MODEL}`, document.baseURI), DEFAULT_MODEL);
