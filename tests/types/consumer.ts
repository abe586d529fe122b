// A TypeScript program of a user: compiled against the installed package, never run.
import { countWeights, load, HeedError } from 'heed';
import type { Architecture, AttentionMap, GenerateOptions, LoadOptions, Model, Source, Step, Summary } from 'heed';
import { HeedAttentionMap, HeedHeadGrid } from 'heed/elements';
import { HeedTokenStrip } from 'heed/elements/classes';
import { HeedNextToken } from 'heed/elements/define/next-token';
import { lab, under } from 'heed/lab';
import type { Memory } from 'heed/lab';
import { openClassifier, openTranslator } from 'heed/train';
import type { Translation } from 'heed/train';
import { circuits, directLogitAttribution, headScores, logitLens, SCORES, toNpz, valueNorms } from 'heed/insight';
import type { Attribution, HeadScores, LogitLens, Result } from 'heed/insight';
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
