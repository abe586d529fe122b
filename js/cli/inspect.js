// heed inspect: describes a model file, from its header.
import { DTYPES } from '../files/dtypes.js';
import { openNamedModel } from '../files/named.js';
import { readHeader } from '../files/safetensors/header.js';
import { isSafetensors } from '../files/safetensors/prefix.js';
import { openSource } from '../files/source.js';
import { StreamReader } from '../files/stream.js';
import { countParameters } from '../model/place.js';
import { Strings } from '../text/tokenizer/strings.js';
import { sourceOf } from './model-options.js';
import { interruptible, oneLine, printJson, sizeText, UsageError } from './terminal.js';

const LONG = 16; // largest array that is shown completely

/** A value of the metadata; long arrays, such as a vocabulary, become their length.
 *  @param {unknown} value  @returns {unknown} */
function brief(value) {
  if (typeof value === 'bigint') return value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  if (ArrayBuffer.isView(value)) return brief(Array.from(/** @type {Int32Array} */ (value)));
  if (value instanceof Strings) return brief(value.length > LONG ? { length: value.length } : [...value]);
  if (Array.isArray(value)) return value.length > LONG ? { length: value.length } : value.map(brief);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, brief(entry)]));
}

/** @param {import('../files/model-file.js').ModelFile} file */
function describe({ format, version, name, architecture, config, tensors, tokenizer, metadata }) {
  return {
    format,
    version,
    name,
    architecture,
    parameters: countParameters(tensors),
    weightsBytes: tensors.reduce((sum, { bytes }) => sum + bytes, 0),
    config,
    tensors: tensors.map(({ name, dtype, shape, bytes }) => ({ name, dtype: DTYPES[dtype].name, shape, bytes })),
    tokenizer: tokenizer && { size: tokenizer.size, bos: tokenizer.bos, eos: tokenizer.eos },
    metadata: /** @type {Record<string, unknown>} */ (brief(metadata)),
  };
}

/**
 * Describes a safetensors file without config.json: a state dict of `heed train` or of PyTorch.
 * @param {string} path @param {AbortSignal} signal
 * @returns {Promise<Report | null>} null for other formats
 */
async function describeStateDict(path, signal) {
  const source = openSource(path);
  const reader = new StreamReader(source.stream(signal), { name: source.name, signal });
  try {
    if (!isSafetensors((await reader.peek(64)).slice(0, 64))) return null;
    const { tensors, metadata } = await readHeader(reader, source.name, null);
    const { recipe, config = {}, ...said } = parse(metadata.heed);
    return {
      format: 'safetensors',
      version: undefined,
      name: source.name,
      architecture: recipe ?? 'a state dict',
      parameters: tensors.reduce((sum, { shape }) => sum + shape.reduce((product, n) => product * n, 1), 0),
      weightsBytes: tensors.reduce((sum, { bytes }) => sum + bytes, 0),
      config: /** @type {Record<string, unknown>} */ (brief(config)),
      tensors: tensors.map(({ name, type, shape, bytes }) => ({ name, dtype: type, shape, bytes })),
      tokenizer: null,
      metadata: /** @type {Record<string, unknown>} */ (brief({ ...metadata, ...(metadata.heed && { heed: said }) })),
    };
  } finally {
    await reader.close();
  }
}

/** The metadata that heed train writes. @param {string | undefined} text @returns {Record<string, any>} */
function parse(text) {
  try {
    const said = JSON.parse(text ?? '');
    return typeof said === 'object' && said !== null ? said : {};
  } catch {
    return {};
  }
}

/** @typedef {Omit<ReturnType<typeof describe>, 'config'> & { config: object }} Report */

/** @param {Report} model */
function* lines({ name, config, tensors, tokenizer, metadata, ...model }) {
  const { format, version, architecture, parameters, weightsBytes } = model;
  const kind = `${format}${version === undefined ? '' : ` ${version}`}`;
  yield `${name}: ${kind}, ${architecture}, ${parameters.toLocaleString('en')} parameters in ${sizeText(weightsBytes)}`;
  yield '';
  yield 'configuration';
  for (const [key, value] of Object.entries(config)) {
    yield `  ${key.padEnd(16)} ${typeof value === 'object' ? JSON.stringify(value) : value}`;
  }
  yield '';
  yield 'tensors';
  const width = Math.max(...tensors.map((tensor) => tensor.name.length));
  for (const { name, dtype, shape, bytes } of tensors) {
    yield `  ${name.padEnd(width)}  ${dtype.padEnd(4)}  ${shape.join(' × ').padEnd(14)} ${sizeText(bytes).padStart(8)}`;
  }
  yield '';
  yield 'tokenizer';
  yield tokenizer
    ? `  ${tokenizer.size} tokens, start ${tokenizer.bos ?? 'none'}, end ${tokenizer.eos.join(', ') || 'none'}`
    : '  none';
  yield '';
  yield 'metadata';
  for (const [key, value] of Object.entries(metadata)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    yield `  ${key} = ${text.length > 100 ? `${text.slice(0, 99)}…` : text}`;
  }
}

/** @param {import('./terminal.js').Values} values  @param {string[]} positionals  @returns {Promise<number>} */
async function run(values, [path]) {
  if (path === undefined) throw new UsageError('expected a file: heed inspect FILE');
  return interruptible(async (signal) => {
    const source = sourceOf(path, values);
    const model = (source === path && await describeStateDict(path, signal)) || await describeModel(source, signal);
    if (values.json) printJson(model);
    else for (const line of lines(model)) process.stdout.write(`${oneLine(line)}\n`);
    return 0;
  });
}

/** @param {import('../index.js').Source} source @param {AbortSignal} signal @returns {Promise<Report>} */
async function describeModel(source, signal) {
  const file = await openNamedModel(source, { signal });
  await file.close();
  return describe(file);
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'describe a model file',
  help: `usage: heed inspect FILE [--json]

Reads the header of a model and prints its architecture, configuration, tensors, tokenizer and metadata. With --json:
{ format, version, name, architecture, parameters, weightsBytes, config, tensors, tokenizer, metadata }. For a
safetensors file without config.json, such as those of heed train: its tensors and metadata.

  --config FILE       config.json of a safetensors file; default: in the same folder
  --tokenizer FILE    tokenizer.json of a safetensors file; default: in the same folder
  --json              print one JSON object on standard output
  --help              print this text
`,
  options: { json: { type: 'boolean' }, config: { type: 'string' }, tokenizer: { type: 'string' } },
  positionals: 1,
  run,
};
