/** Words of the page that explain themselves: an element with data-term shows its explanation on hover and on focus. */

/** @type {Record<string, string>} */
export const TERMS = {
  token: 'A piece of text that the model reads and writes at once: a word, a part of one, or a mark. Each token has a '
    + 'number, its id, in the model’s vocabulary.',
  layer: 'One of the blocks that the text passes through, one after the other. Layer 0 is the first. Each has '
    + 'several heads and a small network.',
  head: 'One lookup inside a layer. At every token it asks a question of its own and reads from the earlier tokens '
    + 'that match. The heads of a layer work side by side.',
  query: 'The token that asks. Each row of the map is a query, and shows how it divides its attention.',
  key: 'A token that is looked at. Each column of the map is a key. A token sees itself and earlier tokens only.',
  attention: 'A share of one query’s attention. The shares of a row are between 0 and 1, and sum to 1.',
  start: 'A mark that begins every text of this model. It is not a word and you did not type it.',
  sink: 'Many heads rest on the first token when they find nothing to read. That column then outshines all others.',
  parameters: 'The numbers that training found. They do not change while the model writes.',
  context: 'How many tokens the model can see at once, prompt and answer together.',
  relaxed: 'A newer set of WebAssembly vector instructions. They are faster, and the last bits of a number may differ '
    + 'between processors.',
  simd128: 'WebAssembly’s vector instructions, which every current browser has.',
  scalar: 'Plain WebAssembly without vector instructions: slow, and there to be compared with.',
  length: 'How many tokens to write at most.',
  temperature: 'Below 1 the likeliest tokens become likelier; above 1 the choice is more even. 0 always takes the '
    + 'likeliest token.',
  'top-k': 'Only the K likeliest tokens can be chosen. 0 keeps all.',
  'top-p': 'Only the smallest set of tokens whose probabilities reach P can be chosen. 1 keeps all.',
  'repeat-penalty': 'Makes tokens that are in the text already less likely. 1 changes nothing; 1.1 is a mild penalty.',
  seed: 'The start of the random numbers. The same seed with the same settings writes the same text.',
};

/** Pixels between a word and its explanation. */
const GAP = 6;

/**
 * Shows the explanation of whatever below `root` has data-term, also of elements that come later.  Escape hides it, and
 * the pointer may rest on it (WCAG 2.2, 1.4.13).
 * @param {HTMLElement} root
 */
export function explainTerms(root) {
  const tip = document.createElement('div');
  tip.id = 'explanation';
  tip.className = 'explanation';
  tip.setAttribute('role', 'tooltip');
  tip.hidden = true;
  /** @type {HTMLElement | null} */
  let shown = null;

  const hide = () => {
    shown?.removeAttribute('aria-describedby');
    shown = null;
    tip.hidden = true;
  };
  /** @param {EventTarget | null} target */
  const termOf = (target) =>
    (target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest('[data-term]')) : null);
  /** Under the word, or above it where there is no room. @param {HTMLElement} element */
  const place = (element) => {
    const at = element.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const above = at.bottom + GAP + height > innerHeight && at.top - GAP - height > 0;
    const right = document.documentElement.clientWidth - width - GAP;
    tip.style.left = `${Math.max(GAP, Math.min(at.left, right))}px`;
    tip.style.top = `${above ? at.top - GAP - height : at.bottom + GAP}px`;
  };
  /** @param {HTMLElement} element */
  const show = (element) => {
    const text = TERMS[element.dataset.term ?? ''];
    if (!text || element === shown) return;
    hide();
    shown = element;
    tip.textContent = text;
    tip.hidden = false;
    (element.closest('header, main, aside') ?? root).append(tip); // within a landmark, where screen readers look
    element.setAttribute('aria-describedby', tip.id);
    place(element);
  };

  root.addEventListener('pointerover', (event) => {
    const term = termOf(event.target);
    if (term) show(term);
  });
  root.addEventListener('focusin', (event) => {
    const term = termOf(event.target);
    if (term) show(term);
  });
  root.addEventListener('focusout', hide);
  addEventListener('scroll', () => shown && place(shown), { capture: true, passive: true });
  addEventListener('pointerover', (event) => {
    const over = event.target instanceof Element && (termOf(event.target) === shown || tip.contains(event.target));
    if (shown && !over && !shown.contains(document.activeElement)) hide();
  });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && shown) {
      hide();
      event.stopPropagation();
    }
  }, { capture: true });
}
