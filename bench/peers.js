/**
 * Measures heed in turns with other runtimes. Needs peerbench (a folder with its npm packages installed).
 *
 *     node bench/peers.js --peerbench DIR --models DIR --table
 *
 *     --peerbench DIR     default: $PEERBENCH, or ../shared/peerbench beside this tree
 *     --models DIR        its GGUF and ONNX files; default: $PEERBENCH_MODELS, or peerbench's default
 *     --model M[:QUANTS]  repeatable; default smollm2-135m:q8_0,q4_0,q4_k_m and gpt2-124m:q8_0,q4_k_m
 *     --heed WHERE:ENGINE WHERE is chromium, node or the path of a Node.js; default chromium and node, simd128
 *     --threads N,N       of heed and native; default 1,2
 *     --peers P,P         default native, wllama, ort-web, transformers
 *     --turns N           default 5; --first-turn N continues the numbering of a FILE; default 0
 *     --slow-turns N      turns in which the peers in WebAssembly run; default 2
 *     --out FILE          each run appends a line of JSON; default build/peers.jsonl
 *     --if-there          if peerbench or a file is missing, says how to get it and exits with 0
 *     --show              runs nothing: prints tables of FILE
 *     --table             prints targets and ratios as Markdown before the speeds; measures maps, loading and memory
 *                         by heed bench, once for each file
 *
 * A turn runs every program once, each in its own process, after a warm-up. A ratio is the median of the turns' ratios.
 * Browsers need $CHROMIUM, and the native library needs $PYTHON.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesOf, missing } from './peer-files.js';
import { speedTables, targetTable } from './peer-tables.js';
import { thisRun } from './this-run.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    peerbench: { type: 'string', default: process.env.PEERBENCH ?? join(ROOT, '../shared/peerbench') },
    models: { type: 'string', default: process.env.PEERBENCH_MODELS },
    model: { type: 'string', multiple: true, default: ['smollm2-135m:q8_0,q4_0,q4_k_m', 'gpt2-124m:q8_0,q4_k_m'] },
    heed: { type: 'string', multiple: true, default: ['chromium:simd128', 'node:simd128'] },
    threads: { type: 'string', default: '1,2' },
    peers: { type: 'string', default: 'native,wllama,ort-web,transformers' },
    turns: { type: 'string', default: '5' },
    'first-turn': { type: 'string', default: '0' },
    'slow-turns': { type: 'string', default: '2' },
    out: { type: 'string', default: join(ROOT, 'build/peers.jsonl') },
    'if-there': { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
  },
});
const peerbench = resolve(values.peerbench);
const models = resolve(values.models ?? join(peerbench, '../peerbench-models'));
const peers = values.peers.split(',').filter(Boolean);
const threadCounts = values.threads.split(',').map(Number);

/** Other precisions of a model in which a peer is measured too, if the file exists. wllama is fastest with floats; ONNX
 *  runtimes have their own types.  @type {Record<string, string[]>} */
const WLLAMA = { q8_0: ['f32'] };
/** @type {Record<string, string[]>} */
const ONNX = { q8_0: ['q8', 'f32'], q4_0: ['q4'], q4_k_m: ['q4'] };

/**
 * One process: the words after `node run.mjs`, and the name of its line.
 * @typedef {{ way: string, model: string, quant: string, file: string, threads: number, node?: string, slow: boolean,
 *             words: string[] }} Run
 */

/** @param {string} model @param {string} quant @returns {Run[]} */
function runsOf(model, quant) {
  /** @type {(way: string, peer: string, threads: number, more?: Partial<Run>) => Run} */
  const one = (way, peer, threads, { file = quant, words = [], ...more } = {}) => ({
    way, model, quant, file, threads, slow: false, ...more,
    words: ['--peer', peer, '--model', model, '--quant', file, '--threads', String(threads), ...words],
  });
  // The folder where run.mjs looks for peers, relative to run.mjs.
  const own = relative(join(peerbench, 'peers'), join(ROOT, 'bench/peers/heed'));
  return threadCounts.flatMap((threads) => [
    ...(peers.includes('native') ? [one('native', 'native', threads)] : []),
    ...values.heed.map((way) => {
      const [where, engine] = way.split(':');
      const node = where === 'chromium' || where === 'node' ? undefined : where;
      const options = ['--opt', `where=${node ? 'node' : where}`, '--opt', `engine=${engine}`];
      return one(`heed ${node ? 'node22' : where} ${engine}`, own, threads, { words: options, node });
    }),
    ...(threads > 1 ? [] : [
      ...(peers.includes('wllama') ? [one('wllama', 'wllama', threads, { slow: true }),
        ...(WLLAMA[quant] ?? []).filter((file) => existsSync(join(models, `${model}-${file}.gguf`)))
          .map((file) => one(`wllama ${file}`, 'wllama', threads, { file, slow: true }))] : []),
      ...['ort-web', 'transformers'].filter((name) => peers.includes(name)).flatMap((name) =>
        (ONNX[quant] ?? []).filter((file) => existsSync(join(models, 'onnx', `${model}-${file}`)))
          .map((file) => one(`${name} ${file}`, name, threads, { file, slow: true }))),
    ]),
  ]);
}

/** @param {Run} run @param {number} turn */
function measure({ words, node = process.execPath, ...how }, turn) {
  const cases = ['--cases', 'p16:32,p128,p512:32', '--reps', '1', '--models', models];
  const { stdout, stderr } = spawnSync(node, [join(peerbench, 'run.mjs'), ...words, ...cases],
    { encoding: 'utf8', cwd: peerbench, timeout: 300_000, maxBuffer: 1 << 24 });
  const line = stdout.trim().split('\n').pop();
  const result = line ? JSON.parse(line) : { error: stderr.slice(-300) || 'no output' };
  const speed = (/** @type {string} */ name, /** @type {string} */ what) => result.cases?.[name]?.[what]?.med ?? null;
  return {
    turn, ...how, error: result.error,
    speeds: {
      'prefill 128': speed('p128', 'prefill_tps'), 'prefill 512': speed('p512:32', 'prefill_tps'),
      'decode 16': speed('p16:32', 'decode_tps'), 'decode 512': speed('p512:32', 'decode_tps'),
    },
    cpuShare: result.cases?.['p512:32']?.cpu_share?.med, loadMs: result.load_ms, peakMb: result.peak_mb,
    binary: result.info?.binary, ...facts,
  };
}

/** Runs heed bench on a file: maps, loading, memory. @param {string} model @param {string} quant */
function bench(model, quant) {
  const path = join(models, `${model}-${quant}.gguf`);
  const words = ['bench', '--model', path, '--threads', '1', '--context', '640', '--json'];
  const said = execFileSync(process.execPath, [join(ROOT, 'js/cli.js'), ...words], { encoding: 'utf8' });
  return { way: 'bench', model, quant, turn: 0, threads: 1, speeds: {}, bench: JSON.parse(said) };
}

const { text: _, ...facts } = thisRun();
if (!values.show) {
  const files = filesOf(values.model);
  const gap = missing(peerbench, models, files);
  if (gap) {
    console.log(`No peers were measured: ${gap}.`);
    process.exit(values['if-there'] ? 0 : 1);
  }
  mkdirSync(dirname(values.out), { recursive: true });
  const keep = (/** @type {unknown} */ line) => appendFileSync(values.out, `${JSON.stringify(line)}\n`);
  const first = Number(values['first-turn']);
  for (let turn = first; turn < first + Number(values.turns); turn++) {
    for (const run of files.flatMap(({ model, quant }) => runsOf(model, quant))) {
      if (run.slow && turn >= Number(values['slow-turns'])) continue;
      const result = measure(run, turn);
      keep(result);
      const said = result.error ?? Object.entries(result.speeds).map(([name, v]) => `${name} ${v}`).join('  ');
      console.error(`${turn} ${run.model} ${run.file} ${run.threads} ${run.way}  ${said}`);
    }
  }
  if (values.table && first === 0) for (const { model, quant } of files) keep(bench(model, quant));
}
const lines = readFileSync(values.out, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
console.log(values.table ? `${targetTable(lines)}\n\n${speedTables(lines)}` : speedTables(lines));
