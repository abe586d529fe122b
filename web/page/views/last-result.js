/** The last result of an analysis. It stays while the model and the inputs are the same. */

/** @template T */
export class LastResult {
  /** @type {{ model: object, key: string, result: T } | null} */
  #last = null;

  /**
   * The result for a model and inputs, which is computed if it is not the last one.
   * @param {object} model two models may have the same name
   * @param {unknown} inputs
   * @param {() => Promise<T>} compute
   * @returns {Promise<T>}
   */
  async of(model, inputs, compute) {
    const key = JSON.stringify(inputs);
    if (this.#last?.model !== model || this.#last.key !== key) this.#last = { model, key, result: await compute() };
    return this.#last.result;
  }
}
