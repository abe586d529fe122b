/** The parts of an encoder–decoder: encoder, decoder, and cross-attention of the decoder to the encoder's output. */

/**
 * Blocks of the engine that are one part.
 * @typedef {object} Part
 * @property {number} first   engine's block of layer 0
 * @property {number} step    blocks between two layers
 * @property {number} layers  number of layers
 * @property {boolean} ofSource  whether queries are tokens of the source; keys are, except in the decoder
 *
 * The place of an activation, for its name.
 * @typedef {object} PlaceOfName
 * @property {string} base    name of the engine's hook
 * @property {number} layer   engine's block
 * @property {string[]} ofSource  axes that have the length of the source
 *
 * @typedef {object} Parts
 * @property {Part} encoder
 * @property {Part} decoder
 * @property {Part} cross
 * @property {number} blocks  number of all blocks of the engine
 * @property {Record<string, PlaceOfName>} places  activations of all blocks, by TransformerLens's names
 * @property {number[]} start     ids that begin every text
 * @property {number[]} excluded  ids that no text has
 * @property {boolean} sinusoids  whether positions are sines and cosines
 * @property {number} buckets     number of buckets of distances, which share their biases; 0 without biases
 */

/** Engine's slot of a slot of a part: enc.0.attn_q → blk.0.attn_q.
 *  @param {string} slot @param {number} encoder  number of its layers */
export const blockOfPart = (slot, encoder) => slot.replace(/\b(enc|dec|cross)\.(\d+)\./g, (_, part, layer) =>
  `blk.${part === 'enc' ? layer : encoder + 2 * Number(layer) + Number(part === 'cross')}.`);

/** The reverse of blockOfPart; other models keep their slots. @param {string} slot @param {number} encoder  layers */
export const partOfBlock = (slot, encoder) => (encoder === 0 ? slot : slot.replace(/^blk\.(\d+)\./, (_, block) => {
  const after = Number(block) - encoder;
  return after < 0 ? `enc.${block}.` : `${after % 2 ? 'cross' : 'dec'}.${Math.floor(after / 2)}.`;
}));

/** Whether a block of self-attention lacks a slot. @param {string} slot @param {number} encoder  layers */
export const lacksFeedForward = (slot, encoder) =>
  /^dec\.\d+\.(ffn|layer_output_norm)/.test(partOfBlock(slot, encoder));

/**
 * The bucket of a distance key − query (Raffel et al. 2020; in float32, as T5Attention of `transformers`).  Distances
 * below a quarter or half of the buckets have their own; others share them by their logarithm.
 * @param {number} all  buckets
 * @param {number} reach  distance from which the last bucket is
 * @param {boolean} bothSides  in an encoder, half of the buckets are for keys after the query
 * @returns {(distance: number) => number}
 */
export function bucketOf(all, reach, bothSides) {
  const buckets = bothSides ? Math.floor(all / 2) : all;
  const exact = Math.floor(buckets / 2);
  const scale = Math.fround(Math.log(reach / exact));
  return (distance) => {
    const side = bothSides && distance > 0 ? buckets : 0;
    const far = bothSides ? Math.abs(distance) : Math.max(0, -distance);
    if (far < exact) return side + far;
    const share = Math.fround(Math.fround(Math.log(Math.fround(far / exact))) / scale);
    return side + Math.min(buckets - 1, exact + Math.trunc(Math.fround(share * (buckets - exact))));
  };
}

/** Positions of Marian: sines, then cosines, of position·10000^(−2i / D): [positions][D].
 *  @param {number} positions @param {number} D */
export function sinusoids(positions, D) {
  const half = Math.ceil(D / 2);
  const divisors = Float64Array.from({ length: half }, (_, i) => 10000 ** (2 * i / D));
  const numbers = new Float32Array(positions * D);
  for (let at = 0; at < numbers.length; at++) {
    const i = at % D;
    const angle = Math.floor(at / D) / divisors[i % half];
    numbers[at] = i < half ? Math.sin(angle) : Math.cos(angle);
  }
  return numbers;
}

/** Activations of attention, in the order of the pass.
 *  @param {string} attention @param {string} residual @param {string} norm
 *  @param {boolean} sumNorms  whether the norm comes after the sum that it reads */
function ofAttention(attention, residual, norm, sumNorms) {
  const norms = { [norm]: 'ln1.hook_normalized' };
  const sum = { [residual]: 'hook_resid_mid' };
  const inside = Object.fromEntries(['q', 'k', 'v', 'attn_scores', 'pattern', 'z'].map((name) =>
    [`${attention}.hook_${name}`, `attn.hook_${name}`]));
  const out = { [attention === 'attn' ? 'hook_attn_out' : 'hook_cross_attn_out']: 'hook_attn_out' };
  return sumNorms ? { ...inside, ...out, ...sum, ...norms } : { ...norms, ...inside, ...out, ...sum };
}

/** Activations of a feed-forward network. @param {string} norm @param {boolean} gated @param {boolean} sumNorms */
function ofFeedForward(norm, gated, sumNorms) {
  const norms = { [norm]: 'ln2.hook_normalized' };
  const inside = Object.fromEntries(['mlp.hook_pre', ...(gated ? ['mlp.hook_pre_linear'] : []), 'mlp.hook_post',
    'hook_mlp_out', 'hook_resid_post'].map((name) => [name, name]));
  return sumNorms ? { ...inside, ...norms } : { ...norms, ...inside };
}

/**
 * @param {{ encoder: number, decoder: number }} layers
 * @param {{ gated: boolean, sumNorms: boolean }} blocks
 * @param {Pick<Parts, 'start' | 'excluded'> & Partial<Pick<Parts, 'sinusoids' | 'buckets'>>} text
 * @returns {Parts}
 */
export function partsOf({ encoder, decoder }, { gated, sumNorms }, text) {
  /** @type {Parts['places']} */
  const places = {};
  const add = (/** @type {string} */ prefix, /** @type {number} */ layer, /** @type {Record<string, string>} */ names,
    /** @type {(base: string) => string[]} */ ofSource) => {
    for (const [name, base] of Object.entries(names)) {
      places[`${prefix}.${name}`] = { base, layer, ofSource: ofSource(base) };
    }
  };
  const input = { hook_resid_pre: 'hook_resid_pre' };
  const own = ofAttention('attn', 'hook_resid_mid', 'ln1.hook_normalized', sumNorms);
  for (let layer = 0; layer < encoder; layer++) {
    add(`encoder.${layer}`, layer, { ...input, ...own, ...ofFeedForward('ln2.hook_normalized', gated, sumNorms) },
      () => ['position', 'query', 'key']);
  }
  for (let layer = 0; layer < decoder; layer++) {
    const block = encoder + 2 * layer;
    add(`decoder.${layer}`, block, { ...input, ...own }, () => []);
    add(`decoder.${layer}`, block + 1,
      ofAttention('cross_attn', 'hook_resid_mid_cross', 'ln2.hook_normalized', sumNorms),
      (base) => (/hook_[kv]$/.test(base) ? ['position'] : ['key']));
    add(`decoder.${layer}`, block + 1, ofFeedForward('ln3.hook_normalized', gated, sumNorms), () => []);
  }
  return {
    encoder: { first: 0, step: 1, layers: encoder, ofSource: true },
    decoder: { first: encoder, step: 2, layers: decoder, ofSource: false },
    cross: { first: encoder + 1, step: 2, layers: decoder, ofSource: false },
    blocks: encoder + 2 * decoder,
    places,
    sinusoids: false,
    buckets: 0,
    ...text,
  };
}
