// Names of the library in error messages become the flags of the command line.

/** Flags that set options of the library, by the names of the options. @type {Record<string, string>} */
const FLAGS = {
  adapter: 'adapter', cache: 'cache', contextLength: 'context', engine: 'engine', hub: 'hub', keep: 'keep',
  maxTokens: 'max-tokens', memory64: 'memory64', minP: 'min-p', offline: 'offline', promptLookup: 'prompt-lookup',
  quantize: 'quantize', repeatPenalty: 'repeat-penalty', samplerOrder: 'sampler-order', strict: 'strict',
  template: 'template', threads: 'threads', topK: 'top-k', topP: 'top-p', tower: 'tower',
};

/** An option with a value, an option by its quoted name, another quotation, or a word with a capital inside. */
const NAMES = /\b(\w+): (true\b|\d+|‘\w+’|'\w+')|\bthe option ‘(\w+)’|‘[^’]*’|\bmodel\.hooks\b|\b[a-z]+[A-Z]\w*/g;

/**
 * A message of the library in the terms of a command: `--context` instead of `contextLength`.  Quotations, which may be
 * text of a file, do not change.
 * @param {string} message
 * @param {object} options  the options of the command
 */
export function withFlags(message, options) {
  return message.replace(NAMES, (found, name, value, quotedName) => {
    if (found === 'model.hooks') return 'heed hooks';
    const flag = FLAGS[name ?? quotedName ?? found];
    if (flag === undefined || !Object.hasOwn(options, flag)) return found;
    return value === undefined || value === 'true' ? `--${flag}` : `--${flag} ${value.replace(/[‘’']/g, '')}`;
  });
}
