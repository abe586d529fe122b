/** Inputs of a model beside the ids of a text.  Each clears the session. */

/** @typedef {import('./session.js').Session} Session */

export const INPUTS = {
  /** The picture of later passes. @param {Session} session @param {Float32Array} patches [vocabulary][patch] */
  picture: (session, patches) => session.input(1, ({ engine, model, buffers: { picture } }) => {
    engine.f32(picture, patches.length).set(patches);
    engine.call('heed_model_picture', model, picture);
  }),
  /** The segments of later passes of exactly these ids: 0, and 1 from `second` on.
   *  @param {Session} session @param {Int32Array} ids @param {number} second */
  pair: (session, ids, second) => session.input(ids.length, ({ engine, model, buffers: { pair } }) => {
    const segments = ids.map((_, position) => Number(position >= second));
    engine.i32(pair, 2 * ids.length).set([...ids, ...segments]);
    engine.call('heed_model_pair', model, pair, pair + 4 * ids.length, ids.length);
  }),
  /** The source of an encoder–decoder. @param {Session} session @param {Int32Array} ids */
  source: (session, ids) => session.input(ids.length, ({ engine, address, buffers: { source } }) => {
    engine.i32(source, ids.length).set(ids);
    engine.call('heed_source', address, source, ids.length);
    session.source = ids;
  }),
};
/** A kind of input, and its values after the session.
 *  @typedef {{ [K in keyof typeof INPUTS]: Parameters<(typeof INPUTS)[K]> extends [any, ...infer R] ? [kind: K, ...R]
 *    : never }[keyof typeof INPUTS]} Input */
