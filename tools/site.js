// Assembles the page as static files in dist/site: relative addresses only, so any host and any sub-path will do.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bundle, put, report, ROOT } from './bundle.js';
import { PAGE_POLICY } from '../js/cli/policy.js';

const WEB = join(ROOT, 'web');
const SITE = join(ROOT, 'dist/site');
const MODEL = 'models/heed-stories-q8_0.gguf';
const SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g;

/** Scripts point at the flat bundle, and the policy of the page is in the page, for hosts that send no headers. */
function rewriteHtml(html) {
  if (html.includes('Content-Security-Policy')) throw new Error('web/index.html: tools/site.js writes the policy');
  const policy = `<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">`;
  const charset = /<meta charset="utf-8">/i;
  if (!charset.test(html)) throw new Error('web/index.html: <meta charset="utf-8"> is missing');
  return html
    .replace(charset, (tag) => `${tag}\n  ${policy}`)
    .replace(SCRIPT, (_, src) => `<script type="module" src="./${basename(src)}"></script>`);
}

const html = await readFile(join(WEB, 'index.html'), 'utf8');
const entries = Object.fromEntries(
  [...html.matchAll(SCRIPT)].map(([, src]) => [basename(src, '.js'), join(WEB, src)]),
);
if (Object.keys(entries).length === 0) throw new Error('web/index.html: no <script type="module" src="…"></script>');

await rm(SITE, { recursive: true, force: true });
const written = await bundle({ entries, outdir: SITE });
for (const entry of await readdir(WEB, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (!entry.isFile() || /\.(js|md)$/.test(path) || path === join(WEB, 'index.html')) continue;
  const target = join(SITE, path.slice(WEB.length + 1));
  await put(path, target);
  written.push(target);
}
const binaries = ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt'].map((name) => `dist/${name}.wasm`);
for (const path of [...binaries, MODEL]) {
  const target = join(SITE, path.replace('dist/', ''));
  await put(join(ROOT, path), target);
  written.push(target);
}
await writeFile(join(SITE, 'index.html'), rewriteHtml(html));
await report([...written, join(SITE, 'index.html')]);
