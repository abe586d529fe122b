/** Markdown tables from the results of bench/peers.js: each target with its ratio, and the speeds. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/**
 * @typedef {'prefill 128' | 'prefill 512' | 'decode 16' | 'decode 512'} Speed
 * @typedef {{ turn: number, way: string, model: string, quant: string, threads: number, error?: string,
 *             speeds: Record<Speed, number | null>, processor: string, commit: string, date: string,
 *             bench?: any }} Line
 * @typedef {(line: Line, speeds: Speed, lines: Line[]) => number | null} Against the divisor of a speed, in a turn
 */

/** @type {Speed[]} */
const SPEEDS = ['prefill 128', 'prefill 512', 'decode 16', 'decode 512'];

const median = (/** @type {number[]} */ values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

/** Of the same turn, the same file and one thread, unless said otherwise.
 *  @param {(other: Line, line: Line) => boolean} chosen @returns {Against} the fastest run */
const fastest = (chosen) => (line, speed, lines) => {
  const speeds = lines.filter((other) => other.turn === line.turn && other.model === line.model && chosen(other, line))
    .map((other) => other.speeds[speed]).filter((value) => value !== null);
  return speeds.length ? Math.max(...speeds) : null;
};
const same = (/** @type {Line} */ a, /** @type {Line} */ b) => a.quant === b.quant && a.threads === b.threads;
const isOurs = (/** @type {Line} */ line) => line.way.startsWith('heed');
const native = fastest((other, line) => other.way === 'native' && same(other, line));
const wllama = fastest((other, line) => other.way === 'wllama' && same(other, line));
const wasmPeer = fastest((other) => !isOurs(other) && other.way !== 'native' && other.threads === 1);
const oneThread = fastest((other, line) => other.way === line.way && other.quant === line.quant && other.threads === 1);
const ownQ8 = fastest((other, line) => other.way === line.way && other.quant === 'q8_0' && same(
  { ...other, quant: line.quant }, line));
/** Another speed of the same run. @param {Speed} speed @returns {Against} */
const own = (speed) => (line) => line.speeds[speed];

/**
 * @typedef {object} Target
 * @property {string} what @property {Speed} speed @property {string[]} [quants] all by default
 * @property {number} [threads] 1 by default
 * @property {string} against @property {Against} by
 * @property {number | null} base least ratio with simd128, and with relaxed SIMD; null: no target
 * @property {number | null} relaxed
 */
/** @type {Target[]} */
export const TARGETS = [
  ...[['q8_0'], ['q4_0', 'q4_k_m']].flatMap((quants, i) => /** @type {Target[]} */ ([
    { what: 'decode', speed: 'decode 16', quants, against: 'native', by: native, base: [0.95, 0.55][i],
      relaxed: [1.1, 0.75][i] },
    { what: 'decode', speed: 'decode 16', quants, against: 'wllama, same file', by: wllama, base: [6, 8][i],
      relaxed: [6, 8][i] },
  ])),
  { what: 'decode', speed: 'decode 16', quants: ['q8_0'], against: 'best WASM peer', by: wasmPeer, base: 2.5,
    relaxed: 2.5 },
  { what: 'decode', speed: 'decode 16', quants: ['q4_0', 'q4_k_m'], against: 'our Q8_0', by: ownQ8, base: null,
    relaxed: 1 },
  ...[128, 512].flatMap((n, i) => /** @type {Target[]} */ ([
    { what: `prefill ${n}`, speed: `prefill ${n}`, quants: ['q8_0', 'q4_0'], against: 'native', by: native,
      base: [0.55, 0.5][i], relaxed: [0.6, 0.55][i] },
    { what: `prefill ${n}`, speed: `prefill ${n}`, quants: ['q8_0', 'q4_0'], against: 'best WASM peer', by: wasmPeer,
      base: [1.6, 2.4][i], relaxed: [1.6, 2.4][i] },
  ])),
  { what: 'prefill 512', speed: 'prefill 512', against: 'prefill 128', by: own('prefill 128'), base: 0.9,
    relaxed: 0.9 },
  { what: 'decode after 512', speed: 'decode 512', against: 'after 16', by: own('decode 16'), base: 0.85,
    relaxed: 0.85 },
  { what: 'prefill 128, 2 threads', speed: 'prefill 128', threads: 2, against: '1 thread', by: oneThread, base: 1.7,
    relaxed: 1.7 },
  { what: 'decode, 2 threads', speed: 'decode 16', threads: 2, against: '1 thread', by: oneThread, base: 1.5,
    relaxed: 1.5 },
];

/** Median over the turns of a speed divided by its reference; null if one of them did not run.
 *  @param {Line[]} mine @param {Speed} speed @param {Against} by @param {Line[]} lines */
function ratio(mine, speed, by, lines) {
  const ratios = mine.flatMap((line) => {
    const value = line.speeds[speed];
    const other = by(line, speed, lines);
    return value && other ? [value / other] : [];
  });
  return ratios.length ? median(ratios) : null;
}

/** @param {Line[]} lines @param {(line: Line) => string} key @returns {Line[][]} in the order of their first */
function groups(lines, key) {
  /** @type {Map<string, Line[]>} */
  const found = new Map();
  for (const line of lines) found.set(key(line), [...(found.get(key(line)) ?? []), line]);
  return [...found.values()];
}

/**
 * Figures of heed bench with an upper bound.
 * @type {{ what: string, against: string, most: number, of: (bench: any) => number }[]}
 */
const AT_MOST = [
  { what: 'maps in prefill', against: 'without maps', most: 1.02, of: ({ maps }) => 1 + maps.prefillCost },
  { what: 'maps in decode', against: 'without maps', most: 1.02, of: ({ maps }) => 1 + maps.decodeCost },
  { what: 'load, warm file', against: 'reading it', most: 1.5, of: ({ loadMs, readMs }) => loadMs / readMs },
  {
    what: 'peak memory', against: 'weights + session', most: 1.1,
    of: ({ peakBytes, weightsBytes, sessionBytes }) => peakBytes / (weightsBytes + sessionBytes),
  },
];

/** Facts of each row. @param {Line} line */
const runOf = ({ date, commit, processor }) => `${date.slice(0, 10)}, ${commit}, ${processor}`;

/** Gzipped sizes of the binaries. */
function sizeRows() {
  const sizes = ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt'].map((name) =>
    gzipSync(readFileSync(new URL(`../dist/${name}.wasm`, import.meta.url))).length / 1000);
  const total = sizes.reduce((a, b) => a + b);
  return [
    ['the largest binary, KB gzipped', '', '', '≤ 100', Math.max(...sizes).toFixed(0)],
    ['the four binaries, KB gzipped', '', '', '≤ 300', total.toFixed(0)],
  ];
}

/** Every target, file and way: the target ratio, and the measured ratio.  @param {Line[]} lines */
export function targetTable(lines) {
  const benches = lines.filter((line) => line.bench);
  const good = lines.filter((line) => !line.error && !line.bench);
  const ours = groups(good.filter(isOurs), (line) => line.way);
  const rows = TARGETS.flatMap(({ what, speed, quants, threads = 1, against, by, base, relaxed }) => {
    const wanted = good.filter((line) => isOurs(line) && line.threads === threads &&
      (!quants || quants.includes(line.quant)));
    return groups(wanted, (line) => `${line.model} ${line.quant}`).map((file) => {
      const cells = ours.map(([{ way }]) => {
        const asked = way.endsWith('relaxed') ? relaxed : base;
        const measured = asked === null ? null : ratio(file.filter((line) => line.way === way), speed, by, good);
        return measured === null ? '–' : `${measured.toFixed(2)}${measured < Number(asked) ? ' ✗' : ''}`;
      });
      const asked = [base, relaxed].map((value) => value ?? '–').join(' / ');
      return [what, `${file[0].model} ${file[0].quant}`, against, asked, ...cells];
    });
  });
  for (const { what, against, most, of } of AT_MOST) {
    for (const { model, quant, bench } of benches) {
      const value = of(bench);
      rows.push([what, `${model} ${quant}`, against, `≤ ${most}`, `${value.toFixed(2)}${value > most ? ' ✗' : ''}`]);
    }
  }
  rows.push(...sizeRows());
  const [run] = groups(good, runOf).map(([line]) => runOf(line)).slice(-1);
  const most = Math.max(...groups(good, ({ way, model, quant, threads }) => `${way} ${model} ${quant} ${threads}`)
    .map((runs) => runs.length));
  return [
    `${run}, ${most} turn${most > 1 ? 's' : ''}; ✗ misses the target`, '',
    ...markdown(['', 'file', 'times', 'asked: base / relaxed', ...ours.map(([line]) => line.way)], rows),
  ].join('\n');
}

/** Speeds, a table a file and number of threads.  @param {Line[]} lines */
export function speedTables(lines) {
  const speeds = lines.filter((line) => !line.bench);
  return groups(speeds, ({ model, quant, threads }) => `${model} ${quant} ${threads}`).map((file) => {
    const rows = groups(file, (line) => line.way).map((mine) => {
      const cells = SPEEDS.map((speed) => {
        const values = mine.map((line) => line.speeds[speed]).filter((value) => value !== null);
        const times = ratio(mine, speed, native, file);
        return values.length ? `${median(values).toPrecision(3)}${times ? ` (${times.toFixed(2)})` : ''}` : '–';
      });
      const failed = mine.filter((line) => line.error).length;
      const runs = groups(mine, runOf).map(([line]) => runOf(line)).join('; ');
      return [mine[0].way, String(mine.length) + (failed ? `, ${failed} failed` : ''), ...cells, runs];
    });
    const [{ model, quant, threads }] = file;
    return [`${model} ${quant}, ${threads} thread${threads > 1 ? 's' : ''}, tokens/s (× native)`, '',
      ...markdown(['', 'turns', ...SPEEDS, 'run'], rows)].join('\n');
  }).join('\n\n');
}

/** @param {string[]} head @param {string[][]} rows */
function markdown(head, rows) {
  const full = rows.map((cells) => [...cells, ...Array(head.length - cells.length).fill('')]);
  return [head, head.map(() => '---'), ...full].map((cells) => `| ${cells.join(' | ')} |`);
}
