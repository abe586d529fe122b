/** A tokenizer.json of 40 tokens: letters by Unigram, with the end token of T5. */
export const LETTERS = {
  added_tokens: [{ id: 1, content: '</s>', special: true }],
  normalizer: null,
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
  post_processor: { type: 'TemplateProcessing', single: [{ Sequence: { id: 'A', type_id: 0 } },
    { SpecialToken: { id: '</s>', type_id: 0 } }], pair: [],
  special_tokens: { '</s>': { id: '</s>', ids: [1], tokens: ['</s>'] } } },
  decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
  model: { type: 'Unigram', unk_id: 2, vocab: [['<pad>', 0], ['</s>', 0], ['<unk>', 0],
    ...Array.from({ length: 37 }, (_, i) => [String.fromCharCode(i === 0 ? 0x2581 : 96 + i), -2 - i / 100])] },
};
