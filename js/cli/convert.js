// heed convert: Hugging Face folders to GGUF, and GGUF to safetensors.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HeedError, quoted } from '../errors.js';
import { DTYPES } from '../files/dtypes.js';
import { TYPES, decode } from '../files/gguf/quantize.js';
import { openNamedModel } from '../files/named.js';
import { MODEL_TYPES, modelFiles } from '../train/tuning/export.js';
import { writeWhole } from './checkpoints.js';
import { writeGgufFile } from './convert/gguf-file.js';
import { convertHf } from './convert/hf.js';
import { poolingFiles } from './convert/pooling.js';
import { tokenizerFiles } from './convert/tokenizer-files.js';
import { UsageError, interruptible, printJson, sizeText } from './terminal.js';

/** Divisors of RoPE's frequencies: a tensor of the file, or computed from its settings. */
const FREQUENCIES = 'rope_freqs.weight';
/** Types of matrices, by the forms of the command. */
const FORMS = {
  'a folder to GGUF': Object.keys(TYPES),
  'GGUF to GGUF': MODEL_TYPES.gguf,
  'GGUF to safetensors': MODEL_TYPES.safetensors,
};

/** @param {import('./terminal.js').Values} values  @param {string[]} positionals  @returns {Promise<number>} */
async function run({ type, pre, json, ...general }, [source, out]) {
  if (source === undefined || out === undefined) {
    throw new UsageError('expected a model and a place: heed convert FROM TO');
  }
  const toGguf = /\.gguf$/i.test(out);
  const isFolder = existsSync(join(source, 'config.json'));
  const form = !toGguf ? 'GGUF to safetensors' : isFolder ? 'a folder to GGUF' : 'GGUF to GGUF';
  if (type !== undefined && !FORMS[form].includes(type)) {
    throw new UsageError(`--type ${type}: expected one of ${FORMS[form].join(', ')} for ${form}`);
  }
  return interruptible(async (signal) => {
    if (isFolder && !toGguf) throw new UsageError(`${source} has safetensors already; name a file that ends in .gguf`);
    const files = isFolder ? await fromFolder(source, out, { type, pre, general })
      : await fromModel(source, out, { type, signal });
    if (json) printJson({ files });
    else for (const { path, bytes } of files) process.stdout.write(`${path}: ${sizeText(bytes)}\n`);
    return 0;
  });
}

/** @typedef {{ path: string, bytes: number }} Written */

/** Writes one tensor after the other, so a model need not fit into memory.
 *  @param {string} folder @param {string} out
 *  @param {{ type?: keyof typeof TYPES, pre?: string, general: Record<string, string> }} options
 *  @returns {Promise<Written[]>} */
async function fromFolder(folder, out, { type, pre, general }) {
  const content = await convertHf(folder, { general, ...(type && { type }), ...(pre !== undefined && { pre }) });
  try {
    const bytes = await writeGgufFile(`${out}.part`, content);
    await rename(`${out}.part`, out);
    return [{ path: out, bytes }];
  } catch (error) {
    await rm(`${out}.part`, { force: true });
    throw error;
  }
}

/** @param {string} source  a GGUF file, its parts, or a name of a hub @param {string} out
 *  @param {{ type?: any, signal: AbortSignal }} options  type: GGUF without it becomes Q8_0
 *  @returns {Promise<Written[]>} */
async function fromModel(source, out, { type, signal }) {
  const toGguf = /\.gguf$/i.test(out);
  const opened = await openNamedModel(source, { signal });
  const file = (toGguf && opened.whole) || opened;
  try {
    if (file.format !== 'gguf') {
      throw new HeedError('unsupported', `${quoted(file.name)} is a safetensors file. Give its folder.`);
    }
    if (!toGguf && type === undefined) needExact(file);
    const weights = file.weights();
    const values = valuesOf(weights);
    const metadata = Object.fromEntries(Object.entries(file.metadata).filter(([key]) => !key.startsWith('split.')));
    const model = { ...file, metadata };
    const { files: more, problem } = toGguf ? { files: {} } : tokenizerFiles(file);
    if (problem) process.stderr.write(`The tokenizer is not converted: ${problem}\n`);
    const format = toGguf ? { format: /** @type {const} */ ('gguf'), ...(type && { type }) }
      : { format: /** @type {const} */ ('safetensors'), type: type ?? 'f32' };
    const files = { ...await modelFiles(model, values, format, await divisorsOf(file, source, signal)), ...more };
    if (!toGguf) {
      for await (const [{ bytes, name }, reader] of weights) await reader.skip(bytes, quoted(name)); // Dense layers
      Object.assign(files, poolingFiles(file, type ?? 'f32'));
    }
    return await Promise.all(Object.entries(files).map(async ([name, bytes]) => {
      const path = toGguf ? out : join(out, name);
      await mkdir(dirname(path), { recursive: true });
      await writeWhole(path, bytes);
      return { path, bytes: bytes.length };
    }));
  } finally {
    await file.close();
  }
}

/** @param {import('../files/model-file.js').ModelFile} file */
function needExact({ tensors, name }) {
  const other = tensors.find(({ dtype }) => !['F32', 'F16', 'BF16'].includes(DTYPES[dtype].name));
  if (!other) return;
  throw new HeedError('unsupported', `Tensor ${quoted(other.name)} of ${quoted(basename(name))} has the type ` +
    `${DTYPES[other.dtype].name}, which safetensors cannot hold. --type f32 writes its values as floats.`);
}

/**
 * Divisors of RoPE's frequencies, which decide the settings of config.json before the weights are read.
 * @param {import('../files/model-file.js').ModelFile} file @param {string} source @param {AbortSignal} signal
 * @returns {Promise<import('../train/tuning/export.js').Divisors | undefined>}
 */
async function divisorsOf({ tensors }, source, signal) {
  if (!tensors.some(({ name }) => name === FREQUENCIES)) return undefined;
  const [short, longer] = await Promise.all([0, Infinity].map(async (positions) => {
    const file = await openNamedModel(source, { signal });
    for await (const [entry, reader] of file.weights(positions)) {
      const bytes = new Uint8Array(entry.bytes);
      await reader.readInto(bytes, quoted(entry.name));
      if (entry.name === FREQUENCIES) return decode(bytes, typeOf(entry));
    }
    return new Float32Array(0);
  }));
  return String(short) === String(longer) ? { short } : { short, longer };
}

/** Reads the weights in the order of the file, which is the order in which they are written.
 *  @param {ReturnType<import('../files/model-file.js').WeightStream>} weights
 *  @returns {(slot: string) => Promise<Float32Array>} */
function valuesOf(weights) {
  /** @type {Promise<Float32Array>} */ let turn = Promise.resolve(new Float32Array(0));
  const next = async (/** @type {string} */ slot) => {
    for (;;) {
      const { value, done } = await weights.next();
      if (done) throw new Error(`${slot} is not among the weights that are left`);
      const [entry, reader] = value;
      const bytes = new Uint8Array(entry.bytes);
      await reader.readInto(bytes, quoted(entry.name));
      if (entry.name === slot) return decode(bytes, typeOf(entry));
    }
  };
  return (slot) => (turn = turn.then(() => next(slot)));
}

/** @param {import('../files/weights.js').TensorEntry} entry */
function typeOf({ dtype, name }) {
  const type = DTYPES[dtype].name.toLowerCase();
  if (Object.hasOwn(TYPES, type)) return /** @type {keyof typeof TYPES} */ (type);
  throw new HeedError('unsupported', `Tensor ${quoted(name)} has the type ${DTYPES[dtype].name}; heed convert reads ` +
    `${Object.keys(TYPES).join(', ')}.`);
}

/** Lines of the help text. */
const TYPE_LINES = Object.entries(FORMS).map(([form, types]) =>
  `                        ${`${form}:`.padEnd(21)}${types.join(', ')}`);

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'convert between Hugging Face folders and GGUF',
  help: `usage: heed convert FOLDER OUT.gguf [OPTIONS]
       heed convert MODEL.gguf FOLDER [OPTIONS]

The first form converts a Hugging Face folder (config.json, safetensors in one file or in shards, tokenizer.json) to
GGUF, which llama.cpp opens, too. The second form writes config.json and model.safetensors, and tokenizer.json if the
vocabulary is byte-level or SentencePiece. MODEL may also be a split GGUF file or a name such as hf:owner/name. If OUT
also ends in .gguf, the parts are joined and the matrices become Q8_0 or the given type.

  --type T            type of the matrices, one of
${TYPE_LINES.join('\n')}
                      Without it, GGUF to GGUF takes q8_0. The other forms keep the values, and a quantized GGUF does
                      not become safetensors
  --pre NAME          tokenizer.ggml.pre, if the pre-tokenizer is not recognized
  --name, --author, --license, --description TEXT
                      texts for the metadata of GGUF
  --json              print one JSON object: { files }
  --help              print this text
`,
  options: {
    type: { type: 'string' },
    pre: { type: 'string' },
    name: { type: 'string' },
    author: { type: 'string' },
    license: { type: 'string' },
    description: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: 2,
  run,
};
