/** Explanations of the terms of the page and of the lessons, in plain sentences. */

/**
 * Terms of attention and transformers. The lessons mark the first use of each, and list all of them.
 * @type {Record<string, string>}
 */
export const CONCEPTS = {
  'activation function': 'A nonlinear function, such as ReLU, applied to each number separately. Without it, two '
    + 'layers would compute no more than one.',
  'activation patching': 'Replacing a vector of one run by the same vector of another run, to find out what it '
    + 'carries.',
  alignment: 'A table that says which input symbols belong to which output symbols.',
  'alignment network': 'Bahdanau’s name for the small network that computes the score of a decoder state and an '
    + 'encoder state.',
  attention: 'For each query, a weighted average of values. The weights come from scores of the query with all keys.',
  'attention map': 'The weights of one head as a picture. Each row is a query, each column is a key.',
  'attention vector': 'Luong’s vector made of the context and the decoder’s state. It predicts the next symbol.',
  'attention weight': 'A number between 0 and 1: how much a query takes from a value. The weights of each query sum '
    + 'to 1.',
  backpropagation: 'The computation of a gradient by the chain rule, from the loss back to every weight.',
  batch: 'Several texts that are processed together.',
  'beam search': 'Generation that continues several partial texts at once and chooses among the complete ones.',
  block: 'One step of a transformer: attention and a feed-forward network, each with a residual connection and a norm.',
  'byte-pair encoding': 'A way to choose tokens: begin with bytes, and merge the most frequent pair of neighbors '
    + 'again and again.',
  'causal mask': 'A mask that hides the later tokens from each query.',
  'content attention': 'Attention whose query is a learned parameter, the same for every input.',
  'context attention': 'Attention whose query is computed from data, such as a decoder’s state or a token.',
  'cross-attention': 'Attention from one text to another: queries from one, keys and values from the other.',
  'cross-entropy': 'The mean of −log p over the correct symbols. It is 0 if each correct symbol gets probability 1.',
  decoder: 'The part of a model that writes the output, one symbol after another.',
  embedding: 'A learned vector for each token of the vocabulary. It is a row of a table.',
  encoder: 'The part of a model that reads the input and returns one vector for each symbol.',
  entropy: 'A measure of how spread out probabilities are, here in bits. It is 0 if one of them is 1.',
  equivariant: 'A function is equivariant if permuting its inputs permutes its outputs in the same way.',
  'feed-forward network': 'Two matrices with an activation function between them, applied to each token separately.',
  gradient: 'The derivative of a number, such as the loss, with respect to many numbers, such as weights.',
  'greedy search': 'Generation that takes the most probable symbol at each step.',
  GRU: 'Gated recurrent unit: a recurrent network that learns how much of its state to keep at each step.',
  head: 'One attention operation inside a layer. For every token, it reads from the tokens that match its query. The '
    + 'heads of a layer work in parallel.',
  'induction head': 'A head that looks for an earlier copy of the current token and attends to the token after it.',
  key: 'The vector of a token that is compared with queries. Each column of a map is a key. If a query may not see '
    + 'later tokens, their cells are empty.',
  'KV cache': 'The keys and values of all tokens so far, in every layer. With them, a step computes only the newest '
    + 'token.',
  layer: 'One of the blocks that the text passes through in order. Layer 0 is the first. Each layer has several '
    + 'attention heads and a small feed-forward network.',
  logits: 'The scores of all tokens of the vocabulary before the softmax. After it they are probabilities.',
  loss: 'The number that training makes smaller. It measures how wrong the predictions are.',
  mask: 'A table that says which keys a query may see. A hidden key gets a weight of exactly 0.',
  memory: 'The output of the encoder: the vectors that the decoder attends to.',
  'multi-head attention': 'Several heads with separate matrices. Their outputs are combined.',
  'one-hot': 'A vector with a single 1. All its other numbers are 0.',
  padding: 'Meaningless tokens at the end of short texts of a batch, so that all have the same length. They are '
    + 'masked.',
  perplexity: 'The exponential of the cross-entropy: the number of equally likely tokens among which the choice would '
    + 'be as hard.',
  'pre-LN': 'A block with a norm before attention and a norm before the feed-forward network.',
  query: 'The vector of a token that reads: its scores with all keys become its weights. Each row of a map is a query.',
  'recurrent network': 'A network that reads one symbol after another and keeps a state.',
  'residual connection': 'The input of a sublayer, attention or the feed-forward network, is added to its output.',
  'residual stream': 'The vector of a token as it passes through the blocks. Each sublayer, attention or a '
    + 'feed-forward network, adds its output to it.',
  sampling: 'Generation that draws each token at random by its probability.',
  score: 'A number for a query and a key: the larger, the better they match. The softmax turns scores into weights.',
  'self-attention': 'Attention within one text: queries, keys and values come from the same tokens.',
  softmax: 'The function that turns any numbers into positive weights that sum to 1. Larger numbers get larger '
    + 'weights.',
  state: 'The vector that a recurrent network carries from one step to the next.',
  'teacher forcing': 'Training in which the decoder reads the correct symbols before each position, not its own '
    + 'output.',
  token: 'A piece of text: a word, part of a word, or a punctuation mark. The model reads and writes one token at a '
    + 'time. Each token has a number, its id, in the model’s vocabulary.',
  tokenizer: 'The program that cuts a text into tokens and gives each its id.',
  value: 'The vector of a token that is averaged. A query gets the sum of all values times its weights.',
  vocabulary: 'The list of all tokens that a model knows.',
};

/** The terms above, and the terms of the page’s controls. @type {Record<string, string>} */
export const TERMS = {
  ...CONCEPTS,
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
