import { fileURLToPath } from 'node:url';

/** The default model, as a path. */
export const STORIES = fileURLToPath(new URL('../../models/stories.gguf', import.meta.url));

/** All of a generation: its steps and its summary.
 *  @template S, R @param {AsyncGenerator<S, R>} generation @returns {Promise<{ steps: S[], summary: R }>} */
export async function collect(generation) {
  const steps = [];
  let next = await generation.next();
  for (; !next.done; next = await generation.next()) steps.push(next.value);
  return { steps, summary: next.value };
}

/** Tests that an error is a HeedError with this code and a message that matches `about`.
 *  @param {string} code @param {RegExp} [about] */
export function heedError(code, about = /./) {
  return (/** @type {any} */ error) => error.name === 'HeedError' && error.code === code && about.test(error.message);
}
