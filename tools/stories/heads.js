#!/usr/bin/env node
/** What each head of a stories model attends to, measured: which of them have a visible job. */
import { load } from '../../js/index.js';
import { runTool } from '../cli.js';
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

await runTool(import.meta.url, {
  usage: `node tools/stories/heads.js MODEL.gguf STORIES.txt.gz [--stories N]

Share of its attention that each head gives to the keys of a job, over the first N stories (default 100), which the
model was not trained on:

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
    for (const [job, { about }] of jobs) {
      const best = rows.toSorted((a, b) => b.row[job] - a.row[job]).slice(0, 3);
      console.log(`\n${job}: ${about}\n  ${best.map(({ name, row }) => `${name} ${row[job].toFixed(2)}`).join(', ')}`);
    }
  },
});
