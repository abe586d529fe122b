// Assembles the page and the lessons as static files in dist/site. Every address is relative, so the files work on any
// host and below any path. Scripts are bundled flat beside index.html, next to their workers and binaries.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { bundle, classic, LAB, put, ROOT, sizes, staticModules } from './bundle.js';
import { Formulas } from './formulas.js';
import { boundSymbols } from '../../web/lessons/kit/drawing-description.js';
import { PAGE_POLICY } from '../../js/cli/policy.js';

const WEB = join(ROOT, 'web');
const SITE = join(ROOT, 'dist/site');
/** A classic script that other sites load: copied, not bundled. */
const COPIED = ['lessons/embed.js', 'offline-worker.js'];
/** Files that the service worker does not store at once: models except the first, binaries for 64-bit memory, and texts
 *  of licenses. */
const LATER = /^models\/(?!stories\.gguf$)|-64\.wasm$|\.txt$/;
/** A classic script with modules in it. */
const CLASSIC = ['lessons/heed-figure.js'];
const SCRIPT = /<script type="module"( async blocking="render")? src="([^"]+)"><\/script>/g;

const formulas = new Formulas();

/** Scripts point at the flat bundle, and all its chunks are requested at once. The policy is in the page, because
 *  static hosts send no headers. TeX becomes MathML. */
function rewriteHtml(path, html, symbols) {
  if (html.includes('Content-Security-Policy')) throw new Error(`web/${path}: tools/build/site.js writes the policy`);
  const policy = `<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">`;
  const charset = /<meta charset="utf-8">/i;
  if (!charset.test(html)) throw new Error(`web/${path}: <meta charset="utf-8"> is missing`);
  const up = relative(dirname(path), '.') || '.';
  /** @type {Set<string>} */
  const preloaded = new Set();
  const preloads = (/** @type {string} */ name) => importsOf(name)
    .filter((chunk) => preloaded.size < preloaded.add(chunk).size);
  const rendered = formulas.render(html, `web/${path}`, symbols);
  return (rendered === html ? html
    : rendered.replace('</head>', `  <link rel="stylesheet" href="${up}/formulas.css">\n</head>`))
    .replace(charset, (tag) => `${tag}\n  ${policy}`)
    .replace(SCRIPT, (_, async = '', src) => [
      ...preloads(basename(src, '.js')).map((chunk) => `<link rel="modulepreload" href="${up}/${chunk}">`),
      `<script type="module"${async} src="${up}/${basename(src)}"></script>`,
    ].join('\n  '));
}

/** The symbols that the drawings of a lesson bind. */
async function symbolsOf(path) {
  const drawings = join(WEB, 'lessons/drawings', `${basename(path, '.html')}.js`);
  if (dirname(path) !== 'lessons' || !existsSync(drawings)) return [];
  return boundSymbols(Object.values(await import(drawings)).flat());
}

const files = (await readdir(WEB, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(WEB, join(entry.parentPath ?? entry.path, entry.name)));
const pages = new Map(await Promise.all(files.filter((path) => path.endsWith('.html'))
  .map(async (path) => /** @type {const} */ ([path, await readFile(join(WEB, path), 'utf8')]))));
/** The scripts of the demo page. Their chunks are their own, because chunks that lessons share would be many. */
const page = {};
const entries = { lab: LAB };
for (const [path, html] of pages) {
  const scripts = [...html.matchAll(SCRIPT)].map(([, , src]) => join(WEB, dirname(path), src));
  if (scripts.length === 0) throw new Error(`web/${path}: no <script type="module" src="…"></script>`);
  for (const script of scripts) {
    const name = basename(script, '.js');
    if (name in page || name in entries) {
      throw new Error(`web/${path}: ${basename(script)} is also the script of another page.`);
    }
    (path === 'index.html' ? page : entries)[name] = script;
  }
}

// Workers that a lesson starts.
for (const path of files.filter((each) => /^lessons\/.*-worker\.js$/.test(each))) {
  entries[path.replace(/\.js$/, '')] = join(WEB, path);
}

// The page starts with four scripts: one that loads the model with its modules, and one that draws with the rest.
// Every library module that the page starts with is in the first chunk, because later imports of the library share it.
const model = page['first-model'];
const ofMain = await staticModules(page.main);
const ofModel = [...new Set([...await staticModules(model), ...ofMain.filter((path) => !path.startsWith(WEB)), model])];
const ofPage = ofMain.filter((path) => !ofModel.includes(path));
const together = [
  { modules: ofModel, of: () => true },
  { modules: ofPage, of: (/** @type {string} */ path) => path.startsWith(WEB) && path !== model },
];

await rm(SITE, { recursive: true, force: true });
const { files: scripts, importsOf } = await bundle(SITE, { entries }, { entries: page, together });
/** Copies a file into the site and returns its new path. */
const copy = async (from, path) => {
  await put(join(ROOT, from), join(SITE, path));
  return join(SITE, path);
};
const copied = files.filter((each) => !/\.(js|md|html)$/.test(each) || COPIED.includes(each));
const assets = await Promise.all(copied.map((path) => copy(`web/${path}`, path)));
const engines = ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt'];
const binaries = await Promise.all([...engines, ...engines.map((name) => `${name}-64`), 'limits', 'limits-relaxed']
  .map((name) => copy(`dist/${name}.wasm`, `${name}.wasm`)));
assets.push(...await Promise.all(CLASSIC.map((path) => classic(join(WEB, path), join(SITE, path)))));
const modelNames = (await readdir(join(ROOT, 'models'))).filter((name) => /\.(gguf|safetensors)$/.test(name));
const models = await Promise.all(modelNames.map((name) => copy(`models/${name}`, `models/${name}`)));
const html = await Promise.all([...pages].map(async ([path, text]) => {
  const target = join(SITE, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, rewriteHtml(path, text, await symbolsOf(path)));
  return target;
}));
await writeFile(join(SITE, 'formulas.css'), formulas.css());
assets.push(join(SITE, 'formulas.css'));
const stored = (await readdir(SITE, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(SITE, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
  .filter((path) => !LATER.test(path)).sort();
await writeFile(join(SITE, 'offline-files.json'), JSON.stringify(['./', ...stored]));
console.log(`         ${await sizes({
  [`${html.length} pages`]: html,
  [`${scripts.length} scripts`]: scripts,
  [`${assets.length} styles and pictures`]: assets,
  [`${binaries.length} binaries`]: binaries,
  [`${models.length} models`]: models,
})}`);
