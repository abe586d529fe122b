// Bundles modules and what they point at into one flat folder, for pages that have no bundler of their own.
// Workers know no import maps, so the packages that the library uses must be bundled in.
//   node tools/bundle.js      writes dist/heed.js, lab.js and elements.js, their workers and the chunks they share
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** For consoles: in the package, and beside the page. */
export const LAB = join(ROOT, 'js/lab/index.js');
/** What the library runs in Workers, by the name that it has beside js/port.js and in the folder of the bundle. */
const WORKERS = Object.fromEntries(
  ['worker', 'thread', 'train/worker', 'train/translator-worker'].map((name) => [name, join(ROOT, `js/${name}.js`)]),
);

/** Where a file that a module points at lies in the flat folder. */
function flatPath(file) {
  const path = relative(ROOT, file).replaceAll('\\', '/');
  const worker = Object.keys(WORKERS).find((name) => WORKERS[name] === file);
  if (worker) return `${worker}.js`;
  if (/^dist\/heed(-relaxed)?(-mt)?\.wasm$/.test(path)) return basename(file);
  if (path.startsWith('models/')) return path;
  if (path.startsWith('web/')) return path.slice('web/'.length);
  throw new Error(`${path} is pointed at by a bundled module, but nothing puts it into the bundle`);
}

/** `new URL('../dist/heed.wasm', import.meta.url)` must still be right when its module has moved to the flat folder. */
const assetUrls = {
  name: 'asset-urls',
  setup(esbuild) {
    // The parser reads files of Node.js by a second module. heed never asks it to, and Vite takes no worker in parts.
    esbuild.onLoad({ filter: /gguf[\\/]dist[\\/]browser[\\/]index\.mjs$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(/await import\("\.\/FileBlob-[^"]+"\)/, '{}');
      if (contents === source) throw new Error(`${path}: the import of FileBlob is not where it was`);
      return { contents, loader: 'js' };
    });
    esbuild.onLoad({ filter: /[\\/](js|web)[\\/].*\.js$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const source = await readFile(path, 'utf8');
      const contents = source.replace(
        /new URL\('(\.[^']*)', import\.meta\.url\)/g,
        (_, target) => `new URL('./${flatPath(resolve(dirname(path), target))}', import.meta.url)`,
      );
      return { contents, loader: 'js' };
    });
  },
};

/** Licence texts of the packages whose code is in a bundle. */
async function licences(metafile) {
  const names = new Set(
    Object.keys(metafile.inputs).flatMap((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []),
  );
  const texts = [];
  for (const name of [...names].sort()) {
    const folder = join(ROOT, 'node_modules', name);
    const { version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? await readFile(join(folder, file), 'utf8') : `by ${author ?? 'its authors'}`;
    texts.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Other bundlers must not look for modules of Node.js and files that only Node.js opens. esbuild drops the comments
 *  that say so. */
const markDynamic = (code) => code
  .replace(/\bimport\((?=[\w$]+\))/g, 'import(/* webpackIgnore: true *//* @vite-ignore */')
  .replace(/\bnew URL\((?=[\w$]+,import\.meta\.url\))/g, 'new URL(/* webpackIgnore: true *//* @vite-ignore */');

/** Bundles entry points and the worker into `outdir`; says what each file weighs. */
export async function bundle({ entries, outdir }) {
  await mkdir(outdir, { recursive: true });
  for (const name of await readdir(outdir)) {
    if (/^chunk-.*\.js$/.test(name)) await rm(join(outdir, name));
  }
  const { metafile, outputFiles } = await build({
    entryPoints: { ...entries, ...WORKERS },
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: ['node:*'], // reached only in Node, by import() behind a test
    alias: {
      // Its package.json names this build under `browser`, which esbuild does not apply to what `exports` found.
      '@huggingface/gguf': './node_modules/@huggingface/gguf/dist/browser/index.mjs',
      // All that the parser takes from it; the rest, 230 kB, is not marked as free of side effects.
      '@huggingface/tasks': './node_modules/@huggingface/tasks/dist/esm/gguf.js',
    },
    minify: true,
    write: false,
    legalComments: 'none', // the whole texts are in licences.txt
    charset: 'utf8',
    metafile: true,
    absWorkingDir: ROOT,
    plugins: [assetUrls],
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, markDynamic(text));
  }
  await writeFile(join(outdir, 'licences.txt'), await licences(metafile));
  return Object.keys(metafile.outputs).map((path) => join(ROOT, path));
}

/** Prints what files weigh. */
export async function report(files) {
  for (const file of files) {
    console.log(`${String((await stat(file)).size).padStart(9)} bytes  ${relative(ROOT, file)}`);
  }
}

/** Copies a file, making the folders above it. */
export async function put(from, to) {
  if (!existsSync(from)) throw new Error(`${relative(ROOT, from)} is missing: run make`);
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const entries = { heed: 'js/index.js', lab: 'js/lab/index.js', train: 'js/train/index.js',
    elements: 'web/elements/index.js' };
  await report(await bundle({ entries, outdir: join(ROOT, 'dist') }));
}
