/** The field in which a number of a weight is typed, above its cell. */
import { InputError } from '../draw/check.js';
import { h } from './dom.js';

/** Largest size of a typed weight. Larger numbers would overflow in the products. */
const MOST = 1000;

/** The number in a text, which may have a real minus sign or a decimal comma. @param {string} text
 *  @returns {number} as float32 @throws {InputError} */
export function parseWeight(text) {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  const value = plain === '' ? NaN : Number(plain);
  if (Math.abs(value) <= MOST) return Math.fround(value);
  throw new InputError(`a weight must be a number from −${MOST} to ${MOST}, such as −0.5, got "${text.slice(0, 20)}".`);
}

export class AnatomyEditor {
  #input = h('input', { type: 'text', class: 'editor', inputmode: 'decimal', autocomplete: 'off',
    spellcheck: 'false' });
  /** Takes the typed text; throws if it is not a weight. @type {((text: string) => void) | null} */
  #take = null;
  #close;

  /** @param {() => void} onClose the field was closed by a key, so the focus must move */
  constructor(onClose) {
    this.#close = onClose;
    this.#input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      event.preventDefault();
      if (event.key === 'Enter' && !this.#submit()) return;
      this.close();
      this.#close();
    });
    this.#input.addEventListener('blur', () => {
      if (this.#take && this.#input.value !== this.#input.defaultValue) this.#submit();
      this.close();
    });
    for (const type of ['click', 'pointermove']) {
      this.#input.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  get isOpen() {
    return this.#take !== null;
  }

  /**
   * @param {HTMLElement} parent
   * @param {{ x: number, y: number, width: number, height: number }} cell in the parent
   * @param {{ label: string, value: number, typed: string }} number typed: the key that opened the field, or ''
   * @param {(text: string) => void} take throws an InputError for an invalid text
   */
  open(parent, { x, y, width, height }, { label, value, typed }, take) {
    this.close();
    Object.assign(this.#input.style, { left: `${x}px`, top: `${y}px`, width: `${Math.max(72, width)}px`,
      height: `${Math.max(24, height)}px` });
    this.#input.setAttribute('aria-label', label);
    this.#input.removeAttribute('aria-invalid');
    const shown = String(Number(value.toPrecision(6)));
    this.#input.defaultValue = shown;
    this.#input.value = typed || shown;
    parent.append(this.#input);
    this.#take = take;
    this.#input.focus({ preventScroll: true });
    if (!typed) this.#input.select();
  }

  /** @returns {boolean} false if the text was refused */
  #submit() {
    try {
      this.#take?.(this.#input.value);
      return true;
    } catch {
      this.#input.setAttribute('aria-invalid', 'true');
      return false;
    }
  }

  close() {
    if (!this.#take) return;
    this.#take = null;
    this.#input.remove();
  }
}
