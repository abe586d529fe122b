/** Changes the run on the page: cuts heads and layers, silences cells of maps, and compares before and after. */
import { isAbort, pluralize } from '../format.js';
import { Generation } from '../generation.js';
import { SUPERSEDED } from '../runs.js';
import { TextHistory } from '../text-history.js';
import { figures, view } from '../view.js';
import { messageOf } from '../../elements/dom.js';
import { CHANGES_LIMIT, cutOf, describeChange, editsOf, fitsModel, headScales, nameOf, readChanges, splitField,
  targetOf, writeChanges, writeField } from './change.js';
import { compareLogits, describeComparison } from './comparison.js';
import { Continuations } from './continuations.js';
import { openMenu } from './menu.js';
import { EditPanel } from './panel.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../app.js').Session} Session */
/** @typedef {import('./change.js').Change} Change */
/** @typedef {import('./change.js').Scaling} Scaling */
/** @typedef {import('../../elements/next-token.js').Candidate} Candidate */

/** An example for the model of this page: without this head, the name disappears. */
const EXAMPLE = { prompt: 'Lily and Tom had a ball. Lily gave the ball to', layer: 3, head: 5 };

export class Editor {
  #app;
  /** @type {readonly Change[]} */
  #changes = [];
  /** False while all changes are switched off. */
  #applied = true;
  /** @type {TextHistory<readonly Change[]>} */
  #history = new TextHistory(areSame);
  #panel;
  #continuations = new Continuations(view.both);
  /** Position of the token that an address compares, until its text is shown. @type {number | null} */
  #wanted = null;
  /** Aborts the current run with changes. @type {AbortController | null} */
  #abort = null;
  /** @type {Promise<unknown>} */
  #running = Promise.resolve();
  #logits = noLogits([], []);

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#panel = new EditPanel(view.editsStatus, {
      edit: (at, change, done) => this.#set(this.#changes.map((each, index) =>
        (index === at ? /** @type {Change} */ ({ ...each, ...change }) : each)), { done, about: at }),
      remove: (at) => this.#set(this.#changes.filter((_, index) => index !== at), { say: 'Removed.' }),
      clear: () => this.#set([], { say: 'All changes removed.' }),
      step: (direction) => this.stepHistory(direction),
      apply: (on) => {
        this.#applied = on;
        this.show();
        void this.#apply(on ? 'The changes apply.' : 'The map shows the run without the changes.');
      },
      write: () => void this.#write().then((sentence) => sentence && this.#panel.say(sentence)),
      cancel: () => this.#abort?.abort(),
    });
    this.#history.add(this.#changes);
    view.grid.addEventListener('heed-head', () => this.#showOpenHead());
    this.show();
  }

  // Making changes

  /** Cuts a head, or restores it if it is cut. @param {{ layer: number, head: number }} head */
  cutHead({ layer, head }) {
    this.#toggle(cutOf('head', layer, head, this.#part));
  }

  /** Cuts all heads of a layer, or restores them. @param {number} layer */
  cutHeads(layer) {
    this.#toggle(cutOf('heads', layer, 0, this.#part));
  }

  /** Cuts a neuron of an MLP, or restores it. @param {{ layer: number, neuron: number }} neuron */
  cutNeuron({ layer, neuron }) {
    this.#toggle(cutOf('neuron', layer, neuron));
  }

  /** Silences cells of the open map. @param {import('../../elements/map-range.js').CellRange | null} cells */
  cutCells(cells) {
    if (!cells) {
      this.#panel.say('Select a cell of the map first: click it, or use the arrow keys in the map.');
      return;
    }
    const part = this.#part;
    const map = { ...(part && { part }), ...view.grid.selected };
    this.#toggle({ kind: 'cells', ...map, ...cells, renormalize: true, on: true });
  }

  /**
   * Opens the menu of a head, or of a layer.
   * @param {{ layer: number, head: number | null, x: number, y: number }} target head: null for a layer
   */
  openMenu({ layer, head, x, y }) {
    const cut = (/** @type {Scaling['kind']} */ kind) =>
      cutOf(kind, layer, kind === 'head' ? head ?? 0 : 0, this.#part);
    const ofHead = head === null ? [] : [cut('head'), { ...cut('head'), scale: -1 }];
    const changes = [...ofHead, cut('heads'), cut('mlp'), cut('layer')];
    const label = nameOf(cut(head === null ? 'layer' : 'head'));
    const items = changes.map((change) => ({ text: this.#offer(change), act: () => this.#toggle(change) }));
    openMenu(label, items, { x, y });
  }

  /** The words of a menu for a change. @param {Scaling} change */
  #offer(change) {
    const name = inSentence(nameOf(change));
    const whole = change.kind === 'layer' ? ' (heads and MLP)' : '';
    if (this.#find(change)) return `Restore ${name}`;
    return change.scale === 0 ? `Cut ${name}${whole}` : `Reverse ${name}`;
  }

  /** The same change, if it is made. @param {Change} change */
  #find(change) {
    return this.#changes.find((each) => targetOf(each) === targetOf(change)
      && (change.kind === 'cells' || (each.kind !== 'cells' && each.scale === change.scale)));
  }

  /** Makes a change, or removes it if it is made. @param {Change} change */
  #toggle(change) {
    const made = this.#find(change);
    if (made) {
      const words = made.kind === 'cells' ? 'The cells are no longer silenced.' : `${nameOf(made)} restored.`;
      this.#set(this.#changes.filter((each) => each !== made), { say: words });
      return;
    }
    const others = this.#changes.filter((each) => targetOf(each) !== targetOf(change));
    if (others.length === CHANGES_LIMIT) {
      this.#panel.say(`There are ${CHANGES_LIMIT} changes, the maximum. Remove one first.`);
      return;
    }
    this.#set([...others, change], { about: others.length });
  }

  /** Runs the example: a prompt whose continuation is a name, and the head that copies it. */
  async runExample() {
    const { prompt, layer, head } = EXAMPLE;
    this.#changes = [];
    view.prompt.value = prompt;
    await this.#app.generate();
    const { session } = this.#app;
    if (!session || session.generation.prompt !== prompt || session.generation.running) return;
    session.maps.choose({ layer, head });
    this.#select(session.generation.promptLength);
    this.cutHead({ layer, head });
  }

  /** Selects a token of the text. @param {number} position */
  #select(position) {
    view.strip.selected = position;
    this.#app.selectToken(position);
  }

  // The list of changes

  /**
   * Replaces the changes, and runs the text with them.
   * @param {readonly Change[]} changes
   * @param {{ done?: boolean, about?: number, say?: string }} [options] done: false while a slider moves; about: index
   *   of the change to describe; say: the result
   */
  #set(changes, { done = true, about, say } = {}) {
    this.#changes = changes;
    if (about !== undefined) this.#applied = true;
    if (done) {
      this.#history.add(changes);
      this.#app.saveAddress();
    }
    this.show();
    const change = about === undefined ? undefined : changes[about];
    void this.#apply(say ?? (change ? this.#describe(change) : ''));
  }

  /** @param {Change} change */
  #describe(change) {
    return `${this.#words(change)}${change.on ? '' : ': off'}.`;
  }

  /** True if undo applies to changes, not to the text. */
  get canUndo() {
    return this.#history.canUndo || this.#history.canRedo;
  }

  /** @param {-1 | 1} direction */
  stepHistory(direction) {
    const changes = this.#history.step(direction);
    if (!changes) return;
    this.#changes = changes;
    this.#app.saveAddress();
    this.show();
    void this.#apply(direction < 0 ? 'Undone.' : 'Redone.');
  }

  /** A change in words. @param {Change} change */
  #words(change) {
    const { session } = this.#app;
    return describeChange(change, session?.generation.tokens ?? [], session?.part?.().source);
  }

  /** Shows the changes, for example because maps of another part are open. */
  show() {
    const { canUndo, canRedo } = this.#history;
    this.#panel.show(this.#changes, (change) => this.#words(change), { canUndo, canRedo, applied: this.#applied,
      canWrite: this.#writer !== null });
    if (this.#app.session) {
      view.grid.changes = headScales(this.#active, view.grid.shape.heads, this.#part)
        .filter(({ layer, head }) => layer < view.grid.shape.layers && head < view.grid.shape.heads);
    }
    this.#showOpenHead();
  }

  /** Shows the changes of the open head: its button, and the silenced cells of its map. */
  #showOpenHead() {
    const { layer, head } = view.grid.selected;
    const part = this.#part;
    view.cutHead.textContent = this.#offer(cutOf('head', layer, head, part));
    view.map.marked = this.#active.flatMap((change) => (change.kind === 'cells' && change.part === part
      && change.layer === layer && change.head === head ? [{ queries: change.queries, keys: change.keys }] : []));
  }

  /** The part of an encoder–decoder whose maps are open. */
  get #part() {
    return this.#app.session?.part?.().name;
  }

  /** The text of a decoder, which continues both ways; null for other kinds of models. */
  get #writer() {
    const { session } = this.#app;
    return session?.generation instanceof Generation && !session.part ? session.generation : null;
  }

  /** The changes that apply. */
  get #active() {
    return this.#applied ? this.#changes.filter(({ on }) => on) : [];
  }

  // The page

  /** The changes and the compared token for the page's address; undefined without changes. */
  get address() {
    const { session, candidates: { position } } = this.#app;
    const first = session ? firstPosition(session) : null;
    return this.#changes.length ? writeField(this.#changes, position === first ? null : position) : undefined;
  }

  /**
   * Takes the changes of an address. They apply when the text is complete.
   * @param {string} text
   * @returns {string} the error as a sentence; empty without an error
   */
  readAddress(text) {
    const field = splitField(text);
    const changes = readChanges(field.changes);
    this.#wanted = field.position;
    this.#changes = changes ?? [];
    this.#applied = true;
    this.#history.add(this.#changes);
    const misfit = this.#dropMisfit();
    this.show();
    return changes ? misfit : 'The changes in the address are invalid, so none apply. The address may be truncated.';
  }

  /** Removes changes that do not fit the model. @returns {string} a sentence; empty if all fit */
  #dropMisfit() {
    const { session } = this.#app;
    if (!session) return '';
    const { info } = session.model;
    const misfit = this.#changes.filter((change) => !fitsModel(change, info));
    if (misfit.length === 0) return '';
    this.#changes = this.#changes.filter((change) => !misfit.includes(change));
    if (misfit.some(({ part }) => (part === undefined) === (info.parts !== undefined))) {
      return 'Changes of another kind of model were removed.';
    }
    const names = misfit.slice(0, 3).map((change) => (change.kind === 'cells' ? `map ${change.layer}.${change.head}`
      : inSentence(nameOf(change)))).join(', ');
    const more = misfit.length > 3 ? ` and ${misfit.length - 3} more` : '';
    return `${info.name} has ${pluralize(info.layers, 'layer')} of ${pluralize(info.heads, 'head')}, so ${
      pluralize(misfit.length, 'change')} ${misfit.length === 1 ? 'was' : 'were'} removed: ${names}${more}.`;
  }

  /** Another model is loaded. */
  modelChanged() {
    this.#abort?.abort(SUPERSEDED);
    this.#abort = null;
    this.#app.candidates.compare = null;
    this.#continuations.close();
    this.#history.clear();
    const misfit = this.#dropMisfit();
    this.#history.add(this.#changes);
    this.show();
    this.#panel.busy('');
    this.#panel.say(misfit);
  }

  /** The page shows another text, or a longer one, and the model has read it without changes. */
  textChanged() {
    if (this.#app.session?.generation.ids !== this.#logits.ids) this.#continuations.close();
    this.show();
    const { session, candidates } = this.#app;
    if (!session) return;
    const wanted = this.#wanted;
    this.#wanted = null;
    if (this.#active.length) {
      const isShown = wanted !== null && wanted < session.generation.ids.length && session.generation.predicts(wanted);
      // The page selects the last token after this call.
      if (isShown) void Promise.resolve().then(() => this.#select(wanted));
      void this.#apply('', isShown ? wanted : session.generation.lastGenerated);
    } else {
      session.generation.edits = () => [];
      candidates.compare = null;
    }
  }

  // Running

  /**
   * Runs the text with the changes, and shows the maps and the candidates of that run. A later call supersedes it.
   * @param {string} opening what happened
   * @param {number | null} [position] of the token to compare; default: the token whose candidates are shown
   */
  async #apply(opening, position = this.#app.candidates.position) {
    const { session, candidates } = this.#app;
    this.#panel.say(opening);
    if (!session || session.generation.ids.length === 0) return;
    if (session.generation.running) {
      this.#panel.say(`${opening} It applies when the text is complete.`.trim());
      return;
    }
    const active = this.#active;
    const { generation } = session;
    const at = position ?? firstPosition(session);
    const sentence = await this.#work(`Running ${pluralize(generation.ids.length, 'token')} with ${
      pluralize(active.length, 'change')}`, async (signal) => {
      await generation.borrow(async (model, either) => {
        if (active.length && generation.predicts(at)) await this.#computeLogits(session, active, at, either);
        generation.edits = (positions) => editsOf(active, positions, session.part?.().source.length);
        this.#nameChanges(active);
      }, { signal, refresh: true });
      candidates.compare = active.length ? (shown) => {
        this.#app.saveAddress();
        return this.#compareLater(session, shown);
      } : null;
      return `${opening} ${describeComparison(await this.#compare(session, active, at))}`.trim();
    }, 'The maps show the run before the last change.');
    if (sentence === null || this.#app.session !== session) return;
    this.#panel.say(sentence);
    if (candidates.position === position || candidates.position === null) candidates.show(generation, at);
    if (this.#continuations.open && active.length) await this.#write();
  }

  /** Names the changes in the files of figures. @param {readonly Change[]} active */
  #nameChanges(active) {
    const changes = active.length ? active.map((change) => this.#words(change)).join('; ') : undefined;
    for (const figure of figures) figure.provenance = { ...figure.provenance, changes };
  }

  /** Writes both texts. @returns {Promise<string | null>} the difference as a sentence; null if it was not completed */
  #write() {
    const active = this.#active;
    const generation = this.#writer;
    if (!generation || generation.running || active.length === 0) return Promise.resolve(null);
    return this.#work('Writing both texts', (signal) => this.#continuations.write(generation, active,
      { signal, onProgress: (words) => this.#panel.busy(words) }), 'The texts are incomplete.');
  }

  /**
   * Runs one task at a time: the next task supersedes the previous task. Reports progress, a stop, or the
   * error.
   * @param {string} words
   * @param {(signal: AbortSignal) => Promise<string>} work
   * @param {string} left what the page shows if the work is canceled
   * @returns {Promise<string | null>} its result; null if it was not completed, or superseded
   */
  async #work(words, work, left) {
    this.#abort?.abort(SUPERSEDED);
    const abort = this.#abort = new AbortController();
    this.#panel.busy(words);
    const running = this.#running = work(abort.signal);
    try {
      const result = await running;
      return this.#abort === abort ? result : null;
    } catch (error) {
      if (this.#abort !== abort) return null;
      if (!isAbort(error)) this.#panel.say(messageOf(error));
      else if (abort.signal.aborted) this.#panel.say(`Stopped. ${left}`);
      return null;
    } finally {
      if (this.#abort === abort) {
        this.#abort = null;
        this.#panel.busy('');
      }
    }
  }

  /**
   * Computes the logits at a position in both runs, unless they are known. The model is borrowed.
   * @param {Session} session
   * @param {readonly Change[]} changes
   * @param {number} position
   * @param {AbortSignal} signal
   * @returns {Promise<Logits>}
   */
  async #computeLogits({ generation, part }, changes, position, signal) {
    let logits = this.#logits;
    if (logits.ids !== generation.ids) logits = noLogits(generation.ids, changes);
    else if (!areSame(logits.changes, changes)) logits = { ...logits, changes, after: new Map() };
    this.#logits = logits;
    for (const [runs, active] of /** @type {const} */ ([[logits.before, []], [logits.after, changes]])) {
      if (runs.has(position)) continue;
      const edits = (/** @type {number} */ positions) => editsOf(active, positions, part?.().source.length);
      runs.set(position, await generation.editedLogitsAt(position, edits, signal));
    }
    return logits;
  }

  /** The candidates at a position, before and after, when the current run is complete.
   *  @param {Session} session @param {number} position */
  async #compareLater(session, position) {
    for (let running; running !== this.#running;) {
      running = this.#running;
      await running.catch(() => {});
    }
    return this.#compare(session, this.#active, position);
  }

  /**
   * The candidates at a position, before and after.
   * @param {Session} session
   * @param {readonly Change[]} changes that apply
   * @param {number} position
   * @returns {Promise<(Candidate & { after: number })[]>} empty at the first position, and without changes
   */
  async #compare(session, changes, position) {
    const { generation } = session;
    if (changes.length === 0 || !generation.predicts(position)) return [];
    const { ids } = generation;
    let logits = this.#logits;
    if (logits.ids !== ids || !areSame(logits.changes, changes) || !logits.after.has(position)) {
      logits = await generation.borrow((_, signal) => this.#computeLogits(session, changes, position, signal));
    }
    const before = logits.before.get(position);
    const after = logits.after.get(position);
    if (logits.ids !== ids || !before || !after) return [];
    const list = compareLogits(before, after, generation.chosenAt(position));
    const texts = await generation.namesOf(list.map(({ id }) => id));
    return list.map((each, at) => ({ ...each, text: texts[at] }));
  }
}

/**
 * Logits by position, without and with changes. A run that is superseded writes to the maps of its own changes.
 * @typedef {object} Logits
 * @property {readonly number[]} ids of the text
 * @property {readonly Change[]} changes
 * @property {Map<number, Float32Array>} before
 * @property {Map<number, Float32Array>} after
 */

/** @param {readonly number[]} ids @param {readonly Change[]} changes @returns {Logits} */
const noLogits = (ids, changes) => ({ ids, changes, before: new Map(), after: new Map() });

/** @param {readonly Change[]} a @param {readonly Change[]} b */
const areSame = (a, b) => writeChanges(a) === writeChanges(b);

/** Position of the token whose candidates are shown first. @param {Session} session */
const firstPosition = ({ generation }) => generation.lastGenerated ?? generation.ids.length - 1;

/** A name within a sentence: Head 3.5 becomes head 3.5, and MLP stays. @param {string} name */
const inSentence = (name) => name.replace(/^[AHLN](?=[a-z])/, (letter) => letter.toLowerCase());
