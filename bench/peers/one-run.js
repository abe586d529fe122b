/**
 * One prompt and its decoding for peerbench, through public calls, in Node and in a page.
 *
 * @param {typeof import('../../js/index.js').load} load
 * @param {string} source @param {{ engine?: any, threads: number, n_ctx: number, maps?: string }} arg
 */
export async function oneRun(load, source, { engine = 'auto', threads, n_ctx: contextLength, maps }) {
  const model = await load(source, { engine, threads, contextLength, maps: maps !== '0' });

  /** @param {number[]} tokens @param {number} count tokens after the first */
  async function one(tokens, count) {
    model.rewind(0); // no prefix of the previous prompt is reused
    const start = performance.now();
    let first = 0;
    let decoded = -1;
    for await (const _ of model.generate(tokens, { maxTokens: count + 1, temperature: 0 })) {
      decoded++;
      first ||= performance.now();
    }
    if (count > 0 && decoded < 1) throw new Error('the model ended its text at once: no token was decoded');
    return { prefill_ms: first - start, decode_ms: performance.now() - first, decoded };
  }

  await one([300, 301, 302, 303], 20); // more tokens than the choice of streams takes
  return { model, one };
}
