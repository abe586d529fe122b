/** The models that the page offers: files in its folder, and files of the Hugging Face hub. */

/**
 * @typedef {object} Offer
 * @property {string} name
 * @property {string} source URL relative to the page, or an hf: URL
 * @property {number} bytes approximate size of the download
 * @property {string} about what the model writes
 */

/** @type {readonly Offer[]} */
export const OFFERS = [
  { name: 'stories', source: './models/stories.gguf', bytes: 2_999_584, about: 'short stories for children' },
  { name: 'shakespeare', source: './models/shakespeare.gguf', bytes: 909_504, about: 'plays, one letter at a time' },
  { name: 'GPT-2', source: 'hf:QuantFactory/gpt2-GGUF/gpt2.Q8_0.gguf', bytes: 178e6, about: 'web text, 2019' },
  { name: 'SmolLM2 135M', source: 'hf:bartowski/SmolLM2-135M-Instruct-GGUF/SmolLM2-135M-Instruct-Q8_0.gguf',
    bytes: 145e6, about: 'answers in English' },
  { name: 'Qwen2.5 0.5B', source: 'hf:Qwen/Qwen2.5-0.5B-Instruct-GGUF/qwen2.5-0.5b-instruct-q4_0.gguf',
    bytes: 429e6, about: 'answers in many languages' },
];

/** True if the model is beside the page. @param {Offer} offer */
export const isShipped = ({ source }) => source.startsWith('./');
