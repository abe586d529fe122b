/** The token that a view explains by the tokens before it. */

/**
 * The selected token of a text, or the last one.
 * @param {Pick<import('../views.js').Scene, 'generation' | 'selected'>} scene
 * @returns {{ ids: number[], tokens: string[], at: number }} the whole text, with the token that fills the context, and
 *   the position of the token
 * @throws {Error} if the model does not predict this token
 */
export function predictedToken({ generation, selected }) {
  const { sourceIds, promptLength } = generation;
  const ids = [...generation.ids];
  const at = selected ?? ids.length - 1;
  if (sourceIds && at < promptLength) {
    throw new Error('This token begins every text. Select a token that the model wrote.');
  }
  if (at < 1) throw new Error('The first token of a text is not predicted. Select or write another token.');
  return { ids, tokens: [...generation.tokens], at };
}
