/** The panel that continues the training of the loaded model on the user's own text. It runs in a Worker. */
import { fineTune } from '../../../js/train/index.js';
import { download, h, messageOf } from '../../elements/dom.js';
import { formatInteger, isAbort, pluralize } from '../format.js';
import { view } from '../view.js';
import { Comparison } from './comparison.js';
import { adapterFile, adapterGguf, floatType, loadTrained, modelFile } from './files.js';
import { LossFigure } from './loss-figure.js';
import {
  describeBegan, describeChoice, describeLosses, describeProgress, describeValidation, MAX_FILE_BYTES, problemOf,
  questionOf, WINDOW,
} from './words.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../app.js').Session} Session */
/** @typedef {import('../../../js/index.js').Model} Model */
/** @typedef {import('../../../js/index.js').Source} Source */
/** @typedef {import('./words.js').TuningBegan} TuningBegan */

/**
 * A training in progress.
 * @typedef {object} Run
 * @property {Session} session that it began with
 * @property {AbortController} finish keeps what was learned
 * @property {AbortController} abort loses it
 * @property {TuningBegan | null} began
 * @property {boolean} ended  no step follows; the trained model loads
 */
/**
 * The result of a training.
 * @typedef {import('./files.js').Trained & { before: Model | null, after: Model | null }} Learned before and after: the
 *   models; null if the page has another model now
 */

const DEFAULT_STEPS = 100;
const DEFAULT_RANK = 8;

export class LearnPanel {
  #app;
  /** @type {Run | null} */
  #run = null;
  /** @type {Learned | null} */
  #learned = null;
  /** Ends the work of the last button: a comparison or a merge. */
  #work = new AbortController();
  /** Answers the question before a training. */
  #answer = () => {};
  /** The exchange of the page's model. @type {Promise<unknown>} */
  #exchanging = Promise.resolve();

  #text = h('textarea', { id: 'learn-text', rows: 6, spellcheck: 'false' });
  #count = h('span', { class: 'status' });
  #file = h('input', { type: 'file', id: 'learn-file', accept: 'text/*,.txt,.md' });
  #which = h('select', { id: 'learn-which', 'aria-describedby': 'learn-choice' },
    h('option', { value: 'adapter' }, 'An adapter'), h('option', { value: 'all' }, 'All weights'));
  #choice = h('p', { class: 'note', id: 'learn-choice' });
  #steps = h('input', { type: 'number', required: true, min: 1, max: 100000, value: DEFAULT_STEPS });
  #rank = h('input', { type: 'number', required: true, min: 1, max: 256, value: DEFAULT_RANK });
  #train = h('button', { class: 'primary', id: 'learn-train' }, 'Train');
  #cancel = h('button', { type: 'button', id: 'learn-cancel' }, 'Cancel');
  #anyway = h('button', { type: 'button', hidden: true }, 'Train anyway');
  #form = h('form', { class: 'teach' },
    h('label', { for: 'learn-text' }, 'Text to learn'), this.#text,
    h('p', {}, h('label', { for: 'learn-file' }, 'Or a text file '), this.#file), this.#count,
    h('div', { class: 'settings' }, h('label', {}, 'What learns', this.#which), h('label', {}, 'Steps', this.#steps),
      h('label', {}, 'Rank', this.#rank)),
    this.#choice,
    h('div', { class: 'buttons' }, this.#train, this.#anyway, this.#cancel));

  #plan = h('p', { class: 'note' });
  #status = h('p', { id: 'learn-status', role: 'status' });
  #problem = h('p', { class: 'error', role: 'alert', hidden: true });
  #bar = h('progress', { max: 1, value: 0, 'aria-label': 'Training' });
  #progress = h('p', { class: 'status', 'aria-hidden': 'true' });
  #running = h('div', { hidden: true }, this.#bar, this.#progress);
  #figure = new LossFigure();

  #title = h('h3', {});
  #sentence = h('p', { id: 'learn-losses' });
  #prompt = h('input', { type: 'text', id: 'learn-prompt', autocomplete: 'off' });
  #asking = h('form', {}, h('label', { for: 'learn-prompt' }, 'Continue this prompt with both models'),
    h('span', { class: 'joined' }, this.#prompt, h('button', {}, 'Compare')));
  #comparison = new Comparison();
  #use = h('input', { type: 'checkbox', id: 'learn-use' });
  #both = h('div', { class: 'teach' }, this.#asking, this.#comparison.element,
    h('label', { class: 'check' }, this.#use, 'Use the trained model in the whole page'),
    h('p', { class: 'note' }, 'Maps, views, changes and generation then use it. Its weights are only in this tab: ' +
      'the address of the page does not contain them.'));
  #saveAdapter = h('button', { type: 'button', id: 'learn-adapter' }, 'Adapter for PEFT (.zip)');
  #saveGguf = h('button', { type: 'button', id: 'learn-adapter-gguf' }, 'Adapter for llama.cpp (.gguf)');
  #saveModel = h('button', { type: 'button', id: 'learn-model' });
  #result = h('div', { class: 'teach', hidden: true }, this.#title, this.#sentence, this.#both,
    h('div', { class: 'buttons', role: 'group', 'aria-label': 'Save the trained weights' }, 'Save',
      this.#saveAdapter, this.#saveGguf, this.#saveModel));

  element = h('div', { class: 'panel' },
    h('p', { class: 'note' }, 'The training continues from the loaded model on your own text. Each training starts ' +
      'from the model as loaded. The text does not leave this computer.'),
    h('div', { class: 'columns' }, this.#form,
      h('div', { class: 'teach' }, this.#status, this.#problem, this.#plan, this.#running, this.#figure.element)),
    this.#result);

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#prompt.value = view.prompt.value;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#run) void this.#start();
    });
    this.#text.addEventListener('input', () => this.#showCount());
    this.#file.addEventListener('change', () => {
      const [file] = this.#file.files ?? [];
      if (file) void this.#read(file);
    });
    this.element.addEventListener('drop', (event) => {
      const [file] = event.dataTransfer?.files ?? [];
      if (!file || /\.(gguf|safetensors|json)$/.test(file.name)) return; // the page opens models
      event.preventDefault();
      event.stopPropagation();
      document.body.classList.remove('dropping');
      void this.#read(file);
    });
    this.#cancel.addEventListener('click', () => this.#stop());
    this.#anyway.addEventListener('click', () => this.#answer());
    this.#asking.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#compare();
    });
    this.#use.addEventListener('change', () => void this.#exchange());
    this.#saveAdapter.addEventListener('click', () => {
      const adapter = this.#learned?.adapter;
      if (adapter) download(adapterFile(adapter), `${this.#fileName}-adapter.zip`);
    });
    this.#saveGguf.addEventListener('click', () => void this.#save('adapter', ({ source, adapter }, signal) =>
      adapterGguf(source, /** @type {import('./files.js').Adapter} */ (adapter), signal),
    () => `${this.#fileName}-adapter.gguf`));
    this.#saveModel.addEventListener('click', () => void this.#save('model', modelFile,
      ({ info }) => `${this.#fileName}-taught.${info.format === 'gguf' ? 'gguf' : 'zip'}`));
    this.#which.addEventListener('change', () => this.#showChoice());
    this.#showChoice();
    this.#showRunning('');
  }

  // Text

  #showCount() {
    this.#count.textContent = this.#text.value === '' ? '' : pluralize(this.#text.value.length, 'character');
  }

  /** Puts a text file into the field. @param {File} file */
  async #read(file) {
    this.#complain('');
    try {
      if (file.size > MAX_FILE_BYTES) {
        throw new RangeError(`${file.name} has ${pluralize(file.size, 'byte')}, and the page takes at most ${
          formatInteger(MAX_FILE_BYTES)}. Use a part of it, or train with ‘heed train --from’.`);
      }
      this.#text.value = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      this.#showCount();
      this.#say(`${file.name} is in the field.`);
    } catch (error) {
      this.#complain(error instanceof TypeError ? `${file.name} is not a text in UTF-8.` : messageOf(error));
    }
  }

  // Training

  /** Offers all weights if they are floats. */
  #showChoice() {
    const info = this.#app.session?.model.info ?? null;
    const isFloat = info !== null && floatType(info) !== null;
    this.#which.options[1].disabled = !isFloat;
    if (!isFloat) this.#which.selectedIndex = 0;
    this.#rank.disabled = this.#which.value === 'all';
    this.#choice.textContent = describeChoice(this.#which.value === 'all', isFloat);
  }

  async #start() {
    const { session } = this.#app;
    const problem = session ? problemOf(this.#text.value) : 'Load a model first.';
    this.#complain(problem);
    if (problem || !session) return;
    /** @type {Run} */
    const run = this.#run = { session, finish: new AbortController(), abort: new AbortController(), began: null,
      ended: false };
    this.#plan.textContent = '';
    this.#figure.element.hidden = true;
    this.#showRunning('Cancel');
    this.#say('Opening the model for the training.');
    const steps = this.#steps.valueAsNumber;
    const type = this.#which.value === 'all' ? floatType(session.model.info) : null;
    const learning = type ? { full: true, type } : { rank: this.#rank.valueAsNumber };
    let started = 0;
    addEventListener('beforeunload', keepTab);
    try {
      const { adapter, model: files, ...tuned } = await fineTune(session.source, this.#text.value, {
        ...learning, steps, batch: 1, context: WINDOW,
        threads: session.model.info.engine.threads, finish: run.finish.signal, signal: run.abort.signal,
        onBegan: async (/** @type {TuningBegan} */ began) => {
          run.began = began;
          this.#plan.textContent = describeBegan(began);
          await this.#ask(questionOf(began), run.abort.signal);
          this.#say(`Training, ${pluralize(steps, 'step')}.`);
          this.#figure.begin(steps, began.tokens);
          started = performance.now();
        },
        onProgress: (/** @type {import('./words.js').Progress} */ progress) => {
          const { step, figures } = progress;
          this.#figure.add(progress);
          this.#bar.value = step / steps;
          const { context, tokens } = /** @type {TuningBegan} */ (run.began);
          this.#progress.textContent =
            describeProgress(progress, 1000 * step * context / (performance.now() - started));
          if (figures && step < steps && !run.finish.signal.aborted) {
            this.#say(describeValidation(progress, figures.heldOut, tokens));
          }
        },
      });
      run.ended = true;
      this.#cancel.setAttribute('aria-disabled', 'true');
      const { length: learned } = tuned.losses;
      if (learned === 0) {
        this.#say('Stopped before the first step. The weights are unchanged.');
        return;
      }
      this.#say(learned < steps ? `Stopped after step ${learned} of ${steps}.`
        : `Trained, ${pluralize(steps, 'step')}.`);
      this.#title.textContent = `What ${session.model.info.name} learned`;
      this.#sentence.textContent = describeLosses(tuned, /** @type {TuningBegan} */ (run.began).tokens);
      await this.#keep(session, { adapter, files });
    } catch (error) {
      if (isAbort(error)) this.#say('Stopped. This training was discarded.');
      else {
        this.#say('');
        this.#complain(`The training ended: ${messageOf(error)}`);
      }
    } finally {
      removeEventListener('beforeunload', keepTab);
      if (this.#run === run) this.#run = null;
      this.#showRunning('');
    }
    if (this.#learned?.after) await this.#compare();
  }

  /**
   * Asks before a training that takes much memory.
   * @param {string} question empty: none
   * @param {AbortSignal} signal of the answer no
   */
  async #ask(question, signal) {
    if (question === '') return;
    this.#say(question);
    this.#anyway.hidden = false;
    this.#anyway.focus();
    try {
      await new Promise((resolve) => {
        this.#answer = () => resolve(undefined);
        signal.addEventListener('abort', this.#answer);
      });
    } finally {
      if (document.activeElement === this.#anyway) this.#cancel.focus();
      this.#anyway.hidden = true;
    }
  }

  /** Cancel: the first click keeps the trained weights, the second does not wait for the step. */
  #stop() {
    const run = this.#run;
    if (!run || run.ended) return;
    if (!run.began || !this.#anyway.hidden || run.finish.signal.aborted) {
      run.abort.abort();
      return;
    }
    run.finish.abort();
    this.#showRunning('Stop now');
    this.#say('Stopping after this step. The trained weights are kept.');
  }

  /**
   * Keeps the trained numbers, and loads their model unless the page has another model now.
   * @param {Session} session of the training
   * @param {Pick<Learned, 'adapter' | 'files'>} trained
   */
  async #keep({ source, model: { info } }, trained) {
    const { before = null, after: old = null } = this.#learned ?? {};
    /** @type {Learned} */
    const learned = this.#learned = { source, info, ...trained, before, after: null };
    this.#saveAdapter.hidden = this.#saveGguf.hidden = !trained.adapter;
    this.#saveModel.textContent = info.format === 'gguf' ? 'Trained model (GGUF)'
      : 'Trained model (safetensors, .zip)';
    this.#both.hidden = true;
    this.#result.hidden = false;
    await this.#exchanging;
    const isCurrent = () => this.#app.session?.source === source;
    try {
      if (isCurrent() && before && this.#use.checked) await this.#app.exchangeModel(before, source, '');
      old?.dispose();
      const after = isCurrent() ? await loadTrained(learned) : null;
      if (!isCurrent()) {
        after?.dispose();
        this.#say(`${this.#status.textContent} The page has another model now. The files can be saved.`);
        return;
      }
      learned.before ??= this.#app.session?.model ?? null;
      learned.after = after;
      this.#both.hidden = false;
      if (after && this.#use.checked) await this.#app.exchangeModel(after, source, TAUGHT);
    } catch (error) {
      this.#use.checked = false;
      this.#complain(`The trained model was not loaded: ${messageOf(error)} The files can be saved.`);
    }
  }

  /** The page has loaded another model: a training ends, and its weights can still be saved. */
  modelChanged() {
    this.#showChoice();
    this.#begin();
    if (!this.#run?.finish.signal.aborted) this.#stop();
    this.#learned?.before?.dispose();
    this.#learned?.after?.dispose();
    if (this.#learned) this.#learned.before = this.#learned.after = null;
    this.#both.hidden = true;
    this.#use.checked = false;
  }

  // Before and after

  /** Continues the prompt with both models. */
  async #compare() {
    const { before, after } = this.#learned ?? {};
    if (!before || !after) return;
    const work = this.#begin();
    this.#say('Both models continue the prompt.');
    /** @param {Model} model @returns {import('./comparison.js').Borrow} */
    const borrow = (model) => (act) => {
      const { session } = this.#app;
      return session?.model === model ? session.generation.borrow(act, { signal: work.signal })
        : act(model, work.signal);
    };
    try {
      const sentence = await this.#comparison.write(this.#prompt.value,
        { before: borrow(before), after: borrow(after) });
      if (this.#work === work) this.#say(sentence);
    } catch (error) {
      if (this.#work !== work) return;
      if (isAbort(error)) this.#say('The comparison stopped, because the page runs the model. Compare again.');
      else {
        this.#say('');
        this.#complain(messageOf(error));
      }
    }
  }

  /** The page uses the model before or after its training. */
  async #exchange() {
    const { before, after, source } = this.#learned ?? {};
    const model = this.#use.checked ? after : before;
    if (!model || !source) return;
    this.#begin();
    const exchanging = this.#app.exchangeModel(model, source, this.#use.checked ? TAUGHT : '');
    this.#exchanging = exchanging;
    const name = await exchanging;
    if (name) this.#say(`The page uses ${name}.`);
  }

  // Files

  /**
   * Writes the adapter or the merged model, and saves the file.
   * @param {'adapter' | 'model'} what
   * @param {(learned: Learned, signal: AbortSignal) => Promise<Blob>} write
   * @param {(learned: Learned) => string} nameOf name of the file
   */
  async #save(what, write, nameOf) {
    if (!this.#learned) return;
    const learned = this.#learned;
    const work = this.#begin();
    this.#say(`Writing the ${what}.`);
    try {
      download(await write(learned, work.signal), nameOf(learned));
      this.#say(`The ${what} is saved. heed and other programs for this format open it.`);
    } catch (error) {
      if (isAbort(error)) return;
      this.#say('');
      this.#complain(`The ${what} was not saved: ${messageOf(error)}`);
    }
  }

  get #fileName() {
    return (this.#learned?.info.file ?? 'model').replace(/\.(gguf|safetensors)$/, '');
  }

  // Words

  /** Begins the work of a button, and ends the previous work. */
  #begin() {
    this.#work.abort();
    this.#complain('');
    return (this.#work = new AbortController());
  }

  /** @param {string} sentence */
  #say(sentence) {
    this.#status.textContent = sentence;
  }

  /** @param {string} problem empty: none */
  #complain(problem) {
    this.#problem.textContent = problem;
    this.#problem.hidden = problem === '';
  }

  /** Shows whether a training runs. @param {string} cancel label of the button that ends it; empty: none runs */
  #showRunning(cancel) {
    const isRunning = cancel !== '';
    this.#train.setAttribute('aria-disabled', String(isRunning));
    this.#cancel.setAttribute('aria-disabled', String(!isRunning));
    this.#cancel.textContent = cancel || 'Cancel';
    this.#running.hidden = !isRunning;
    if (!isRunning || cancel === 'Cancel') {
      this.#bar.value = 0;
      this.#progress.textContent = '';
    }
  }
}

/** Follows the name of a trained model. */
const TAUGHT = ' + your text';

/** Asks before the tab closes. @param {Event} event */
const keepTab = (event) => event.preventDefault();
