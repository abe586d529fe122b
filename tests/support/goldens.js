/** The tiny models of tests/goldens, their stages by PyTorch, and their GGUF forms. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertHf } from '../../js/cli/convert/hf.js';
import { writeGgufFile } from '../../js/cli/convert/gguf-file.js';
import { readSafetensors } from '../../js/cli/convert/safetensors.js';

const FOLDER = fileURLToPath(new URL('../goldens/', import.meta.url));

/**
 * @typedef {{ shape: number[], data: Float32Array }} GoldenStage shape slowest axis first
 * @typedef {{ name: string, folder: string, config: any, ids: number[], stages: Record<string, GoldenStage> }} Golden
 */

/** @returns {Promise<Golden[]>} */
export async function goldens() {
  const names = (await readdir(FOLDER)).filter((name) => existsSync(join(FOLDER, name, 'config.json'))).sort();
  if (names.length === 0) throw new Error(`${FOLDER} is empty; tools/goldens/architectures.py writes it`);
  return Promise.all(names.map(async (name) => {
    const folder = join(FOLDER, name);
    const [config, ids, stages] = await Promise.all([
      readFile(join(folder, 'config.json'), 'utf8').then(JSON.parse),
      readFile(join(folder, 'ids.json'), 'utf8').then(JSON.parse),
      readSafetensors(join(folder, 'stages.safetensors')),
    ]);
    const loaded = Object.entries(stages).map(([hook, { shape, load }]) => [hook, { shape, data: load() }]);
    return { name, folder, config, ids, stages: Object.fromEntries(loaded) };
  }));
}

/** Blocks of one quantized type from llama.cpp, and the values that llama.cpp decodes from them.
 *  @param {string} type @returns {Promise<{ blocks: Uint8Array, values: Float32Array, columns: number }>} */
export async function quantGolden(type) {
  const { blocks, values } = await readQuants(type);
  return { blocks: blocks.bytes, values: new Float32Array(values.bytes.buffer), columns: values.shape[1] };
}

/** The numbers that llama.cpp quantized. */
export async function quantNumbers() {
  const { numbers } = await readQuants('numbers');
  return new Float32Array(numbers.bytes.buffer);
}

/** @param {string} name @returns {Promise<Record<string, { bytes: Uint8Array, shape: number[] }>>} */
async function readQuants(name) {
  const file = new Uint8Array(await readFile(join(FOLDER, 'quants', `${name}.safetensors`)));
  const length = Number(new DataView(file.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
  delete header.__metadata__;
  return Object.fromEntries(Object.entries(header).map(([tensor, { data_offsets: [from, to], shape }]) =>
    [tensor, { bytes: file.slice(8 + length + from, 8 + length + to), shape }]));
}

/** A temporary folder. It is removed after the tests of the file. @param {(done: () => Promise<void>) => void} after */
export async function temporaryFolder(after) {
  const folder = await mkdtemp(join(tmpdir(), 'heed-'));
  after(() => rm(folder, { recursive: true }));
  return folder;
}

/**
 * @param {Golden} golden @param {import('../../js/files/gguf/quantize.js').TypeName} type @param {string} folder
 * @param {import('../../js/files/gguf/writer.js').Metadata} [changes] of the metadata
 * @returns {Promise<string>} path
 */
export async function asGguf(golden, type, folder, changes = {}) {
  const path = join(folder, `${golden.name}-${type}${Object.keys(changes).map((key) => `-${key}`).join('')}.gguf`);
  const { metadata, tensors } = await convertHf(golden.folder, { type });
  await writeGgufFile(path, { metadata: { ...metadata, ...changes }, tensors });
  return path;
}

/**
 * GGUF files store RoPE's pairs of a Llama side by side; Hugging Face's files store them half a head apart.
 * @param {string} hook @param {GoldenStage} stage as PyTorch has it @param {Golden} golden
 * @returns {GoldenStage} in GGUF's order
 */
export function inGgufOrder(hook, stage, { config }) {
  if (!['llama', 'mistral'].includes(config.model_type) || !/hook_(rot_)?[qk]$/.test(hook)) return stage;
  const { shape, data } = stage;
  const width = shape[2];
  return {
    shape,
    data: data.map((_, at) => {
      const i = at % width;
      return data[at - i + Math.floor(i / 2) + i % 2 * width / 2];
    }),
  };
}
