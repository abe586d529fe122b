// Checks the rules of the project. Prints every violation, and exits with 1 if there is one.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { complaints as undocumented } from './documented.js';
import { check as checkWords } from './words/rules.js';
import { filesOf } from './words.js';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Files of the project, tracked or new, that match. */
const listFiles = (...flags) => execFileSync('git', ['ls-files', ...flags], { encoding: 'utf8' }).split('\n');
const deleted = new Set(listFiles('--deleted'));
const present = listFiles('--cached', '--others', '--exclude-standard', '--deduplicate');
const all = present.filter((path) => !deleted.has(path));
const files = (pattern) => all.filter((path) => pattern.test(path));
const lines = (path) => readFileSync(path, 'utf8').split('\n');

/** Include direction of the core: a file includes its own level or one below. */
const LEVELS = [
  ['session', /^src\/(session|sample|metric|gradient|analysis|lab)\.[ch]$/],
  ['models', /^src\/models\//],
  ['blocks', /^src\/blocks\.[ch]$/],
  ['ops', /^src\/ops\//],
  ['tensor', /^src\/(tensor|tape|abi)\.[ch]$/],
  ['kernels', /^src\/kernels\//],
  ['base', /^src\/(arena|error|rng|threads)\.[ch]$/],
];
const levelOf = (path) => LEVELS.findIndex(([, pattern]) => pattern.test(path));
/** The C API, which every file may include. */
const PUBLIC = /^src\/heed(_lab)?\.h$/;
// System headers that the core must not include.
const FOREIGN = /^(stdio|stdlib|assert|errno|time|pthread|unistd)\.h$|emscripten/;

function* includeDirection() {
  for (const path of files(/^src\/.*\.[ch]$/)) {
    const level = levelOf(path);
    if (level < 0 && !PUBLIC.test(path)) yield [path, 0, 'has no level: add it to LEVELS in tools/lint.js'];
    for (const [i, line] of lines(path).entries()) {
      const [, open, name] = /^\s*#\s*include\s*(["<])([^">]+)/.exec(line) ?? [];
      if (open === '<' && FOREIGN.test(name)) yield [path, i, `no <${name}> in the core`];
      if (open !== '"' || PUBLIC.test(`src/${name}`)) continue;
      const target = levelOf(`src/${name}`);
      if (target < 0) yield [path, i, `"${name}" is not a header of the core: write the path from src/`];
      else if (target < level) yield [path, i, `${LEVELS[level][0]} must not include ${LEVELS[target][0]}`];
      if (PUBLIC.test(path)) yield [path, i, 'public headers include nothing of the core'];
    }
  }
}

/** Rooms of JavaScript: [from, must not import, why]. */
const WALLS = [
  [/^web\/(elements|draw)\//, /^(js\/|heed$)/, 'elements take typed arrays and do not use the engine'],
  [/^web\/draw\//, /^web\/(elements|page|lessons)\//, 'drawing functions are pure and do not use elements'],
  [/^web\/elements\//, /^web\/(page|lessons)\//, 'elements do not use the page'],
  [/^web\/lessons\//, /^web\/page\//, 'lessons and the page are independent'],
  [/^js\//, /^(tools|tests|web\/(?!draw\/))/, 'the library does not use the page, the tools or the tests'],
  [/^js\/(?!cli\/)/, /^web\//, 'in js only the command line uses drawing functions'],
  [/^js\/(?!cli)/, /^js\/cli/, 'the library does not use its command line'],
  [/^js\/text\//, /^js\/(files|engine|model|lab|train)\//, 'tokenizers do not use files or the engine'],
  [/^js\/files\//, /^js\/(engine|model|lab|train)\//, 'readers of files do not use the engine'],
  [/^js\/engine\//, /^js\/(files|text|model|lab|train)\//, 'the engine does not use files or models'],
  [/^js\/model\//, /^js\/(lab|train)\//, 'a model needs no lab'],
  [/^js\/lab\//, /^js\/(model|train)\//, 'a lab does not use models or recipes'],
  [/^js\/insight\//, /^js\/(engine|model|train|lab\/(?!random\.js)|files\/(?!zip\.js|safetensors\/writer\.js))/,
    'analyses call the API of a model, in any thread'],
  [/^js\/(?!insight\/|cli)/, /^js\/insight\//, 'a page that only loads a model fetches no analysis'],
  [/^(js\/(?!cli)|web\/)/, /^node:/, 'bundlers for browsers cannot resolve it: import it by a variable'],
];
const IMPORT = /(?:^|[^\w.])(?:import|export)\b[^'"`;]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

function* rooms() {
  for (const path of files(/^(js|web)\/.*\.js$/)) {
    const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
    for (const match of text.matchAll(IMPORT)) {
      const name = match[1] ?? match[2];
      const target = name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
      const line = text.slice(0, match.index).split('\n').length - (match[0].startsWith('\n') ? 0 : 1);
      for (const [from, to, why] of WALLS) {
        if (from.test(path) && to.test(target)) yield [path, line, `imports ${target}: ${why}`];
      }
    }
  }
}

/** Text never becomes HTML or code. */
const MARKUP =
  /\.(?:innerHTML|outerHTML|srcdoc|insertAdjacentHTML|setHTMLUnsafe)\b|\bdocument\.write|\beval\s*\(|\bnew Function\b/;

function* textIsNotHtml() {
  for (const path of files(/^(js|web)\/.*\.js$/)) {
    for (const [i, line] of lines(path).entries()) {
      const [found] = MARKUP.exec(line) ?? [];
      if (found) yield [path, i, `${found}: text must not become HTML or code`];
    }
  }
  for (const path of files(/^web\/.*\.html$/)) {
    for (const [i, line] of lines(path).entries()) {
      if (/\son[a-z]+\s*=|<script(?![^>]*\ssrc=)|\sstyle\s*=|javascript:/i.test(line)) {
        yield [path, i, 'inline script or style: the policy of the page forbids it'];
      }
    }
  }
}

/** Tidy text: no trailing blanks, no tabs outside of the Makefile, a newline at the end, lines within the width. */
const WIDTH = 120;

function* tidy() {
  for (const path of files(/\.(js|ts|c|h|css|html|sh|py|json)$|(^|\/)Makefile$|^\.ci\//)) {
    const text = readFileSync(path, 'utf8');
    if (text !== '' && !text.endsWith('\n')) yield [path, 0, 'no newline at the end'];
    if (/(^|\/)package-lock\.json$|^tests\/goldens\//.test(path)) continue;
    for (const [i, line] of text.split('\n').entries()) {
      if (/[ \t]+$/.test(line)) yield [path, i, 'blanks at the end of the line'];
      if (line.includes('\t') && !path.endsWith('Makefile')) yield [path, i, 'a tab'];
      if (/\.(js|c|h)$/.test(path) && [...line].length > WIDTH) yield [path, i, `longer than ${WIDTH} columns`];
    }
  }
}

/** The start of a declaration with a list of names and a list of values. */
const PARALLEL = /\b(?:const|let) \[[^\]=]*\] = \[/g;

/** Each variable has a declaration of its own, with its value beside its name. */
function* declarations() {
  for (const path of files(/\.m?js$/)) {
    const text = readFileSync(path, 'utf8');
    for (const { 0: found, index } of text.matchAll(PARALLEL)) {
      let end = index + found.length;
      for (let depth = 1; depth > 0 && end < text.length; end++) depth += { '[': 1, ']': -1 }[text[end]] ?? 0;
      if (/^\s*\./.test(text.slice(end))) continue; // a call of the list, such as .map(), returns the values
      yield [path, text.slice(0, index).split('\n').length - 1, 'declare each variable alone, beside its value'];
    }
  }
}

/** Forbidden leftovers: notes about unfinished work, marks of merge conflicts, and paths of one machine. */
const LEFTOVER = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].map((word) => `\\b${word}\\b`).join('|'));
const CONFLICT = /^(?:<{7} |={7}$|>{7} )/;
const MACHINE_PATH = /(?:^|[\s'"`(=:])\/(?:home|root|work|Users)\/\w/;

function* nothingLeftBehind() {
  for (const path of files(/\.(js|ts|c|h|css|html|sh|py|md)$|(^|\/)Makefile$|^\.ci\//)) {
    for (const [i, line] of lines(path).entries()) {
      if (LEFTOVER.test(line)) yield [path, i, 'unfinished: complete it, or document the gap'];
      if (MACHINE_PATH.test(line)) yield [path, i, 'a path of one machine'];
      if (CONFLICT.test(line)) yield [path, i, 'a mark of a merge conflict'];
    }
  }
}

/** Licenses allowed for packages that heed ships or needs at run time: MIT software may include their code. */
const LICENSES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** Lock files identify packages by content, not by the address of a registry. */
function* lockFiles() {
  for (const path of files(/(^|\/)package-lock\.json$/)) {
    const text = lines(path);
    const lineOf = (words) => Math.max(0, text.findIndex((line) => line.includes(words)));
    for (const [i, line] of text.entries()) {
      if (/"resolved"/.test(line)) yield [path, i, 'a registry address'];
    }
    const { packages } = JSON.parse(text.join('\n'));
    const own = JSON.parse(readFileSync(posix.join(posix.dirname(path), 'package.json'), 'utf8'));
    for (const [name, range] of Object.entries({ ...own.dependencies, ...own.devDependencies })) {
      if (/^(npm:[\w-]+@)?\d+\.\d+\.\d+$/.test(range)) continue;
      yield [path, lineOf(`"${name}"`), `${name} is not pinned: ${range}`];
    }
    for (const [name, { integrity, inBundle, dev, license }] of Object.entries(packages)) {
      if (name === '') continue;
      if (!integrity && !inBundle) yield [path, lineOf(`"${name}"`), `${name} has no integrity`];
      if (path !== 'package-lock.json' || dev) continue; // development tools are not shipped
      if (!LICENSES.includes(license)) yield [path, lineOf(`"${name}"`), `${name} has the license ${license}`];
    }
  }
}

/** Runs an external checker; each line of its output that starts with a place is a violation. */
function* program(command, args, place) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) return yield [command, 0, `does not run (${error.code}): make setup`];
  const found = `${stdout}${stderr}`.split('\n').flatMap((line) => place.exec(line)?.slice(1) ?? []);
  for (let i = 0; i < found.length; i += 3) yield [found[i], found[i + 1] - 1, found[i + 2]];
  if (status !== 0 && found.length === 0) yield [command, 0, `fails: ${stdout}${stderr}`];
}

const TSC = 'node_modules/typescript/bin/tsc';
const types = () => program(process.execPath, [TSC, '-p', 'tsconfig.json'], /^(.+)\((\d+),\d+\): (.*)/);

function* layoutOfC() {
  const sources = files(/^(src|tests\/native|tests\/fuzz|bench)\/.*\.[ch]$/);
  const found = [...program('clang-format', ['--dry-run', '--Werror', ...sources], /^(.+):(\d+):\d+: (error: .*)/)];
  const first = new Map(found.reverse().map((breach) => [breach[0], breach])); // one per file, for make format
  yield* first.values();
}

/** The anchor of a heading on GitHub: lower case, without punctuation, blanks as hyphens. */
const anchorOf = (heading) =>
  heading.replace(/`|\*|\[|\]\([^)]*\)/g, '').trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Relative links of Markdown name an existing file, and their fragments a heading. */
function* links() {
  for (const path of files(/\.md$/)) {
    const text = readFileSync(path, 'utf8').replace(/```[^]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, ' '));
    for (const match of text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"\s]+)"/g)) {
      const [to, fragment] = (match[1] ?? match[2]).split('#');
      if (/^[a-z]+:/i.test(to)) continue;
      const line = text.slice(0, match.index).split('\n').length - 1;
      const target = to === '' ? path : posix.join(posix.dirname(path), decodeURI(to)).replace(/\/$/, '');
      if (!existsSync(target)) yield [path, line, `links to ${to}, which does not exist`];
      else if (fragment && target.endsWith('.md')) {
        const headings = lines(target).flatMap((text) => /^#+\s+(.*)/.exec(text)?.slice(1) ?? []);
        if (headings.map(anchorOf).includes(fragment)) continue;
        yield [path, line, `links to #${fragment}, which is not a heading of ${target}`];
      }
    }
  }
}

/** Sentences and spelling (tools/words.js). Files in tools/words/pending.txt are exempt until they are rewritten. */
function* words() {
  const pending = new Set(lines('tools/words/pending.txt'));
  for (const path of filesOf(['.'])) {
    const errors = checkWords(path, readFileSync(path, 'utf8')).filter(({ warning }) => !warning);
    if (pending.has(path)) {
      if (errors.length === 0) console.log(`         ${path} is clean: remove it from tools/words/pending.txt`);
    } else yield* errors.map(({ line, rule, text }) => [path, line - 1, `${rule}: ${text}`]);
  }
}

/** Every export of the package is documented (tools/documented.js), except those in tools/undocumented.txt. */
function* documentation() {
  const allowed = new Set(lines('tools/undocumented.txt').filter(Boolean));
  for (const { name, place, what } of undocumented([])) {
    if (allowed.delete(`${name}: ${what}`)) continue;
    yield [place.replace(/:\d+$/, ''), Number(/\d+$/.exec(place)?.[0]) - 1, `${name}: ${what}`];
  }
  for (const entry of allowed) console.log(`         documented now: remove “${entry}” from tools/undocumented.txt`);
}

const checks = {
  'include direction of the core': includeDirection,
  'rooms of JavaScript': rooms,
  'text is not HTML': textIsNotHtml,
  'tidy text': tidy,
  'declarations of variables': declarations,
  'nothing left behind': nothingLeftBehind,
  'lock files and licenses': lockFiles,
  'types of js and web': types,
  'layout of C': layoutOfC,
  'links of Markdown': links,
  'words': words,
  'documentation of exports': documentation,
};

let breaches = 0;
for (const [name, check] of Object.entries(checks)) {
  const found = [...check()];
  console.log(`lint     ${name}: ${found.length === 0 ? 'fine' : found.length}`);
  for (const [path, line, what] of found) console.error(`${path}:${line + 1}: ${what}`);
  breaches += found.length;
}
process.exitCode = breaches === 0 ? 0 : 1;
