// Turns TeX in the text of a page into MathML. $…$ is a formula inside a line, $$…$$ a formula on a separate line, and
// \$ is a dollar sign.
import temml from 'temml';

/** Elements with text that stays unchanged. */
const VERBATIM = 'pre|code|script|style|textarea|title';
const TOKEN = new RegExp([
  '<!--[^]*?-->',
  `<(${VERBATIM})\\b[^]*?</\\1\\s*>`,
  '</?[a-z](?:"[^"]*"|\'[^\']*\'|[^\'">])*>', // a tag, with `$` in its attributes
  '\\\\\\$',
  '\\$\\$(?<display>[^]*?)\\$\\$',
  '(?<open>[(“‘]*)\\$(?<inline>[^$]*)\\$(?<close>(?:&nbsp;=&nbsp;<output\\b[^<>]*></output>)?[.,;:!?)”’]*)',
  '\\$',
].join('|'), 'gi');
/** A tag or an empty line within a formula: its second `$` is missing. */
const TORN = /<\/?[a-z][^<>]*>|\n\s*\n/i;
/** A prime as an exponent. Its glyph is high already, so render() puts it beside the letter. */
const PRIME = new RegExp('<(msup|msubsup)>(<mi>[^<]*</mi>)((?:<mi>[^<]*</mi>)?)'
  + '<mo [^>]*\\btml-prime\\b[^>]*>(′+)</mo></\\1>', 'g');
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** The base of an index or of an accent, as in `Z_1`: part of another symbol. */
const BASE = /<(?:msub|msubsup|mover|munder|munderover)>$/;
/** A prime or an exponent makes another symbol too, except for a transpose. */
const PRIMED = /^<mo lspace="0" rspace="0">′/;
const POWER = /<msup>$/;
const TRANSPOSED = /^<mi[^>]*>⊤/;

/**
 * Marks symbols in a formula. A longer symbol hides the shorter ones inside it.
 * @param {string} math
 * @param {{ tex: string, element: string }[]} symbols the longest first
 */
function bind(math, symbols) {
  /** @type {{ at: number, end: number, tex: string }[]} */
  const found = [];
  for (const { tex, element } of symbols) {
    for (let at = math.indexOf(element); at >= 0; at = math.indexOf(element, at + 1)) {
      const before = math.slice(0, at);
      const after = math.slice(at + element.length);
      const end = at + element.length;
      const other = BASE.test(before) || PRIMED.test(after) || (POWER.test(before) && !TRANSPOSED.test(after));
      if (!other && !found.some((each) => at < each.end && end > each.at)) found.push({ at, end, tex });
    }
  }
  return found.sort((a, b) => b.at - a.at).reduce((text, { at, tex }) =>
    text.slice(0, at) + text.slice(at).replace(/^<[a-z]+/, (tag) => `${tag} data-symbol="${tex}"`), math);
}

/** Renders the formulas of a site. The page policy forbids `style` attributes, so each distinct one becomes a class. */
export class Formulas {
  /** Class names by declarations. @type {Map<string, string>} */
  #classes = new Map();

  /**
   * @param {string} html of a page
   * @param {string} path of its source, for errors
   * @param {string[]} [symbols] TeX of the symbols that drawings of the page bind: each occurrence gets the attribute
   *   `data-symbol` with this TeX
   * @returns {string} the page with MathML in place of TeX
   * @throws {Error} with one line per mistake: file, line, reason
   */
  render(html, path, symbols = []) {
    const mistakes = [];
    const bound = symbols.map((tex) => ({ tex, element: this.#elementOf(tex) }))
      .sort((a, b) => b.element.length - a.element.length);
    const rendered = html.replace(TOKEN, (token, ...rest) => {
      const { display, inline, open, close } = rest.at(-1);
      const line = html.slice(0, rest.at(-3)).split('\n').length;
      const mistake = (reason) => {
        mistakes.push(`${path}:${line}: ${reason}`);
        return token;
      };
      if (token === '\\$') return '$';
      if (/^<math\b/i.test(token)) return mistake('MathML written by hand: write the formula as TeX, $…$ or $$…$$');
      const tex = display ?? inline;
      if (tex === undefined && token !== '$') return token;
      if (tex === undefined || TORN.test(tex)) {
        return mistake('a $ without its second $; a dollar sign in the text is \\$, a < in a formula is \\lt');
      }
      try {
        const math = bind(this.#mathml(tex, display !== undefined), bound);
        // No line break between a formula and its value or its punctuation.
        return open || close ? `<span class="whole">${open}${math}${close}</span>` : math;
      } catch (error) {
        return mistake(`${error.message.replace(/^ParseError:\s*/, '').trim()} in $${tex.trim()}$`);
      }
    });
    if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
    return rendered;
  }

  /** CSS rules of the classes that render() has created. */
  css() {
    return [...this.#classes].map(([style, name]) => `.${name} { ${style} }\n`).join('');
  }

  /** @param {string} tex @param {boolean} displayMode */
  #mathml(tex, displayMode) {
    if (tex.trim() === '') throw new Error('an empty formula');
    const source = tex.replace(/&(lt|gt|amp);/g, (entity) => ENTITIES[entity]).trim();
    return temml.renderToString(source, { displayMode, throwOnError: true })
      .replace(' class="tml-display" style="display:block math;"', '')
      .replace(PRIME, (_, tag, base, index, prime) => {
        const primed = `<mrow>${base}<mo lspace="0" rspace="0">${prime}</mo></mrow>`;
        return index ? `<msub>${primed}${index}</msub>` : primed;
      })
      .replace(/<[^>]* style="[^>]*>/g, (tag) => this.#withoutStyle(tag));
  }

  /** The MathML element of one symbol. @param {string} tex */
  #elementOf(tex) {
    return this.#mathml(tex, false).replace(/^<math>|<\/math>$/g, '')
      .replace(/^<mrow>(.*?)<mo>\u2061<\/mo>.*<\/mrow>$/, '$1'); // the space after the name of a function
  }

  /** @param {string} tag with a style attribute */
  #withoutStyle(tag) {
    const [, style] = /style="([^"]*)"/.exec(tag);
    if (!this.#classes.has(style)) this.#classes.set(style, `tex-${this.#classes.size + 1}`);
    const name = this.#classes.get(style);
    const bare = tag.replace(/ style="[^"]*"/, '');
    return bare.includes(' class="') ? bare.replace(' class="', ` class="${name} `)
      : bare.replace(/>$/, ` class="${name}">`);
  }
}
