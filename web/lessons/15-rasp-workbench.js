/** The editor of programs, the compiled model, its answers and maps. */
import '../elements/define/attention-map.js';
import { HeedError, lab, randomFrom } from '../../js/lab/index.js';
import { RaspError, rasp } from '../../js/lab/rasp/index.js';
import { RASP_TASKS } from '../../js/lab/rasp/tasks.js';
import { h } from '../elements/dom.js';
import { EXERCISES } from './15-rasp-exercises.js';
import { addButton, addSelect } from './kit/controls.js';
import { DataTable } from './kit/data-table.js';
import { makeScrollFocusable } from './kit/focusable-scroll.js';
import { fixed, grouped } from './kit/format.js';
import { element, showValues } from './kit/page.js';
import { record } from './kit/progress.js';
import { track } from './kit/redraw.js';

/** @typedef {string | number | boolean} Value */

/** Strings of one check. */
const STRINGS = 200;
/** A check runs this many strings between two frames. */
const AT_ONCE = 20;
/** The program compiles when the reader has not typed for this time. */
const TYPING_MS = 250;

/** @param {Value} value */
const shown = (value) => (typeof value === 'number' ? fixed(value, Number.isInteger(value) ? 0 : 2)
  : typeof value === 'boolean' ? (value ? 'True' : 'False') : value);
/** @param {Value[]} a @param {Value[]} b */
const alike = (a, b) => a.every((value, i) => (typeof value === 'number' ? Math.abs(value - Number(b[i])) < 1e-6
  : value === b[i]));

/** Draws the figure, and compiles the first task. @param {import('./kit/drawing.js').Drawing} drawing */
export async function showWorkbench(drawing) {
  const editor = /** @type {HTMLTextAreaElement} */ (element('program'));
  const [words, longest, text] = ['vocabulary', 'longest', 'input'].map((id) =>
    /** @type {HTMLInputElement} */ (element(id)));
  const variables = new DataTable(element('variables'), 'Parts of the residual stream');
  const answers = answersTable(element('answers'));
  let l = await lab();
  let name = 'reverse';
  let turn = 0;
  let seed = 1;
  let timer = 0;
  /** The last program without a mistake, and its model. @type {{
   *    program: import('../../js/lab/rasp/index.js').RaspProgram,
   *    model: import('../../js/lab/rasp/index.js').RaspModel,
   *    vocabulary: string[], length: number } | null} */
  let current = null;

  /** Compiles the program in a new lab, whose memory the next one replaces. */
  async function compile() {
    const mine = ++turn;
    const source = editor.value;
    const vocabulary = [...words.value];
    const length = longest.valueAsNumber;
    const isLength = longest.value !== '' && longest.validity.valid;
    showMistake(null);
    const fresh = await lab();
    if (mine !== turn) return fresh.dispose();
    try {
      if (!words.value) throw new HeedError('bad-argument', 'The vocabulary needs at least one character.');
      if (!isLength) {
        throw new HeedError('bad-argument',
          `The longest input must be a whole number from ${longest.min} to ${longest.max}.`);
      }
      const program = rasp(source);
      const compiled = program.compile({ vocabulary, length });
      const model = compiled.open(fresh);
      current = { program, model, vocabulary, length };
      l.dispose();
      l = fresh;
      showSize(compiled);
      run();
    } catch (error) {
      if (l !== fresh) fresh.dispose();
      showMistake(error);
    }
  }

  /** @param {import('../../js/lab/rasp/index.js').CompiledProgram} compiled */
  function showSize({ size, variables: parts }) {
    showValues({ layers: size.layers, heads: size.heads.join(' + ') || 'no', width: grouped(size.width),
      weights: grouped(size.weights), nonzero: grouped(size.nonzero), verdict: 'Not checked yet.' });
    variables.update(() => ({ head: ['part', 'dimensions'],
      rows: parts.map((each) => [each.name, String(each.dimensions)]) }));
  }

  /** @param {unknown} error a mistake in the program, or null */
  function showMistake(error) {
    if (error !== null && !(error instanceof HeedError)) throw error;
    const { message = '' } = error ?? {};
    const line = error instanceof RaspError ? error.line : 0;
    if (error) showValues({ verdict: 'The figure still shows the program before the mistake.' });
    element('mistake').textContent = message;
    editor.setAttribute('aria-invalid', String(error !== null));
    const count = editor.value.replace(/\n$/, '').split('\n').length;
    editor.rows = count + 1;
    element('line-numbers').replaceChildren(...Array.from({ length: count }, (_, i) =>
      h('span', { class: i + 1 === line ? 'wrong' : '' }, String(i + 1))));
  }

  function run() {
    if (!current) return;
    const { program, model } = current;
    const input = text.value;
    element('refused').textContent = '';
    try {
      if (input === '') throw new HeedError('bad-argument', 'Write at least one character.');
      const wanted = program.run(input);
      const { output, layers, tokens } = model.run(input);
      answers(tokens.slice(1), { interpreter: wanted, transformer: output });
      drawMaps(element('maps'), layers, tokens);
      showSelector(layers.flat().at(-1), tokens);
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      element('refused').textContent = `${error.message} The figure still shows the input before.`;
    }
  }

  /** The selected keys of the last head, without ⊢, which takes the rest of the weight.
   *  @param {import('../../js/lab/rasp/model.js').HeadMap | undefined} head @param {string[]} tokens */
  function showSelector(head, tokens) {
    const words = tokens.slice(1);
    const size = tokens.length;
    const data = words.flatMap((_, i) => words.map((__, j) =>
      Number(head !== undefined && head.pattern[(i + 1) * size + j + 1] > 1e-6)));
    drawing.show({ S: { data, rows: words, columns: words, shade: 'weight' } });
  }

  async function check() {
    if (!current) return;
    const { program, model, vocabulary, length } = current;
    const mine = turn;
    const random = randomFrom(seed++);
    const answer = EXERCISES[name]?.answer ?? ((/** @type {string[]} */ input) => program.run(input));
    let right = 0;
    let wrong = '';
    for (let i = 0; i < STRINGS; i++) {
      const input = Array.from({ length: 1 + Math.floor(random() * length) }, () =>
        vocabulary[Math.floor(random() * vocabulary.length)]);
      try {
        if (alike(answer(input), model.run(input).output)) right++;
        else wrong ||= input.join('');
      } catch (error) {
        if (!(error instanceof HeedError)) throw error;
        return showValues({ verdict: `The program fails for ${input.join('')}. ${error.message}` });
      }
      if (i % AT_ONCE === AT_ONCE - 1) await new Promise((done) => setTimeout(done));
      if (mine !== turn) return undefined;
    }
    solve.disabled = false;
    if (EXERCISES[name]) record(`rasp-${name}`, right === STRINGS);
    return showValues({ verdict: `The transformer is right on ${right} of ${STRINGS} random strings.${
      wrong && ` The first wrong one is ${wrong}.`}` });
  }

  /** @param {string} chosen */
  function choose(chosen) {
    name = chosen;
    const task = RASP_TASKS[name] ?? EXERCISES[name];
    const exercise = Boolean(EXERCISES[name]);
    editor.value = RASP_TASKS[name]?.source ?? 'tokens;\n';
    words.value = task.vocabulary;
    longest.value = String(task.length);
    text.value = task.example;
    element('goal').textContent = task.goal;
    for (const button of [help, solve]) button.hidden = !exercise;
    solve.disabled = true;
    element('hint').hidden = true;
    return compile();
  }

  function compileNow() {
    clearTimeout(timer);
    timer = 0;
    track(compile());
  }

  addSelect(element('tasks'), 'Task', Object.fromEntries(Object.entries({ reverse: RASP_TASKS.reverse, ...RASP_TASKS,
    ...EXERCISES }).map(([key, { title }]) => [key, title])), choose);
  addButton(element('checks'), `Check on ${STRINGS} random strings`, () => void check()).id = 'check';
  const help = addButton(element('checks'), 'Hint', () => {
    element('hint').textContent = EXERCISES[name].hint;
    element('hint').hidden = false;
  });
  const solve = addButton(element('checks'), 'Show a solution', () => {
    editor.value = EXERCISES[name].solution;
    void compile();
  });
  solve.id = 'solve';
  for (const each of [editor, words, longest]) {
    each.addEventListener('input', () => {
      clearTimeout(timer);
      timer = Number(setTimeout(compileNow, TYPING_MS));
    });
    each.addEventListener('change', () => timer && compileNow());
  }
  text.addEventListener('input', run);
  await choose(name);
}

/** A table of the values at each token. @param {HTMLElement} container */
function answersTable(container) {
  const head = h('thead');
  const body = h('tbody');
  const table = h('table', { class: 'matrix' }, h('caption', {}, h('span', {}, 'Result for each token')), head, body);
  const box = h('div', { class: 'scrolls', role: 'group', 'aria-label': 'Result for each token' }, table);
  makeScrollFocusable(box);
  container.append(box);
  return (/** @type {string[]} */ tokens, /** @type {Record<string, Value[]>} */ rows) => {
    head.replaceChildren(h('tr', {}, h('td', { class: 'axes' }, 'token →'), ...tokens.map((token) =>
      h('th', { scope: 'col' }, token))));
    body.replaceChildren(...Object.entries(rows).map(([row, values]) => h('tr', {}, h('th', { scope: 'row' }, row),
      ...values.map((value) => h('td', {}, h('span', {}, shown(value)))))));
  };
}

/** One map for each head. @param {HTMLElement} container
 *  @param {import('../../js/lab/rasp/model.js').HeadMap[][]} layers @param {string[]} tokens */
function drawMaps(container, layers, tokens) {
  const heads = layers.flatMap((list, layer) => list.map((head, index) => ({ ...head, layer, index })));
  while (container.children.length > heads.length) container.lastElementChild?.remove();
  while (container.children.length < heads.length) {
    const map = h('heed-attention-map', { compact: true });
    container.append(h('section', {}, h('h3'), h('code'), map));
  }
  for (const [i, { layer, index, selector, line, pattern }] of heads.entries()) {
    const [title, code, map] = container.children[i].children;
    title.textContent = `Layer ${layer}, head ${index}: line ${line}`;
    code.textContent = selector;
    Object.assign(map, { max: 1, data: { data: pattern, queries: tokens.length, keys: tokens.length, firstQuery: 0,
      causal: false, tokens, layer, head: index } });
  }
}
