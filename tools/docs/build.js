// Builds the documentation site in dist/docs: the Markdown pages of every room and the API reference that TypeDoc makes
// from the declarations in dist/types. Needs `make types`.
//   node tools/docs/build.js
import { copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, posix, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WORK = join(ROOT, 'build/docs');
const STAGE = join(WORK, 'stage');
const SITE = join(ROOT, 'dist/docs');
/** Folder for copies of linked sources, as plain text. */
const SOURCES = 'sources';

/** Modules of the package and their declarations. */
const MODULES = {
  heed: 'js/index.js',
  'heed/lab': 'js/lab/index.js',
  'heed/train': 'js/train/index.js',
  'heed/insight': 'js/insight/index.js',
  'heed/elements': 'web/elements/index.js',
};

/** Pages of docs/ in reading order; other pages follow in the order of their names. */
const GUIDE = ['getting-started', 'page', 'model', 'chat', 'encoders', 'encoder-decoders', 'pictures',
  'models-from-the-hub', 'insight', 'experiments', 'lab', 'rasp', 'train', 'elements', 'web', 'formats', 'other-tools',
  'how-it-works', 'c-api'];
const SKIPPED = new Set(['node_modules', 'build', 'dist', 'goldens', 'corpus']);

/** Paths of Markdown files below a folder, relative to ROOT.
 *  @param {string} folder @returns {Promise<string[]>} */
async function markdownBelow(folder) {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
  const found = await Promise.all(entries.map(async (entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : markdownBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  }));
  return found.flat().sort();
}

/** The group of a page in the navigation. @param {string} path */
const groupOf = (path) => (path.startsWith('docs/') ? 'Guide' : path.includes('/') ? 'Inside heed' : 'Project');

/** Sort key: the guide in reading order, then other pages by path. @param {string} path */
function rankOf(path) {
  const place = path.startsWith('docs/') ? GUIDE.indexOf(basename(path, '.md')) : -1;
  return `${place < 0 ? 99 : String(place).padStart(2, '0')} ${path}`;
}

/** Addresses of the page, its lessons and sources. TypeDoc keeps them, and mendPage() replaces them. */
const BESIDE = 'https://beside.invalid/';
const SOURCE = 'https://source.invalid/';
const LINK = /(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;
const FENCE = /^(```|~~~)[\s\S]*?^\1\s*$/gm;

/** Copies a page to the staging folder, with its title as front matter and links of the site.
 *  @param {string} path @param {Set<string>} pages @param {Set<string>} sources links to files are added here */
async function stagePage(path, pages, sources) {
  const text = await readFile(join(ROOT, path), 'utf8');
  const [heading, title] = /^# (.+)\n/m.exec(text) ?? [];
  if (!heading) throw new Error(`${path}: a page begins with "# Title"`);
  /** @param {string} target */
  const linkOf = (target) => {
    if (/^([a-z]+:|#)/.test(target)) return target;
    const [file, fragment] = target.split('#');
    const found = posix.join(posix.dirname(path), file).replace(/\/$/, '');
    const hash = fragment ? `#${fragment}` : '';
    if (!existsSync(join(ROOT, found))) throw new Error(`${path}: the target ${target} of a link does not exist`);
    const page = pages.has(found) ? found : pages.has(`${found}/README.md`) ? `${found}/README.md` : null;
    if (page) return `${posix.relative(posix.dirname(path), page)}${hash}`;
    const lesson = /^web\/((?:lessons\/)?[\w-]+\.html)$/.exec(found);
    if (lesson) return `${BESIDE}${lesson[1]}${hash}`;
    if (/\.(png|svg|jpg)$/.test(found)) return target;
    if (statSync(join(ROOT, found)).isDirectory()) return null;
    sources.add(found);
    return `${SOURCE}${found}`;
  };
  const body = path === 'README.md' ? text.replace(heading, '') : text; // TypeDoc writes the title of the first page
  const fences = [...body.matchAll(FENCE)].map(({ index, 0: { length } }) => [index, index + length]);
  const linked = body.replace(LINK, (all, image, words, target, at) => {
    if (fences.some(([from, to]) => at >= from && at < to)) return all;
    const link = linkOf(target);
    return link === null ? words : `${image}[${words}](${link})`;
  });
  const name = JSON.stringify(title.replaceAll('`', ''));
  const front = path === 'README.md' ? '' : `---\ntitle: ${name}\ngroup: ${groupOf(path)}\n---\n`;
  await put(join(STAGE, 'pages', path), front + linked);
}

/** @param {string} path @param {string} text */
async function put(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const IMPORTED_TYPE = /^export type (\w+) = import\((['"][^'"]+['"])\)\.(\w+);$/gm;
/** A constant that holds a function, with its comment. */
const CALLABLE = /(\/\*\*\n(?: \*[^\n]*\n)+?) (\*\/\nexport declare const \w+: \()/g;
const SAME_SHAPE = /^export type (\w+) = Pick<(\w+), keyof \2>;$/gm;

/** Copies the declarations so that a type has one page, under the name that the entry point exports. JSDoc can only
 *  give another module's type a second name, and TypeDoc would show that as an alias of an unlisted type. */
async function stageTypes() {
  const from = join(ROOT, 'dist/types');
  if (!existsSync(from)) throw new Error('dist/types is missing: run make types');
  await cp(from, join(STAGE, 'types'), { recursive: true });
  for (const path of await readdir(from, { recursive: true })) {
    if (!path.endsWith('.d.ts')) continue;
    const text = await readFile(join(from, path), 'utf8');
    let staged = text.replace(IMPORTED_TYPE, (_, name, module, original) =>
      `import { type ${original} as ${name} } from ${module}; export { type ${name} };`);
    staged = staged.replace(CALLABLE, '$1 * @function\n $2');
    for (const [line, name, original] of staged.matchAll(SAME_SHAPE)) {
      staged = staged.replace(line, '').replace(new RegExp(`\\b${name}\\b`, 'g'), original);
      staged += `export { type ${original} as ${name} };\n`;
    }
    await writeFile(join(STAGE, 'types', path), staged);
  }
  for (const [name, path] of Object.entries(MODULES)) {
    const entry = join(STAGE, 'types/modules', `${name}.d.ts`);
    const target = posix.relative(posix.dirname(`modules/${name}.d.ts`), path);
    await put(entry, `export * from './${target}';\n`.replace("'./../", "'../"));
  }
  await put(join(STAGE, 'types/tsconfig.json'), JSON.stringify({
    compilerOptions: {
      strict: true, noEmit: true, target: 'esnext', module: 'esnext', moduleResolution: 'bundler',
      lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [], skipLibCheck: true,
    },
    include: ['.'],
  }));
}

/** Runs TypeDoc over the staging folder. @param {string[]} pages */
async function generate(pages) {
  const require = createRequire(join(WORK, 'package.json'));
  const typedoc = pathToFileURL(require.resolve('typedoc')).href;
  const { Application, Converter, PageEvent, ReflectionKind } = await import(typedoc);
  const types = join(STAGE, 'types');
  const app = await Application.bootstrapWithPlugins({
    name: 'heed',
    entryPoints: Object.keys(MODULES).map((name) => join(types, 'modules', `${name}.d.ts`)),
    basePath: join(types, 'modules'),
    projectDocuments: pages.filter((path) => path !== 'README.md').map((path) => join(STAGE, 'pages', path)),
    readme: join(STAGE, 'pages/README.md'),
    tsconfig: join(types, 'tsconfig.json'),
    plugin: [require.resolve('typedoc-plugin-missing-exports')],
    placeInternalsInOwningModule: true,
    collapseInternalModule: true,
    out: SITE,
    customCss: join(ROOT, 'tools/docs/site.css'),
    favicon: join(ROOT, 'web/icon.svg'),
    disableGit: true,
    disableSources: true,
    excludeExternals: true, // members of HTMLElement, types of the browser
    excludeInternal: true,
    excludePrivate: true,
    searchInDocuments: true,
    navigation: { includeGroups: true, includeFolders: false },
    sort: ['documents-first', 'source-order'],
    sortEntryPoints: false,
    groupOrder: ['Guide', 'Modules', 'Project', 'Inside heed', 'Functions', 'Classes', '*'],
    highlightLanguages: ['javascript', 'typescript', 'html', 'css', 'json', 'bash', 'c', 'python', 'tsx'],
    headings: { readme: true },
    includeHierarchySummary: false,
    visibilityFilters: {},
    githubPages: false,
    hideGenerator: true,
    logLevel: 'Warn',
  }, []);
  // The plugin treats a getter of a derived class as a separate type.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (/** @type {any} */ { project }) => {
    const stray = project.getReflectionsByKind(ReflectionKind.Accessor);
    for (const each of stray) if (each.parent.kindOf(ReflectionKind.Module)) project.removeReflection(each);
  }, -1e9);
  app.renderer.on(PageEvent.END, (/** @type {{ contents?: string, url: string }} */ page) => {
    if (!page.contents || !page.url.endsWith('.html')) return;
    page.contents = mendPage(page.contents, page.url);
  });
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc cannot read the declarations');
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
}

const EXTERNAL = /href="https:\/\/(beside|source).invalid\/([^"]*)"(?: target="_blank")?(?: class="external")?/g;
const INLINE = /<script>(?!<)[\s\S]*?<\/script>/g;

/** Changes a page of TypeDoc for the policy of heed's server, for axe, and for addresses of the site.
 *  @param {string} html @param {string} url */
function mendPage(html, url) {
  const up = posix.relative(posix.dirname(url), '.') || '.';
  return html
    .replaceAll(INLINE, '') // they set the theme and collapse the navigation
    .replace('<body>', `<body><script src="${up}/assets/theme.js"></script>`)
    .replaceAll(/<use href="[^"#]*assets\/icons\.svg#/g, '<use href="#') // icons.js puts the symbols into the page
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace('<div class="col-sidebar">', '<div class="col-sidebar" role="complementary" aria-label="Contents">')
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll(/<h5( class="tsd-index-heading uppercase")>Index<\/h5>/g, '<h2$1>Index</h2>')
    .replaceAll(EXTERNAL, (all, host, path) => {
      if (`https://${host}.invalid/` === BESIDE) return `href="${up}/../${path}"`;
      return `href="${up}/${SOURCES}/${path.replace(/(?=#|$)/, '.txt')}"`;
    });
}

/** Removes the style element of the theme's script: the policy forbids it, and the site has no filters of members. */
async function mendScript() {
  const path = join(SITE, 'assets/main.js');
  const text = await readFile(path, 'utf8');
  const style = 'document.head.appendChild(document.createElement("style"))';
  if (!text.includes(style)) throw new Error('assets/main.js of TypeDoc has changed: look for its style element');
  await writeFile(path, text.replace(style, 'document.createElement("style")'));
}

await rm(STAGE, { recursive: true, force: true });
await rm(SITE, { recursive: true, force: true });
const pages = (await markdownBelow('.')).sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
const known = new Set(pages);
/** @type {Set<string>} */
const sources = new Set();
for (const path of pages) await stagePage(path, known, sources);
for (const path of await readdir(join(ROOT, 'docs'), { recursive: true })) {
  if (/\.(png|svg)$/.test(path)) await copyFile(join(ROOT, 'docs', path), join(STAGE, 'pages/docs', path));
}
await stageTypes();
await generate(pages);
await mendScript();
await copyFile(join(ROOT, 'tools/docs/theme.js'), join(SITE, 'assets/theme.js'));
for (const path of sources) await put(join(SITE, SOURCES, `${path}.txt`), await readFile(join(ROOT, path), 'utf8'));

/** Bytes of all files below a folder. @param {string} folder */
async function bytesBelow(folder) {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((entry) => stat(join(entry.parentPath ?? entry.path, entry.name))));
  return { files: files.length, bytes: sizes.reduce((sum, { size }) => sum + size, 0) };
}
const { files, bytes } = await bytesBelow(SITE);
const size = `${files} files, ${(bytes / 1e6).toFixed(1)} MB`;
console.log(`${relative(ROOT, SITE)}: ${pages.length} pages and the API reference, ${size}`);
