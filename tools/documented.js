// Checks that every export of the package is documented: a summary, each parameter, the result and the errors.
//   node tools/documented.js [ENTRY…]    for example heed/lab; all entries by default
// Prints file:line: name: complaint, and exits with 1 if there is a complaint.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API, SignatureKind, SymbolFlags } from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const OURS = /^(js|web)\//;

/** Methods that a browser calls, and fields that the platform defines. */
const PLATFORM = /Callback$|^(observedAttributes|formAssociated|constructor|prototype|name|message|stack|cause)$/;
const HIDDEN = ['internal', 'private', 'protected', 'ignore', 'override'];
/** Text of a @param tag without its type: name and description. */
const PARAMETER = /^\[?([\w$.]+)[^ ]*\s*([^]*)$/;
/** A function body that can throw. */
const THROWS = /\bthrow\b|\b(?:need|check|must|refuse)[A-Z]\w*\(|\bguard(?:ed)?\(/;

/** Entries of the package: [name, source of its module]. */
export function entries() {
  const { exports } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  return Object.entries(exports).flatMap(([name, to]) => {
    const declared = /^\.\/dist\/types\/(.*)\.d\.ts$/.exec(to.types ?? '')?.[1];
    if (!declared || name.startsWith('./dist/') || /react|\*/.test(name)) return [];
    return [[name.replace('.', 'heed'), `${declared}.js`]];
  });
}

/**
 * Complaints about the exports of entries.
 * @param {string[]} names such as 'heed/lab'
 * @returns {{ name: string, place: string, what: string }[]}
 */
export function complaints(names) {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [`${root}/tsconfig.types.json`] });
    const [project] = snapshot.getProjects();
    const reader = new Reader(project);
    for (const [entry, path] of entries()) {
      if (names.length === 0 || names.includes(entry)) reader.module(entry, `${root}/${path}`);
    }
    return reader.found;
  } finally {
    api.close();
  }
}

class Reader {
  constructor(project) {
    this.checker = project.checker;
    this.program = project.program;
    this.found = [];
    this.seen = new Set();
  }

  /** Every export of a module. */
  module(entry, path) {
    const symbol = this.checker.getSymbolAtLocation(this.program.getSourceFile(path));
    for (const exported of this.checker.getExportsOfModule(symbol)) {
      const target = exported.flags & SymbolFlags.Alias ? this.checker.getAliasedSymbol(exported) : exported;
      this.export(`${entry} ${exported.name}`, target);
    }
  }

  /** One export: a class, a function, a constant or a type. */
  export(name, symbol) {
    if (this.again(symbol)) return;
    if (symbol.flags & SymbolFlags.Class) return this.class(name, symbol);
    if (symbol.flags & SymbolFlags.TypeAlias) return this.type(name, symbol);
    this.value(name, symbol, '');
  }

  /** A class with its public methods, properties and static members. */
  class(name, symbol) {
    const tags = this.tags(symbol);
    this.need(name, symbol, this.summary(symbol) !== '', 'has no summary');
    const own = this.checker.getPropertiesOfType(this.checker.getDeclaredTypeOfSymbol(symbol));
    const declared = tags.some((tag) => tag.name === 'throws');
    for (const member of [...own, ...symbol.getExports().values()]) {
      if (!this.isPublic(member) || this.again(member)) continue;
      this.value(`${name}.${member.name}`, member, declared ? 'class' : '');
    }
  }

  /** A type: its summary, and each of its properties. */
  type(name, symbol) {
    const type = this.checker.getDeclaredTypeOfSymbol(symbol);
    const { comment, text } = this.typedef(symbol);
    const imported = /@typedef\s*\{\s*import\(['"]([^'"]+)['"]\)\.(\w+)\s*\}/.exec(comment);
    const target = imported && (type.getAliasSymbol?.() ?? type.getSymbol?.());
    if (imported) {
      if (target && target.id !== symbol.id) return this.export(name, target);
      const from = this.declaration(symbol).path.replace(/[^/]*$/, '') + imported[1];
      const file = this.program.getSourceFile(fileURLToPath(new URL(from, 'file:///')));
      const exported = file && this.checker.getExportsOfModule(this.checker.getSymbolAtLocation(file));
      const original = exported?.find((other) => other.name === imported[2]);
      if (original) return this.export(name, original);
    }
    this.need(name, symbol, text !== '', 'has no summary');
    if (/@callback/.test(comment)) return;
    for (const member of this.checker.getPropertiesOfType(type)) {
      if (!this.isOurs(member) || this.again(member)) continue;
      this.need(`${name}.${member.name}`, member, this.summary(member) !== '', 'is not described');
    }
  }

  /** A function, a method, a constant or a property. */
  value(name, symbol, inherited) {
    const type = this.checker.getTypeOfSymbol(symbol);
    const [signature] = type ? this.checker.getSignaturesOfType(type, SignatureKind.Call) : [];
    this.need(name, symbol, this.summary(symbol) !== '', 'has no summary');
    const isProperty = symbol.flags & (SymbolFlags.Property | SymbolFlags.Accessor);
    if (!signature || (isProperty && !(symbol.flags & SymbolFlags.Method))) return;
    const tags = this.tags(symbol);
    const described = tags.filter((tag) => tag.name === 'param').map((tag) => PARAMETER.exec(tag.text ?? ''));
    const top = described.filter((tag) => tag && !tag[1].includes('.'));
    for (const [i, parameter] of signature.getParameters().entries()) {
      const named = top.find((other) => other?.[1] === parameter.name);
      const tag = named ?? (/^__/.test(parameter.name) ? top[i] : undefined); // a destructured parameter has no name
      this.need(name, symbol, tag?.[2].replace(/^[-\s]+/, ''), `parameter ${parameter.name} is not described`);
    }
    const result = this.checker.typeToString(this.checker.getReturnTypeOfSignature(signature));
    if (!/^(?:Promise<)?(?:void|undefined|never)>?$|^this$/.test(result)) {
      const tag = tags.find((other) => /^returns?$/.test(other.name));
      this.need(name, symbol, tag?.text, 'the result is not described (@returns)');
    }
    const body = this.body(symbol);
    if (!THROWS.test(body) || tags.some((tag) => tag.name === 'throws')) return;
    this.need(name, symbol, inherited && !/\bthrow\b/.test(body), 'its errors are not described (@throws)');
  }

  /** True if this declaration was checked before: several classes inherit a member, several entries export a name. */
  again(symbol) {
    const declaration = this.declaration(symbol);
    const key = `${declaration.path} ${declaration.index}`;
    return this.seen.has(key) || !this.seen.add(key);
  }

  need(name, symbol, ok, what) {
    if (!ok) this.found.push({ name, place: this.place(symbol), what });
  }

  summary(symbol) {
    return this.checker.getDocumentationCommentOfSymbol(symbol).trim() || this.assignment(symbol);
  }

  /** Comment of a property that a constructor assigns, `this.name = …`: the checker does not return it. */
  assignment(symbol) {
    const node = this.declaration(symbol)?.resolve();
    const code = node ? this.text(symbol).slice(node.pos, node.end) : '';
    return /^\s*\/\*\*\s*([^@\s][^]*?)\*\/\s*this\./.exec(code)?.[1] ?? '';
  }

  tags(symbol) {
    return this.checker.getJsDocTagsOfSymbol(symbol);
  }

  isOurs(symbol) {
    return OURS.test(relative(root, this.declaration(symbol)?.path ?? ''));
  }

  isPublic(symbol) {
    if (/#|^_/.test(symbol.name.replace(/^__@/, '')) || PLATFORM.test(symbol.name)) return false;
    if (!this.isOurs(symbol)) return false;
    return !this.tags(symbol).some((tag) => HIDDEN.includes(tag.name));
  }

  declaration(symbol) {
    return symbol.valueDeclaration ?? symbol.declarations[0];
  }

  body(symbol) {
    const node = this.declaration(symbol)?.resolve();
    return node ? this.text(symbol).slice(node.pos, node.end).replace(/\/\*[^]*?\*\/|\/\/.*/g, '') : '';
  }

  text(symbol) {
    const { path } = this.declaration(symbol);
    return this.program.getSourceFile(path)?.text ?? readFileSync(path, 'utf8');
  }

  /** The comment of a @typedef, and its summary: the words before the tag, or behind the name. */
  typedef(symbol) {
    const node = this.declaration(symbol).resolve();
    const text = this.text(symbol);
    const from = Math.max(0, text.lastIndexOf('/**', node.pos + 3));
    const comment = text.slice(from, text.indexOf('*/', node.pos)).replace(/^\/\*\*|^\s*\*/gm, '');
    const before = comment.slice(0, comment.indexOf('@'));
    const behind = new RegExp(`\\}\\s*${symbol.name}\\b([^@]*)`).exec(comment)?.[1] ?? '';
    return { comment, text: `${before}${behind}`.trim() };
  }

  place(symbol) {
    const declaration = this.declaration(symbol);
    const node = declaration?.resolve();
    if (!node) return '';
    const start = this.text(symbol).slice(0, node.end).trimEnd();
    const lines = this.text(symbol).slice(0, Math.max(node.pos, 0)).split('\n').length;
    return `${relative(root, declaration.path)}:${Math.min(lines + 1, start.split('\n').length)}`;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = complaints(process.argv.slice(2));
  for (const { name, place, what } of found) console.log(`${place}: ${name}: ${what}`);
  console.error(`${found.length} gaps in the documentation of exports`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
