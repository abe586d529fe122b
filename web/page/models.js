/** The models that the page offers: files in its folder, and models of the Hugging Face hub. */

/**
 * @typedef {object} Offer
 * @property {string} name
 * @property {string} source URL relative to the page, or an hf: URL
 * @property {number} bytes approximate size of the download
 * @property {string} about what the model does
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
  { name: 'DistilBERT', source: 'hf:distilbert/distilbert-base-uncased', bytes: 268e6,
    about: 'encoder: fills in hidden words' },
  { name: 'MiniLM', source: 'hf:sentence-transformers/all-MiniLM-L6-v2', bytes: 91e6,
    about: 'encoder: compares sentences' },
  { name: 'Flan-T5 small', source: 'hf:google/flan-t5-small', bytes: 308e6,
    about: 'encoder–decoder: translates, answers' },
  { name: 'ViT base', source: 'hf:google/vit-base-patch16-224', bytes: 346e6,
    about: 'pictures: a thousand labels' },
];

/** True if the model is beside the page. @param {Offer} offer */
export const isShipped = ({ source }) => source.startsWith('./');
