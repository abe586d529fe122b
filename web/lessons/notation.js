/** The glossary, and the papers of all lessons. */
import { CONCEPTS } from '../glossary.js';
import { h } from '../elements/dom.js';
import { element, lesson } from './kit/page.js';
import { entryOf } from './kit/sources.js';
import { anchorOf } from './kit/terms.js';
import { PAPERS } from './papers.js';

/** In alphabetical order, ignoring case. @param {string} a @param {string} b */
const byName = (a, b) => a.localeCompare(b, 'en');

lesson(async () => {
  element('terms').append(...Object.keys(CONCEPTS).sort(byName).map((term) =>
    h('div', { id: anchorOf(term) }, h('dt', {}, term), h('dd', {}, CONCEPTS[term]))));
  element('all-papers').append(...Object.values(PAPERS).sort((a, b) => byName(a.authors, b.authors)).map(entryOf));
});
