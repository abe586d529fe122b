// Options that select a model and how it runs, shared by all commands.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENGINES } from '../engine/choose.js';
import { HeedError, quoted } from '../errors.js';
import { BESIDE } from '../files/beside.js';
import { load } from '../index.js';
import { QUANTIZE } from '../model/quantize.js';
import { sayDropped } from './dropped.js';
import { idsIn, number, say, sizeText, UsageError } from './terminal.js';

/** The model that ships with heed. */
const STORIES = fileURLToPath(new URL('../../models/stories.gguf', import.meta.url));
const CACHES = ['auto', 'f32', 'int16'];

/** @type {NonNullable<import('node:util').ParseArgsConfig['options']>} */
export const modelOptions = {
  model: { type: 'string', default: STORIES },
  config: { type: 'string' },
  tokenizer: { type: 'string' },
  engine: { type: 'string' },
  strict: { type: 'boolean' },
  threads: { type: 'string' },
  memory64: { type: 'boolean' },
  cache: { type: 'string' },
  context: { type: 'string' },
  quantize: { type: 'string' },
  adapter: { type: 'string' },
  tower: { type: 'string' },
  keep: { type: 'boolean' },
  offline: { type: 'boolean' },
  hub: { type: 'string' },
  json: { type: 'boolean' },
};

/** Options of commands that run a prompt. @type {NonNullable<import('node:util').ParseArgsConfig['options']>} */
export const promptOptions = { ...modelOptions, prompt: { type: 'string' }, ids: { type: 'string' } };

export const promptHelp = `  --prompt TEXT       text to run; - reads it from standard input
  --ids 1,2,3         token ids to run instead`;

/** Options of commands that also run the text of an encoder–decoder.
 *  @type {NonNullable<import('node:util').ParseArgsConfig['options']>} */
export const textOptions = { ...promptOptions, text: { type: 'string' }, 'text-ids': { type: 'string' } };

export const textHelp = `${promptHelp}
  --text TEXT         of an encoder–decoder, whose prompt is the source: the text of the decoder so far; by default
                      only the token that begins every text
  --text-ids 1,2,3    ids of this text instead`;

export const modelHelp = `
the model:
  --model FILE        a GGUF or safetensors file, a folder, an address, or a name such as hf:owner/name:Q4_K_M;
                      default: stories.gguf of the package
  --config FILE       config.json of a safetensors file; default: in the same folder
  --tokenizer FILE    tokenizer.json of a safetensors file; default: in the same folder
  --context N         number of positions of the session; default: the model's context, within 1 GB
  --engine E          kernel set: auto (default), scalar, simd128, relaxed, relaxed-u8 or
                      relaxed-s8
  --strict            bit-identical results on every machine, without relaxed SIMD
  --threads N         number of threads, or auto (default)
  --memory64          64-bit memory; default: only for a model that needs more than 4 GB
  --cache C           number type of cached queries, keys and values: auto (default), f32 or int16
  --adapter PATH      adapter of low rank: a folder with adapter_model.safetensors and adapter_config.json, or a GGUF
                      file
  --tower T           the tower of a CLIP to load: text or vision
  --keep              store a model of an address, and open it from there later; heed kept lists stored models
  --offline           open only stored models, without a request
  --hub ADDRESS       server of hf: names; default: $HF_ENDPOINT or https://huggingface.co. With --keep, the hub also
                      receives $HF_TOKEN
  --quantize T        weight type to convert to while loading: q8_0, q4_0, f32, or keep (default)

  --json              print one JSON object on standard output
  --help              print this text
`;

/** The source for load(); safetensors with config.json and tokenizer.json of the same folder.
 *  @param {string} path  @param {import('./terminal.js').Values} values  @returns {import('../index.js').Source} */
export function sourceOf(path, values) {
  const bare = /\.safetensors(\.index\.json)?$/.test(path);
  /** @param {string} name */
  const beside = (name) => {
    const file = join(dirname(path), name);
    return bare && existsSync(file) ? file : undefined;
  };
  /** @type {Record<string, string | undefined>} */
  const given = { config: values.config, tokenizer: values.tokenizer };
  const found = Object.entries(BESIDE)
    .map(([part, name]) => [part, given[part] ?? beside(name)])
    .filter(([, file]) => file !== undefined);
  return found.length === 0 ? path : { weights: path, ...Object.fromEntries(found) };
}

/** Options of load(), from the options of the command.
 *  @param {import('./terminal.js').Values} values  @returns {Omit<import('../index.js').LoadOptions, 'adapter'>} */
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
    ...(values.memory64 && { memory64: true }),
    ...(values.cache !== undefined && { cache: values.cache }),
    ...(contextLength !== undefined && { contextLength }),
    ...(quantize !== undefined && { quantize }),
    ...(values.tower !== undefined && { tower: values.tower }),
    ...sourceOptions(values),
  };
}

/** Options of load() about the place of the files. @param {import('./terminal.js').Values} values
 *  @returns {Pick<import('../index.js').LoadOptions, 'keep' | 'offline' | 'hub' | 'token'>} */
export function sourceOptions({ keep, offline, hub }) {
  const token = process.env.HF_TOKEN;
  return {
    ...(keep && { keep }),
    ...(offline && { offline }),
    ...(hub !== undefined && { hub }),
    ...(keep && token && { token: () => token }),
  };
}

/** A GGUF file, or the files of an adapter as PEFT names them. @param {string} path */
const adapterAt = (path) => (/\.gguf$/i.test(path) ? path
  : { weights: join(path, 'adapter_model.safetensors'), config: join(path, 'adapter_config.json') });

/** The adapter of the options, read, with the code for adapters: options of calls below load().
 *  @param {import('./terminal.js').Values} values  @param {AbortSignal} signal
 *  @returns {Promise<Pick<import('../model/create-session.js').OpenOptions, 'adapter' | 'adapting'>>} */
export async function adapterOptions({ adapter }, signal) {
  if (adapter === undefined) return {};
  const { readAdapter } = await import('../files/adapter.js');
  return { adapter: await readAdapter(adapterAt(adapter), signal), adapting: await import('../model/adapter.js') };
}

/** Loads the model of the options, with a line of progress if standard error is a terminal.
 *  @param {import('./terminal.js').Values} values  @param {AbortSignal} signal
 *  @param {import('../index.js').LoadOptions} [more] */
export async function openModel(values, signal, more = {}) {
  const watched = Boolean(process.stderr.isTTY);
  let shown = 0;
  const model = await load(sourceOf(values.model, values), {
    ...loadOptions(values),
    ...(values.adapter !== undefined && { adapter: adapterAt(values.adapter) }),
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

/** Ids to run.  The prompt of an encoder–decoder is its source, which it reads; the ids are of the decoder's text.
 *  @param {import('../index.js').Model} model  @param {string | Int32Array} prompt
 *  @param {import('./terminal.js').Values} values  @returns {Promise<Int32Array>} */
export async function idsOf(model, prompt, { text, 'text-ids': textIds }) {
  if (text !== undefined && textIds !== undefined) {
    throw new UsageError('expected either --text TEXT or --text-ids 1,2,3');
  }
  for (const read of [prompt, text]) if (typeof read === 'string') await sayDropped(model, read);
  if (!model.info.parts) {
    if ((text ?? textIds) !== undefined) {
      throw new HeedError('unsupported', `${quoted(model.info.name)} is not an encoder–decoder, so it has no text ` +
        'beside its prompt. Leave out --text and --text-ids.');
    }
    return typeof prompt === 'string' ? model.encode(prompt) : prompt;
  }
  const start = await model.read(prompt);
  if (textIds !== undefined) return Int32Array.of(...start, ...idsIn('text-ids', textIds));
  return text === undefined ? start : Int32Array.of(...start, ...await innerIds(model, text));
}

/** Ids of a text without the tokens that the tokenizer adds around it.
 *  @param {import('../index.js').Model} model  @param {string} text */
export async function innerIds(model, text) {
  const around = await model.encode('');
  const ids = await model.encode(text);
  let before = 0;
  while (before < around.length && around[before] === ids[before]) before++;
  return ids.subarray(before, ids.length - (around.length - before));
}

/** Prints on standard error the model, kernel set and threads, and the matrices that were not converted.
 *  @param {import('../index.js').Model} model */
export function sayEngine({ info }) {
  const { kernels, threads, memory64 } = info.engine;
  const size = info.parameters.toLocaleString('en');
  const memory = memory64 ? ', 64-bit memory' : '';
  say(`${info.architecture}, ${size} parameters, on ${kernels}, ${threads} thread${threads === 1 ? '' : 's'}${memory}`);
  if (info.unquantized.length > 0) say(`not converted: ${info.unquantized.join(', ')}`);
}
