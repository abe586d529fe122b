/** The state of the page, and the actions of its controls: models, generation, history and the page's address. */
import { SAMPLING } from '../../js/index.js';
import { SCALES } from '../draw/scale.js';
import { messageOf } from '../elements/dom.js';
import { headOf, readAddress } from './address.js';
import { Candidates } from './candidates.js';
import { Chat } from './chat.js';
import { Edits } from './edits.js';
import { DEFAULT_MODEL, DEFAULT_MODEL_URL } from './first-model.js';
import { describeEnd, formatInteger, isAbort, pluralize } from './format.js';
import { Generation } from './generation.js';
import { loadKind } from './kinds.js';
import { Learn } from './learn.js';
import { MapController } from './map-controller.js';
import { ModelLoader } from './model-loader.js';
import { PageAddress } from './page-address.js';
import { originOf, refuseAddress, sourceFromAddress, sourceFromFiles } from './model-source.js';
import { hasSameIds, TextHistory } from './text-history.js';
import { isView, ViewSwitch } from './views.js';
import {
  endOpening, fieldOf, fieldSettings, figures, samplerSettings, setField, SETTINGS, showError, showModel, showNotice,
  showStartToken, view,
} from './view.js';

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('../../js/index.js').Source} Source */
/** @typedef {import('./address.js').Address} Address */
/** @typedef {import('./kinds.js').PageText} PageText */
/** @typedef {import('./view.js').Settings} Settings */

/**
 * A loaded model and the objects that use it; `views` is undefined for the views of decoders.
 * @typedef {object} SessionModel
 * @property {Model} model
 * @property {Source} source of the model
 * @property {string} name of the model
 *
 * @typedef {SessionModel & Pick<import('./kinds.js').Opened, 'generation' | 'maps'>
 *   & Partial<import('./kinds.js').Opened>} Session
 */

/**
 * Options of a run.
 * @typedef {object} RunOptions
 * @property {boolean} [newEntry] whether the text is a new entry of the browser's history; default true
 * @property {Settings} [settings] default: the values of the fields
 * @property {boolean} [fillsPrompt] whether the prompt field shows the prompt of the new text; default false
 * @property {string} [step] a step through the history of texts, as a word for the status
 */
/** @typedef {RunOptions & { settings: Settings }} Run */
/** @typedef {import('./generation.js').Text & { run: Run | null }} Remembered a text of the history, and its run */

/** Settings that a model file can recommend: fields, and their names in `model.info.sampling`. */
const RECOMMENDED = /** @type {const} */ (
  [['temperature', 'temperature'], ['top-k', 'topK'], ['top-p', 'topP'], ['repeat-penalty', 'repeatPenalty']]);
/** Least milliseconds between two updates of the candidates and the head line during generation. */
const ASIDES_MS = 200;
/** Most tokens of a reply, unless the length is larger: a reply usually ends at its end-of-turn token. */
const REPLY_LENGTH = 256;

export class App {
  /** Changes of the run. */
  edits = new Edits(this);
  /** Trainings on the user's own text. */
  learn = new Learn(this);
  /** Conversations. */
  chats = new Chat(this);
  /** @type {Session | null} */
  #session = null;
  /** The address that the next model shows when it is loaded. @type {Address} */
  #pending = {};
  /** The source of the model. @type {Pick<Address, 'model' | 'file' | 'tower'>} */
  #origin = {};
  /** The run that made the shown text; null without a text. @type {Run | null} */
  #made = null;
  /** The run whose text the address shows. @type {Run | null} */
  #saved = null;
  /** The current run. It made the shown text as soon as it changes the text. @type {Run | null} */
  #current = null;
  /** The last run. It begins when the run before has ended. @type {Run | null} */
  #last = null;
  /** A text that a run continues stays one entry. */
  #history = new TextHistory(
    /** @type {(a: Remembered, b: Remembered) => boolean} */ ((a, b) => a.run === b.run || hasSameIds(a, b)));
  candidates = new Candidates(view.next, view.nextCaption, samplerSettings);
  #loader = new ModelLoader(view, (...opened) => this.#useModel(...opened));
  #views = new ViewSwitch(view, {
    scene: () => this.#scene(),
    onChange: () => this.saveAddress(),
  });
  /** Earliest time of the next update of candidates and head line during generation. */
  #nextAsides = 0;
  #address = new PageAddress(() => this.#currentAddress());
  /** Identifies the address that was opened last. */
  #opening = {};

  constructor() {
    this.#showRunning(false);
  }

  /** The loaded model and what uses it, or null. */
  get session() {
    return this.#session;
  }

  /** The maps of the loaded model, or null. */
  get maps() {
    return this.#session?.maps ?? null;
  }

  /** The text, the model and the open head for the views beside the map; null without a finished text.
   *  @returns {import('./views.js').Scene | null} */
  #scene() {
    if (!this.#session?.generation.ids.length || this.#session.generation.running) return null;
    const { model, generation, maps } = this.#session;
    const length = Math.min(generation.ids.length, model.info.contextLength);
    const ids = generation.ids.slice(0, length);
    return { model, generation, head: maps.head, ids, tokens: generation.tokens.slice(0, length),
      provenance: { ...view.map.provenance, prompt: generation.prompt ?? view.map.provenance.prompt },
      selected: view.strip.selected, chooseHead: (head) => this.chooseHead(head), openHead: (head) => {
        void this.#views.open();
        this.chooseHead(head);
      }, selectToken: (position) => {
        const isShown = this.#session?.generation === generation && !generation.running;
        if (!isShown || position >= generation.ids.length) return; // a view may still show an earlier text
        view.strip.selected = position;
        this.selectToken(position);
      }, cutNeuron: (neuron) => void this.edits.use((editor) => editor.cutNeuron(neuron)) };
  }

  /** Opens a head. @param {{ layer: number, head: number }} head */
  chooseHead(head) {
    this.#showHead(head);
    this.saveAddress();
  }

  /** @param {{ layer: number, head: number }} head */
  #showHead(head) {
    this.#session?.maps.choose(head);
    this.#views.refresh('head');
  }

  // Models

  /** @param {Source} source @param {string} name @param {{ keep?: boolean }} [options] keep: opens the kept files */
  openModel(source, name, options) {
    void this.#loader.open(source, name, options);
  }

  cancelLoading() {
    this.#loader.cancel();
  }

  /** Opens dropped or picked files. @param {File[]} files */
  openFiles(files) {
    if (!files.length || this.#session?.takeFiles?.(files)) return;
    showNotice('');
    try {
      this.openModel(sourceFromFiles(files), files.map((file) => file.name).join(', '));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Opens a dropped or picked folder of a model. @param {FileSystemDirectoryEntry | File[]} folder */
  async openFolder(folder) {
    showNotice('');
    const request = ++this.#loader.requests;
    try {
      const { pickedFolder, readFolder, sourceFromFolder } = await import('./folder.js');
      const isPicked = Array.isArray(folder);
      const name = isPicked ? folder[0].webkitRelativePath.split('/')[0] : folder.name;
      const files = isPicked ? pickedFolder(folder) : await readFolder(folder);
      if (this.#loader.requests !== request) return; // another model was requested meanwhile
      this.openModel(sourceFromFolder(name, files), name);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Shows another model, and the pending text or a generated one.
   *  @param {Model} model @param {Source} source @param {string} [tower] of a CLIP file */
  async #useModel(model, source, tower) {
    const before = await this.#replaceModel(model, source, model.info.name, tower);
    before?.model.dispose();
    this.learn.modelChanged();
    this.chats.modelChanged();
  }

  /**
   * Replaces the model by the same model with other weights. The text stays, and the previous model stays loaded.
   * @param {Model} model
   * @param {Source} source of both
   * @param {string} suffix of the name
   * @returns {Promise<string | null>} name that is shown; null if the page has a model of another source
   */
  async exchangeModel(model, source, suffix) {
    if (this.#session?.source !== source) return null;
    this.#pending = this.#currentAddress();
    const name = `${model.info.name}${suffix}`;
    await this.#replaceModel(model, source, name, this.#origin.tower);
    return name;
  }

  /**
   * Replaces the model, and shows the pending text or generates one.
   * @param {Model} model @param {Source} source @param {string} name @param {string} [tower] of a CLIP file
   * @returns {Promise<Session | null>} the session before
   */
  async #replaceModel(model, source, name, tower) {
    const kind = await loadKind(model.info);
    const before = this.#session;
    this.#session = null;
    this.#views.refresh();
    await before?.generation.settle();
    before?.maps.drop();
    before?.close?.();
    this.#history.clear();
    this.#made = this.#saved = null;
    this.#origin = { ...originOf(source, DEFAULT_MODEL_URL), ...(tower && { tower }) };
    view.strip.tokens = [];
    view.map.truncate(0);
    /** @type {import('./generation.js').GenerationEvents} */
    const events = {
      onCut: (kept) => this.#cut(kept),
      onTokens: (from, rows) => this.#addTokens(from, rows),
      onReading: (read, all) => showCount(`Reading the text: ${ofTokens(read, all)}`),
      onRead: (signal) => this.#finishReading(signal),
      onRunning: (running) => {
        if (running) this.#current = this.#last;
        this.#showRunning(running);
      },
      onEdited: async () => {
        this.#views.refresh();
        await this.#session?.maps.refresh();
      },
    };
    const opened = await (kind?.openKind ?? openDecoder)(this, model, events, this.#pending);
    this.#session = { model, source, name, ...opened };
    this.#views.only(this.#session.views ?? null);
    for (const figure of [view.strip, view.next]) figure.setAttribute('name', model.info.name);
    this.edits.modelChanged(model.info.name);
    this.#applyRecommended(model.info.sampling, before?.model.info.sampling ?? SAMPLING);
    showModel({ ...model.info, name });
    this.#showRunning(false);
    view.panel.open = false;
    const address = this.#pending;
    this.#pending = {};
    const hash = this.#address.waitedFor({ file: this.#origin.file, tower });
    if (hash !== null) {
      if (location.hash !== hash) history.pushState(null, '', hash); // Back leads to the user's text
      void this.openAddress(hash);
    } else {
      void this.#showText(address);
    }
    return before;
  }

  /**
   * Sets the settings that the model recommends. Fields that the user or the address has set stay.
   * @param {Model['info']['sampling']} sampling of the model
   * @param {Model['info']['sampling']} before defaults until now
   */
  #applyRecommended(sampling, before) {
    for (const [name, setting] of RECOMMENDED) {
      const isDefault = fieldOf(name).valueAsNumber === before[setting];
      if (isDefault && this.#pending[name] === undefined) setField(name, sampling[setting]);
    }
  }

  // Generation

  /**
   * Generates from the prompt.
   * @param {RunOptions} [options]
   */
  generate(options) {
    return this.#run(({ generation, length, sampling }) =>
      generation.begin(view.prompt.value, length, sampling), options);
  }

  /**
   * Writes the reply to a conversation. The prompt field shows the text that the chat template makes.
   * @param {import('../../js/index.js').Message[]} messages
   * @returns {Promise<import('../../js/index.js').Summary | undefined>} undefined after an error, or if another run
   *   replaced this run
   */
  chat(messages) {
    return this.#run(({ model, generation, length, sampling }) => generation.beginIds(
      () => model.chatIds(messages), Math.max(length, REPLY_LENGTH), sampling), { fillsPrompt: true });
  }

  /** Shows a text of the model. @param {import('./generation.js').Text} text */
  showText(text) {
    return this.#run(({ generation }) => generation.show(text));
  }

  /** Generates one token. */
  step() {
    return this.#run(({ generation, sampling }) => (generation.prompt === view.prompt.value
      ? generation.continue(1, sampling) : generation.begin(view.prompt.value, 1, sampling)));
  }

  stop() {
    this.#session?.generation.stop();
  }

  /** Continues with another candidate for the token whose candidates are shown. @param {number} id */
  continueWith(id) {
    const { position } = this.candidates;
    if (position !== null) void this.continueFrom(position, id);
  }

  /** Continues with another token at a position. @param {number} position @param {number} id */
  continueFrom(position, id) {
    return this.#run(({ generation, length, sampling }) => generation.continueWith(position, id, length, sampling),
      { fillsPrompt: true });
  }

  /**
   * Runs the model and shows how the run ended. A run that a later run replaces shows nothing more. If the later run
   * fails, it shows the text that the run before has left.
   * @param {(run: { model: Model, generation: PageText, length: number,
   *   sampling: ReturnType<typeof samplerSettings> }) => Promise<any>} work
   * @param {RunOptions} [options]
   */
  async #run(work, options = {}) {
    if (!this.#session || !view.form.reportValidity()) return;
    const { model, generation } = this.#session;
    const isReplaced = () => generation.running || this.#session?.generation !== generation;
    showError('');
    const { settings, newEntry } = this.#last = { newEntry: true, settings: fieldSettings(), ...options };
    if (!options.step) this.#remember();
    try {
      const summary = await work({ model, generation, length: settings.length, sampling: samplerSettings(settings) });
      if (isReplaced()) return;
      const count = pluralize(generation.ids.length, 'token');
      view.status.textContent = options.step ? `${options.step}: the text has ${count}.`
        : summary ? describeEnd(summary) : count;
      if (this.#session.maps.isPartial) {
        view.status.append(` The heads show the first ${pluralize(view.grid.length, 'token')}.`);
      }
      if (summary?.count) {
        view.spoken.textContent = `The model generated: ${generation.tokens.slice(-summary.count).join('')}`;
      }
      this.#showEnd(generation.lastGenerated, newEntry);
      return summary;
    } catch (error) {
      if (isReplaced()) return;
      if (isAbort(error)) view.status.textContent = 'Stopped.';
      else this.fail(error);
      const isNew = this.#made !== this.#saved;
      this.#showEnd(view.strip.selected ?? generation.lastGenerated, isNew && this.#made?.newEntry);
    }
  }

  /**
   * Shows the candidates of the text, and adds the text to the histories.
   * @param {number | null} position of the candidates
   * @param {boolean} [newEntry] whether the text is a new entry of the browser's history
   */
  #showEnd(position, newEntry) {
    const { generation } = /** @type {Session} */ (this.#session);
    this.#nameText();
    this.edits.editor?.textChanged();
    this.candidates.show(generation, position);
    this.#remember();
    this.#saved = this.#made;
    this.saveAddress({ newEntry });
  }

  /** Names the shown text in the files of figures. */
  #nameText() {
    const { prompt = null, pair } = this.#session?.generation ?? {};
    const both = pair ? `${prompt} | ${pair}` : prompt;
    const provenance = { model: this.#session?.name, file: this.#origin.file ?? this.#origin.model ?? DEFAULT_MODEL,
      prompt: both ?? view.map.provenance.prompt, seed: this.#settings.seed };
    for (const figure of figures) figure.provenance = provenance;
  }

  /** Shows an error of the model. @param {unknown} error */
  fail(error) {
    view.status.textContent = '';
    showError(messageOf(error));
  }

  /** Shows whether the model runs. @param {boolean} running */
  #showRunning(running) {
    const disabled = (/** @type {HTMLElement} */ button, /** @type {boolean} */ value) =>
      button.setAttribute('aria-disabled', String(value));
    disabled(view.generate, !this.#session);
    disabled(view.step, !this.#session);
    disabled(view.stop, !running);
    this.#showHistory();
    view.count.hidden = !running;
    showCount('Reading the text');
    if (running) view.status.textContent = view.spoken.textContent = '';
    this.#views.refresh();
  }

  /** The text changed from position `kept` on. @param {number} kept */
  #cut(kept) {
    if (!this.#session) return;
    const { generation } = this.#session;
    this.#made = this.#current;
    this.#nameText();
    if (this.#made?.fillsPrompt) view.prompt.value = generation.prompt ?? '';
    view.strip.promptLength = generation.promptLength;
    view.strip.tokens = generation.tokens;
    view.strip.selected = null;
    showStartToken(generation.tokens[0]);
    this.#session?.maps.cut(generation.tokens, kept);
    this.candidates.show(generation, null);
    this.#nextAsides = performance.now() + ASIDES_MS;
  }

  /**
   * The text has more tokens from position `from` on.
   * @param {number} from
   * @param {import('./map-controller.js').Rows[]} rows
   */
  #addTokens(from, rows) {
    if (!this.#session) return;
    const { generation } = this.#session;
    this.#made = this.#current; // a run that continues a text cuts nothing
    view.strip.extend(generation.tokens.slice(from));
    this.chats.follow(generation.tokens.slice(generation.promptLength).join(''));
    showCount(pluralize(generation.tokens.length - generation.promptLength, 'token'));
    // Without new rows, the model may be reading tokens whose rows arrive later.
    if (rows.length) this.#session?.maps.follow(rows).catch((error) => this.fail(error));
    if (performance.now() < this.#nextAsides) return;
    this.#nextAsides = performance.now() + ASIDES_MS;
    this.candidates.show(generation, generation.lastGenerated);
    this.#session?.maps.describe();
  }

  /** @param {AbortSignal} [signal] of the run */
  async #finishReading(signal) {
    const onProgress = (/** @type {number} */ rows, /** @type {number} */ all) =>
      showCount(`Drawing the heads: ${ofTokens(rows, all)}`);
    await this.#session?.maps.follow([], { ...(signal && { signal }), onProgress });
    this.#session?.maps.describe();
  }

  // Reading the text

  /** Applies new sampler settings to the candidates. */
  refreshCandidates() {
    this.candidates.refresh();
  }

  /** Shows the candidates of a token, and selects its row in the map. @param {number | null} position */
  selectToken(position) {
    if (!this.#session || position === null) return;
    const { generation, maps } = this.#session;
    this.candidates.show(generation, position);
    void generation.predict?.(position).then(() => {
      if (this.candidates.position === position) this.candidates.show(generation, position);
    }, (error) => this.fail(error));
    maps.selectRow(position);
    this.#views.refresh('token');
  }

  // History

  /** Adds the current text to the history. */
  #remember() {
    if (!this.#session?.generation.ids.length || this.#session.generation.prompt === null) return;
    this.#history.add({ ...this.#session.generation.text, run: this.#made });
    this.#showHistory();
  }

  #showHistory() {
    view.undo.setAttribute('aria-disabled', String(!this.#history.canUndo));
    view.redo.setAttribute('aria-disabled', String(!this.#history.canRedo));
  }

  /** Undo (-1) or redo (1). @param {-1 | 1} direction */
  stepHistory(direction) {
    const isStepping = this.#session?.generation.running && this.#last?.step; // the history is ahead of the text
    if (direction < 0 && !isStepping) this.#remember(); // the text may still be growing
    const text = this.#history.step(direction);
    this.#showHistory();
    if (!text) return;
    const { prompt, run } = text;
    const settings = run?.settings ?? this.#settings;
    view.prompt.value = prompt;
    for (const name of SETTINGS) fieldOf(name).value = String(settings[name]);
    return this.#run(({ generation }) => generation.show(text),
      { settings, newEntry: false, step: direction < 0 ? 'Undone' : 'Redone' });
  }

  // The page's address

  /** The settings that made the shown text; without a text the values of the fields. */
  get #settings() {
    return this.#made?.settings ?? fieldSettings();
  }

  /**
   * Shows the text, head and settings of an address.
   * @param {string} hash
   * @param {Partial<Settings>} [fields] values of the fields that differ, after a reload
   */
  async openAddress(hash, fields) {
    const opening = this.#opening = {};
    const { address, unread } = await readAddress(hash);
    if (opening !== this.#opening) return; // another address was opened in the meantime
    const { model, file } = address;
    const tower = towerOf(address);
    const invalid = [...unread, ...this.#showFields(address)];
    for (const name of SETTINGS) setField(name, fields?.[name]);
    const notices = invalid.length
      ? [`Invalid fields in the address: ${invalid.join(', ')}. The address may be truncated.`] : [];
    const source = model === undefined ? DEFAULT_MODEL_URL : sourceFromAddress(model);
    const named = source ? originOf(source, DEFAULT_MODEL_URL).model : this.#origin.model;
    const stays = this.#session !== null && file === this.#origin.file && tower === this.#origin.tower
      && (file !== undefined || named === this.#origin.model);
    if (!source) notices.push(refuseAddress(String(model)));
    const waits = file !== undefined && !stays;
    this.#address.awaited = waits ? { hash, file, tower } : null;
    if (waits) {
      notices.push(`This address was made with the local model file ‘${file}’. Open that file to see the same text.`);
    }
    if (!source || waits) delete address.text;
    showNotice(notices.join(' '));
    await this.edits.openAddress(address.edits);
    if (opening !== this.#opening) return;
    if (stays) {
      this.#session?.openAddress?.(address);
      const head = headOf(address);
      if (head) this.#showHead(head); // the address is saved with its text, after the run
      await this.#showText(address);
    } else {
      this.#pending = address;
      await this.#loader.open(source ?? DEFAULT_MODEL_URL, model ?? DEFAULT_MODEL, { ...(model && { tower }) });
      if (!this.#session) endOpening();
    }
  }

  /**
   * Shows prompt, settings and view of an address.
   * @param {Address} address loses invalid settings
   * @returns {string[]} their names
   */
  #showFields(address) {
    const { prompt, scale, sink } = address;
    /** @type {string[]} */
    const invalid = [];
    for (const name of SETTINGS) {
      if (address[name] === undefined || setField(name, address[name])) continue;
      delete address[name];
      invalid.push(name);
    }
    if (prompt !== undefined) view.prompt.value = prompt;
    if (isScale(scale)) view.map.scale = scale;
    else if (scale !== undefined) invalid.push('scale');
    if (address.view !== undefined && !isView(address.view)) invalid.push('view');
    void this.#views.open(address.view);
    view.map.leaveFirstOut = sink === false;
    view.grid.leaveFirstOut = view.map.leaveFirstOut || 'auto';
    return invalid;
  }

  /** Shows the text of an address, or generates one. @param {Address} address */
  async #showText(address) {
    await this.#runAddress(address);
    endOpening();
  }

  /** @param {Address} address */
  #runAddress({ text, 'prompt-tokens': given, ...address }) {
    const settings = fieldSettings();
    for (const name of SETTINGS) settings[name] = address[name] ?? settings[name]; // the user may have changed a field
    const options = { newEntry: false, settings };
    if (!text || !this.#session) return this.generate(options);
    const { vocabulary, contextLength } = this.#session.model.info;
    if (text.every((id) => id < vocabulary) && text.length <= contextLength) {
      return this.#run(({ generation }) => generation.showIds(view.prompt.value, text, given), options);
    }
    showNotice('The text in the address is from another model. This model generates its own text.');
    return this.generate(options);
  }

  /** The address of the current text, head and settings. @returns {Address} */
  #currentAddress() {
    const { ids = [], prompt = null, promptLength = 0, isEncoded = false } = this.#session?.generation ?? {};
    return { prompt: prompt ?? view.prompt.value, text: isEncoded ? ids : ids.slice(promptLength), ...this.#settings,
      ...(isEncoded && { 'prompt-tokens': promptLength }),
      ...this.#session?.maps.chosen, ...this.#session?.address?.(), ...this.#origin,
      ...(view.map.scale !== 'linear' && { scale: view.map.scale }),
      ...(view.map.leaveFirstOut && { sink: false }), edits: this.edits.editor?.address,
      ...(this.#views.address && { view: this.#views.address }) };
  }

  /** Updates the page's address. It has the settings that made the text.
   *  @param {{ newEntry?: boolean }} [options] newEntry: add an entry to the browser's history, default false */
  saveAddress(options) {
    this.#address.save(options);
  }
}

/** @param {string} text progress of a run */
function showCount(text) {
  view.count.textContent = text;
}

/** @param {number} done @param {number} all tokens */
const ofTokens = (done, all) => `${formatInteger(done)} of ${pluralize(all, 'token')}`;

/**
 * The text and the maps of a decoder.
 * @param {App} _
 * @param {Model} model
 * @param {import('./generation.js').GenerationEvents} events
 * @param {Address} address to show
 */
function openDecoder(_, model, events, address) {
  const generation = new Generation(model, events);
  generation.expect(view.prompt.value); // the worker encodes it while the page makes its maps
  return { generation, maps: new MapController(model, view, headOf(address), () => generation.idle()) };
}

/** The tower of an address with a model. @param {Address} address */
const towerOf = ({ model, file, tower }) =>
  ((model ?? file) !== undefined && (tower === 'text' || tower === 'vision') ? tower : undefined);

/** @param {string | undefined} scale @returns {scale is import('../draw/scale.js').WeightScale} */
const isScale = (scale) => SCALES.some((each) => each === scale);
