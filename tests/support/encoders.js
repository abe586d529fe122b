/** Tiny random encoders, as GGUF files and as Hugging Face's files. */
import { bool, float32, uint32 } from '../../js/files/gguf/writer.js';
import { attention, biased, CONTEXT, D, EPS, F, FAMILIES, fused, gated, H, plain, V } from './families.js';

/** @typedef {import('./families.js').Row} Row */
/** @typedef {import('./families.js').Matrix} Matrix */

/** Keys that a query of a local layer sees: two on either side. */
const WINDOW = 4;
const LABELS = 3;

const sumNorms = biased({ 'attn_output_norm.weight': [D], 'layer_output_norm.weight': [D] });
const embedding = biased({ 'token_embd_norm.weight': [D] });
const table = { 'position_embd.weight': [CONTEXT, D] };
const segments = { 'token_types.weight': [2, D] };
const words = { ...biased({ 'cls.weight': [D, D], 'cls.norm.weight': [D] }), 'output.bias': [V] };
const labels = biased({ 'cls.weight': [D, D], 'output.weight': [LABELS, D] });
const block = { ...sumNorms, ...biased({ ...attention(H, H), ...plain }) };
const settings = { 'attention.layer_norm_epsilon': float32(EPS), 'attention.causal': bool(false) };
/** @type {Row['means']} */
const means = { variant: { norm: 'layer', activation: 'gelu_erf', bidirectional: true } };
const names3 = Object.fromEntries(Array.from({ length: LABELS }, (_, i) => [i, `label ${i}`]));

const BERT_CONFIG = { vocab_size: V, hidden_size: D, num_hidden_layers: 2, num_attention_heads: H, intermediate_size: F,
  hidden_act: 'gelu', max_position_embeddings: CONTEXT, type_vocab_size: 2, layer_norm_eps: EPS };

/** Names of BERT and RoBERTa. @param {string} prefix */
const bertNames = (prefix) => ({
  'token_embd': `${prefix}embeddings.word_embeddings`, 'position_embd': `${prefix}embeddings.position_embeddings`,
  'token_types': `${prefix}embeddings.token_type_embeddings`, 'token_embd_norm': `${prefix}embeddings.LayerNorm`,
  ...Object.fromEntries(Object.entries({
    'attn_q': 'attention.self.query', 'attn_k': 'attention.self.key', 'attn_v': 'attention.self.value',
    'attn_output': 'attention.output.dense', 'attn_output_norm': 'attention.output.LayerNorm',
    'ffn_up': 'intermediate.dense', 'ffn_down': 'output.dense', 'layer_output_norm': 'output.LayerNorm',
  }).map(([slot, name]) => [slot, `${prefix}encoder.layer.#.${name}`])),
});
const BERT = bertNames('bert.');
const ROBERTA = bertNames('roberta.');
const DISTILBERT = {
  'token_embd': 'distilbert.embeddings.word_embeddings', 'position_embd': 'distilbert.embeddings.position_embeddings',
  'token_embd_norm': 'distilbert.embeddings.LayerNorm',
  ...Object.fromEntries(Object.entries({
    'attn_q': 'attention.q_lin', 'attn_k': 'attention.k_lin', 'attn_v': 'attention.v_lin',
    'attn_output': 'attention.out_lin', 'attn_output_norm': 'sa_layer_norm', 'ffn_up': 'ffn.lin1',
    'ffn_down': 'ffn.lin2', 'layer_output_norm': 'output_layer_norm',
  }).map(([slot, name]) => [slot, `distilbert.transformer.layer.#.${name}`])),
};
const MODERNBERT = {
  'token_embd': 'model.embeddings.tok_embeddings', 'token_embd_norm': 'model.embeddings.norm',
  'output_norm': 'model.final_norm', 'attn_norm': 'model.layers.#.attn_norm', 'attn_qkv': 'model.layers.#.attn.Wqkv',
  'attn_output': 'model.layers.#.attn.Wo', 'ffn_norm': 'model.layers.#.mlp_norm', 'ffn_up': 'model.layers.#.mlp.Wi',
  'ffn_down': 'model.layers.#.mlp.Wo', 'cls': 'head.dense', 'cls.norm': 'head.norm',
};
const NOMIC_BERT = {
  'token_embd': 'embeddings.word_embeddings', 'token_types': 'embeddings.token_type_embeddings',
  'token_embd_norm': 'emb_ln',
  ...Object.fromEntries(Object.entries({
    'attn_qkv': 'attn.Wqkv', 'attn_output': 'attn.out_proj', 'attn_output_norm': 'norm1', 'ffn_gate': 'mlp.fc12',
    'ffn_up': 'mlp.fc11', 'ffn_down': 'mlp.fc2', 'layer_output_norm': 'norm2',
  }).map(([slot, name]) => [slot, `encoder.layers.#.${name}`])),
};
const { position_embd: ___, ...JINA_BERT } = { ...bertNames(''), 'ffn_up': 'encoder.layer.#.mlp.gated_layers',
  'ffn_down': 'encoder.layer.#.mlp.wo', 'layer_output_norm': 'encoder.layer.#.mlp.layernorm' };
const DISTILBERT_CONFIG = { model_type: 'distilbert', vocab_size: V, dim: D, n_layers: 2, n_heads: H, hidden_dim: F,
  max_position_embeddings: CONTEXT };
const MODERNBERT_CONFIG = { model_type: 'modernbert', vocab_size: V, hidden_size: D, num_hidden_layers: 4,
  num_attention_heads: H, intermediate_size: F, max_position_embeddings: CONTEXT, norm_eps: EPS,
  local_attention: WINDOW };
/** @type {Row['means']} */
const MODERN = { rope: 'halves', ropeBase: 160000, window: WINDOW, variant: { norm: 'layer', activation: 'gelu_erf',
  bidirectional: true, localBase: 10000, isGlobal: (layer) => layer % 3 === 0 } };
const modernBlock = { 'attn_norm.weight': [D], 'ffn_norm.weight': [D], ...fused(), 'ffn_up.weight': [2 * F, D],
  'ffn_down.weight': [D, F] };

const GEMMA_3 = /** @type {Row} */ (FAMILIES.find(({ name }) => name === 'gemma3'));
const { 'rope.scaling.type': _, 'rope.scaling.factor': __, ...gemmaSettings } = GEMMA_3.settings;

/** Positions from 2 on, as RoBERTa stores them. @param {string} name @param {Matrix} matrix */
const afterPadding = (name, matrix) => (name !== 'position_embd.weight' ? matrix : {
  shape: [CONTEXT + 2, D],
  data: Float32Array.from({ length: (CONTEXT + 2) * D }, (_, i) => (i < 2 * D ? 99 : matrix.data[i - 2 * D])),
});

/** @param {Row['means']} of @param {import('./reference.js').Variant['headActivation']} headActivation */
const withHead = (of, headActivation) => ({ ...of, variant: { ...of.variant, headActivation } });

/** One row for each class.  head: the head of the model.
 *  @type {(Row & { head: 'words' | 'labels' | 'none' })[]} */
export const ENCODERS = [
  {
    name: 'bert', head: 'none', finalNorm: false, means, kvHeads: H, settings,
    model: { ...embedding, ...table, ...segments }, block,
    config: { ...BERT_CONFIG, model_type: 'bert', architectures: ['BertModel'] }, names: BERT,
  },
  {
    name: 'bert-words', head: 'words', architecture: 'bert', gguf: false, finalNorm: false,
    means: withHead(means, 'gelu_erf'), kvHeads: H, settings, model: { ...embedding, ...table, ...segments, ...words },
    block,
    config: { ...BERT_CONFIG, model_type: 'bert', architectures: ['BertForMaskedLM'] },
    names: { ...BERT, 'cls': 'cls.predictions.transform.dense', 'cls.norm': 'cls.predictions.transform.LayerNorm',
      'output': 'cls.predictions' },
  },
  {
    name: 'bert-labels', head: 'labels', architecture: 'bert', finalNorm: false, means: withHead(means, 'tanh'),
    kvHeads: H, settings, model: { ...embedding, ...table, ...segments, ...labels }, block,
    config: { ...BERT_CONFIG, model_type: 'bert', architectures: ['BertForSequenceClassification'], id2label: names3 },
    names: { ...BERT, 'cls': 'bert.pooler.dense', 'output': 'classifier' },
  },
  {
    name: 'roberta-words', head: 'words', architecture: 'bert', gguf: false, finalNorm: false,
    means: withHead(means, 'gelu_erf'), kvHeads: H, settings,
    model: { ...embedding, ...table, 'token_types.weight': [1, D], ...words }, block,
    config: { ...BERT_CONFIG, model_type: 'roberta', max_position_embeddings: CONTEXT + 2, type_vocab_size: 1,
      pad_token_id: 1, architectures: ['RobertaForMaskedLM'] },
    names: { ...ROBERTA, 'cls': 'lm_head.dense', 'cls.norm': 'lm_head.layer_norm', 'output': 'lm_head' },
    stored: afterPadding,
  },
  {
    name: 'xlm-roberta-labels', head: 'labels', architecture: 'bert', gguf: false, finalNorm: false,
    means: withHead(means, 'tanh'), kvHeads: H, settings,
    model: { ...embedding, ...table, 'token_types.weight': [1, D], ...labels }, block,
    config: { ...BERT_CONFIG, model_type: 'xlm-roberta', max_position_embeddings: CONTEXT + 2, type_vocab_size: 1,
      pad_token_id: 1, architectures: ['XLMRobertaForSequenceClassification'], id2label: names3 },
    names: { ...ROBERTA, 'cls': 'classifier.dense', 'output': 'classifier.out_proj' }, stored: afterPadding,
  },
  {
    name: 'distilbert-words', head: 'words', architecture: 'bert', gguf: false, finalNorm: false,
    means: withHead({ ...means, eps: 1e-12 }, 'gelu_erf'), kvHeads: H, settings,
    model: { ...embedding, ...table, ...words }, block,
    config: { ...DISTILBERT_CONFIG, architectures: ['DistilBertForMaskedLM'] },
    names: { ...DISTILBERT, 'cls': 'vocab_transform', 'cls.norm': 'vocab_layer_norm', 'output': 'vocab_projector' },
  },
  {
    name: 'distilbert-labels', head: 'labels', architecture: 'bert', gguf: false, finalNorm: false,
    means: withHead({ ...means, eps: 1e-12 }, 'relu'), kvHeads: H, settings,
    model: { ...embedding, ...table, ...labels }, block,
    config: { ...DISTILBERT_CONFIG, architectures: ['DistilBertForSequenceClassification'], id2label: names3 },
    names: { ...DISTILBERT, 'cls': 'pre_classifier', 'output': 'classifier' },
  },
  {
    name: 'nomic-bert', head: 'none', finalNorm: false, kvHeads: H,
    means: { rope: 'halves', ropeBase: 1000, variant: { norm: 'layer', activation: 'silu', bidirectional: true } },
    settings: { ...settings, 'rope.freq_base': float32(1000) }, model: { ...embedding, ...segments },
    block: { ...sumNorms, ...fused(), ...gated },
    config: { model_type: 'nomic_bert', architectures: ['NomicBertModel'], activation_function: 'swiglu', vocab_size: V,
      n_embd: D, n_layer: 2, n_head: H, n_inner: F, n_positions: 4 * CONTEXT, max_trained_positions: CONTEXT,
      type_vocab_size: 2, layer_norm_epsilon: EPS, rotary_emb_base: 1000, rotary_emb_fraction: 1,
      auto_map: { AutoModel: 'nomic-ai/nomic-bert-2048--modeling_hf_nomic_bert.NomicBertModel' } },
    names: NOMIC_BERT,
  },
  {
    name: 'modern-bert', head: 'none', layers: 4, firstNorm: false, kvHeads: H, means: MODERN,
    settings: { ...settings, 'rope.freq_base': float32(160000), 'rope.freq_base_swa': float32(10000),
      'attention.sliding_window': uint32(WINDOW), 'attention.sliding_window_pattern': uint32(3) },
    model: { 'token_embd_norm.weight': [D] }, block: modernBlock,
    config: { ...MODERNBERT_CONFIG, architectures: ['ModernBertModel'] }, names: MODERNBERT,
  },
  {
    name: 'modernbert-words', head: 'words', architecture: 'modern-bert', gguf: false, layers: 4, firstNorm: false,
    kvHeads: H, means: withHead(MODERN, 'gelu_erf'), settings,
    model: { 'token_embd_norm.weight': [D], 'cls.weight': [D, D], 'cls.norm.weight': [D], 'output.bias': [V] },
    block: modernBlock,
    config: { ...MODERNBERT_CONFIG, architectures: ['ModernBertForMaskedLM'] },
    names: { ...MODERNBERT, 'output': 'decoder' },
  },
  {
    name: 'modernbert-labels', head: 'labels', architecture: 'modern-bert', gguf: false, layers: 4, firstNorm: false,
    kvHeads: H, means: withHead(MODERN, 'gelu_erf'), settings,
    model: { 'token_embd_norm.weight': [D], 'cls.weight': [D, D], 'cls.norm.weight': [D],
      ...biased({ 'output.weight': [LABELS, D] }) },
    block: modernBlock,
    config: { ...MODERNBERT_CONFIG, classifier_pooling: 'cls', id2label: names3,
      architectures: ['ModernBertForSequenceClassification'] },
    names: { ...MODERNBERT, 'output': 'classifier' },
  },
  {
    ...GEMMA_3, name: 'gemma-embedding', head: 'none',
    means: { ...GEMMA_3.means, window: WINDOW, ropeScale: 1,
      variant: { ...GEMMA_3.means.variant, bidirectional: true } },
    settings: { ...gemmaSettings, 'attention.sliding_window': uint32(WINDOW) },
    config: { ...GEMMA_3.config, sliding_window: WINDOW, rope_scaling: null, use_bidirectional_attention: true,
      architectures: ['Gemma3TextModel'] },
  },
  {
    name: 'jina-bert-v2', head: 'none', finalNorm: false, kvHeads: H, settings,
    means: { variant: { norm: 'layer', activation: 'gelu_erf', bidirectional: true, alibi: 8 } },
    model: { ...embedding, ...segments },
    block: { ...sumNorms, ...biased(attention(H, H)), 'ffn_up.weight': [2 * F, D],
      ...biased({ 'ffn_down.weight': [D, F] }) },
    config: { ...BERT_CONFIG, model_type: 'bert', architectures: ['JinaBertForMaskedLM'], feed_forward_type: 'geglu',
      position_embedding_type: 'alibi', emb_pooler: 'mean', attn_implementation: 'torch',
      auto_map: { AutoModel: 'jinaai/jina-bert-implementation--modeling_bert.JinaBertModel' } },
    names: JINA_BERT,
  },
];
