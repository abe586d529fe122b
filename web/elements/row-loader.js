/** Loads the visible rows of a long map from its source, one request at a time. */
import { checkBlock, InputError } from '../draw/check.js';

/** @typedef {(from: number, to: number) => Promise<import('../draw/rows.js').RowBlock>} RowSource rows [from, to) */

export class RowLoader {
  /** @type {RowSource | null} */
  source = null;
  #busy = false;

  /**
   * Whether a request is due: visible rows are missing, and no request is running.
   * @param {import('./map-content.js').MapContent} content
   * @param {[from: number, to: number]} range of visible rows
   */
  wants({ rows }, [from, to]) {
    return this.source !== null && !this.#busy && rows.missing(from, to) !== null;
  }

  /**
   * Requests the missing rows, and as many again above and below the window. Rows are dropped if the content was
   * truncated in the meantime.
   * @param {import('./map-content.js').MapContent} content
   * @param {[from: number, to: number]} range of visible rows
   * @throws {InputError} if the source returns other rows
   */
  async load(content, [from, to]) {
    const { rows, version, rowTokens } = content;
    const margin = to - from;
    const range = rows.missing(Math.max(0, from - margin), Math.min(rowTokens.length, to + margin));
    if (!this.source || !range) return;
    this.#busy = true;
    try {
      const block = checkBlock(await this.source(...range), 'rows', rows);
      const { firstQuery, queries } = block;
      if (firstQuery > range[0] || firstQuery + queries <= range[0]) {
        const got = queries === 0 ? 'no rows' : `rows ${firstQuery} to ${firstQuery + queries - 1}`;
        throw new InputError(`the source returned ${got} instead of rows ${range[0]} to ${range[1] - 1}.`);
      }
      if (content.version !== version) return;
      rows.add(block);
      rows.prune(from, to);
    } catch (error) {
      if (content.version === version) throw error;
    } finally {
      this.#busy = false;
    }
  }
}
