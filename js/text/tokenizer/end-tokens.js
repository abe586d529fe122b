/** Names of control tokens that end a turn even if the file's ids do not say so (as in llama.cpp). */
export const END_TOKENS = new Set([
  '<|endoftext|>', '<|end_of_text|>', '<|eot_id|>', '<|eom_id|>', '<|im_end|>', '<|end|>', '</s>', '<end_of_turn>',
  '<|endofturn|>', '<EOT>', '<｜end▁of▁sentence｜>', '<|return|>', '<end_of_utterance>',
]);
