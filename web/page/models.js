/** Models to choose from without an address: those beside the page, and named files of the Hugging Face hub. */

/**
 * @typedef {object} Offer
 * @property {string} name
 * @property {string} source  an address, relative to the page, or a name that `load` knows
 * @property {number} bytes   about
 * @property {string} about   what it writes
 */

/** @type {readonly Offer[]} */
export const OFFERS = [
  { name: 'stories', source: './models/stories.gguf', bytes: 2_999_520, about: 'short stories for children' },
  { name: 'shakespeare', source: './models/shakespeare.gguf', bytes: 909_504, about: 'plays, letter by letter' },
  { name: 'GPT-2', source: 'hf:QuantFactory/gpt2-GGUF/gpt2.Q8_0.gguf', bytes: 178e6, about: 'text of the web, 2019' },
  { name: 'SmolLM2 135M', source: 'hf:bartowski/SmolLM2-135M-Instruct-GGUF/SmolLM2-135M-Instruct-Q8_0.gguf',
    bytes: 145e6, about: 'answers in English' },
  { name: 'Qwen2.5 0.5B', source: 'hf:Qwen/Qwen2.5-0.5B-Instruct-GGUF/qwen2.5-0.5b-instruct-q4_0.gguf',
    bytes: 429e6, about: 'answers in many languages' },
];

/** Whether an offer lies beside the page. @param {Offer} offer */
export const isShipped = ({ source }) => source.startsWith('./');
