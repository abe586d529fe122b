#!/usr/bin/env node
/** What each head of a stories model attends to, measured: which of them have a visible job. */
import { load } from '../../js/index.js';
import { randomFrom } from '../../js/lab/index.js';
import { runTool } from '../cli.js';
import { PROMPTS } from './copying.js';
import { readStories } from './data.js';

/** Positions of a story that are looked at: those that the model was trained on most. */
const MAX_POSITIONS = 256;

/**
 * A job is a share of attention: the keys that query q looks at when it does this job; none where the job does not
 * arise. Only `start` counts the first token, where attention goes that has nothing to do.
 * @typedef {{ ids: ArrayLike<number>, tokens: string[] }} Story
 * @type {Record<string, { about: string, keys: (story: Story, q: number) => number[] }>}
 */
const JOBS = {
  start: { about: 'the first token', keys: (_, q) => (q > 0 ? [0] : []) },
  itself: { about: 'its own token', keys: (_, q) => (q > 0 ? [q] : []) },
  previous: { about: 'the token before', keys: (_, q) => (q > 1 ? [q - 1] : []) },
  recent: { about: 'the four tokens before', keys: (_, q) => (q > 4 ? [q - 4, q - 3, q - 2, q - 1] : []) },
  same: { about: 'earlier places of the same token', keys: ({ ids }, q) => earlier(ids, q) },
  induction: {
    about: 'what came after earlier places of the same token (Elhage et al. 2021; Olsson et al. 2022)',
    keys: ({ ids }, q) => earlier(ids, q).map((k) => k + 1).filter((k) => k < q),
  },
  sentence: {
    about: 'the end of the last sentence and the first token of this one',
    keys({ tokens }, q) {
      const end = tokens.findLastIndex((token, k) => k < q && /[.!?]"?$/.test(token));
      return end < 0 ? [] : [end, end + 1].filter((k) => k < q);
    },
  },
  quotes: {
    about: 'quotation marks',
    keys: ({ tokens }, q) => tokens.slice(0, q).flatMap((token, k) => (token.includes('"') ? [k] : [])),
  },
};

/** Positions before q, but not the first, that hold q's token. @param {ArrayLike<number>} ids @param {number} q */
function earlier(ids, q) {
  const keys = [];
  for (let k = 1; k < q; k++) if (ids[k] === ids[q]) keys.push(k);
  return keys;
}

/**
 * Mean share of each job over all queries where it arises.
 * @param {Awaited<ReturnType<typeof load>>} model @param {string[]} stories
 * @returns {Promise<{ shares: Record<string, number>[], uniform: Record<string, number> }>}
 *   shares [layer·heads + head]; uniform: what a head would have that attends to all tokens alike
 */
async function measure(model, stories) {
  const { layers, heads } = model.info;
  const names = Object.keys(JOBS);
  const totals = Array.from({ length: layers * heads + 1 }, () => Object.fromEntries(names.map((name) => [name, 0])));
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  for (const text of stories) {
    const ids = (await model.encode(text)).subarray(0, MAX_POSITIONS);
    const story = { ids, tokens: await model.tokens(ids) };
    model.rewind(0);
    await model.forward(ids);
    const T = ids.length;
    const { data } = await model.attentionRows({ queries: [0, T] });
    for (const name of names) {
      for (let q = 0; q < T; q++) {
        const keys = JOBS[name].keys(story, q);
        if (keys.length === 0) continue;
        counts[name]++;
        for (let head = 0; head < layers * heads; head++) {
          for (const k of keys) totals[head][name] += data[(head * T + q) * T + k];
        }
        totals[layers * heads][name] += keys.length / (q + 1);
      }
    }
  }
  const shares = totals.map((row) => Object.fromEntries(names.map((name) => [name, row[name] / counts[name]])));
  return { shares: shares.slice(0, -1), uniform: shares[layers * heads] };
}

/** Random tokens that come twice: texts, and tokens of each before they repeat. */
const REPEATS = { texts: 20, tokens: 64 };

/**
 * Shares of attention in the second half of texts of random tokens that come twice, where only the copy tells what
 * follows: the induction score of Olsson et al. 2022, and its two neighbours.
 * @param {Awaited<ReturnType<typeof load>>} model
 * @returns {Promise<Record<'previous' | 'duplicate' | 'induction', number>[]>} [layer·heads + head]
 */
export async function onRepeats(model) {
  const { layers, heads, vocabulary } = model.info;
  const [start] = await model.encode('');
  const random = randomFrom(1);
  const N = REPEATS.tokens;
  const scores = Array.from({ length: layers * heads }, () => ({ previous: 0, duplicate: 0, induction: 0 }));
  for (let text = 0; text < REPEATS.texts; text++) {
    const block = Array.from({ length: N }, () => 1 + Math.floor(random() * (vocabulary - 1)));
    model.rewind(0);
    await model.forward([start, ...block, ...block]);
    const T = 1 + 2 * N;
    const { data } = await model.attentionRows({ queries: [0, T] });
    scores.forEach((score, head) => {
      for (let q = N + 1; q < T; q++) {
        const row = (head * T + q) * T;
        score.previous += data[row + q - 1] / (N * REPEATS.texts);
        score.duplicate += data[row + q - N] / (N * REPEATS.texts);
        score.induction += data[row + q - N + 1] / (N * REPEATS.texts);
      }
    });
  }
  return scores;
}

/**
 * Name movers (Wang et al. 2022), over the prompts of copying.js: at the last token, the share of attention on the
 * first token of each place where the answer stands, the same for the other name, and by how much the answer's first
 * token becomes less likely without the head.
 * @param {Awaited<ReturnType<typeof load>>} model
 * @returns {Promise<{ answer: number, other: number, loss: number }[]>} [layer·heads + head], loss in nats
 */
export async function nameMovers(model) {
  const { layers, heads } = model.info;
  const scores = Array.from({ length: layers * heads }, () => ({ answer: 0, other: 0, loss: 0 }));
  for (const { text, answer, names } of PROMPTS) {
    const ids = await model.encode(text);
    const tokens = await model.tokens(ids);
    const T = ids.length;
    const [, wanted] = await model.encode(` ${answer}`);
    const places = (/** @type {string} */ name) => placesOf(tokens, name);
    const [here, others] = [places(answer), places(/** @type {string} */ (names.find((name) => name !== answer)))];
    model.rewind(0);
    const before = logProbability(await model.forward(ids), wanted);
    const { data } = await model.attentionRows({ queries: [T - 1, T] });
    for (const [head, score] of scores.entries()) {
      const share = (/** @type {number[]} */ keys) => keys.reduce((sum, k) => sum + data[head * T + k], 0);
      score.answer += share(here) / PROMPTS.length;
      score.other += share(others) / PROMPTS.length;
      const edit = { hook: `blocks.${Math.floor(head / heads)}.attn.hook_z`, head: head % heads, scale: 0 };
      const logits = await model.runWithHooks(ids, [edit]);
      score.loss += (before - logProbability(logits, wanted)) / PROMPTS.length;
    }
  }
  return scores;
}

/** Tokens at which a word begins. @param {string[]} tokens @param {string} word */
function placesOf(tokens, word) {
  const text = tokens.join('');
  const begins = new Map();
  let at = 0;
  tokens.forEach((token, i) => {
    begins.set(at + (token.startsWith(' ') ? 1 : 0), i);
    at += token.length;
  });
  return [...text.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].map(({ index }) => begins.get(index))
    .filter((i) => i !== undefined);
}

/** log softmax(logits)[id]. @param {Float32Array} logits @param {number} id */
function logProbability(logits, id) {
  const largest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  return logits[id] - largest - Math.log(logits.reduce((sum, z) => sum + Math.exp(z - largest), 0));
}

await runTool(import.meta.url, {
  usage: `node tools/stories/heads.js MODEL.gguf STORIES.txt.gz [--stories N]

Share of its attention that each head gives to the keys of a job, over the first N stories (default 100), which the
model was not trained on; then its jobs on random tokens that come twice, and on the prompts of copying.js:

${Object.entries(JOBS).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`).join('\n')}`,
  positionals: 2,
  options: { stories: { type: 'string', default: '100' } },
  async run([path, data], { stories: count }) {
    const model = await load(path);
    const { shares, uniform } = await measure(model, await readStories(data, Number(count)));
    const { heads } = model.info;
    const rows = shares.map((row, i) => ({ name: `${Math.floor(i / heads)}.${i % heads}`, row }));
    const jobs = Object.entries(JOBS);
    console.log(['layer.head', ...jobs.map(([job]) => job)].map((cell) => cell.padEnd(11)).join(''));
    for (const { name, row } of [...rows, { name: 'uniform', row: uniform }]) {
      console.log([name, ...jobs.map(([job]) => row[job].toFixed(3))].map((cell) => cell.padEnd(11)).join(''));
    }
    /** @param {string} about @param {number[]} scores of the heads */
    const best = (about, scores) => {
      const first = scores.map((score, i) => ({ score, ...rows[i] })).sort((a, b) => b.score - a.score).slice(0, 4);
      console.log(`\n${about}\n  ${first.map(({ name, score }) => `${name} ${score.toFixed(2)}`).join(', ')}`);
    };
    for (const [job, { about }] of jobs) best(`${job}: ${about}`, rows.map(({ row }) => row[job]));
    const repeats = await onRepeats(model);
    best('random tokens twice, the token before', repeats.map(({ previous }) => previous));
    best('random tokens twice, the same token before (duplicate token)', repeats.map(({ duplicate }) => duplicate));
    best('random tokens twice, the token after the same one (induction)', repeats.map(({ induction }) => induction));
    const movers = await nameMovers(model);
    best('copying prompts, the answer', movers.map(({ answer }) => answer));
    best('copying prompts, the answer more than the other name (name mover)', movers.map((m) => m.answer - m.other));
    best('copying prompts, nats that the answer loses without the head', movers.map(({ loss }) => loss));
  },
});
