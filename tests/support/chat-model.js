/** A tiny model with random weights, a token for each byte, control tokens of ChatML and its template. */
import { array, bool, string, uint32 } from '../../js/files/gguf/writer.js';
import { tinyGguf } from './tiny-gguf.js';

/** The template of Qwen2.5 without tools, in its own words. */
export const CHATML = `{%- for message in messages %}
{%- if loop.first and message.role != 'system' %}<|im_start|>system
You are helpful.<|im_end|>
{% endif -%}
<|im_start|>{{ message.role }}
{{ message['content'] | trim }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}`;

const printable = [...Array(256).keys()].filter((b) => (b > 32 && b < 127) || (b > 160 && b !== 173));
let next = 256;
/** The tokens of bytes in GPT-2's alphabet. */
const BYTES = Array.from({ length: 256 }, (_, b) => String.fromCodePoint(printable.includes(b) ? b : next++));

/** Ids of the control tokens. */
export const CONTROL = { start: 256, end: 257, text: 258 };
const NAMES = ['<|im_start|>', '<|im_end|>', '<|endoftext|>', '</think>'];

/**
 * The bytes of a GGUF file.
 * @param {{ template?: string, metadata?: import('./tiny-gguf.js').Metadata, context?: number }} [options]
 */
export function chatModel({ template = CHATML, metadata = {}, context = 2048 } = {}) {
  const tokens = [...BYTES, ...NAMES];
  return tinyGguf({
    vocabulary: tokens.length,
    metadata: { 'llama.context_length': uint32(context), ...metadata },
    tokenizer: {
      'tokenizer.ggml.model': string('gpt2'),
      'tokenizer.ggml.pre': string('qwen2'),
      'tokenizer.ggml.tokens': array('string', tokens),
      'tokenizer.ggml.token_type': array('int32', tokens.map((_, i) => (i < 256 ? 1 : i < 259 ? 3 : 4))),
      'tokenizer.ggml.merges': array('string', []),
      'tokenizer.ggml.eos_token_id': uint32(CONTROL.end),
      'tokenizer.ggml.add_bos_token': bool(false),
      ...(template && { 'tokenizer.chat_template': string(template) }),
    },
  });
}
