/** GGUF models in several files, as `llama-gguf-split` of llama.cpp writes them: each file has a header and tensors. */
import { HeedError, quoted } from '../../errors.js';
import { tokenizerFromGguf as tokenizerOf } from '../../text/tokenizer.js';
import { describe } from '../families/gguf.js';
import { modelOf } from '../gguf.js';
import { isSafetensors, missingConfig } from '../safetensors/prefix.js';
import { StreamReader } from '../stream.js';
import { readHeader } from './header.js';
import { placeTensors } from './tensors.js';

/** @typedef {import('../source.js').ByteSource} ByteSource */
/** @typedef {import('./header.js').Header} Header */
/** @typedef {{ source: ByteSource, header: Header, size: number | null }} SplitFile  one file whose header was read */

/**
 * Opens a model whose parts are given in any order.  Keys: split.no, split.count and split.tensors.count of llama.cpp.
 * The first part has the metadata of the model.
 * @param {ByteSource[]} sources
 * @param {import('../model-file.js').OpenOptions} [options]
 * @returns {Promise<import('../model-file.js').ModelFile>}
 * @throws {HeedError} 'bad-source' if a part is missing or of another model
 */
export async function openSplitGguf(sources, { signal, onProgress } = {}) {
  if (sources.length === 0) {
    throw new HeedError('bad-source', 'Expected at least one file of weights, got an empty array.');
  }
  /** @type {SplitFile[]} */
  const files = [];
  for (const source of sources) files.push(await readPart(source, signal));
  const [first] = inOrder(files);
  const parts = files.map(({ source, header, size }) => ({
    placed: placeTensors(header, { name: source.name, size }),
    open: () => reopen(source, header, signal),
  }));
  const { name } = first.source;
  return modelOf(first.header, parts, { name, onProgress, describe, tokenizerOf, close: async () => {} });
}

/**
 * Reads the header.  Each file is opened again for its weights, so that connections do not stay idle.
 * @param {ByteSource} source @param {AbortSignal | null | undefined} signal @returns {Promise<SplitFile>}
 */
async function readPart(source, signal) {
  const reader = new StreamReader(source.stream(signal), { name: quoted(source.name), signal });
  try {
    if (isSafetensors(await reader.peek(9))) throw missingConfig();
    const header = await readHeader(reader, source.name);
    return { source, header, size: source.size };
  } finally {
    await reader.close();
  }
}

/** Puts parts in the order of their numbers, and checks that all are here. @param {SplitFile[]} files */
function inOrder(files) {
  const key = (/** @type {SplitFile} */ { header }, /** @type {string} */ name, /** @type {number} */ fallback) =>
    Number(header.metadata[`split.${name}`] ?? fallback);
  files.sort((a, b) => key(a, 'no', 0) - key(b, 'no', 0));
  const count = key(files[0], 'count', 1);
  for (const [i, file] of files.entries()) {
    const name = quoted(file.source.name);
    const { header: { metadata } } = file;
    if (metadata['split.no'] === undefined && files.length > 1) {
      throw new HeedError('bad-source', `${name} is not a part of a split model. Give one model, or all parts of one.`);
    }
    if (key(file, 'count', 1) !== count) throw ofAnother(name);
    const no = key(file, 'no', 0);
    if (no === i) continue;
    throw new HeedError('bad-source', `The model has ${count} parts, and part ` +
      `${no < i ? `${no + 1} is given twice: ${name}` : `${i + 1} is missing; the next is ${name}`}. Give each once.`);
  }
  if (files.length < count) {
    throw new HeedError('bad-source', `The model has ${count} parts, and only the first ${files.length} are given. ` +
      'Give all of them.');
  }
  const tensors = files.reduce((sum, { header }) => sum + header.tensors.length, 0);
  if (key(files[0], 'tensors.count', tensors) !== tensors) throw ofAnother(quoted(files[0].source.name));
  return files;
}

/** @param {string} name */
const ofAnother = (name) =>
  new HeedError('bad-source', `${name} and the other parts belong to different models. Give the parts of one model.`);

/** @param {ByteSource} source @param {Header} header @param {AbortSignal | null | undefined} signal */
async function reopen(source, header, signal) {
  const reader = new StreamReader(source.stream(signal), { name: quoted(source.name), signal });
  try {
    const { tensors, bytes } = await readHeader(reader, source.name);
    if (bytes === header.bytes && JSON.stringify(tensors) === JSON.stringify(header.tensors)) return reader;
  } catch (error) {
    await reader.close();
    throw error;
  }
  await reader.close();
  throw new HeedError('unavailable', `${quoted(source.name)} changed while it was read. Try again.`);
}
