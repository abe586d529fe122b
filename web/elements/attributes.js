/** Readers of HTML attributes: each turns the text of an attribute into the value of a property. */
import { InputError } from '../draw/check.js';

/**
 * @typedef {object} Attribute
 * @property {string} property that the attribute sets
 * @property {(text: string | null) => unknown} read the value for a text; null means that the attribute is absent.
 *   Throws an InputError for invalid text
 */

/**
 * Text that the property's setter validates.
 * @param {string} property
 * @param {string} absent value if the attribute is absent
 * @returns {Attribute}
 */
export const textAttribute = (property, absent) => ({ property, read: (text) => text ?? absent });

/**
 * A number.
 * @param {string} property
 * @param {number | null} absent value if the attribute is absent
 * @param {string} [name] of the attribute, default that of the property
 * @returns {Attribute}
 */
export const numberAttribute = (property, absent, name = property) => ({
  property,
  read: (text) => {
    if (text === null) return absent;
    const number = text.trim() === '' ? NaN : Number(text);
    if (!Number.isFinite(number)) throw new InputError(`the attribute ${name} must be a number, got "${text}".`);
    return number;
  },
});

/**
 * A choice of words, such as "true", "false" and "auto". An empty attribute means "true".
 * @param {string} name of the attribute
 * @param {string} property
 * @param {Record<string, unknown>} values by word
 * @param {unknown} absent value if the attribute is absent
 * @returns {Attribute}
 */
export const choiceAttribute = (name, property, values, absent) => ({
  property,
  read: (text) => {
    if (text === null) return absent;
    const word = text === '' ? 'true' : text;
    if (!Object.hasOwn(values, word)) {
      const words = Object.keys(values).map((each) => `"${each}"`).join(' or ');
      throw new InputError(`the attribute ${name} must be ${words}, got "${text}".`);
    }
    return values[word];
  },
});
