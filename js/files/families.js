/**
 * The weights of each model family.  Without a weight, the forward pass would silently lose a term; an extra weight
 * belongs to another model.  Sources: the classes of `transformers` and llama.cpp's loaders.
 */
import { HeedError, quoted } from '../errors.js';

/** A model family by GGUF's name; ‘llama’ includes Mistral and SmolLM2.
 *  @typedef {'gpt2' | 'llama' | 'qwen2'} Family */
/**
 * Whether blocks have a weight.  needed: all blocks.  absent: no block.  uniform: all blocks or no block.
 * @typedef {'needed' | 'absent' | 'uniform'} Rule
 */

/** Weights that occur together, of the whole model and of each block. */
const GROUPS = Object.freeze(/** @type {const} */ ({
  positions: { model: ['position_embd.weight'], block: [] },
  normBiases: { model: ['output_norm.bias'], block: ['attn_norm.bias', 'ffn_norm.bias'] },
  qkvBiases: { model: [], block: ['attn_qkv.bias', 'attn_q.bias', 'attn_k.bias', 'attn_v.bias'] },
  outputBias: { model: [], block: ['attn_output.bias'] },
  gate: { model: [], block: ['ffn_gate.weight'] },
  feedForwardBiases: { model: [], block: ['ffn_gate.bias', 'ffn_up.bias', 'ffn_down.bias'] },
}));

/** @typedef {keyof typeof GROUPS} Group */
/** @typedef {Partial<Record<Group, { rule: Rule, because: string }>>} Said  rules from the configuration of one file */

/** oneQkv: whether queries, keys and values are usually one matrix; in other families they may be.
 *  @type {Readonly<Record<Family, Readonly<Record<Group, Rule> & { ropeFreqs: boolean, oneQkv: boolean }>>>} */
export const FAMILIES = Object.freeze({
  gpt2: {
    positions: 'needed', normBiases: 'needed', qkvBiases: 'needed', outputBias: 'needed', gate: 'absent',
    feedForwardBiases: 'needed', ropeFreqs: false, oneQkv: true,
  },
  // GGUF has no key for Llama’s `attention_bias` and `mlp_bias`, so the presence of biases decides.
  llama: {
    positions: 'absent', normBiases: 'absent', qkvBiases: 'uniform', outputBias: 'uniform', gate: 'needed',
    feedForwardBiases: 'uniform', ropeFreqs: true, oneQkv: false,
  },
  qwen2: {
    positions: 'absent', normBiases: 'absent', qkvBiases: 'needed', outputBias: 'absent', gate: 'needed',
    feedForwardBiases: 'absent', ropeFreqs: false, oneQkv: false,
  },
});

/** Weights of every model, in addition to the groups; queries, keys and values may be one matrix. */
const MODEL = ['token_embd.weight', 'output_norm.weight'];
const BLOCK = ['attn_norm.weight', 'attn_output.weight', 'ffn_norm.weight', 'ffn_up.weight', 'ffn_down.weight'];
const ONE = ['attn_qkv.weight'];
const THREE = ['attn_q.weight', 'attn_k.weight', 'attn_v.weight'];

const same = (/** @type {string} */ slot) => slot;

/**
 * @typedef {object} Expected
 * @property {Family} family
 * @property {number} layers
 * @property {Said} [said]
 * @property {boolean} [tied]    whether the embedding is also the output head; undefined: the file decides
 * @property {string} name       name of the file, for messages
 * @property {(slot: string) => string} [nameOf]  name of a slot in the file
 */

/**
 * Checks that a file has exactly the weights of its family.
 * @param {readonly string[]} slots  slots of the file's weights, by GGUF's names
 * @param {Expected} expected
 * @throws {HeedError} 'bad-tensor'
 */
export function checkWeights(slots, expected) {
  const { family, layers, tied, name, nameOf = same } = expected;
  const present = new Set(slots);
  const refuse = (/** @type {string} */ verb, /** @type {string} */ slot, /** @type {string} */ why) =>
    new HeedError('bad-tensor', `${quoted(name)} ${verb} the tensor ${quoted(nameOf(slot))}: ${why}.`);

  const rules = rulesOf(present, expected);
  const always = `every ${family} model has it`;
  const needed = new Map(MODEL.map((slot) => [slot, always]));
  if (tied === false) needed.set('output.weight', 'config.json does not set ‘tie_word_embeddings’ to true');
  for (let layer = -1; layer < layers; layer++) {
    if (layer >= 0) for (const slot of blockWeights(present, layer, family)) needed.set(slot, always);
    for (const { group, rule, because } of rules) {
      if (rule === 'needed') for (const slot of members(group, layer, present)) needed.set(slot, because ?? always);
    }
  }
  for (const [slot, why] of needed) if (!present.has(slot)) throw refuse('lacks', slot, why);

  const optional = new Set([...(tied === undefined ? ['output.weight'] : []),
    ...(FAMILIES[family].ropeFreqs ? ['rope_freqs.weight'] : [])]);
  for (const slot of slots) {
    if (!needed.has(slot) && !optional.has(slot)) throw refuse('has', slot, whyNot(slot, rules, expected));
  }
}

/** @typedef {{ group: Group, rule: 'needed' | 'absent', because?: string }} Settled */

/**
 * The rule of each group: from the configuration, from the family, or, if ‘uniform’, from the first block with a weight
 * of the group.
 * @param {Set<string>} present @param {Expected} expected @returns {Settled[]}
 */
function rulesOf(present, { family, layers, said = {}, nameOf = same }) {
  return /** @type {Group[]} */ (Object.keys(GROUPS)).map((group) => {
    const rule = said[group]?.rule ?? FAMILIES[family][group];
    const because = said[group]?.because;
    if (rule !== 'uniform') return { group, rule, ...(because && { because }) };
    for (let layer = 0; layer < layers; layer++) {
      const example = members(group, layer, present).find((slot) => present.has(slot));
      if (example) return { group, rule: 'needed', because: `it has ${quoted(nameOf(example))}` };
    }
    return { group, rule: 'absent' };
  });
}

/** @param {Set<string>} present @param {number} layer @param {Family} family */
function blockWeights(present, layer, family) {
  const has = (/** @type {string} */ slot) => present.has(`blk.${layer}.${slot}`);
  const one = ONE.some(has) || (FAMILIES[family].oneQkv && !THREE.some(has));
  return [...BLOCK, ...(one ? ONE : THREE)].map((slot) => `blk.${layer}.${slot}`);
}

/** @param {Group} group @param {boolean} ofModel @returns {readonly string[]} */
const ofGroup = (group, ofModel) => GROUPS[group][ofModel ? 'model' : 'block'];

/** Weights of a group in one block; layer -1: outside of blocks.  Biases only where their matrix is present.
 *  @param {Group} group @param {number} layer @param {Set<string>} present @returns {string[]} */
function members(group, layer, present) {
  if (layer < 0) return [...ofGroup(group, true)];
  return ofGroup(group, false).map((slot) => `blk.${layer}.${slot}`)
    .filter((slot) => slot.endsWith('.weight') || present.has(slot.replace(/bias$/, 'weight')));
}

/** @param {string} slot @param {Settled[]} rules @param {Expected} expected */
function whyNot(slot, rules, { family, layers }) {
  const [, layer, suffix] = /^blk\.(\d+)\.(.+)$/.exec(slot) ?? [null, null, slot];
  if (layer !== null && (Number(layer) >= layers || String(Number(layer)) !== layer)) {
    return `its configuration has the blocks 0 to ${layers - 1}`;
  }
  const of = rules.find(({ group }) => ofGroup(group, layer === null).includes(suffix ?? slot));
  return of?.because ?? `no ${family} model has it, so heed does not run this variant`;
}
