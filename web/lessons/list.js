/**
 * The lessons, in the order of reading: pages `NAME.html` beside this file. One line a lesson; numbers are those of
 * the names.
 * @type {readonly { name: string, title: string, idea: string }[]}
 */
export const LESSONS = [
  { name: '01-soft-lookup', title: 'Soft lookup', idea: 'A dictionary that can be differentiated.' },
];

/** What a lesson is called by: its number and title. @param {{ name: string, title: string }} lesson */
export const titleOf = ({ name, title }) => `${Number(name.slice(0, 2))} · ${title}`;
