/** Makes a ModelFile from GGUF headers and tensors, of a single file or of all parts of a split model. */
import { HeedError, quoted } from '../errors.js';
import { computedPart } from './computed.js';
import { architectureOf } from './gguf/config.js';
import { describeGguf } from './gguf/family.js';
import { readHeader } from './gguf/header.js';
import { placeTensors } from './gguf/tensors.js';
import { endOf, streamWeights, tensorsOf } from './weights.js';

/** @typedef {import('./model-file.js').ModelFile} ModelFile */
/** @typedef {import('./model-file.js').OpenOptions} OpenOptions */
/** @typedef {import('./gguf/header.js').Metadata} Metadata */
/** @typedef {import('./stream.js').StreamReader} StreamReader */
/** The kinds of models that a program contains: functions for further families, and for tokenizers.
 *  @typedef {{ describe: import('./gguf/family.js').Describe,
 *    tokenizerOf: import('../text/tokenizer/gguf.js').TokenizerOf }} Kinds */

/**
 * Opens a GGUF file (versions 2 and 3, little-endian) from a stream whose first bytes were only peeked at.
 * @param {StreamReader} reader  at the first byte of the file
 * @param {import('./source.js').ByteSource} source
 * @param {OpenOptions & Kinds} options
 * @returns {Promise<ModelFile>}
 */
export async function ggufFromReader(reader, source, { onProgress, describe, tokenizerOf }) {
  try {
    const header = await readHeader(reader, source.name);
    refuseSplit(header.metadata, source.name);
    architectureOf(header.metadata, source.name); // before an unknown architecture's tensors
    const parts = [{ placed: placeTensors(header, source), open: async () => reader }];
    const { name } = source;
    return await modelOf(header, parts, { name, onProgress, describe, tokenizerOf, close: () => reader.close() });
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/**
 * A model from its header and its tensors, in one file or several.
 * @param {Pick<import('./gguf/header.js').Header, 'metadata' | 'types' | 'version'>} header  of the first file
 * @param {import('./weights.js').Part[]} files  tensors of each file
 * @param {Pick<OpenOptions, 'onProgress'> & Pick<ModelFile, 'name' | 'close'> & Kinds} file
 * @returns {Promise<ModelFile>}
 */
export async function modelOf({ metadata, types, version }, files, { name, onProgress, describe, tokenizerOf, close }) {
  const found = files.flatMap(({ placed }, part) => placed.map((one) => ({ ...one, part })));
  const { config, placed, computed = [], shortContext = 0, finish = (file) => file } =
    await describeGguf({ metadata, placed: found, name }, describe);
  const tokenizer = tokenizerOf(metadata, name);
  if (tokenizer && tokenizer.size !== config.vocabulary) {
    throw new HeedError('bad-tokenizer', `${quoted(name)} has ${tokenizer.size} tokens, but ${config.vocabulary} ` +
      'embeddings.');
  }
  const parts = [
    ...files.map((file, i) => ({ ...file, placed: placed.filter(({ part }) => part === i) })),
    ...computed.map((one) => computedPart(one.name, one.values, one.longer)),
  ];
  return finish({
    format: 'gguf',
    version,
    name,
    architecture: architectureOf(metadata, name),
    config,
    tensors: tensorsOf(parts),
    tokenizer,
    metadata,
    types,
    fileBytes: files.reduce((bytes, file) => bytes + endOf(file.placed), 0),
    weights: (positions = 0) => streamWeights(parts, { onProgress, longer: positions > shortContext }),
    close,
  });
}

/**
 * @param {Metadata} metadata
 * @param {string} name
 */
function refuseSplit(metadata, name) {
  if (Number(metadata['split.count'] ?? 1) <= 1) return;
  throw new HeedError('bad-source', `${quoted(name)} is one part of a split model. Give all parts: load([part, …]).`);
}
