/** The parts of an exercise in the document: tables with a blank, and forms for each type of answer. */
import { h } from '../../elements/dom.js';
import { numberOf } from './answers.js';
import { makeScrollFocusable } from './focusable-scroll.js';
import { fixed, trimmed } from './format.js';

/** @typedef {import('./answers.js').Given} Given */
/** Hands in an answer; a complaint says what is missing. @typedef {(answer: any, complaint: string) => void} Submit */

let forms = 0;

/** Text with `code` between backticks, and with names such as W_Q set as a letter with an index.
 *  @param {string} text @returns {(string | HTMLElement)[]} */
export const withCode = (text) => text.split('`').flatMap((part, i) => (i % 2 ? [h('code', {}, part)]
  : part.split(/\b([A-Z]_[A-Za-z0-9])\b/).map((name, j) => (j % 2
    ? h('span', { class: 'whole' }, h('i', {}, name[0]), h('sub', {}, name.slice(2))) : name))));

/** The labels 1, 2, 3 … @param {number} n */
const numbers = (n) => Array.from({ length: n }, (_, i) => String(i + 1));

/**
 * A table of the question. Its blank cell is a field of the form.
 * @param {Given} given @param {string} form id of the form
 * @param {(cell: HTMLTableCellElement, row: number, column: number, name: string) => void} [fill] fills a cell
 */
export function tableOf(given, form, fill) {
  const { caption, axes, data, digits = 3, blank } = given;
  const rows = given.rows ?? numbers(given.columns ? data.length / given.columns.length : 1);
  const columns = given.columns ?? numbers(data.length / rows.length);
  const table = h('table', { class: 'matrix' }, h('caption', {}, h('span', {}, caption)),
    h('thead', {}, h('tr', {},
      h('td', { class: 'axes' }, axes.map((name, i) => name && `${name} ${'↓→'[i]}`).filter(Boolean).join(' ')),
      ...columns.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...rows.map((row, i) => h('tr', {}, h('th', { scope: 'row' }, row), ...columns.map((column, j) => {
      const cell = h('td');
      const name = `${caption}: ${[axes[0], row, axes[1], column].filter(Boolean).join(' ')}`;
      const value = data[i * columns.length + j];
      if (fill) fill(cell, i, j, name);
      else if (blank && blank[0] === i && blank[1] === j) cell.append(numberField(form, name));
      else if (value === -Infinity) cell.append('−∞');
      else cell.append(fixed(value, digits));
      return cell;
    })))));
  const box = h('div', { class: 'scrolls', role: 'group', 'aria-label': caption }, table);
  makeScrollFocusable(box);
  return box;
}

/** @param {string} form id @param {string} [label] for a field without a label beside it */
const numberField = (form, label = '') => h('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', form,
  class: 'number', ...(label && { 'aria-label': label, placeholder: '?' }) });

/** @param {HTMLInputElement[]} fields @returns {{ answer: number[], complaint: string }} */
function numbersIn(fields) {
  const answer = fields.map(({ value }) => numberOf(value));
  const wrong = answer.findIndex(Number.isNaN);
  for (const [i, field] of fields.entries()) field.setAttribute('aria-invalid', String(i === wrong));
  if (wrong < 0) return { answer, complaint: '' };
  const text = fields[wrong].value.trim();
  fields[wrong].focus();
  return { answer, complaint: text ? `‘${text.slice(0, 20)}’ is not a number. Write it like 0.25, 1/4 or −3.`
    : 'Write a number first.' };
}

/** How exact a number must be, in words. @param {number} tolerance */
const exactness = (tolerance) => (tolerance > 0 ? `within ${trimmed(tolerance, 6)}` : 'exactly');

/**
 * A form for the answer of an exercise, without its button.
 * @param {import('./answers.js').Posed} posed @param {Submit} submit
 * @returns {{ form: string, element: HTMLFormElement }} id of the form, and the form
 */
export function answerForm({ form: asked, given = [] }, submit) {
  const id = `answer-${++forms}`;
  const fieldset = h('fieldset');
  const element = h('form', { id, novalidate: true, autocomplete: 'off' }, fieldset);
  /** @type {() => { answer: any, complaint: string }} */ let read;
  const fields = () => [...element.elements].filter((each) => each instanceof HTMLInputElement);
  const legend = (/** @type {string} */ text) => fieldset.append(h('legend', {}, text));
  if (asked.type === 'number') {
    const inTable = given.some(({ blank }) => blank);
    legend(inTable ? `The empty cell: ${asked.label}, ${exactness(asked.tolerance)}` : 'Your answer');
    if (!inTable) {
      fieldset.append(h('label', { class: 'control' }, h('span', {}, asked.label), numberField(id),
        h('span', { class: 'tolerance' }, exactness(asked.tolerance))));
    }
    read = () => {
      const { answer, complaint } = numbersIn(fields());
      return { answer: answer[0], complaint };
    };
  } else if (asked.type === 'choice') {
    legend('Your answer');
    fieldset.append(...asked.options.map((text, i) => h('label', { class: 'option' },
      h('input', { type: 'radio', name: id, value: i }), h('span', {}, ...withCode(text)))));
    read = () => {
      const answer = fields().findIndex(({ checked }) => checked);
      return { answer, complaint: answer < 0 ? 'Choose an answer first.' : '' };
    };
  } else if (asked.type === 'code') {
    legend('Complete the line');
    const selects = asked.parts.flatMap((part) => (typeof part === 'string' ? [] : [
      h('select', { 'aria-label': part.label }, h('option', { value: '' }, '…'),
        ...part.options.map((text, i) => h('option', { value: i }, text)))]));
    let next = 0;
    fieldset.append(h('div', { class: 'code-line' }, ...asked.parts.map((part) => (typeof part === 'string'
      ? h('code', {}, part) : selects[next++]))));
    read = () => ({ answer: selects.map(({ value }) => Number(value)),
      complaint: selects.some(({ value }) => value === '') ? 'Fill every gap first.' : '' });
  } else if (asked.type === 'matrix') {
    legend('Your numbers');
    const box = h('div', { class: 'side' });
    /** @type {HTMLInputElement[][]} */ const tables = [];
    for (const table of asked.tables) {
      /** @type {HTMLInputElement[]} */ const cells = [];
      box.append(tableOf(table, id, (cell, row, column, name) => {
        const field = h('input', { type: 'text', inputmode: 'decimal', form: id, 'aria-label': name,
          value: trimmed(table.data[cells.length], 6) });
        cells.push(field);
        cell.append(field);
      }));
      tables.push(cells);
    }
    fieldset.append(box);
    read = () => {
      const { answer, complaint } = numbersIn(tables.flat());
      let at = 0;
      return { answer: tables.map(({ length }) => answer.slice(at, at += length)), complaint };
    };
  } else {
    legend('Your answer');
    const field = h('input', { type: 'text', spellcheck: 'false', autocapitalize: 'off', class: 'program' });
    fieldset.append(h('label', {}, h('span', {}, asked.label), field));
    read = () => ({ answer: field.value, complaint: field.value.trim() ? '' : 'Write an answer first.' });
  }
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const { answer, complaint } = read();
    submit(answer, complaint);
  });
  return { form: id, element };
}
