#!/usr/bin/env node
/** Measures the jobs of the heads of a stories model, such as attention to the previous token. */
import { load } from '../../js/index.js';
import { randomFrom } from '../../js/lab/index.js';
import { runTool } from '../cli.js';
import { PROMPTS } from './copying.js';
import { readStories } from './data.js';

/** Measured positions of each story: the window length of most training steps. */
const MAX_POSITIONS = 256;

/**
 * A job is the set of keys that a query of the job attends to. The set is empty if the job does not apply to the query.
 * Only `start` counts the first token, because idle heads attend to it.
 * @typedef {{ ids: ArrayLike<number>, tokens: string[] }} Story
 * @type {Record<string, { about: string, keys: (story: Story, q: number) => number[] }>}
 */
const JOBS = {
  start: { about: 'the first token', keys: (_, q) => (q > 0 ? [0] : []) },
  itself: { about: 'the query’s own token', keys: (_, q) => (q > 0 ? [q] : []) },
  previous: { about: 'the previous token', keys: (_, q) => (q > 1 ? [q - 1] : []) },
  recent: { about: 'the four previous tokens', keys: (_, q) => (q > 4 ? [q - 4, q - 3, q - 2, q - 1] : []) },
  same: { about: 'earlier occurrences of the same token', keys: ({ ids }, q) => earlier(ids, q) },
  induction: {
    about: 'the token after an earlier occurrence of the same token (Elhage et al. 2021; Olsson et al. 2022)',
    keys: ({ ids }, q) => earlier(ids, q).map((k) => k + 1).filter((k) => k < q),
  },
  sentence: {
    about: 'the end of the last sentence and the first token of the current one',
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

/** Positions from 1 to q - 1 with the same token as q. @param {ArrayLike<number>} ids @param {number} q */
function earlier(ids, q) {
  const keys = [];
  for (let k = 1; k < q; k++) if (ids[k] === ids[q]) keys.push(k);
  return keys;
}

/**
 * Mean attention to the keys of each job, over all queries to which the job applies.
 * @param {Awaited<ReturnType<typeof load>>} model @param {string[]} stories
 * @returns {Promise<{ shares: Record<string, number>[], uniform: Record<string, number> }>}
 *   shares: indexed by layer·heads + head; uniform: the value for a head that attends to all keys equally
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

/** Texts of random tokens that occur twice: number of texts, and tokens before the repetition. */
const REPEATS = { texts: 20, tokens: 64 };

/**
 * Attention in the second half of repeated random tokens, because only the first half predicts their next tokens.
 * Returns the induction score of Olsson et al. 2022, and the scores of the previous and of the duplicate token.
 * @param {Awaited<ReturnType<typeof load>>} model
 * @returns {Promise<Record<'previous' | 'duplicate' | 'induction', number>[]>} indexed by layer·heads + head
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
 * Name movers (Wang et al. 2022) on the prompts of copying.js, measured at the last token. The figures are attention to
 * the answer, attention to the other name, and the drop of the answer's log-probability without the head.
 * @param {Awaited<ReturnType<typeof load>>} model
 * @returns {Promise<{ answer: number, other: number, loss: number }[]>} indexed by layer·heads + head; loss in nats
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
    const here = places(answer);
    const others = places(/** @type {string} */ (names.find((name) => name !== answer)));
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

/** Indices of the tokens at which a word starts. @param {string[]} tokens @param {string} word */
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

Prints how much attention each head gives to the keys of each job, over the first N held-out stories (default 100).
Then it prints the best heads on repeated random tokens and on the prompts of copying.js. The jobs:

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
    /** @param {string} about @param {number[]} scores one per head */
    const best = (about, scores) => {
      const first = scores.map((score, i) => ({ score, ...rows[i] })).sort((a, b) => b.score - a.score).slice(0, 4);
      console.log(`\n${about}\n  ${first.map(({ name, score }) => `${name} ${score.toFixed(2)}`).join(', ')}`);
    };
    for (const [job, { about }] of jobs) best(`${job}: ${about}`, rows.map(({ row }) => row[job]));
    const repeats = await onRepeats(model);
    best('repeated random tokens, the previous token', repeats.map(({ previous }) => previous));
    best('repeated random tokens, the first occurrence (duplicate token)', repeats.map(({ duplicate }) => duplicate));
    best('repeated random tokens, the token after it (induction)', repeats.map(({ induction }) => induction));
    const movers = await nameMovers(model);
    best('copying prompts, the answer', movers.map(({ answer }) => answer));
    best('copying prompts, the answer minus the other name (name mover)', movers.map((m) => m.answer - m.other));
    best('copying prompts, loss of the answer in nats without the head', movers.map(({ loss }) => loss));
  },
});
