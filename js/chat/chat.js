/** Conversations: messages to ids by the model's chat template, and the reply. */
import { HeedError, quoted } from '../errors.js';
import { CALLS, needArray, needOptions } from '../options.js';
import { disguiseFor, disguising } from './disguise.js';
import { readTemplate } from './template.js';

/** @typedef {import('../model/load.js').LoadedModel} LoadedModel */
/** @typedef {import('../model/local.js').GuidedOptions} GenerateOptions */
/**
 * A message of a conversation.  Templates read other properties too, such as `tool_calls`, `tool_call_id` and `name`.
 * @typedef {object} MessageParts
 * @property {string} role    the speaker: 'system', 'user', 'assistant' or 'tool', as the template expects; one word
 * @property {any} [content]  the text, or what the template expects
 *
 * @typedef {MessageParts & Record<string, any>} Message
 */
/**
 * Options of the template.
 * @typedef {object} TemplateOptions
 * @property {object[]} [tools]  functions that the model may call, as JSON schemas; many templates ignore them
 * @property {string} [template]  a Jinja template, or the name of a template in the file.  Default: its template
 *   ‘tool_use’ if there are tools, else its default template
 * @property {Record<string, any>} [variables]  more variables of the template, such as `enable_thinking`;
 *   `add_generation_prompt` is true unless it is given
 */
/** Options of `chat`: the options of `generate`, and of the template.
 *  @typedef {GenerateOptions & TemplateOptions} ChatOptions */

const OWN = ['tools', 'template', 'variables'];
/** A role is the program's, not a text: templates compare it, and some build control tokens from it. */
const ROLE = /^[A-Za-z][\w-]{0,31}$/;
/** Largest depth of a message. */
const MAX_DEPTH = 32;

/**
 * Generates the reply to a conversation.
 * @param {LoadedModel} model
 * @param {Message[]} messages
 * @param {ChatOptions} [options]
 * @returns {ReturnType<LoadedModel['generate']>}
 */
export async function* chat(model, messages, options = {}) {
  needOptions('chat', options, [...CALLS.generate, ...OWN]);
  const { tools, template, variables, ...settings } = options;
  const ids = await chatIds(model, messages, { tools, template, variables });
  return yield* model.generate(ids, settings);
}

/**
 * The ids of a conversation, by the template.
 * @param {LoadedModel} model
 * @param {Message[]} messages
 * @param {TemplateOptions} [options]
 * @returns {Promise<Int32Array>}
 */
export async function chatIds(model, messages, options = {}) {
  needOptions('chatIds', options, OWN);
  const { tools, variables = {} } = options;
  needArray('messages', messages, 'messages, { role, content }');
  if (messages.length === 0) throw new HeedError('bad-argument', 'Expected at least one message, got none.');
  if (tools !== undefined && tools !== null) needArray('tools', tools, 'functions, as JSON schemas');
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) {
    throw new HeedError('bad-argument', `Expected variables to be an object by name, got ${quoted(variables)}.`);
  }
  const format = model.chatFormat;
  if (!format) {
    throw new HeedError('no-tokenizer', 'This model was loaded without a tokenizer, so it cannot chat. Load it with ' +
      'its tokenizer.json.');
  }
  const hasControl = (/** @type {string} */ text) => format.control.some((name) => text.includes(name));
  messages.forEach((message, i) => {
    if (typeof message?.role === 'string' && ROLE.test(message.role) && !hasControl(message.role)) return;
    throw new HeedError('bad-argument', `Expected message ${i} to have a role, such as ‘user’, got ` +
      `${quoted(message?.role)}.`);
  });
  const source = sourceOf(format, options.template, tools !== undefined);
  const template = readTemplate(source);
  const given = { messages, tools: tools ?? null, ...variables };
  const disguise = disguiseFor(format.control, JSON.stringify(plain(given, (text) => text)) + source);
  const hide = disguising(disguise, format.control, template.quotes);
  const chat = plain(given, (text, isName) => (isName && !hasControl(text) ? text : hide(text)));
  const text = template.render({
    add_generation_prompt: true,
    ...format.tokens,
    ...chat,
    messages: messages.map(({ role }, i) => ({ ...chat.messages[i], role })),
  });
  const ids = await model.encode(text, { disguise });
  if (ids.length > 0) return ids;
  throw new HeedError('bad-argument', 'The chat template makes an empty text of these messages.');
}

/** The template of a chat. @param {import('./format.js').ChatFormat} format @param {string | undefined} wanted
 *  @param {boolean} hasTools */
function sourceOf({ templates }, wanted, hasTools) {
  const name = wanted ?? (hasTools && Object.hasOwn(templates, 'tool_use') ? 'tool_use' : 'default');
  if (Object.hasOwn(templates, name)) return templates[name];
  if (wanted !== undefined && /\{[{%]/.test(wanted)) return wanted;
  const names = Object.keys(templates);
  throw new HeedError('bad-argument', wanted === undefined
    ? 'The file of this model has no chat template. Take a model that was trained for conversations, or pass its ' +
      'template as the option ‘template’.'
    : `The file of this model has no chat template ${quoted(wanted)}; it has ${names.join(', ') || 'none'}.`);
}

/**
 * A copy of a JSON value, with changed texts.
 * @param {any} value
 * @param {(text: string, isName: boolean) => string} change  receives texts, and names of properties
 * @param {number} [depth]
 * @returns {any}
 */
function plain(value, change, depth = 0) {
  if (depth > MAX_DEPTH) throw new HeedError('bad-argument', `A message has more than ${MAX_DEPTH} levels.`);
  const text = (/** @type {string} */ given, /** @type {boolean} */ isName) =>
    change(given.replace(/\p{Surrogate}/gu, '\uFFFD'), isName);
  if (typeof value === 'string') return text(value, false);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((part) => plain(part, change, depth + 1));
  if (typeof value !== 'object') {
    throw new HeedError('bad-argument', `A message contains a ${typeof value}; expected texts, numbers, arrays and ` +
      'objects.');
  }
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(parts.map(([name, part]) => [text(name, true), plain(part, change, depth + 1)]));
}
