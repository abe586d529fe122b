// Checks the prose of the project: comments, docstrings, test names, messages of errors, Markdown and HTML.
//   node tools/words.js [--warn] PATH…
// Prints file:line: rule: sentence, and exits with 1 if there is an error. --warn prints warnings too.
// A quotation or a foreign name that must stay: put `words: allow` on its line or the line before.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { languageOf } from './words/prose.js';
import { check } from './words/rules.js';

const SKIPPED = /^tests\/(goldens|fuzz\/corpus)\/|^tools\/words\/spelling\.js$/;

/**
 * Files with prose among paths; a folder stands for its files that Git does not ignore.
 * @param {string[]} paths
 */
export function filesOf(paths) {
  const flags = ['--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = execFileSync('git', ['ls-files', ...flags, '--', ...paths], { encoding: 'utf8' });
  return listed.split('\n').filter((path) => path && languageOf(path) && !SKIPPED.test(path) && existsSync(path));
}

function main(args) {
  const warn = args.includes('--warn');
  const paths = args.filter((arg) => !arg.startsWith('--'));
  if (paths.length === 0) {
    console.error('usage: node tools/words.js [--warn] PATH…');
    return 2;
  }
  const files = filesOf(paths);
  let errors = 0;
  for (const path of files) {
    for (const { line, rule, text, warning } of check(path, readFileSync(path, 'utf8'))) {
      if (!warning) errors++;
      if (!warning || warn) console.log(`${path}:${line}: ${warning ? 'warning: ' : ''}${rule}: ${text}`);
    }
  }
  console.error(`${files.length} files, ${errors} errors`);
  return errors > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
