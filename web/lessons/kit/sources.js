/** Links to papers: beside the equations, and as a list at the end of a lesson. Nothing is requested before a click. */
import { h } from '../../elements/dom.js';
import { PAPERS } from '../papers.js';

/** A link that tells the other site nothing. @param {import('../papers.js').Paper} paper @param {string} text */
const linkTo = ({ url, title }, text) => h('a', { href: url, rel: 'external noopener noreferrer', title }, text);

/** One entry of a list of papers. @param {import('../papers.js').Paper} paper */
export const entryOf = (paper) => h('li', {}, `${paper.authors} (${paper.year}). `, linkTo(paper, paper.title),
  `. ${paper.at}.`);

/**
 * Turns each `<cite data-paper="NAME">PLACE</cite>` into a link, and lists the papers at the end of the lesson.
 * @throws {Error} if papers.js has no such paper
 */
export function linkSources() {
  const cited = new Set();
  for (const cite of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('cite[data-paper]'))) {
    const paper = PAPERS[cite.dataset.paper ?? ''];
    if (!paper) throw new Error(`papers.js has no paper ‘${cite.dataset.paper}’.`);
    cited.add(paper);
    const place = cite.textContent;
    cite.replaceChildren(linkTo(paper, [`${paper.by} ${paper.year}`, place].filter(Boolean).join(', ')));
  }
  if (cited.size === 0) return;
  document.getElementById('lesson')?.append(h('section', { class: 'sources', 'aria-labelledby': 'sources' },
    h('h2', { id: 'sources' }, 'Sources'), h('ul', {}, ...[...cited].map(entryOf))));
}
