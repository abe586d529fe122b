/** Safetensors files and shards as one model: reads all headers, then streams the weights with GGUF's names. */
import { HeedError, quoted } from '../errors.js';
import { computedPart } from './computed.js';
import { configOfTower } from './families/clip.js';
import { joined, joinedEntries } from './families/distilled.js';
import { blockOfPart, lacksFeedForward, partOfBlock, sinusoids } from './families/parts.js';
import { halvesOf } from './families/halves.js';
import { checkWeights } from './families.js';
import { parseJson, readJson } from './json.js';
import { configFromHuggingFace } from './safetensors/config.js';
import { readHeader } from './safetensors/header.js';
import { afterChange, changed, spread, ungrouped, withOne } from './safetensors/change.js';
import { isPrefixed, nameOf, placeOf } from './safetensors/names.js';
import { isSafetensors, missingConfig } from './safetensors/prefix.js';
import { matrixNames } from './safetensors/stacked.js';
import { neighbor, openSource } from './source.js';
import { StreamReader, readAll } from './stream.js';
import { withEnds } from './chat-files.js';
import { readTokenizer } from './tokenizer-json.js';
import { endOf, inOrder, streamWeights, tensorsOf } from './weights.js';

/** @typedef {import('./model-file.js').ModelFile} ModelFile */
/** @typedef {import('./model-file.js').OpenOptions} OpenOptions */
/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./source.js').ByteSource} ByteSource */
/** @typedef {import('./weights.js').PlacedTensor} PlacedTensor */
/** @typedef {import('./safetensors/header.js').StoredTensor} StoredTensor */
/** @typedef {import('./safetensors/header.js').Header} Header */
/** @typedef {import('./safetensors/config.js').Architecture} Architecture */

/** Largest config.json in bytes; real ones have a few thousand. */
const MAX_CONFIG_BYTES = 1 << 20;
/** Largest model.safetensors.index.json in bytes, and largest number of shards. */
const MAX_INDEX_BYTES = 16 << 20;
const MAX_SHARDS = 512;

/** GGML's number of each supported type of safetensors. @type {Readonly<Record<string, number>>} */
const DTYPE_OF = Object.freeze({ F32: 0, F16: 1, BF16: 30 });

/**
 * One file of weights whose header has been read.
 * @typedef {{ source: ByteSource, header: Header, reader: StreamReader | null }} Shard
 */

/**
 * Opens a Hugging Face model: safetensors with config.json and, for text, tokenizer.json.
 * @param {{ weights: Source | Source[], config?: Source | object, tokenizer?: Source | object,
 *   ends?: import('./chat-files.js').Ends }} files  weights: one file, all shards, or model.safetensors.index.json.
 *   The index names shards in its own folder, unless they are given.  ends: more end tokens
 * @param {OpenOptions} [options]
 * @returns {Promise<ModelFile>}
 * @throws {HeedError}
 */
export async function openSafetensors({ weights, config, tokenizer, ends = {} }, { signal, onProgress, tower } = {}) {
  if (config === undefined) throw missingConfig();
  const sources = (Array.isArray(weights) ? weights : [weights]).map((source) => openSource(source));
  /** @type {Shard[]} */
  const shards = [];
  try {
    const { json: whole, name } = await readJson(config, { limit: MAX_CONFIG_BYTES, what: 'a config.json', signal });
    const json = configOfTower(whole, tower, name);
    const architecture = configFromHuggingFace(json, name);
    await openShards(sources, shards, signal);
    if (shards.length === 0) {
      throw new HeedError('bad-source', 'Expected at least one file of weights, got an empty array.');
    }
    const parts = placeWeights(shards, architecture, signal);
    checkSlots(parts.slice(0, shards.length).flatMap((part) => part.placed), architecture, shards);
    const placed = parts.flatMap((part) => part.placed);
    addSinusoids(parts, architecture, placed);
    const tensors = tensorsOf(parts).map(afterChange);
    const tokens = tokenizer === undefined || architecture.config.patch // pictures have no tokens of the vocabulary
      ? null
      : await readTokenizer(tokenizer, withEnds(/** @type {Record<string, any>} */ (json), ends),
        architecture.config.vocabulary, signal);
    if (tokens && tokens.size > architecture.config.vocabulary) {
      throw new HeedError('bad-tokenizer', `The tokenizer has ${tokens.size} tokens, but by ${quoted(name)} the ` +
        `model has ${architecture.config.vocabulary}. Check that the files belong to the same model.`);
    }
    return {
      format: 'safetensors',
      name: shards[0].source.name,
      architecture: architecture.family.name,
      config: architecture.config,
      ...(architecture.parts && { parts: architecture.parts }),
      ...(architecture.labelHeads && { labelHeads: architecture.labelHeads }),
      tensors: joinedEntries(tensors),
      tokenizer: tokens,
      metadata: { ...shards[0].header.metadata, 'config.json': json },
      fileBytes: parts.reduce((bytes, part) => bytes + endOf(part.placed), 0),
      weights: (positions = 0) => joined(tensors, changed(streamWeights(parts, {
        onProgress, longer: positions > (architecture.rope?.shortContext ?? Infinity),
      }))),
      close: () => closeAll(shards),
    };
  } catch (error) {
    await closeAll(shards);
    throw error;
  }
}

/** @param {Shard[]} shards */
async function closeAll(shards) {
  await Promise.all(shards.map(({ reader }) => reader?.close()));
}

/**
 * Reads the header of every file.  A single file stays open for its weights.  Several files are closed, and each is
 * opened again for its weights, so that connections do not stay idle.
 * @param {ByteSource[]} sources
 * @param {Shard[]} shards  array that receives them
 * @param {AbortSignal | null | undefined} signal
 */
async function openShards(sources, shards, signal) {
  /** @type {{ source: ByteSource, files: Map<string, string> } | null} */
  let index = null;
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i];
    const reader = new StreamReader(source.stream(signal), { name: quoted(source.name), signal });
    try {
      const prefix = await reader.peek(9);
      if (!isSafetensors(prefix) && /^\s*\{/.test(String.fromCharCode(...prefix.subarray(0, 9)))) {
        if (index) throw new HeedError('bad-source', 'The weights have two index files. Give one.');
        const text = await readAll(source, MAX_INDEX_BYTES, 'an index of shards', signal);
        index = { source, files: readIndex(text, source.name) };
        if (sources.length === 1) sources.push(...shardsBeside(source, new Set(index.files.values())));
        continue;
      }
      const header = await readHeader(reader, source.name, source.size);
      shards.push({ source, header, reader: sources.length === 1 ? reader : null });
    } finally {
      if (shards.at(-1)?.reader !== reader) await reader.close();
    }
  }
  if (index) checkIndex(index, shards);
}

/**
 * @param {Uint8Array} bytes
 * @param {string} name
 * @returns {Map<string, string>} the file of each tensor
 */
function readIndex(bytes, name) {
  const map = parseJson(bytes, name, 'an index of shards')?.weight_map;
  if (typeof map !== 'object' || map === null || !Object.values(map).every((file) => typeof file === 'string')) {
    throw new HeedError('bad-file', `${quoted(name)} is not an index of shards, because it has no ‘weight_map’.`);
  }
  return new Map(Object.entries(map));
}

/**
 * @param {ByteSource} index
 * @param {Set<string>} files
 * @returns {ByteSource[]}
 */
function shardsBeside(index, files) {
  if (files.size > MAX_SHARDS) {
    throw new HeedError('too-large', `${quoted(index.name)} names ${files.size} shards; at most ${MAX_SHARDS} are ` +
      'read.');
  }
  return [...files].map((file) => {
    const source = neighbor(index, file);
    if (source) return source;
    throw new HeedError('bad-source', `${quoted(index.name)} names the shard ${quoted(file)}, which is not given. ` +
      'Give the shards with their index.');
  });
}

/**
 * @param {{ source: ByteSource, files: Map<string, string> }} index
 * @param {Shard[]} shards
 */
function checkIndex({ source, files }, shards) {
  const present = new Set(shards.flatMap(({ header }) => header.tensors.map(({ name }) => name)));
  for (const [tensor, file] of files) {
    if (!present.has(tensor)) {
      throw new HeedError('bad-tensor', `${quoted(source.name)} says that tensor ${quoted(tensor)} is in ` +
        `${quoted(file)}, but no given file has it. Give every shard.`);
    }
  }
}

/**
 * @param {Shard[]} shards
 * @param {Architecture} architecture
 * @param {AbortSignal | null | undefined} signal
 * @returns {import('./weights.js').Part[]}
 */
function placeWeights(shards, architecture, signal) {
  const parts = shards.map((shard) => {
    const placed = shard.header.tensors.flatMap((tensor) => matricesOf(tensor, architecture.config.experts))
      .flatMap((tensor) => placeTensor(tensor, architecture, shard.source.name));
    const file = { size: shard.source.size, name: shard.source.name };
    return { placed: inOrder(placed, file), open: async () => shard.reader ?? reopen(shard, signal) };
  });
  const { divisors, longer } = architecture.rope ?? {};
  if (divisors) parts.push(computedPart('rope_freqs.weight', divisors, longer && false));
  if (longer) parts.push(computedPart('rope_freqs.weight', longer, true));
  return parts;
}

/** The matrices of a tensor if it holds all experts, or the tensor.
 *  @param {StoredTensor} tensor @param {number} [experts] @returns {StoredTensor[]} */
function matricesOf(tensor, experts = 0) {
  const names = matrixNames(tensor, experts);
  const bytes = tensor.bytes / names.length;
  return names.length === 0 ? [tensor] : names.map((name, expert) =>
    ({ ...tensor, name, shape: tensor.shape.slice(1), start: tensor.start + expert * bytes, bytes }));
}

/** Adds the positions of Marian, which files may leave out, because they are computed (Vaswani et al. 2017).
 *  @param {import('./weights.js').Part[]} parts @param {Architecture} architecture @param {PlacedTensor[]} placed */
function addSinusoids(parts, { parts: of, config }, placed) {
  if (!of?.sinusoids) return;
  const { context_length: positions, d_model: D } = config;
  /** @type {Float32Array | undefined} */ let numbers;
  for (const name of ['enc.position_embd.weight', 'position_embd.weight']) {
    const stored = placed.find(({ entry }) => entry.name === name);
    if (stored) {
      stored.entry.learned = 0;
      continue;
    }
    numbers ??= sinusoids(positions, D);
    parts.push(computedPart(name, numbers, undefined, [positions, D]));
  }
}

/**
 * @param {StoredTensor} tensor
 * @param {Architecture} architecture
 * @param {string} name
 * @returns {PlacedTensor[]} none for a tensor that the engine does not need; two for a matrix of two weights
 */
function placeTensor(tensor, { layout, tied, config, parts }, name) {
  const found = placeOf(tensor.name, layout);
  const encoder = config.encoder_layers ?? 0;
  const place = typeof found === 'object' && found ? { ...found, slot: blockOfPart(found.slot, encoder) } : found;
  if (place === 'ignored' || (tied && place?.slot === 'output.weight')) return [];
  const dtype = DTYPE_OF[tensor.type];
  const where = `Tensor ${quoted(tensor.name)} of ${quoted(name)}`;
  if (!place) {
    throw new HeedError('bad-tensor', `${where} does not belong to this architecture. Do the files belong ` +
      'together?');
  }
  if (dtype === undefined) {
    throw new HeedError('unsupported', `${where} has the type ${tensor.type}; heed reads ` +
      `${Object.keys(DTYPE_OF).join(', ')}.`);
  }
  const { start, bytes } = tensor;
  const shape = place.flat ? flattened(tensor.shape) : tensor.shape;
  if (shape.length < 1 || shape.length > 2 || shape.includes(0)) {
    throw new HeedError('bad-tensor', `${where} has the shape [${shape}]; expected a matrix or a vector.`);
  }
  if (place.transpose) {
    return [{ start, entry: { name: place.slot, dtype, shape: [...shape].reverse(), bytes, transpose: true } }];
  }
  if (place.skip && shape[0] > place.skip) {
    const skipped = bytes / shape[0] * place.skip;
    return [{ start: start + skipped,
      entry: { name: place.slot, dtype, shape: [shape[0] - place.skip, shape[1]], bytes: bytes - skipped } }];
  }
  const entry = { name: place.slot, dtype, shape, bytes };
  if (place.change === 'spread') return [{ start, entry: spread(entry, config, parts?.buckets ?? 0) }];
  if (place.change === 'ungroup') return [{ start, entry: ungrouped(entry, config) }];
  return place.change === 'add one' ? [{ start, entry: withOne(entry) }] : halvesOf({ start, entry });
}

/** The first axis that is longer than 1, and the product of the others; a vector stays a vector.
 *  @param {number[]} shape */
function flattened(shape) {
  const first = shape.findIndex((length) => length !== 1);
  const [rows = 1, ...others] = shape.slice(Math.max(0, first));
  return others.length === 0 ? [rows] : [rows, others.reduce((product, length) => product * length, 1)];
}

/**
 * @param {Shard} shard
 * @param {AbortSignal | null | undefined} signal
 */
async function reopen({ source, header }, signal) {
  const reader = new StreamReader(source.stream(signal), { name: quoted(source.name), signal });
  try {
    const { text } = await readHeader(reader, source.name, source.size);
    if (text === header.text) return reader;
  } catch (error) {
    await reader.close();
    throw error;
  }
  await reader.close();
  throw new HeedError('unavailable', `${quoted(source.name)} changed while it was read. Try again.`);
}

/**
 * @param {PlacedTensor[]} placed
 * @param {Architecture} architecture
 * @param {Shard[]} shards
 */
function checkSlots(placed, { family, layout, config, tied, said }, shards) {
  const slots = placed.map(({ entry }) => entry.name);
  const seen = new Set();
  const twice = slots.find((slot) => seen.size === seen.add(slot).size);
  if (twice) throw new HeedError('bad-tensor', `The tensor ${quoted(twice)} occurs twice.`);
  const prefixed = isPrefixed(shards.flatMap(({ header }) => header.tensors.map(({ name }) => name)), layout);
  checkWeights(slots, {
    family,
    layers: config.layers,
    said,
    tied,
    name: shards[0].source.name,
    nameOf: (slot) => nameOf(partOfBlock(slot, config.encoder_layers ?? 0), layout, prefixed),
    ...(config.encoder_layers && { lacks: (slot) => lacksFeedForward(slot, config.encoder_layers ?? 0) }),
  });
}
