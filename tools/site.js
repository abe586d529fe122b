// Assembles the page and the lessons as static files in dist/site: relative addresses only, so any host and any
// sub-path will do. Scripts are bundled flat beside index.html, for that is where their Workers and binaries lie.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { bundle, LAB, put, report, ROOT } from './bundle.js';
import { Formulas } from './formulas.js';
import { PAGE_POLICY } from '../js/cli/policy.js';

const WEB = join(ROOT, 'web');
const SITE = join(ROOT, 'dist/site');
/** A classic script that other sites load from here. */
const AS_IT_IS = ['lessons/embed.js'];
const SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g;

const formulas = new Formulas();

/** Scripts point at the flat bundle; the policy is in the page, because plain hosts send no headers; TeX is MathML. */
function rewriteHtml(path, html) {
  if (html.includes('Content-Security-Policy')) throw new Error(`web/${path}: tools/site.js writes the policy`);
  const policy = `<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">`;
  const charset = /<meta charset="utf-8">/i;
  if (!charset.test(html)) throw new Error(`web/${path}: <meta charset="utf-8"> is missing`);
  const up = relative(dirname(path), '.') || '.';
  const rendered = formulas.render(html, `web/${path}`);
  return (rendered === html ? html
    : rendered.replace('</head>', `  <link rel="stylesheet" href="${up}/formulas.css">\n</head>`))
    .replace(charset, (tag) => `${tag}\n  ${policy}`)
    .replace(SCRIPT, (_, src) => `<script type="module" src="${up}/${basename(src)}"></script>`);
}

const files = (await readdir(WEB, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(WEB, join(entry.parentPath ?? entry.path, entry.name)));
const pages = new Map(await Promise.all(files.filter((path) => path.endsWith('.html'))
  .map(async (path) => /** @type {const} */ ([path, await readFile(join(WEB, path), 'utf8')]))));
const entries = { lab: LAB };
for (const [path, html] of pages) {
  const scripts = [...html.matchAll(SCRIPT)].map(([, src]) => join(WEB, dirname(path), src));
  if (scripts.length === 0) throw new Error(`web/${path}: no <script type="module" src="…"></script>`);
  for (const script of scripts) {
    const name = basename(script, '.js');
    if (name in entries) throw new Error(`web/${path}: ${basename(script)} is the script of another page, too`);
    entries[name] = script;
  }
}

await rm(SITE, { recursive: true, force: true });
const written = await bundle({ entries, outdir: SITE });
for (const path of files.filter((each) => !/\.(js|md|html)$/.test(each) || AS_IT_IS.includes(each))) {
  const target = join(SITE, path);
  await put(join(WEB, path), target);
  written.push(target);
}
const binaries = ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt'].map((name) => `dist/${name}.wasm`);
const models = (await readdir(join(ROOT, 'models'))).filter((name) => /\.(gguf|safetensors)$/.test(name));
for (const path of [...binaries, ...models.map((name) => `models/${name}`)]) {
  const target = join(SITE, path.replace('dist/', ''));
  await put(join(ROOT, path), target);
  written.push(target);
}
for (const [path, html] of pages) {
  const target = join(SITE, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, rewriteHtml(path, html));
  written.push(target);
}
await writeFile(join(SITE, 'formulas.css'), formulas.css());
written.push(join(SITE, 'formulas.css'));
await report(written);
