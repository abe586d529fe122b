/** Loads the visible rows of a long map from its source, one request at a time. */
import { checkBlock, InputError } from '../draw/check.js';

/** @typedef {(from: number, to: number) => Promise<import('../draw/rows.js').RowBlock>} RowSource rows [from, to) */

export class RowLoader {
  /** @type {RowSource | null} */
  source = null;
  /** The source whose request is running. @type {RowSource | null} */
  #asked = null;

  /**
   * Whether a request is due: visible rows are missing, and no request to the source is running.
   * @param {import('./map-content.js').MapContent} content
   * @param {[from: number, to: number]} range of visible rows
   */
  wants({ rows }, [from, to]) {
    return this.source !== null && this.source !== this.#asked && rows.missing(from, to) !== null;
  }

  /**
   * Requests the missing rows, and as many again above and below the window. Rows are dropped if the content was
   * truncated in the meantime, or the source replaced.
   * @param {import('./map-content.js').MapContent} content
   * @param {[from: number, to: number]} range of visible rows
   * @throws {InputError} if the source returns other rows
   */
  async load(content, [from, to]) {
    const { rows, version, rowTokens } = content;
    const margin = to - from;
    const range = rows.missing(Math.max(0, from - margin), Math.min(rowTokens.length, to + margin));
    const { source } = this;
    if (!source || !range) return;
    this.#asked = source;
    const isLate = () => source !== this.source || content.version !== version;
    try {
      const block = checkBlock(await source(...range), 'rows', rows);
      const { firstQuery, queries } = block;
      if (firstQuery > range[0] || firstQuery + queries <= range[0]) {
        const got = queries === 0 ? 'no rows' : `rows ${firstQuery} to ${firstQuery + queries - 1}`;
        throw new InputError(`the source returned ${got} instead of rows ${range[0]} to ${range[1] - 1}.`);
      }
      if (isLate()) return;
      rows.add(block);
      rows.prune(from, to);
    } catch (error) {
      if (!isLate()) throw error;
    } finally {
      if (this.#asked === source) this.#asked = null;
    }
  }
}
