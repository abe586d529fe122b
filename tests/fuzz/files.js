/**
 * Random damage to model files, by structure and by bytes. Each file must load or fail with a HeedError, soon and with
 * little memory. Each seed in seeds.json failed once.
 *
 *     node tests/fuzz/files.js [--iterations N | --seconds N] [--seed S]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { HeedError } from '../../js/errors.js';
import { openModelFile } from '../../js/files/model-file.js';
import { load } from '../../js/index.js';
import { tokenizerFromJson } from '../../js/text/tokenizer.js';
import { randomFrom } from '../support/numbers.js';
import { BYTE_LEVEL, SENTENCE_PIECE, tinyGguf } from '../support/tiny-gguf.js';
import { tinySafetensors } from '../support/tiny-safetensors.js';
import { mutatedBytes, mutatedJson, otherValue, pick, whole } from './mutate.js';

/** @typedef {import('./mutate.js').Random} Random */

/** Longer than any iteration takes on a busy machine. */
const HANG_MS = 120_000;
/** Limit of buffers after an iteration, whose model is disposed. */
const MOST_BYTES = 512 << 20;

const TEXTS = ['', 'abc <s> é', ' a\n\n b', 'a'.repeat(3000), ' '.repeat(3000), 'ab '.repeat(1000), '🤚\u0301日本'];

const TOKENIZERS = (() => {
  const Regex = String.raw`(?i:'s|'t)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*` +
    String.raw`|\s*[\r\n]+|\s+(?!\S)|\s+`;
  return [
    {
      added_tokens: [{ id: 0, content: '<unk>', special: true }, { id: 1, content: '<s>', special: true }],
      normalizer: { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '▁' },
        { type: 'Replace', pattern: { String: ' ' }, content: '▁' }] },
      post_processor: { type: 'TemplateProcessing',
        single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }] },
      decoder: { type: 'Sequence',
        decoders: [{ type: 'ByteFallback' }, { type: 'Fuse' }, { type: 'Strip', content: ' ', start: 1 }] },
      model: { type: 'BPE', byte_fallback: true, unk_token: '<unk>', merges: [['▁', 'a'], ['a', 'b']],
        vocab: { '<unk>': 0, '<s>': 1, '▁': 2, 'a': 3, 'b': 4, '▁a': 5, 'ab': 6, '<0x0A>': 7 } },
    },
    {
      added_tokens: [{ id: 0, content: '<|end|>', special: true, lstrip: true }],
      normalizer: { type: 'NFC' },
      pre_tokenizer: { type: 'Sequence', pretokenizers: [
        { type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false },
        { type: 'Digits', individual_digits: true },
        { type: 'ByteLevel', add_prefix_space: false, use_regex: false }] },
      decoder: { type: 'ByteLevel' },
      model: { type: 'BPE', ignore_merges: true, merges: ['Ġ a', 'a b'],
        vocab: { '<|end|>': 0, 'Ġ': 1, 'a': 2, 'b': 3, 'Ġa': 4, 'ab': 5, 'Ċ': 6 } },
    },
    {
      pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' },
      decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' },
      model: { type: 'Unigram', unk_id: 0, vocab: [['<unk>', 0], ['▁', -1], ['a', -2], ['ab', -3], ['▁a', -1.5]] },
    },
  ];
})();

/** Reads a whole model and runs some tokens. @param {Random} random @param {any} source */
async function use(random, source) {
  if (random() < 0.2) {
    const model = await load(source, { contextLength: 16, ...(random() < 0.5 && { quantize: 'q8_0' }) });
    try {
      await model.forward([1, 2, 3]);
      await model.attention({ layer: 0, head: 0 });
      await model.encode(pick(random, TEXTS).slice(0, 10));
    } finally {
      model.dispose();
    }
    return;
  }
  const file = await openModelFile(source);
  for await (const [entry, reader] of file.weights()) await reader.readInto(new Uint8Array(entry.bytes));
  file.tokenizer?.encode(pick(random, TEXTS));
}

/** @type {Record<string, (random: Random) => Promise<void>>} */
const TARGETS = {
  async 'GGUF by bytes'(random) {
    const tokenizer = pick(random, [SENTENCE_PIECE, BYTE_LEVEL]);
    const model = await tinyGguf({ tokenizer, type: pick(random, ['q8_0', 'f16']) });
    await use(random, mutatedBytes(random, model, 2000));
  },
  async 'GGUF by metadata'(random) {
    const tokenizer = { ...pick(random, [SENTENCE_PIECE, BYTE_LEVEL]) };
    const architecture = pick(random, /** @type {const} */ (['llama', 'qwen2', 'gpt2']));
    /** @type {any} */
    const metadata = {
      [`${architecture}.rope.freq_base`]: { type: 'float32', value: pick(random, [1e4, 0, NaN, 1e38, -1]) },
    };
    for (let n = whole(random, 3); n > 0; n--) {
      const key = pick(random, ['block_count', 'embedding_length', 'attention.head_count', 'attention.head_count_kv',
        'context_length', 'feed_forward_length', 'attention.key_length', 'rope.dimension_count', 'vocab_size']);
      const type = pick(random, ['uint32', 'int32', 'uint64', 'float32', 'bool']);
      metadata[`${architecture}.${key}`] = scalar(type, Number(otherValue(random, 2)) || 0);
    }
    if (random() < 0.5) {
      const key = pick(random, Object.keys(tokenizer));
      const entry = /** @type {any} */ (tokenizer)[key];
      if (Array.isArray(entry.value)) entry.value = mutatedList(random, entry);
      else if (entry.type === 'string') entry.value = String(otherValue(random, entry.value));
    }
    await use(random, await tinyGguf({ architecture, tokenizer: structuredClone(tokenizer), metadata,
      ...(random() < 0.3 && { without: [pick(random, Object.keys({ ...tokenizer, ...metadata }))] }) }));
  },
  async 'safetensors by bytes'(random) {
    const { weights, config, headerBytes } = tinySafetensors();
    const damaged = mutatedBytes(random, weights, headerBytes);
    await use(random, { weights: damaged, config, tokenizer: pick(random, TOKENIZERS) });
  },
  async 'safetensors by header'(random) {
    const { weights, config } = tinySafetensors({ header: (header) => {
      const mutated = mutatedJson(random, header);
      for (const key of Object.keys(header)) delete header[key];
      Object.assign(header, mutated);
    } });
    await use(random, { weights, config: random() < 0.5 ? config : mutatedJson(random, config) });
  },
  async 'config.json'(random) {
    const { weights, config } = tinySafetensors();
    const json = mutatedJson(random, { ...config, eos_token_id: [1, 2],
      rope_scaling: { rope_type: 'linear', factor: 2 },
      ...(random() < 0.5 && { model_type: pick(random, ['qwen2', 'gpt2', 'mistral', 'llama']) }),
    });
    const text = new TextEncoder().encode(JSON.stringify(json) ?? '');
    await use(random, { weights, config: random() < 0.5 ? text : mutatedBytes(random, text) });
  },
  async 'tokenizer.json'(random) {
    const json = mutatedJson(random, pick(random, TOKENIZERS));
    const tokenizer = tokenizerFromJson(json, { bos_token_id: 1, eos_token_id: [0] }, 'tokenizer.json');
    for (const text of [pick(random, TEXTS), pick(random, TEXTS)]) {
      const ids = tokenizer.encode(text, { special: random() < 0.5 });
      tokenizer.decode(ids.subarray(0, 100));
    }
  },
};

/** @param {number} n */
const int32 = (n) => Math.trunc(Math.max(-(2 ** 31), Math.min(n, 2 ** 31 - 1)));

/** A number of a type of GGUF. @param {string} type @param {number} n */
function scalar(type, n) {
  if (type === 'bool') return { type, value: n > 0 };
  if (type === 'uint64') return { type, value: BigInt(Math.trunc(Math.min(Math.abs(n), 2 ** 62))) };
  return { type, value: type === 'float32' ? n : int32(n) };
}

/** @param {Random} random @param {{ value: any[] }} entry */
function mutatedList(random, { value }) {
  const list = [...value];
  const at = whole(random, list.length);
  const kind = typeof list[0];
  const other = otherValue(random, list[at]);
  list[at] = kind === 'string' ? String(other) : Number(other) || 0;
  if (random() < 0.2) list.splice(at, 1);
  if (random() < 0.1) list.push(list[at]);
  return kind === 'number' ? list.map(int32) : list;
}

/** One iteration. @param {number} seed @returns {Promise<string | null>} the defect, or null */
async function iteration(seed) {
  const random = randomFrom(seed);
  const target = pick(random, Object.keys(TARGETS));
  try {
    await TARGETS[target](random);
  } catch (error) {
    if (!(error instanceof HeedError)) return `${target}: ${error instanceof Error ? error.stack : String(error)}`;
    if (/[\p{Cc}\p{Cf}]/u.test(error.message)) return `${target}: marks in ${JSON.stringify(error.message)}`;
  }
  const { arrayBuffers } = process.memoryUsage();
  return arrayBuffers > MOST_BYTES ? `${target}: ${arrayBuffers} bytes of buffers` : null;
}

/**
 * @param {{ seed?: number, iterations?: number, seconds?: number, seeds?: number[] }} options  seeds: only these
 *   seeds
 * @returns {Promise<{ done: number, failures: { seed: number, problem: string }[] }>}
 */
export function fuzzFiles({ seed = 1, iterations = Infinity, seconds = Infinity, seeds }) {
  /** @type {{ seed: number, problem: string }[]} */
  const failures = [];
  const until = performance.now() + 1000 * seconds;
  const most = seeds ? seeds.length : iterations;
  return new Promise((resolve, reject) => {
    let done = 0;
    let running = 0;
    /** @type {ReturnType<typeof setTimeout>} */
    let timer;
    const resourceLimits = { maxOldGenerationSizeMb: 512 };
    const worker = new Worker(new URL(import.meta.url), { workerData: 'fuzz', resourceLimits });
    const finish = () => {
      clearTimeout(timer);
      void worker.terminate();
      resolve({ done, failures });
    };
    const next = () => {
      if (done >= most || performance.now() > until || failures.length >= 10) return finish();
      running = seeds ? seeds[done] : seed + done;
      timer = setTimeout(() => {
        failures.push({ seed: running, problem: `no end after ${HANG_MS} ms` });
        finish();
      }, HANG_MS);
      worker.postMessage(running);
    };
    worker.on('message', (/** @type {string | null} */ problem) => {
      clearTimeout(timer);
      done++;
      if (problem !== null) failures.push({ seed: running, problem });
      next();
    });
    worker.on('error', (error) => { // out of memory, or an uncaught error
      failures.push({ seed: running, problem: String(error.stack ?? error) });
      finish();
    });
    worker.on('online', next);
    worker.on('messageerror', reject);
  });
}

/** Seeds that failed once. @returns {number[]} */
export const knownSeeds = () => JSON.parse(readFileSync(new URL('seeds.json', import.meta.url), 'utf8'));

if (!isMainThread && workerData === 'fuzz') {
  parentPort?.on('message', async (seed) => parentPort?.postMessage(await iteration(seed)));
} else if (process.argv[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href) {
  const number = /** @type {const} */ ({ type: 'string' });
  const { values } = parseArgs({ options: { iterations: number, seconds: number, seed: number } });
  const seconds = values.seconds === undefined ? Infinity : Number(values.seconds);
  const iterations = Number(values.iterations ?? (seconds < Infinity ? Infinity : 5000));
  const known = await fuzzFiles({ seeds: knownSeeds() });
  const { done, failures } = await fuzzFiles({ seed: Number(values.seed ?? 1), iterations, seconds });
  const all = [...known.failures, ...failures];
  for (const { seed, problem } of all) console.log(`seed ${seed}: ${problem}`);
  console.log(`${known.done} known seeds and ${done} others: ${all.length} failures`);
  process.exit(all.length > 0 ? 1 : 0);
}
