// The options that choose a model and how it runs, the same in every command.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../index.js';
import { QUANTIZE } from '../model/quantize.js';
import { number, say, sizeText, UsageError } from './terminal.js';

/** The model that ships with heed. */
const STORIES = fileURLToPath(new URL('../../models/stories.gguf', import.meta.url));
const CACHES = ['auto', 'f32', 'int16'];
const ENGINES = ['auto', 'scalar', 'simd128', 'relaxed'];

/** @type {NonNullable<import('node:util').ParseArgsConfig['options']>} */
export const modelOptions = {
  model: { type: 'string', default: STORIES },
  config: { type: 'string' },
  tokenizer: { type: 'string' },
  engine: { type: 'string' },
  strict: { type: 'boolean' },
  threads: { type: 'string' },
  cache: { type: 'string' },
  context: { type: 'string' },
  quantize: { type: 'string' },
  json: { type: 'boolean' },
};

/** Of commands that run a prompt. @type {NonNullable<import('node:util').ParseArgsConfig['options']>} */
export const promptOptions = { ...modelOptions, prompt: { type: 'string' }, ids: { type: 'string' } };

export const promptHelp = `  --prompt TEXT       the text to run; - reads it from standard input
  --ids 1,2,3         the same as token ids`;

export const modelHelp = `
the model:
  --model FILE        a GGUF or safetensors file, or an address of one; by default heed's own stories.gguf
  --config FILE       config.json of a safetensors file; beside it by default
  --tokenizer FILE    tokenizer.json of a safetensors file; beside it by default
  --context N         positions that the session holds; the model's own by default
  --engine E          auto, scalar, simd128 or relaxed
  --strict            results that are the same to the last bit on every machine: no relaxed SIMD
  --threads N         a number, or auto
  --cache C           auto, f32 or int16: the type of cached queries, keys and values
  --quantize T        convert matrices while they are read: q8_0, q4_0, f32, or keep, the types of the file

  --json              one JSON object on standard output, and nothing else there
  --help              this text
`;

/** The source that load() takes: safetensors come with the files beside them.
 *  @param {string} path  @param {import('./terminal.js').Values} values  @returns {import('../index.js').Source} */
export function sourceOf(path, values) {
  const bare = /\.safetensors(\.index\.json)?$/.test(path);
  /** @param {string} name */
  const beside = (name) => {
    const file = join(dirname(path), name);
    return bare && existsSync(file) ? file : undefined;
  };
  const config = values.config ?? beside('config.json');
  const tokenizer = values.tokenizer ?? beside('tokenizer.json');
  if (config === undefined && tokenizer === undefined) return path;
  return { weights: path, ...(config && { config }), ...(tokenizer && { tokenizer }) };
}

/** Load options by the command line's flags.
 *  @param {import('./terminal.js').Values} values  @returns {import('../index.js').LoadOptions} */
export function loadOptions(values) {
  if (values.engine !== undefined && !ENGINES.includes(values.engine)) {
    throw new UsageError(`--engine ${values.engine}: expected one of ${ENGINES.join(', ')}`);
  }
  if (values.cache !== undefined && !CACHES.includes(values.cache)) {
    throw new UsageError(`--cache ${values.cache}: expected one of ${CACHES.join(', ')}`);
  }
  const { quantize } = values;
  if (quantize !== undefined && !Object.hasOwn(QUANTIZE, quantize)) {
    throw new UsageError(`--quantize ${quantize}: expected one of ${Object.keys(QUANTIZE).join(', ')}`);
  }
  const threads = values.threads === 'auto' ? 'auto' : number(values, 'threads', { min: 1, max: 256, integer: true });
  const contextLength = number(values, 'context', { min: 1, integer: true });
  return {
    worker: false,
    ...(values.engine !== undefined && { engine: values.engine }),
    ...(values.strict && { strict: true }),
    ...(threads !== undefined && { threads }),
    ...(values.cache !== undefined && { cache: values.cache }),
    ...(contextLength !== undefined && { contextLength }),
    ...(quantize !== undefined && { quantize }),
  };
}

/** Loads the model of the options, with a line of progress where someone watches.
 *  @param {import('./terminal.js').Values} values  @param {AbortSignal} signal
 *  @param {import('../index.js').LoadOptions} [more] */
export async function openModel(values, signal, more = {}) {
  const watched = Boolean(process.stderr.isTTY);
  let shown = 0;
  const model = await load(sourceOf(values.model, values), {
    ...loadOptions(values),
    signal,
    onProgress({ phase, loadedBytes, totalBytes }) {
      if (!watched || Date.now() - shown < 100) return;
      shown = Date.now();
      const of = totalBytes ? ` of ${sizeText(totalBytes)}` : '';
      process.stderr.write(`\r\x1b[K${phase}: ${sizeText(loadedBytes)}${of}`);
    },
    ...more,
  });
  if (watched) process.stderr.write('\r\x1b[K');
  return model;
}

/** Ids of what promptOf() gave. @param {import('../index.js').Model} model  @param {string | Int32Array} prompt */
export const idsOf = async (model, prompt) => (typeof prompt === 'string' ? model.encode(prompt) : prompt);

/** Says on standard error what runs, and on what, and which matrices are not what was asked for.
 *  @param {import('../index.js').Model} model */
export function sayEngine({ info }) {
  const { kernels, threads } = info.engine;
  const size = info.parameters.toLocaleString('en');
  say(`${info.architecture}, ${size} parameters, on ${kernels}, ${threads} thread${threads === 1 ? '' : 's'}`);
  if (info.unquantized.length > 0) say(`as they are in the file: ${info.unquantized.join(', ')}`);
}
