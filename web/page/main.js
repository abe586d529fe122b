/** The page: joins the engine, which computes in its worker, and the elements, which draw. */
import { SAMPLING } from '../../js/index.js';
import '../elements/index.js';
import { SCALES } from '../draw/scale.js';
import { ADDRESS_CHARACTERS, readAddress, writeAddress } from './address.js';
import { Candidates } from './candidates.js';
import { EXAMPLES } from './examples.js';
import { originOf, sourceFromFiles, sourceFromAddress } from './model-source.js';
import { explainTerms } from './glossary.js';
import { ModelLoader } from './model-loader.js';
import { MapController } from './map-controller.js';
import { OFFERS, isShipped } from './models.js';
import { TextHistory } from './text-history.js';
import { formatBytes, pluralize, formatCount, describeEnd, messageOf, isAbort } from './format.js';
import { Generation } from './generation.js';

/** @typedef {import('../../js/index.js').Model} Model */

/** @typedef {import('./address.js').Address} Address */

const DEFAULT_MODEL = 'stories.gguf';
/** Least time between two showings of the candidates and of the line about the head while the model writes, in
 *  milliseconds.  Both are shown again when it rests. */
const ASIDES_MS = 200;
const SETTINGS = /** @type {const} */ (['length', 'temperature', 'top-k', 'top-p', 'repeat-penalty', 'seed']);
/** Fields whose defaults a model's file may recommend, and their names in `model.info.sampling`. */
const RECOMMENDED = /** @type {const} */ (
  [['temperature', 'temperature'], ['top-k', 'topK'], ['top-p', 'topP'], ['repeat-penalty', 'repeatPenalty']]);

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
const [generate, step, stop, undo, redo] = ['generate', 'step', 'stop', 'undo', 'redo'].map((id) => byId(id));
const [status, count, error, notice, spoken] = ['status', 'count', 'error', 'notice', 'spoken'].map((id) => byId(id));
const look = byId('look');

/** The loaded model and what works on it.
 *  @type {{ model: Model, writing: Generation, looking: MapController } | null} */
let open = null;
/** What the next model shows as soon as it is there. @type {Address} */
let wanted = {};
/** The candidates are not shown before this time, while the model writes. */
let asidesNext = 0;
/** Where the model came from. @type {Pick<Address, 'model' | 'file'>} */
let origin = {};
/** @type {TextHistory<import('./generation.js').Text & { settings: Address }>} */
const past = new TextHistory();

const candidates = new Candidates(next, byId('next-words'), sampling);
const loading = new ModelLoader(
  { loading: byId('loading'), progress: byId('progress'), words: byId('loading-words'), error }, use);
const defaultModel = new URL(`./models/${DEFAULT_MODEL}`, document.baseURI);

/**
 * A new model takes the place of the one before, and writes.
 * @param {Model} model
 * @param {import('../../js/index.js').Source} source
 */
async function use(model, source) {
  const before = open;
  open = null;
  await before?.writing.settle();
  before?.looking.close();
  before?.model.dispose();
  past.clear();
  origin = originOf(source, defaultModel);
  strip.tokens = [];
  map.truncate(0);
  const looking = new MapController(model, { grid, map, strip, look }, headOf(wanted), () => writing.quiet);
  const writing = new Generation(model, { onCut, onTokens, onRead, onRunning: showRunning });
  open = { model, looking, writing };
  recommend(model.info.sampling, before?.model.info.sampling ?? SAMPLING);
  showModel(model.info);
  byId('open').open = false;
  const { text } = wanted;
  wanted = {};
  void showText(text);
}

/**
 * Gives the sampling fields the model's defaults. A field that the address or the reader has set stays.
 * @param {Model['info']['sampling']} sampling of the model
 * @param {Model['info']['sampling']} before defaults until now
 */
function recommend(sampling, before) {
  for (const [id, setting] of RECOMMENDED) {
    const isDefault = inputById(id).valueAsNumber === before[setting];
    if (isDefault && wanted[id] === undefined) accepts(id, sampling[setting]);
  }
}

/** @param {Address} address */
const headOf = ({ layer, head }) => (layer === undefined || head === undefined ? null : { layer, head });

/** @param {number[] | undefined} text ids that follow the prompt, where they are known; else the model writes */
function showText(text) {
  if (!text || !open) return begin({ anew: false });
  const { vocabulary, contextLength } = open.model.info;
  if (text.every((id) => id < vocabulary) && text.length <= contextLength) {
    return run(({ writing }) => writing.showIds(prompt.value, text), { anew: false });
  }
  tellNotice('The text in the address is that of another model. This model writes its own.');
  return begin({ anew: false });
}

/** @param {string} sentence */
function tellNotice(sentence) {
  notice.textContent = sentence;
  notice.hidden = sentence === '';
}

/**
 * Shows what an address says.
 * @param {string} hash
 */
async function follow(hash) {
  const { address, unread } = await readAddress(hash);
  const { prompt: written, scale, model, file } = address;
  const lost = [...unread, ...SETTINGS.filter((id) => address[id] !== undefined && !accepts(id, address[id]))];
  const sentences = lost.length ? [`The address could not be read whole: ${lost.join(', ')}. It may be cut off.`] : [];
  if (written !== undefined) prompt.value = written;
  if (isScale(scale)) map.scale = scale;
  map.leaveFirstOut = address.sink === false;
  grid.leaveFirstOut = map.leaveFirstOut || 'auto';
  const source = model === undefined ? defaultModel : sourceFromAddress(model);
  const named = source ? originOf(source, defaultModel).model : origin.model;
  const stays = open !== null && file === origin.file && (file !== undefined || named === origin.model);
  if (!source) sentences.push(`The model’s address ‘${model}’ is not https:, http: or hf:, so it was not opened.`);
  if (file !== undefined && !stays) {
    sentences.push(`This address was made with the model file ‘${file}’, which no address can hold. Open that file to `
      + 'see the same text.');
  }
  if (!source || (file !== undefined && !stays)) delete address.text;
  tellNotice(sentences.join(' '));
  if (stays) {
    const head = headOf(address);
    if (head) open?.looking.choose(head);
    await showText(address.text);
  } else {
    wanted = address;
    await loading.open(source ?? defaultModel, model ?? DEFAULT_MODEL);
  }
}

/**
 * Sets a field, if it takes the value.
 * @param {string} id
 * @param {number | undefined} value
 */
function accepts(id, value) {
  const field = inputById(id);
  const before = field.value;
  field.value = String(value);
  if (field.checkValidity()) return true;
  field.value = before;
  return false;
}

/** @param {string | undefined} scale @returns {scale is import('../draw/scale.js').ScaleKind} */
const isScale = (scale) => SCALES.includes(/** @type {any} */ (scale));

/** What is shown, for the address. @returns {Address} */
function shown() {
  const settings = Object.fromEntries(SETTINGS.map((id) => [id, inputById(id).valueAsNumber]));
  const { ids = [], prompt: written = null, promptLength = 0 } = open?.writing ?? {};
  return { prompt: written ?? prompt.value, text: ids.slice(promptLength), ...settings, ...open?.looking.chosen,
    ...origin, ...(map.scale !== 'linear' && { scale: map.scale }), ...(map.leaveFirstOut && { sink: false }) };
}

/** Addresses are written one after another: compressing takes a moment. */
let saving = Promise.resolve();

/**
 * @param {{ anew?: boolean }} [options] anew: Back returns to the address before
 */
function saveAddress({ anew = false } = {}) {
  const address = shown();
  saving = saving.then(async () => {
    const before = location.hash;
    const { hash, left } = await writeAddress(address);
    if (hash === location.hash || location.hash !== before) return; // an address that was opened meanwhile stays
    if (anew) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
    if (left.length) {
      tellNotice(`The address of this text would have more than ${ADDRESS_CHARACTERS.toLocaleString('en')} characters, `
        + `so it does not hold the ${left.join(' and the ')}.`);
    }
  });
}

/** Keeps the text that is shown for Undo. */
function remember() {
  if (!open?.writing.ids.length || open.writing.prompt === null) return;
  const { text, prompt: _, ...settings } = shown();
  past.add({ ...open.writing.text, settings });
  showPast();
}

function showPast() {
  undo.setAttribute('aria-disabled', String(!past.canUndo));
  redo.setAttribute('aria-disabled', String(!past.canRedo));
}

/** @param {-1 | 1} way back or forward */
async function stepInPast(way) {
  if (!open) return;
  if (way < 0) remember(); // a text that is still being written
  const text = past.step(way);
  showPast();
  if (!text) return;
  prompt.value = text.prompt;
  for (const id of SETTINGS) inputById(id).value = String(text.settings[id]);
  error.hidden = true;
  try {
    await open.writing.show(text);
    status.textContent = `${way < 0 ? 'Undone' : 'Done again'}: the text has ${pluralize(text.ids.length, 'token')}.`;
    candidates.show(open.writing, lastWritten(open.writing));
    saveAddress();
  } catch (reason) {
    fail(reason);
  }
}

/** Kernel sets in words. @type {Record<string, string>} */
const ENGINES = { relaxed: 'relaxed SIMD', simd128: 'SIMD', scalar: 'no SIMD' };

/** A word that explains itself. @param {string} name @param {string} [text] */
function term(name, text = name) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'term';
  button.dataset.term = name;
  button.textContent = text;
  return button;
}

/** @param {Model['info']} info */
function showModel({ name, parameters, layers, heads, contextLength, engine }) {
  const line = byId('model');
  const title = document.createElement('strong');
  title.textContent = name;
  line.replaceChildren(title, ` · ${formatCount(parameters)} `, term('parameters'),
    ` · ${pluralize(layers, 'layer')} × ${pluralize(heads, 'head')} · `, term('context'),
    ` ${contextLength.toLocaleString('en')} · WebAssembly (`, term(engine.binary, ENGINES[engine.binary]),
    `), ${pluralize(engine.threads, 'thread')}`);
  line.title = engine.why;
  showRunning(false);
}

/** @param {boolean} running */
function showRunning(running) {
  generate.setAttribute('aria-disabled', String(!open));
  step.setAttribute('aria-disabled', String(!open));
  stop.setAttribute('aria-disabled', String(!running));
  showPast();
  count.hidden = !running;
  count.textContent = 'Reading the prompt';
  if (running) status.textContent = spoken.textContent = '';
}

/**
 * @param {Generation} writing
 * @param {number} kept
 */
function onCut(writing, kept) {
  strip.promptLength = writing.promptLength;
  strip.tokens = writing.tokens;
  strip.selected = null;
  showStart(writing.tokens[0]);
  open?.looking.cut(writing.tokens, kept);
  candidates.show(writing, null);
  asidesNext = performance.now() + ASIDES_MS;
}

/**
 * @param {Generation} writing
 * @param {number} from the first token that is new
 * @param {import('./map-controller.js').Rows[]} rows
 */
function onTokens(writing, from, rows) {
  strip.extend(writing.tokens.slice(from));
  count.textContent = pluralize(writing.tokens.length - writing.promptLength, 'token');
  open?.looking.follow(rows).catch(fail);
  if (performance.now() < asidesNext) return;
  asidesNext = performance.now() + ASIDES_MS;
  candidates.show(writing, lastWritten(writing));
  open?.looking.describe();
}

async function onRead() {
  await open?.looking.follow();
  open?.looking.describe();
}

/** A text may begin with a token that nobody typed, such as <|endoftext|>. @param {string | undefined} first */
function showStart(first = '') {
  byId('start-note').hidden = !/^<.+>$/s.test(first);
  byId('start-token').textContent = first;
}

function sampling() {
  const value = (/** @type {string} */ id) => inputById(id).valueAsNumber;
  return { temperature: value('temperature'), topK: value('top-k'), topP: value('top-p'),
    repeatPenalty: value('repeat-penalty'), seed: value('seed') };
}

/** The last token that the model wrote, whose candidates are shown when it rests. @param {Generation} writing */
const lastWritten = ({ ids, promptLength }) => (ids.length > promptLength ? ids.length - 1 : null);

/**
 * Runs the model, and says how it ended.
 * @param {(at: { writing: Generation, length: number, sampling: ReturnType<typeof sampling> }) => Promise<any>} work
 * @param {{ anew?: boolean }} [options] anew: false where the text is what the address asked for
 */
async function run(work, { anew = true } = {}) {
  if (!open || !form.reportValidity()) return;
  error.hidden = true;
  remember();
  const { writing, model: { info } } = open;
  map.provenance = grid.provenance = { model: info.name, file: origin.file ?? origin.model ?? DEFAULT_MODEL,
    prompt: prompt.value, seed: sampling().seed };
  try {
    const summary = await work({ writing, length: inputById('length').valueAsNumber, sampling: sampling() });
    if (writing.running || open?.writing !== writing) return;
    status.textContent = summary ? describeEnd(summary) : pluralize(writing.ids.length, 'token');
    if (summary?.count) spoken.textContent = `The model wrote: ${writing.tokens.slice(-summary.count).join('')}`;
    candidates.show(writing, lastWritten(writing));
    remember();
    saveAddress({ anew });
  } catch (reason) {
    if (isAbort(reason) || open?.writing !== writing) return;
    fail(reason);
    saveAddress(); // the model is there, whatever the prompt
  }
}

/** @param {unknown} reason */
function fail(reason) {
  status.textContent = '';
  error.textContent = messageOf(reason);
  error.hidden = false;
}

/** @param {{ anew?: boolean }} [options] */
const begin = (options) =>
  run(({ writing, length, sampling }) => writing.begin(prompt.value, length, sampling), options);

function oneStep() {
  return run(({ writing, sampling }) =>
    (writing.prompt === prompt.value ? writing.goOn(1, sampling) : writing.begin(prompt.value, 1, sampling)));
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
undo.addEventListener('click', () => void stepInPast(-1));
redo.addEventListener('click', () => void stepInPast(1));
addEventListener('keydown', (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return;
  if (/** @type {Element} */ (event.composedPath()[0]).matches?.('input, textarea, select')) return; // has its own
  event.preventDefault();
  void stepInPast(key === 'y' || event.shiftKey ? 1 : -1);
});
addEventListener('hashchange', () => {
  // Links within the page, such as the link that skips to the map, change only the fragment and not the state.
  if (location.hash === '' || location.hash.includes('=')) void follow(location.hash);
});
for (const id of SETTINGS) {
  inputById(id).addEventListener('input', () => candidates.refresh());
  inputById(id).addEventListener('change', () => saveAddress());
}
addEventListener('pagehide', () => open?.writing.stop());

/** @param {Event} event @returns {any} what an element tells */
const detailOf = (event) => /** @type {CustomEvent} */ (event).detail;

next.addEventListener('heed-candidate', (event) => {
  const { id } = detailOf(event);
  const { position } = candidates;
  if (position !== null) void run(({ writing, length, sampling }) => writing.goOnWith(position, id, length, sampling));
});
grid.addEventListener('heed-head', (event) => {
  open?.looking.choose(detailOf(event));
  saveAddress();
});
map.addEventListener('heed-map-cell', (event) => open?.looking.lightCell(detailOf(event).cell));
map.addEventListener('heed-map-options', (event) => {
  grid.leaveFirstOut = detailOf(event).leaveFirstOut || 'auto';
  saveAddress();
});
strip.addEventListener('heed-token-hover', (event) => {
  open?.looking.light(detailOf(event).position).catch(fail);
});
strip.addEventListener('heed-token-select', (event) => {
  const { position } = detailOf(event);
  if (!open) return;
  candidates.show(open.writing, position);
  open.looking.select(position);
});
/** @type {HTMLSelectElement} */
const lit = byId('lit');
lit.addEventListener('change', () => {
  if (open) open.looking.lit = lit.value === 'mean' ? 'mean' : 'head';
});

byId('examples').append(...EXAMPLES.map(({ name, prompt: text, look: hint }) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = name;
  button.title = hint;
  button.addEventListener('click', () => {
    prompt.value = text;
    void begin();
  });
  return button;
}));
byId('offers').append(...OFFERS.map((offer) => {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = offer.name;
  const from = isShipped(offer) ? 'beside this page' : 'from huggingface.co';
  button.addEventListener('click', () => {
    void loading.open(isShipped(offer) ? new URL(offer.source, document.baseURI) : offer.source, offer.name);
    closePanel();
  });
  item.append(button, ` ${offer.about} · ${isShipped(offer) ? '' : 'about '}${formatBytes(offer.bytes)}, ${from}`);
  return item;
}));
explainTerms(document.body);

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
  tellNotice('');
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
  if (!files.length) return;
  tellNotice('');
  try {
    void loading.open(sourceFromFiles(files), files.map((file) => file.name).join(', '));
  } catch (reason) {
    fail(reason);
  }
}

showRunning(false);
void follow(location.hash);
