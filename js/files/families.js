/**
 * The weights of each model family.  Without a weight, the forward pass would silently lose a term; an extra weight
 * belongs to another model.  Sources: the classes of `transformers` and llama.cpp's loaders.
 */
import { HeedError, quoted } from '../errors.js';

/**
 * Whether a model has the weights of a group.  needed: all of them.  absent: none.  uniform: all blocks or no block.
 * later: all blocks but the first.  optional: they may be missing.
 * @typedef {'needed' | 'absent' | 'uniform' | 'later' | 'optional'} Rule
 */

/** Weights that occur together, of the whole model and of each block.
 *  @typedef {{ readonly model: readonly string[], readonly block: readonly string[] }} Weights */

/** The groups of Llama; js/files/families/groups.js has the others. @type {Readonly<Record<string, Weights>>} */
const GROUPS = Object.freeze({
  ropeFreqs: { model: ['rope_freqs.weight'], block: [] },
  attnNorm: { model: [], block: ['attn_norm.weight'] },
  ffnNorm: { model: [], block: ['ffn_norm.weight'] },
  outputNorm: { model: ['output_norm.weight'], block: [] },
  qkvBiases: { model: [], block: ['attn_qkv.bias', 'attn_q.bias', 'attn_k.bias', 'attn_v.bias'] },
  outputBias: { model: [], block: ['attn_output.bias'] },
  gate: { model: [], block: ['ffn_gate.weight'] },
  feedForwardBiases: { model: [], block: ['ffn_gate.bias', 'ffn_up.bias', 'ffn_down.bias'] },
});

/** Groups that a model has unless its family says otherwise; other groups are absent. */
const USUAL = ['attnNorm', 'ffnNorm', 'outputNorm'];

/** Name of a group. @typedef {keyof typeof GROUPS | keyof typeof import('./families/groups.js').MORE_GROUPS |
 *    keyof ReturnType<typeof import('./families/experts.js').expertGroups>} Group */
/** @typedef {Partial<Record<Group, { rule: Rule, because: string }>>} Said  rules from the configuration of one file */

/**
 * A family: the constants of its configuration, and its weights.
 * @typedef {object} Family
 * @property {string} name  `general.architecture` of GGUF
 * @property {Pick<import('./config.js').Config, 'norm' | 'position' | 'activation' | 'gated'> &
 *   Partial<import('./config.js').Config>} config
 * @property {Partial<Record<Group, Rule>>} weights
 * @property {readonly string[]} [everyBlock]  weights of every block; default: also of a feed-forward network
 * @property {Readonly<Record<string, Weights>>} [groups]  groups that Llama does not have
 * @property {boolean} [oneQkv]  whether queries, keys and values are usually one matrix; in other families they may be
 * @property {Readonly<Record<string, import('./settings.js').Fate>>} [keys]  how settings of GGUF are handled
 * @property {string[]} [own]  applied settings that may have any value, although most families allow one
 */

/**
 * The family whose code is part of every page: Llama, Mistral, SmolLM2.  js/files/families has the others.
 * @type {Family}
 */
export const llama = {
  name: 'llama',
  config: { norm: 'rmsnorm', position: 'rope_adjacent', activation: 'silu', gated: 'yes' },
  // GGUF has no key for Llama’s `attention_bias` and `mlp_bias`, so the presence of biases decides.
  weights: { qkvBiases: 'uniform', outputBias: 'uniform', gate: 'needed', feedForwardBiases: 'uniform',
    ropeFreqs: 'optional' },
};

/** Weights of every model, in addition to the groups; queries, keys and values may be one matrix. */
const MODEL = ['token_embd.weight'];
const BLOCK = ['attn_output.weight', 'ffn_up.weight', 'ffn_down.weight'];
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
 * @property {(slot: string) => boolean} [lacks]  whether blocks of a part of an encoder–decoder lack a weight
 */

/**
 * Checks that a file has exactly the weights of its family.
 * @param {readonly string[]} slots  slots of the file's weights, by GGUF's names
 * @param {Expected} expected
 * @throws {HeedError} 'bad-tensor'
 */
export function checkWeights(slots, expected) {
  const { family, layers, tied, name, nameOf = same, lacks } = expected;
  const present = new Set(slots);
  const refuse = (/** @type {string} */ verb, /** @type {string} */ slot, /** @type {string} */ why) =>
    new HeedError('bad-tensor', `${quoted(name)} ${verb} the tensor ${quoted(nameOf(slot))}: ${why}.`);

  const rules = rulesOf(present, expected);
  const always = `every ${family.name} model has it`;
  const needed = new Map(MODEL.map((slot) => [slot, always]));
  if (tied === false) needed.set('output.weight', 'config.json does not set ‘tie_word_embeddings’ to true');
  for (let layer = -1; layer < layers; layer++) {
    if (layer >= 0) for (const slot of blockWeights(present, layer, family)) needed.set(slot, always);
    for (const { group, rule, because } of rules) {
      if (rule === 'needed' || (rule === 'later' && layer > 0)) {
        for (const slot of members(family, group, layer, present)) needed.set(slot, because ?? always);
      }
    }
  }
  for (const slot of lacks ? [...needed.keys()].filter(lacks) : []) needed.delete(slot);
  for (const [slot, why] of needed) if (!present.has(slot)) throw refuse('lacks', slot, why);

  const optional = new Set(tied === undefined ? ['output.weight'] : []);
  for (const { group, rule } of rules) {
    if (rule === 'optional') for (const slot of ofGroup(family, group, true)) optional.add(slot);
  }
  for (const slot of slots) {
    if (!needed.has(slot) && !optional.has(slot)) throw refuse('has', slot, whyNot(slot, rules, expected));
  }
}

/** @typedef {{ group: Group, rule: Rule, because?: string }} Settled */

/**
 * The rule of each group: from the configuration, from the family, or, if ‘uniform’, from the first block with a weight
 * of the group.
 * @param {Set<string>} present @param {Expected} expected @returns {Settled[]}
 */
function rulesOf(present, { family, layers, said = {}, nameOf = same }) {
  return /** @type {Group[]} */ (Object.keys({ ...GROUPS, ...family.groups })).map((group) => {
    const rule = said[group]?.rule ?? family.weights[group] ?? (USUAL.includes(group) ? 'needed' : 'absent');
    const because = said[group]?.because;
    if (rule !== 'uniform') return { group, rule, ...(because && { because }) };
    for (let layer = 0; layer < layers; layer++) {
      const example = members(family, group, layer, present).find((slot) => present.has(slot));
      if (example) return { group, rule: 'needed', because: `it has ${quoted(nameOf(example))}` };
    }
    return { group, rule: 'absent' };
  });
}

/** @param {Set<string>} present @param {number} layer @param {Family} family */
function blockWeights(present, layer, family) {
  const has = (/** @type {string} */ slot) => present.has(`blk.${layer}.${slot}`);
  const one = ONE.some(has) || (family.oneQkv && !THREE.some(has));
  return [...family.everyBlock ?? BLOCK, ...(one ? ONE : THREE)].map((slot) => `blk.${layer}.${slot}`);
}

/** @param {Family} family @param {Group} group @param {boolean} ofModel @returns {readonly string[]} */
const ofGroup = (family, group, ofModel) => (GROUPS[group] ?? family.groups?.[group])[ofModel ? 'model' : 'block'];

/** Weights of a group in one block; layer -1: outside of blocks.  Biases only where their matrix is present.
 *  @param {Family} family @param {Group} group @param {number} layer @param {Set<string>} present
 *  @returns {string[]} */
function members(family, group, layer, present) {
  if (layer < 0) return [...ofGroup(family, group, true)];
  return ofGroup(family, group, false).map((slot) => `blk.${layer}.${slot}`)
    .filter((slot) => slot.endsWith('.weight') || present.has(slot.replace(/bias$/, 'weight')));
}

/** @param {string} slot @param {Settled[]} rules @param {Expected} expected */
function whyNot(slot, rules, { family, layers }) {
  const [, layer, suffix] = /^blk\.(\d+)\.(.+)$/.exec(slot) ?? [null, null, slot];
  if (layer !== null && (Number(layer) >= layers || String(Number(layer)) !== layer)) {
    return `its configuration has the blocks 0 to ${layers - 1}`;
  }
  const of = rules.find(({ group }) => ofGroup(family, group, layer === null).includes(suffix ?? slot));
  return of?.because ?? `no ${family.name} model has it, so heed does not run this variant`;
}
