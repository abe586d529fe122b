// A TypeScript program of a user: compiled against the installed package, never run.
import { countWeights, load, loadTokenizer, ERROR_CODES, HeedError } from 'heed';
import type { Architecture, AttentionMap, ErrorCode, GenerateOptions, LoadOptions, Model, Source, Step, Summary } from 'heed';
import { HeedAttentionMap, HeedHeadGrid } from 'heed/elements';
import { HeedTokenStrip } from 'heed/elements/classes';
import { HeedNextToken } from 'heed/elements/define/next-token';
import { lab, under } from 'heed/lab';
import type { Memory } from 'heed/lab';
import { adapterToGguf, fineTune, mergeAdapter, openClassifier, openTranslator } from 'heed/train';
import type { FineTuned, FineTuneOptions, Recipe, Translation, TuningOptions } from 'heed/train';
import {
  ablationSweep, at, circuits, directLogitAttribution, headScores, logitLens, patchSweep, residualNorms, rows, SCORES,
  toNpz, toSafetensors, valueNorms,
} from 'heed/insight';
import type { Attribution, AttributionOptions, HeadScores, LogitLens, Result } from 'heed/insight';
import { load as loadFromBundle } from 'heed/dist/heed.js';
import { lab as labFromBundle } from 'heed/dist/lab.js';

const options: LoadOptions = {
  contextLength: 512,
  threads: 'auto',
  engine: 'simd128',
  strict: true,
  maps: true,
  cache: 'int16',
  worker: false,
  onProgress: ({ phase, loadedBytes, totalBytes }) => console.log(phase, loadedBytes / (totalBytes ?? 1)),
  signal: new AbortController().signal,
};

export async function tell(source: Source): Promise<Summary> {
  const model: Model = await load(source, options);
  const { layers, heads, vocabulary, engine } = model.info;
  console.log(layers * heads, vocabulary, engine.binary, engine.threads, engine.why);

  const ids: Int32Array = await model.encode('Once upon a time');
  const logits: Float32Array = await model.forward(ids, { all: true });
  console.log(logits.length / vocabulary, model.position);
  model.rewind(0);

  const chosen: GenerateOptions = { maxTokens: 8, temperature: 0.8, topK: 40, seed: 1, stop: ['.'], top: 5 };
  const steps: AsyncGenerator<Step, Summary> = model.generate('Once upon a time', chosen);
  let next = await steps.next();
  while (!next.done) {
    const { id, text, logprob, position, top } = next.value;
    console.log(id, text, logprob, position, top.map((candidate) => candidate.text));
    next = await steps.next();
  }
  const map: AttentionMap = await model.attention({ layer: 0, head: 1, kind: 'pattern', queries: [0, 4] });
  const row: Float32Array = map.data.subarray(0, map.keys);
  console.log(row, map.tokens.join(''), map.firstQuery);
  model.dispose();
  return next.value;
}

export async function look(source: Source): Promise<number> {
  using model = await load(source);
  const ids: Int32Array = (await loadTokenizer(source)).encode('Once upon', { special: false });
  const { cache } = await model.runWithCache(ids, /hook_z$/);
  await model.runWithCache(ids, (name) => name.endsWith('hook_pattern'));
  return model.weights.reduce((sum, { shape }) => sum + shape.length, Object.keys(cache).length);
}

export async function weigh(model: Model): Promise<boolean> {
  const gpt3: Architecture = { layers: 96, heads: 96, dModel: 12288, vocabulary: 50257, learnedPositions: 2048 };
  const { parts, attention } = countWeights(gpt3);
  console.log(attention, parts.map(({ name, shape, weights }) => `${name} ${shape.join(' × ')}: ${weights}`));
  return countWeights(model.info).total === model.info.parameters;
}

export async function align(file: Uint8Array): Promise<Float32Array> {
  const { translate, translateAll } = await openTranslator(await lab({ seed: 1 }), file);
  const translation: Translation = translate('june 9 2001', { beam: 4, lengthPenalty: 0.6 });
  console.log(translateAll(['june 9 2001', '9.6.2001']).map(({ logprob }) => logprob));
  const { text, target, cache } = translation;
  console.log(text, target.length, cache['encoder.0.attn.hook_pattern'].shape.join(' × '));
  const { queryTokens, tokens } = translation.attention({ layer: 0, head: 0 });
  console.log(queryTokens?.join(''), tokens.join(''));
  return translation.attentionRows({ of: 'decoder.attn', kind: 'scores' }).data;
}

export async function judge(file: Uint8Array): Promise<string[]> {
  const { classify } = await openClassifier(await lab({ seed: 1 }), file);
  const { label, probability, words, weights, cache } = classify('Not bad at all.');
  console.log(label, probability.toFixed(2), Object.values(cache).map(({ shape }) => shape));
  return words.filter((_, i) => weights[i] > 1 / words.length);
}

export function explain(error: unknown): string {
  return error instanceof HeedError ? `${error.code}: ${error.message}` : String(error);
}

export async function early(model: Model): Promise<string[]> {
  const lens: LogitLens = await logitLens(model, 'Once upon a time', { layers: [-1, 2], positions: [0, 2], top: 3 });
  const { layer, position, rank } = lens.axes;
  console.log(lens.data.length === layer.length * position.length * rank.length, lens.candidates[0]);
  const parts: Attribution = await directLogitAttribution(model, [1, 2], { of: { logit: 5 }, by: 'head', position: 1 });
  const scores: HeadScores = await headScores(model, { repeated: 20, seed: 2 }, { signal: AbortSignal.timeout(1000) });
  const results: Record<string, Result> = { lens, parts, scores, sent: await valueNorms(model, 'A', { layers: [0] }) };
  const file: Uint8Array = toNpz({ ...results, ids: lens.ids }, { batch: true });
  const { pairs, own } = await circuits(model, { layer: 0, head: 1 }, { top: 3, onProgress: ({ done }) => console.log(done) });
  console.log(parts.rest, scores.uniform.length === SCORES.length, file.length, pairs.length, own[1]);
  // @ts-expect-error there is no such kind of parts
  await directLogitAttribution(model, 'A', { by: 'token' });
  return lens.texts;
}

export const sameCall: typeof load = loadFromBundle;
export const sameLab: typeof lab = labFromBundle;
export async function learn(): Promise<number> {
  const l = await lab({ seed: 1, limitBytes: 1 << 26, warn: (message: string) => console.log(message) });
  const w = { ...l.init.gru('read.', 4, 8, { bidirectional: true, layers: 2 }), ...l.init.linear('head.', 16, 3) };
  const optimizer = l.adamW(w, { rate: 0.01 });
  const loss: number = l.step(() => {
    const x = l.tensor(new Float32Array(24), { batch: 2, time: 3, feature: 4 });
    const { output } = l.gru(x, under(w, 'read.'), { bidirectional: true, dropout: 0.1, lengths: [3, 2] });
    const logits = l.linear(output, w['head.weight'], w['head.bias']);
    const error = l.crossEntropy(logits, [0, 1, 2, 0, 1, 2]);
    l.backward(error);
    optimizer.step();
    return error.item();
  });
  const { parameters, loose, highestBytes }: Memory = l.memory;
  console.log(parameters.bytes, loose.largest.map(({ operation, shape }) => operation + shape), highestBytes);
  return loss;
}

export const elements: (typeof HTMLElement)[] = [HeedAttentionMap, HeedHeadGrid, HeedTokenStrip, HeedNextToken];

export function show(map: AttentionMap): void {
  const element = document.querySelector('heed-attention-map');
  if (element) element.data = map;
  document.createElement('heed-head-grid').shape = { layers: 6, heads: 6 };
  document.querySelector('heed-next-token')?.show([{ id: 1, text: ' a', logprob: -1 }], { chosen: 1 });
  if (element) [element.scale, element.max, element.layer] = ['log', 0.5, 3];
  element?.addEventListener('heed-map-cell', ({ detail: { cell } }) => console.log(cell?.query, cell?.weight?.toFixed(2)));
  document.addEventListener('heed-head', (event) => {
    const { layer, head }: { layer: number; head: number } = event.detail;
    console.log(layer, head);
  });
  window.addEventListener('heed-candidate', ({ detail }) => console.log(detail.id, detail.text));
  // @ts-expect-error a head is a number
  element?.addEventListener('heed-head', ({ detail }) => detail.head.length);
  // @ts-expect-error the shape has numbers
  document.createElement('heed-head-grid').shape = { layers: '6', heads: 6 };
}

// @ts-expect-error a layer is a number
export const wrongLayer = (model: Model) => model.attention({ layer: 'first', head: 0 });
// @ts-expect-error there is no such engine
export const wrongEngine: LoadOptions = { engine: 'gpu' };
// @ts-expect-error the information is read-only
export const wrongWrite = (model: Model) => (model.position = 3);

// Options, results and errors have exact types.

export async function adapt(source: Source, text: string): Promise<Blob[]> {
  const { adapter, losses, model } = await fineTune(source, text, {
    steps: 3, rank: 4, onProgress: ({ step, loss }) => console.log(step.toFixed(), loss.toFixed(3)),
  });
  const none: null = model;
  await load(source, { adapter });
  const files = await mergeAdapter(source, adapter, { type: 'q8_0' });
  const gguf = await adapterToGguf(source, adapter);
  const { model: tuned } = await fineTune(source, text, { full: true });
  const settings: TuningOptions = { steps: 3 };
  const all: FineTuneOptions = { ...settings, onProgress: ({ loss }) => console.log(loss) };
  const either: FineTuned = await fineTune(source, text, all);
  // @ts-expect-error there may be no adapter
  await mergeAdapter(source, either.adapter);
  // @ts-expect-error rank is misspelled
  await fineTune(source, text, { rnk: 3 });
  // @ts-expect-error a source is not a number
  await adapterToGguf(3, adapter);
  // @ts-expect-error a type of number
  await mergeAdapter(source, adapter, { type: 'q4_0' });
  console.log(losses.length, none, tuned['model.gguf'].length);
  return [files['model.gguf'], gguf, adapter.weights].map((bytes) => new Blob([bytes]));
}

export async function write(model: Model): Promise<Blob> {
  const l = await lab();
  const { cache } = await model.runWithCache([1]);
  return new Blob([toNpz(cache), toSafetensors(cache), l.save({}), await model.saveSession()]);
}

/** A recipe of a user, whose functions get their types from Recipe. */
export const line: Recipe<{ slope: number }, number[], { inputs: number }> = {
  name: 'line', summary: 'fits a line', steps: 2, minutes: 1, goal: { figure: 'slope', atLeast: 1 },
  data: () => ({ slope: 2 }),
  config: ({ slope }) => ({ inputs: slope }),
  weights: (given, { inputs }) => given.init.linear('', inputs, 1),
  batch: ({ slope }, random) => [slope * random()],
  loss: (given, weights, config, batch) => given.mul(weights.weight, given.tensor(batch)),
  rate: (step) => 1 / (step + 1),
  validate: (given, weights) => ({ slope: weights.weight.item() }),
};
export const untyped: Recipe = line;

export async function inElements(model: Model): Promise<void> {
  const find = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag) => document.createElement(tag);
  find('heed-logit-lens').data = await logitLens(model, 'A');
  find('heed-head-finder').data = await headScores(model, { repeated: 20 });
  find('heed-residual').data = await residualNorms(model, 'A');
  const heads = await directLogitAttribution(model, 'A', { by: 'head' });
  find('heed-contributions').data = { ...await directLogitAttribution(model, 'A'), heads };
  const of = { logit: 5 } as const;
  find('heed-heat-map').data = await patchSweep(model, 'A', { of, corrupted: 'B' });
  find('heed-heat-map').data = await ablationSweep(model, 'A', { of });
  find('heed-heat-map').at = { site: 'attn_out' };
  const { axes: { site, position } } = await patchSweep(model, 'A', { of, corrupted: 'B' });
  const { axes: { head } } = await patchSweep(model, 'A', { of, corrupted: 'B', by: 'head' });
  const { axes: { layer } } = await ablationSweep(model, 'A', { of, parts: 'mlps' });
  const lens = await logitLens(model, 'A');
  const [logprob]: Float32Array = at(lens, { layer: -1, position: -1 });
  const texts: string[] = at(lens, { rank: 0 }, lens.texts);
  const values: number[] = rows(lens).map(({ value }) => value);
  console.log(logprob.toFixed(2), texts.length, values.length);
  console.log(site.includes('resid_pre'), position[0].length, head[0].toFixed(), layer[0].toFixed());
  const options: AttributionOptions = {};
  const either: Attribution<'layer' | 'head'> | Attribution = await directLogitAttribution(model, 'A', options);
  // @ts-expect-error parts by head have no components
  find('heed-contributions').data = heads;
  // @ts-expect-error by layer there are no heads
  console.log((await directLogitAttribution(model, 'A')).axes.head, either);
}

export async function hide(model: Model): Promise<Float32Array> {
  const edit = { hook: 'blocks.0.attn.hook_pattern', positions: [8, 9], keys: [0, 1], scale: 0 } as const;
  const of = { logitDifference: [1, 2] } as const;
  await model.sweep([1], [[edit]], { of });
  await model.attention({ layer: 0, head: 0, queries: [0, 1] as const });
  // @ts-expect-error a range has two ends
  await model.runWithHooks([1], [{ ...edit, positions: [8] }]);
  return model.runWithHooks([1], [edit]);
}

export function meaning(error: unknown): string | null {
  if (!(error instanceof HeedError)) return null;
  const code: ErrorCode = error.code;
  // @ts-expect-error there is no such code
  return error.code === 'no-such-code' ? null : ERROR_CODES[code];
}

export const secret: LoadOptions = { token: async (): Promise<string | undefined> => undefined };
