// heed inspect: what a file says about a model. Only its header is read.
import { DTYPES } from '../dtypes.js';
import { Strings } from '../gguf/strings.js';
import { openModelFile } from '../model-file.js';
import { sourceOf } from './model-options.js';
import { interruptible, oneLine, printJson, sizeText, UsageError } from './terminal.js';

const LONG = 16; // elements of a list that are shown whole

/** A value of the metadata, short: of a long list, such as a vocabulary, only its length.
 *  @param {unknown} value  @returns {unknown} */
function brief(value) {
  if (typeof value === 'bigint') return value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  if (ArrayBuffer.isView(value)) return brief(Array.from(/** @type {Int32Array} */ (value)));
  if (value instanceof Strings) return brief(value.length > LONG ? { length: value.length } : [...value]);
  if (Array.isArray(value)) return value.length > LONG ? { length: value.length } : value.map(brief);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, brief(entry)]));
}

/** @param {import('../model-file.js').ModelFile} file */
function describe({ format, version, name, architecture, config, tensors, tokenizer, metadata }) {
  return {
    format,
    version,
    name,
    architecture,
    parameters: tensors.reduce((sum, { shape }) => sum + shape.reduce((product, n) => product * n, 1), 0),
    weightsBytes: tensors.reduce((sum, { bytes }) => sum + bytes, 0),
    config,
    tensors: tensors.map(({ name, dtype, shape, bytes }) => ({ name, dtype: DTYPES[dtype].name, shape, bytes })),
    tokenizer: tokenizer && { size: tokenizer.size, bos: tokenizer.bos, eos: tokenizer.eos },
    metadata: /** @type {Record<string, unknown>} */ (brief(metadata)),
  };
}

/** @param {ReturnType<typeof describe>} model */
function* lines({ name, config, tensors, tokenizer, metadata, ...model }) {
  const { format, version, architecture, parameters, weightsBytes } = model;
  const kind = `${format}${version === undefined ? '' : ` ${version}`}`;
  yield `${name}: ${kind}, ${architecture}, ${parameters.toLocaleString('en')} parameters in ${sizeText(weightsBytes)}`;
  yield '';
  yield 'configuration';
  for (const [key, value] of Object.entries(config)) yield `  ${key.padEnd(16)} ${value}`;
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
  if (path === undefined) throw new UsageError('which file? heed inspect FILE', 'heed inspect --help');
  return interruptible(async (signal) => {
    const file = await openModelFile(sourceOf(path, values), { signal });
    await file.close();
    const model = describe(file);
    if (values.json) printJson(model);
    else for (const line of lines(model)) process.stdout.write(`${oneLine(line)}\n`);
    return 0;
  });
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'say what a model file holds',
  help: `usage: heed inspect FILE [--json]

Reads the header of a model and prints its architecture, configuration, tensors, tokenizer and metadata. With --json:
{ format, version, name, architecture, parameters, weightsBytes, config, tensors, tokenizer, metadata }.

  --config FILE       config.json of a safetensors file; beside it by default
  --tokenizer FILE    tokenizer.json of a safetensors file; beside it by default
  --json              one JSON object on standard output, and nothing else there
  --help              this text
`,
  options: { json: { type: 'boolean' }, config: { type: 'string' }, tokenizer: { type: 'string' } },
  positionals: 1,
  run,
};
