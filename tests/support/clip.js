/** Tiny random towers of CLIP in Hugging Face's form, in one file. */
import { writeSafetensors } from '../../js/files/safetensors/writer.js';
import { floats, randomFrom } from './numbers.js';
import { waves } from './vit.js';

const LAYERS = 2;
const SIDE = 32;
const PATCH = 8;
/** Width of the common space. */
export const SPACE = 24;
/** Tokens of a text; the last one ends it. */
export const WORDS = 60;
/** A text: start, three words, end. */
export const TEXT = Object.freeze([WORDS - 2, 3, 41, 17, WORDS - 1]);

/** Sizes of the towers. */
const TEXT_CONFIG = { hidden_size: 32, num_attention_heads: 4, intermediate_size: 48, num_hidden_layers: LAYERS,
  hidden_act: 'quick_gelu', layer_norm_eps: 1e-4, vocab_size: WORDS, max_position_embeddings: 20,
  bos_token_id: 0, eos_token_id: 2, model_type: 'clip_text_model' };
const VISION_CONFIG = { hidden_size: 48, num_attention_heads: 6, intermediate_size: 64, num_hidden_layers: LAYERS,
  hidden_act: 'quick_gelu', layer_norm_eps: 1e-3, image_size: SIDE, patch_size: PATCH, num_channels: 3,
  model_type: 'clip_vision_model' };
/** Settings of its processor in an old form: a number is the length of the shorter side. */
export const CLIP_PROCESSOR = Object.freeze({ size: SIDE, crop_size: SIDE, do_center_crop: true, resample: 3,
  image_mean: [0.48, 0.46, 0.41], image_std: [0.27, 0.26, 0.28] });

/** Shapes of the blocks of a tower.
 *  @param {string} prefix @param {{ hidden_size: number, intermediate_size: number }} of */
function blocks(prefix, { hidden_size: D, intermediate_size: F }) {
  const layer = { 'layer_norm1': [D], 'self_attn.q_proj': [D, D], 'self_attn.k_proj': [D, D],
    'self_attn.v_proj': [D, D], 'self_attn.out_proj': [D, D], 'layer_norm2': [D],
    'mlp.fc1': [F, D], 'mlp.fc2': [D, F] };
  return Array.from({ length: LAYERS }, (_, i) => Object.entries(layer)
    .map(([name, shape]) => [`${prefix}.encoder.layers.${i}.${name}`, shape])).flat();
}

/**
 * @param {{ config?: object, rename?: (name: string) => string | null }} [options]  config: changes of config.json.
 *   rename: null leaves a tensor out
 * @returns {{ weights: Uint8Array, config: Record<string, any> }}
 */
export function tinyClip({ config = {}, rename = (name) => name } = {}) {
  const next = randomFrom(47);
  const D = TEXT_CONFIG.hidden_size;
  const E = VISION_CONFIG.hidden_size;
  const text = 'text_model';
  const vision = 'vision_model';
  const biased = [...blocks(text, TEXT_CONFIG), [`${text}.final_layer_norm`, [D]], ...blocks(vision, VISION_CONFIG),
    [`${vision}.pre_layrnorm`, [E]], [`${vision}.post_layernorm`, [E]]];
  /** @type {[string, number[]][]} */
  const shapes = [
    ['logit_scale', []],
    [`${text}.embeddings.token_embedding.weight`, [WORDS, D]],
    [`${text}.embeddings.position_embedding.weight`, [TEXT_CONFIG.max_position_embeddings, D]],
    [`${vision}.embeddings.class_embedding`, [E]],
    [`${vision}.embeddings.patch_embedding.weight`, [E, 3, PATCH, PATCH]],
    [`${vision}.embeddings.position_embedding.weight`, [1 + (SIDE / PATCH) ** 2, E]],
    ['text_projection.weight', [SPACE, D]],
    ['visual_projection.weight', [SPACE, E]],
    .../** @type {[string, number[]][]} */ (biased.flatMap(([name, shape]) =>
      [[`${name}.weight`, shape], [`${name}.bias`, [/** @type {number[]} */ (shape)[0]]]])),
  ];
  const tensors = shapes.flatMap(([name, shape]) => {
    const data = floats(next, shape.reduce((a, b) => a * b, 1), 0.3);
    if (/norm\w*\.weight$/.test(name)) data.forEach((x, i) => (data[i] = 1 + x));
    const renamed = rename(name);
    return renamed === null ? [] : [[renamed, { dtype: 'F32', shape, data }]];
  });
  return {
    weights: writeSafetensors(Object.fromEntries(tensors), {}),
    config: { model_type: 'clip', architectures: ['CLIPModel'], projection_dim: SPACE, logit_scale_init_value: 2.6592,
      text_config: TEXT_CONFIG, vision_config: VISION_CONFIG, ...config },
  };
}

/** A picture in the size of the tower. */
export const PICTURE = waves(SIDE, SIDE);

/** The picture after its preparation by CLIP_PROCESSOR: [color][row][column]. */
export function normalizedWaves() {
  const { image_mean: mean, image_std: deviation } = CLIP_PROCESSOR;
  return mean.map((_, c) => Array.from({ length: SIDE }, (__, y) => Array.from({ length: SIDE }, (___, x) =>
    (PICTURE.data[3 * (y * SIDE + x) + c] / 255 - mean[c]) / deviation[c])));
}

/** A tokenizer.json of CLIP's form: lower case, words with a mark at their end, start and end of the text. */
export function clipTokenizer() {
  const pieces = ['a', 'c', 't', '1', '!', 'a</w>', 't</w>', '1</w>', '!</w>', 'ca', 'cat</w>', 'at</w>'];
  const vocab = Object.fromEntries([...pieces, '<|startoftext|>', '<|endoftext|>'].map((piece, i) =>
    [piece, i < pieces.length ? i : WORDS - 2 + i - pieces.length]));
  const start = '<|startoftext|>';
  const end = '<|endoftext|>';
  const added = [start, end].map((content) => ({ id: vocab[content], content, special: true, normalized: true,
    single_word: false, lstrip: false, rstrip: false }));
  return {
    added_tokens: added,
    normalizer: { type: 'Sequence', normalizers: [{ type: 'NFC' },
      { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' }, { type: 'Lowercase' }] },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [
      { type: 'Split', behavior: 'Removed', invert: true, pattern: {
        Regex: "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+" } },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true }] },
    post_processor: { type: 'RobertaProcessing', sep: [end, vocab[end]], cls: [start, vocab[start]],
      trim_offsets: false, add_prefix_space: false },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true },
    model: { type: 'BPE', dropout: null, unk_token: end, continuing_subword_prefix: '', end_of_word_suffix: '</w>',
      fuse_unk: false, vocab, merges: ['c a', 'a t</w>', 'ca t</w>'] },
  };
}
