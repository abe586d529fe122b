/** Explanations of the terms on the page. */

/** @type {Record<string, string>} */
export const TERMS = {
  token: 'A piece of text: a word, part of a word, or a punctuation mark. The model reads and writes one token at a '
    + 'time. Each token has a number, its id, in the model’s vocabulary.',
  layer: 'One of the blocks that the text passes through in order. Layer 0 is the first. Each layer has several '
    + 'attention heads and a small feed-forward network.',
  head: 'One attention operation inside a layer. For every token, it reads from the tokens that match its query. The '
    + 'heads of a layer work in parallel.',
  query: 'The token that reads. Each row of the map is a query and shows how its attention is distributed.',
  key: 'A token that is read. Each column of the map is a key. A query sees itself and earlier tokens only.',
  attention: 'A weight between 0 and 1. The weights of each row sum to 1.',
  start: 'A special token at the beginning of every text of this model. It is not a word and you did not type it.',
  sink: 'Many heads give the first token most of their attention when nothing else matches. Its column then hides the '
    + 'other weights.',
  parameters: 'The numbers that training found. They do not change while the model writes.',
  context: 'The largest number of tokens that the model can process, prompt and output together.',
  relaxed: 'Newer WebAssembly vector instructions. They are faster, but the last digits of a result may differ between '
    + 'processors.',
  simd128: 'The vector instructions of WebAssembly, which every current browser supports.',
  scalar: 'WebAssembly without vector instructions. It is slow and serves for comparison.',
  length: 'The largest number of tokens to generate.',
  temperature: 'Values below 1 favor the most likely tokens. Values above 1 make the choice more even. 0 always takes '
    + 'the most likely token.',
  'top-k': 'Samples only from the K most likely tokens. 0 keeps all tokens.',
  'top-p': 'Samples only from the smallest set of tokens whose probabilities sum to P. 1 keeps all tokens.',
  'repeat-penalty': 'Makes tokens less likely that are already in the text. 1 changes nothing; 1.1 is a mild penalty.',
  seed: 'The start of the random numbers. The same seed and settings generate the same text.',
};
