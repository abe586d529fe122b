/**
 * `<heed-figure>`: one figure of a lesson in a page of any origin, in a frame as high as the figure.
 *
 *     <script src="https://…/lessons/heed-figure.js"></script>
 *     <heed-figure src="05#distance" t="30"></heed-figure>
 *
 * `src` is the number of the lesson and the id of the figure. Every other attribute is the value of a control, by its
 * name in the address of the lesson. The site has this file as a classic script with the list of lessons in it.
 * Modules of another origin would need CORS, and only a classic script knows its place.
 */
import { LESSONS, titleOf } from './list.js';

const BASE = /** @type {HTMLScriptElement} */ (document.currentScript).src;
/** Attributes of HTML are not controls. */
const OF_HTML = /^(src|id|class|style|title|hidden|lang|dir|slot|part|is|role|tabindex|inert|nonce|(data|aria)-.*)$/;
const EXAMPLE = 'for example src="05#distance"';

class LessonFigure extends HTMLElement {
  #frame = document.createElement('iframe');
  #observer = new MutationObserver(() => this.#show());
  #onMessage = (/** @type {MessageEvent} */ { source, data }) => {
    if (!source || source !== this.#frame.contentWindow || data?.heed !== 'lesson') return;
    this.#frame.style.height = `${Number(data.height)}px`;
  };

  connectedCallback() {
    this.#frame.style.cssText = 'width: 100%; height: 20rem; border: 0; display: block';
    this.#frame.loading = 'lazy';
    this.#frame.scrolling = 'no'; // a scroll bar would make the figure narrower before its height is known
    this.style.display ||= 'block';
    addEventListener('message', this.#onMessage);
    this.#observer.observe(this, { attributes: true });
    this.#show();
  }

  disconnectedCallback() {
    removeEventListener('message', this.#onMessage);
    this.#observer.disconnect();
  }

  /** Shows the figure of `src`, or says why not. */
  #show() {
    const src = this.getAttribute('src') ?? '';
    const [, lesson, figure] = /^([\w-]+)#([\w-]+)$/.exec(src) ?? [];
    const found = LESSONS.find(({ name }) => name === lesson || name.slice(0, 2) === lesson);
    if (!found) {
      const why = figure === undefined ? `must name a lesson and a figure, ${EXAMPLE}` : `names no lesson: ${lesson}`;
      return this.replaceChildren(`The src of this <heed-figure> ${why}.`);
    }
    const values = [...this.attributes].filter(({ name }) => !OF_HTML.test(name))
      .map(({ name, value }) => /** @type {[string, string]} */ ([name, value]));
    const address = new URL(`./${found.name}.html?embed&figure=${figure}#${new URLSearchParams(values)}`, BASE).href;
    this.#frame.title = this.title || `Figure ${figure} of the lesson ${titleOf(found)}`;
    const page = (/** @type {string} */ url) => url.replace(/#.*$/, '');
    if (this.#frame.parentNode !== this) this.replaceChildren(this.#frame);
    // A frame of the same lesson gets its new values without loading again, and without an entry in the history.
    if (page(this.#frame.src) === page(address)) this.#frame.contentWindow?.location.replace(address);
    else this.#frame.src = address;
    return undefined;
  }
}

if (!customElements.get('heed-figure')) customElements.define('heed-figure', LessonFigure);
