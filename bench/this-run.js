// The facts of every figure: processor, commit, date.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processor } from '../js/cli/processor.js';

/** Facts of this run. `text` names them all for the row of a table. */
export function thisRun() {
  const ROOT = fileURLToPath(new URL('..', import.meta.url));
  const git = (/** @type {string[]} */ ...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
  const commit = `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
  const run = { processor: processor(), commit, date: new Date().toISOString().slice(0, 16) };
  return { ...run, text: `${run.date.slice(0, 10)}, ${commit}, ${run.processor}` };
}
