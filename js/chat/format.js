/** The parts of a file that describe conversations. */

/**
 * @typedef {object} ChatFormat
 * @property {Record<string, string>} templates  chat templates of the file, by name; ‘default’ is the usual one
 * @property {Record<string, string>} tokens     variables of templates with names of tokens, such as `bos_token`
 * @property {string[]} control                  names of the control tokens
 */

const KEY = 'tokenizer.chat_template';

/**
 * The format of a file.
 * @param {import('../files/model-file.js').ModelFile} file
 * @returns {ChatFormat | null} null without a tokenizer
 */
export function chatFormatOf({ tokenizer, metadata, chat }) {
  if (!tokenizer) return null;
  const found = Object.entries(metadata).filter(([key, value]) => key.startsWith(KEY) && typeof value === 'string');
  const name = (/** @type {number | null | undefined} */ id) => (id == null ? '' : tokenizer.token(id));
  return {
    templates: {
      ...Object.fromEntries(found.map(([key, value]) => [key.slice(KEY.length + 1) || 'default', String(value)])),
      ...chat?.templates,
    },
    tokens: { bos_token: name(tokenizer.bos), eos_token: name(tokenizer.eos[0]), ...chat?.tokens },
    control: tokenizer.control,
  };
}
