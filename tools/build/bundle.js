// Bundles modules with their packages, workers and binaries into one flat folder, for pages without a bundler.
// Workers cannot use import maps, so the bundles contain the packages that the library imports.
//   node tools/build/bundle.js
// writes dist/heed.js, lab.js, train.js, insight.js and elements.js with their workers and shared chunks, and
// dist/heed.single.js, which contains workers and binaries.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** heed/lab for the console of a browser: in the package and in the folder of the page. */
export const LAB = join(ROOT, 'js/lab/index.js');
/** Modules of workers, by their names in the folder of the bundle. */
const MODEL_WORKERS = {
  'worker': join(ROOT, 'js/model/worker.js'),
  'gguf-worker': join(ROOT, 'js/model/gguf-worker.js'),
};
const WORKERS = {
  'thread': join(ROOT, 'js/engine/thread.js'),
  'train/worker': join(ROOT, 'js/train/worker.js'),
  'train/translator-worker': join(ROOT, 'js/train/translator-worker.js'),
};
const ALL_WORKERS = { ...MODEL_WORKERS, ...WORKERS };
/** startWorker() starts files relative to this folder. */
const ENGINE = join(ROOT, 'js/engine');
const LIBRARY = join(ROOT, 'js/');

/** Path in the flat folder of a referenced file. */
function flatPath(file) {
  const path = relative(ROOT, file).replaceAll('\\', '/');
  const worker = Object.keys(ALL_WORKERS).find((name) => ALL_WORKERS[name] === file);
  if (worker) return `${worker}.js`;
  if (/^dist\/(heed(-relaxed)?(-mt)?(-64)?|limits(-relaxed)?)\.wasm$/.test(path)) return basename(file);
  if (path.startsWith('models/')) return path;
  if (path.startsWith('web/')) return path.slice('web/'.length);
  throw new Error(`A bundled module refers to ${path}, which the bundle does not contain.`);
}

/**
 * Removes parts of the GGUF parser that heed does not use. Its module for files of Node.js is a second chunk, and Vite
 * accepts only workers in one piece. Its tables of quantizations have computed keys, which esbuild drops only as
 * the result of a call marked as pure.
 */
const gguf = {
  name: 'gguf',
  setup(esbuild) {
    // The tables need one module of this package, which does not declare that it is free of side effects.
    const path = join(ROOT, 'node_modules/@huggingface/tasks/dist/esm/gguf.js');
    esbuild.onResolve({ filter: /^@huggingface\/tasks$/ }, () => ({ path, sideEffects: false }));
    esbuild.onLoad({ filter: /gguf[\\/]dist[\\/]browser[\\/]index\.mjs$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      const change = (/** @type {RegExp} */ pattern, /** @type {string} */ replacement) => {
        if (!pattern.test(contents)) throw new Error(`${path}: the parser has no ${pattern} any more.`);
        contents = contents.replace(pattern, replacement);
      };
      change(/(?<=class extends RangeView )\{[^]*?\n\}(?=;)/, '{}'); // the reader of files of Node.js
      change(/(?<=^function computeParameterCount\([^)]*\) )\{[^]*?\n\}/m, '{}');
      change(/^    __publicField\(this, .*\n/gm, ''); // fields without a value
      // heed gives it the bytes of one header, and reads types of values and the alignment itself.  The walk over the
      // header (js/files/gguf/walk.js) has checked its magic number, version, types, counts and lengths.
      const check = /^( +)if \((?!\+\+)[^\n]* \{\n\1 +throw new \w*Error\([^]*?^\1\}\n/gm;
      const count = contents.match(check)?.length;
      if (count !== 17) throw new Error(`${path}: the parser has ${count} checks, and 17 are known. Read the others.`);
      change(check, '');
      change(/^  const rawAlignment = [^]*?(?=^  const baseResult = )/m, '');
      change(/^    tensorDataOffset,\n[^]*?(?=^  \};)/m, '');
      change(/^var isBrowser = [^]*?^var isBackend = .*\n/m, '');
      change(/(?<=^  let r;\n)  if \(isBackend\)[^]*?\n  \}\n/m, '  r = new RangeView(uri, params);\n');
      change(/^    const contentRange = [^]*?(?=^    const buf = )/m, '');
      change(/^  let typedMetadata;\n[^]*?(?=^  for )/m, '');
      change(/^    if \(typedMetadata\) \{\n[^]*?^    \}\n/m, '');
      change(/^  if \(params == null \? void 0 : params\.computeParametersCount\)[^]*?(?=^\})/m,
        '  return baseResult;\n');
      change(/\[\.\.\.LLM_ARCHITECTURES, ([^\]]*)\]/, '/* @__PURE__ */ LLM_ARCHITECTURES.concat($1)');
      for (const table of ['GGUF_QUANT_DESCRIPTIONS', 'GGML_QUANT_SIZES']) {
        change(new RegExp(`(?<=var ${table} = )(\\{\n[^]*?\n\\})(?=;)`), '/* @__PURE__ */ (() => ($1))()');
      }
      return { contents, loader: 'js' };
    });
  },
};

/** Steps of tokenizers that GGUF files need (js/text/tokenizer/gguf.js); heed has their models and decoders. */
const GGUF_STEPS = ['Sequence', 'Replace', 'Prepend', 'ByteLevel', 'Split', 'BPE'];

/**
 * Removes the parts of `@huggingface/tokenizers` that no GGUF file needs, from the worker of GGUF files: 6 kB
 * compressed. Its functions create_… choose a class by its name in tokenizer.json.
 */
export const tokenizersOfGguf = {
  name: 'tokenizers-of-gguf',
  setup(esbuild) {
    esbuild.onLoad({ filter: /tokenizers[\\/]dist[\\/]tokenizers\.mjs$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      const change = (/** @type {RegExp} */ pattern, /** @type {(...found: string[]) => string} */ replacement) => {
        if (contents.search(pattern) < 0) throw new Error(`${path}: the package has no ${pattern} any more.`);
        contents = contents.replace(pattern, replacement);
      };
      // esbuild drops an unused class, template or map only as the result of a call marked as pure.
      change(/(?<=^var \w+ = )(class [^]*?\n\}|`.*`|.*new Map\(\[\n[^]*?\n\]\))(?=;$)/gm, (body) =>
        `/* @__PURE__ */ (() => (${body}))()`);
      const body = (/** @type {string} */ name) =>
        new RegExp(`(?<=^function ${name}\\([^)]*\\) \\{\n)[^]*?(?=^\\})`, 'm');
      for (const kind of ['decoder', 'post_processor']) change(body(`create_${kind}`), () => 'return null;\n');
      change(body('create_tokenizer_model'), () => 'return new BPE_default(model_config);\n');
      // The alphabet of bytes by heed's own, and not its inverse, which only the decoder reads.
      const alphabet = 'Object.fromEntries(Array.from(BYTE_OF, ([character, byte]) => [byte, character]))';
      const own = JSON.stringify(join(LIBRARY, 'text/tokenizer/byte-level.js'));
      contents = `import { BYTE_OF } from ${own};\n${contents}`;
      change(/(?<=^var BYTES_TO_UNICODE = )\(\(\) => \{\n[^]*?^\}\)\(\)/m, () => alphabet);
      change(/(?<=^var UNICODE_TO_BYTES = ).*(?=;$)/m, () => '{}');
      // The expressions of pre-tokenizers.js are valid in JavaScript; only their white space is Unicode's.
      const regex = String.raw`pattern.Regex.replace(/\\s/g, '\\p{White_Space}').replace(/\\S/g, '\\P{White_Space}')`;
      change(/(?<=^var create_pattern = .*\n.*\n)[^]*?(?=^ +\} else)/m, () => `return new RegExp(${regex}, 'gu');\n`);
      // heed makes the object of tokenizer.json itself, and its configuration is empty.
      change(/^    const tokenizer_error = [^]*?(?=^    this\.tokenizer = )/m, () => '');
      change(/^    \(this\.config\.additional_special_tokens [^]*?(?=^    this\.splitter_unnormalized = )/m, () => '');
      change(/^    this\.remove_space = [^]*?(?=^  \}$)/m, () => '');
      change(/^      if \(this\.(remove_space|do_lowercase_and_remove_accent)\b[^]*?^      \}\n/gm, () => '');
      // js/text/tokenizer/bpe.js has its own add_node.
      for (const method of ['decode', 'tokenize', 'tokenize_helper', 'token_to_id', 'id_to_token', 'add_node',
        'get_added_tokens_decoder', 'get_vocab', 'replace', 'clear', 'clear_cache', '_smallest']) {
        change(new RegExp(`^  ${method}\\([^]*?^  \\}\n`, 'gm'), () => '');
      }
      // These tokenizers have neither pairs nor postprocessors, and their added tokens do not trim their neighbors.
      change(/(?<=^  encode\(text, )\{\n    text_pair = [^]*?^  \} = \{\}(?=\) \{$)/m, () => '_');
      change(/(?<=^  encode\(text, _\) \{\n)[^]*?(?=^    const input_ids = )/m,
        () => '    const tokens = this.encode_text(text);\n');
      change(/(?<=^    const result = )\{\n      ids: [^]*?^    return result;/m, () =>
        '{ ids: input_ids };\n    return result;');
      change(/^( +)(?:sub)?sections\.forEach\([^]*?^\1\}\);\n/gm, () => '');
      change(/^    this\.(single_word|lstrip|rstrip) = .*\n/gm, () => '');
      change(/^    this\.(special_tokens|all_special_ids) = \[\];\n/gm, () => '');
      change(/^      if \(token\.special\) \{\n[^]*?^      \}\n/m, () => '');
      // Their BPE has no suffixes, and its ranks of merges are not in this class.
      change(/^    if \(this\.(?:fuse_unk|end_of_word_suffix|continuing_subword_suffix)\) \{\n[^]*?^    \}\n/gm,
        () => '');
      change(/^    const use_new_merge_format = [^]*?(?=^    this\.byte_fallback = )/m, () => '');
      change(/^    this\.(fuse_unk|end_of_word_suffix) = .*\n/gm, () => '');
      // Queues have no largest size.
      change(/(?<=^  extend\(values\) \{\n)[^]*?(?=^  \}$)/m, () => `    for (const value of values) {
      this._heap.push(value);
      this._sift_up();
    }
`);
      change(/^ +case "Replace":\n +return new Replace_default\d+\(config\);\n(?=[^]*Unknown PreTokenizer)/m, () => '');
      change(/^ +case "(\w+)":\n +return new [^;]*;\n/gm, (text, name) => (GGUF_STEPS.includes(name) ? text : ''));
      // heed names each step itself, so no type is unknown.
      change(/^    default:\n +throw new Error\(`Unknown .*\n/gm, () => '');
      return { contents, loader: 'js' };
    });
  },
};

/** Source files of the library and the page, and some files of packages. */
const SOURCES = { filter: /[\\/](js|web)[\\/].*\.js$/ };

/**
 * A source file with addresses of the flat folder: in `new URL('../../dist/heed.wasm', import.meta.url)`, and of the
 * file that startWorker() starts in Node.
 * @param {string} path
 */
const readSource = async (path) => (await readFile(path, 'utf8')).replace(
  /new URL\('(\.[^']*)', import\.meta\.url\)/g,
  (_, target) => `new URL('./${flatPath(resolve(dirname(path), target))}', import.meta.url)`,
).replace(
  /startWorker\((\w+), '(\.[^']*)'\)/g,
  (_, start, target) => `startWorker(${start}, './${flatPath(resolve(ENGINE, target))}')`,
);

const sources = {
  name: 'sources',
  setup(esbuild) {
    esbuild.onLoad(SOURCES, async ({ path }) => (path.includes('node_modules')
      ? undefined : { contents: await readSource(path), loader: 'js' }));
  },
};

/**
 * Modules that some entries and dynamic imports of a group import first. esbuild puts modules into one chunk if the
 * same entries use them. So these modules become one chunk instead of many: fewer requests, and better compression.
 * @typedef {{ modules: string[], of: (entry: string) => boolean }} Together  paths; `of` chooses the entries
 */

const inLibrary = (/** @type {string[]} */ names) => names.map((name) => join(LIBRARY, `${name}.js`));
/** Modules that nearly all entries of the package use, and modules that all entries with a model use.
 *  @type {Together[]} */
export const COMMON = [
  { modules: inLibrary(['node', 'errors', 'options', 'guard']), of: () => true },
  {
    modules: inLibrary(['engine/port', 'model/sampling', 'model/count', 'model/stored-edits', 'model/superseded',
      'model/source-message']),
    of: (path) => !/[\\/]elements[\\/]/.test(path), // elements draw without a model
  },
];

/** @param {Together[]} all @returns {import('esbuild').Plugin} */
const together = (all) => ({
  name: 'together',
  async setup(esbuild) {
    // A first build finds the dynamic imports: a module may be loaded as a static import before it is known as one.
    const { entryPoints } = esbuild.initialOptions;
    const { metafile: { inputs } } = await build({ ...OPTIONS, entryPoints, outdir: '.', metafile: true,
      minify: false, plugins: [gguf] });
    const dynamic = Object.values(inputs).flatMap(({ imports }) =>
      imports.flatMap(({ kind, path }) => (kind === 'dynamic-import' ? path : [])));
    const entries = new Set([...Object.values(/** @type {Record<string, string>} */ (entryPoints)), ...dynamic]
      .map((path) => resolve(ROOT, path)));
    esbuild.onResolve({ filter: /^heed:/ }, ({ path }) => ({ path: path.slice('heed:'.length), sideEffects: true }));
    esbuild.onLoad(SOURCES, async ({ path }) => {
      if (!entries.has(path)) return undefined;
      const imports = all.flatMap(({ modules, of }) => (of(path) ? modules.filter((module) => module !== path) : []));
      const lines = imports.map((module) => `import ${JSON.stringify(`heed:${module}`)};\n`);
      return { contents: lines.join('') + await readSource(path), loader: 'js' };
    });
  },
});

/** Source modules that an entry imports statically, in the order of their evaluation. @param {string} entry its path */
export async function staticModules(entry) {
  const { metafile: { inputs } } = await build({ ...OPTIONS, metafile: true, plugins: [gguf], entryPoints: [entry] });
  const name = relative(ROOT, entry).replaceAll('\\', '/');
  /** @type {Set<string>} */
  const visited = new Set();
  /** @type {string[]} */
  const ordered = [];
  const visit = (/** @type {string} */ path) => {
    if (visited.has(path)) return;
    visited.add(path);
    for (const each of inputs[path].imports) {
      if (each.kind === 'import-statement' && each.path in inputs) visit(each.path);
    }
    if (path !== name && /^(js|web)\//.test(path)) ordered.push(join(ROOT, path));
  };
  visit(name);
  return ordered;
}

/** License texts of the packages whose code is in a bundle. @param {string[]} inputs paths of its modules */
async function licenses(inputs) {
  const names = new Set(
    inputs.flatMap((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []),
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

/**
 * Tells other bundlers to ignore modules of Node.js and files that only Node.js opens. The comments are added after
 * esbuild, which drops comments.
 */
const markDynamic = (code) => code
  .replace(/\bimport\((?=[\w$]+\))/g, 'import(/* webpackIgnore: true *//* @vite-ignore */')
  .replace(/\bnew URL\((?=[\w$]+,import\.meta\.url\))/g, 'new URL(/* webpackIgnore: true *//* @vite-ignore */');

/** Minifies a module of esbuild twice more, which makes it up to 4 % smaller when compressed. @param {string} code */
export async function smaller(code) {
  const again = async (/** @type {string} */ text) => (await minify(text, { module: true, ecma: 2022,
    compress: { passes: 3, keep_fargs: false, unsafe_arrows: true } })).code;
  return again(await again(code));
}

/** @param {string} path @param {string} code */
async function write(path, code) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, markDynamic(code));
}

/** @type {import('esbuild').BuildOptions} */
const OPTIONS = {
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  external: ['node:*'], // only Node.js executes these imports
  alias: {
    // package.json names this build under `browser`. esbuild does not apply `browser` to paths of `exports`.
    '@huggingface/gguf': './node_modules/@huggingface/gguf/dist/browser/index.mjs',
  },
  minify: true,
  pure: ['Object.freeze'], // drops unused tables
  write: false,
  legalComments: 'none', // licenses.txt has the complete texts
  charset: 'utf8',
  absWorkingDir: ROOT,
  logLevel: 'warning',
};

/**
 * A plugin for the single module: workers, threads and binaries are text inside it, and it refers to no file.
 * @param {string} binaries expression that the module heed:binaries exports
 * @param {string} workers expression that the module heed:workers exports
 */
const inside = (binaries, workers) => ({
  name: 'inside',
  setup(esbuild) {
    esbuild.onResolve({ filter: /\/(binaries|memory64|port)\.js$/ }, ({ path, importer }) => (
      importer.startsWith(LIBRARY) ? { path: join(ROOT, 'tools/build/single', basename(path)) } : undefined));
    esbuild.onResolve({ filter: /^heed:/ }, ({ path }) => ({ path, namespace: 'inside' }));
    esbuild.onLoad({ filter: /^heed:/, namespace: 'inside' }, ({ path }) => (
      { contents: `export default ${path === 'heed:binaries' ? binaries : workers};` }));
    esbuild.onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(LIBRARY)) return undefined;
      const source = await readFile(path, 'utf8');
      const alone = source.replace(/new Worker\(new URL\([^)]*\), \{ type: 'module' \}\)/g, 'undefined');
      return { contents: alone.replaceAll('import.meta.url', "'file:///'") };
    });
  },
});

/** Writes `heed` as one module that contains its workers and binaries. @param {string} outfile */
export async function bundleSingle(outfile) {
  const names = ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt'];
  const binaries = JSON.stringify(Object.fromEntries(await Promise.all(names.map(async (name) =>
    [name, gzipSync(await readFile(join(ROOT, `dist/${name}.wasm`)), { level: 9 }).toString('base64')]))));
  const worker = async (name, given) => {
    const options = { ...OPTIONS, format: /** @type {const} */ ('iife'), entryPoints: [ALL_WORKERS[name]] };
    const { outputFiles } = await build({ ...options, plugins: [gguf, inside('globalThis.heedBinaries', given)] });
    return outputFiles[0].text;
  };
  const thread = { './thread.js': await worker('thread', '{}') };
  const workers = JSON.stringify({ ...thread, '../model/worker.js': await worker('worker', JSON.stringify(thread)) });
  const { outputFiles } = await build({ ...OPTIONS, entryPoints: [join(ROOT, 'js/index.js')],
    plugins: [gguf, inside(binaries, workers)] });
  await writeFile(outfile, markDynamic(outputFiles[0].text));
  return outfile;
}

/** Entries that share chunks. @typedef {{ entries: Record<string, string>, together?: Together[] }} Group */

/**
 * Entry points, workers and their chunks.
 * @typedef {object} Chunks
 * @property {Map<string, string>} texts  by path
 * @property {string[]} inputs  paths of all modules
 * @property {(name: string) => string[]} importsOf  paths in `outdir` of the chunks that an entry imports statically
 * @property {(name: string) => string[]} modulesOf  source modules of the entry and these chunks
 */

/**
 * Makes chunks for the folder `outdir`, without writing them. A worker of a model is one file without chunks: it starts
 * after one request, and Parcel breaks workers that share chunks with each other.
 * @param {string} outdir
 * @param {Group} first  shares chunks with the workers of threads and training
 * @param {Group[]} others
 * @returns {Promise<Chunks>}
 */
export async function chunksOf(outdir, first, ...others) {
  const optionsOf = (/** @type {Group} */ group, /** @type {import('esbuild').Plugin[]} */ ...more) => ({
    ...OPTIONS, outdir, metafile: /** @type {const} */ (true),
    plugins: [...more, gguf, together(group.together ?? []), sources],
  });
  const { worker, 'gguf-worker': ggufWorker } = MODEL_WORKERS;
  const chunks = { splitting: true, chunkNames: 'chunk-[hash]' };
  const built = await Promise.all([
    build({ ...optionsOf(first), ...chunks, entryPoints: { ...first.entries, ...WORKERS } }),
    ...others.map((group) => build({ ...optionsOf(group), ...chunks, entryPoints: group.entries })),
    build({ ...optionsOf(first), entryPoints: { worker } }),
    build({ ...optionsOf(first, tokenizersOfGguf), entryPoints: { 'gguf-worker': ggufWorker } }),
  ]);
  const texts = new Map(built.flatMap(({ outputFiles }) => outputFiles.map(({ path, text }) => [path, text])));
  const inputs = Object.keys(Object.assign({}, ...built.map(({ metafile }) => metafile.inputs)));
  const outputs = Object.assign({}, ...built.map(({ metafile }) => metafile.outputs));
  return { texts, inputs, ...staticIn(outputs, outdir) };
}

/**
 * Writes the minified chunks of entry points and workers, and their licenses, into `outdir`.
 * @param {string} outdir
 * @param {Group} first  as for chunksOf
 * @param {Group[]} others
 * @returns {Promise<{ files: string[], importsOf: Chunks['importsOf'] }>} the files written
 */
export async function bundle(outdir, first, ...others) {
  await mkdir(outdir, { recursive: true });
  for (const name of await readdir(outdir)) {
    if (/^chunk-.*\.js$/.test(name)) await rm(join(outdir, name));
  }
  const { texts, inputs, importsOf } = await chunksOf(outdir, first, ...others);
  for (const [path, text] of texts) await write(path, await smaller(text));
  await writeFile(join(outdir, 'licenses.txt'), await licenses(inputs));
  return { files: [...texts.keys()], importsOf };
}

/** Bundles a module into one classic script, and returns its path. @param {string} entry @param {string} outfile */
export async function classic(entry, outfile) {
  const { outputFiles } = await build({ ...OPTIONS, format: 'iife', entryPoints: [entry] });
  await write(outfile, outputFiles[0].text);
  return outfile;
}

/** The functions importsOf and modulesOf of a bundle.
 *  @param {import('esbuild').Metafile['outputs']} outputs @param {string} outdir */
function staticIn(outputs, outdir) {
  const inFolder = (/** @type {string} */ path) => relative(outdir, join(ROOT, path));
  const pathsOf = (/** @type {string} */ name) => {
    const entry = Object.keys(outputs).find((path) => inFolder(path) === `${name}.js`);
    if (!entry) throw new Error(`The bundle has no ${name}.js.`);
    const found = new Set([entry]);
    for (const path of found) {
      for (const { path: chunk, kind, external } of outputs[path].imports) {
        if (kind === 'import-statement' && !external) found.add(chunk);
      }
    }
    return [...found];
  };
  return {
    importsOf: (/** @type {string} */ name) => pathsOf(name).slice(1).map(inFolder),
    modulesOf: (/** @type {string} */ name) => pathsOf(name).flatMap((path) => Object.entries(outputs[path].inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([module]) => module)).sort(),
  };
}

/** One line with the sizes of groups of files: `3 models 12.1 MB, 40 scripts 0.6 MB`. */
export async function sizes(groups) {
  const texts = await Promise.all(Object.entries(groups).map(async ([label, files]) => {
    const bytes = (await Promise.all(files.map(async (file) => (await stat(file)).size))).reduce((a, b) => a + b, 0);
    return `${label} ${bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`}`;
  }));
  return texts.join(', ');
}

/** Copies a file and creates its folders. */
export async function put(from, to) {
  if (!existsSync(from)) throw new Error(`${relative(ROOT, from)} is missing. Run make.`);
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

/** Writes every bundle of the package. @param {string} outdir @returns {Promise<string[]>} the files written */
export async function bundlePackage(outdir) {
  const entries = { heed: 'js/index.js', lab: 'js/lab/index.js', train: 'js/train/index.js',
    insight: 'js/insight/index.js', elements: 'web/elements/index.js' };
  const { files } = await bundle(outdir, { entries, together: COMMON });
  return [...files, await bundleSingle(join(outdir, 'heed.single.js'))];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await bundlePackage(join(ROOT, 'dist'));
  const single = files.filter((file) => file.endsWith('heed.single.js'));
  console.log(`         ${await sizes({
    [`heed.js, lab.js, train.js, insight.js, elements.js and ${files.length - 6} workers and chunks`]:
      files.filter((file) => !single.includes(file)),
    'heed.single.js': single,
  })}`);
}
