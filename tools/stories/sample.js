#!/usr/bin/env node
/** Samples stories from a model and prints them unedited as JSON lines, the input of faults.py. */
import { load } from '../../js/index.js';
import { runTool } from '../cli.js';

/** Openings, used in turn. */
export const OPENINGS = [
  'Once upon a time',
  'Once upon a time there was a little cat who lived in a',
  'One day, a little girl named Lily',
  'The dog and the bird',
  'Tom and Mia were',
];

await runTool(import.meta.url, {
  usage: `node tools/stories/sample.js MODEL.gguf [--count N] [--tokens N] [--temperature T] [--top-k K] [--top-p P]
    [--repeat-penalty R] [--prompt TEXT]

Writes one JSON object per line: { prompt, seed, text, reason }. Seeds are 1 to N. The prompts are a list of openings,
used in turn, or --prompt alone. Sampling settings default to those of the library.

  --count N    number of stories; default 100
  --tokens N   largest number of tokens per story; default 200`,
  positionals: 1,
  options: {
    count: { type: 'string', default: '100' },
    tokens: { type: 'string', default: '200' },
    prompt: { type: 'string' },
    temperature: { type: 'string' },
    'top-k': { type: 'string' },
    'top-p': { type: 'string' },
    'repeat-penalty': { type: 'string' },
  },
  async run([path], { count, tokens, prompt: only, ...settings }) {
    const model = await load(path, { maps: false });
    const sampling = Object.fromEntries(Object.entries(settings).map(([name, value]) =>
      [name.replace(/-(.)/, (_, letter) => letter.toUpperCase()), Number(value)])); // top-k is topK
    for (let seed = 1; seed <= Number(count); seed++) {
      const prompt = only ?? OPENINGS[(seed - 1) % OPENINGS.length];
      const run = model.generate(prompt, { ...sampling, maxTokens: Number(tokens), seed });
      let next = await run.next();
      while (!next.done) next = await run.next();
      const { text, reason } = next.value;
      console.log(JSON.stringify({ prompt, seed, text: prompt + text, reason }));
    }
  },
});
