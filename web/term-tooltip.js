/** The tooltip that explains terms. */
import { TERMS } from './glossary.js';

/** Pixels between a term and its tooltip. */
const GAP = 6;

/**
 * Explains every element with `data-term`, or with a text in `data-explanation`, on hover and focus, also elements that
 * are added later. Escape hides the
 * tooltip, and the pointer can move onto it (WCAG 2.2, 1.4.13).
 * @param {HTMLElement} root
 */
export function attachTooltip(root) {
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
    (target instanceof Element
      ? /** @type {HTMLElement | null} */ (target.closest('[data-term], [data-explanation]')) : null);
  /** Places the tooltip below the term, or above it if there is no space. @param {HTMLElement} element */
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
    const text = element.dataset.explanation ?? TERMS[element.dataset.term ?? ''];
    if (!text || element === shown) return;
    hide();
    shown = element;
    tip.textContent = text;
    tip.hidden = false;
    // Inside a landmark, so that screen readers find it.
    (element.closest('header, main, aside') ?? root).append(tip);
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
