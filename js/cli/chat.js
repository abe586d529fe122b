// heed chat: a conversation with a model, line by line.
import { createInterface } from 'node:readline';
import { sayDropped } from './dropped.js';
import { textOf } from './given-files.js';
import { modelHelp, modelOptions, openModel, sayEngine } from './model-options.js';
import { interruptible, printable, printJson, say } from './terminal.js';
import { generateOptions, writingHelp, writingOptions } from './writing-options.js';

/** @typedef {import('../index.js').Message} Message */

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  const options = {
    ...generateOptions(values),
    ...(values.template !== undefined && { template: textOf('template', values.template) }),
  };
  const isTerminal = Boolean(process.stdin.isTTY) && !values.json;
  const model = await interruptible((signal) => openModel(values, signal));
  if (!values.json) sayEngine(model);
  if (isTerminal) say('An empty line ends the conversation; Ctrl-C stops a reply.');
  /** @type {Message[]} */
  const messages = values.system === undefined ? [] : [{ role: 'system', content: values.system }];
  const replies = [];
  const lines = createInterface({ input: process.stdin, prompt: '> ', ...(isTerminal && { output: process.stderr }) });
  if (isTerminal) lines.prompt();
  for await (const content of lines) {
    if (content.trim() === '') {
      if (isTerminal) break;
      continue;
    }
    await sayDropped(model, content);
    messages.push({ role: 'user', content });
    const summary = await interruptible((signal) => reply(model, messages, { ...options, signal }, values.json));
    messages.push({ role: 'assistant', content: summary.text });
    replies.push(summary);
    if (summary.reason === 'abort' && !isTerminal) break;
    if (isTerminal) lines.prompt();
  }
  lines.close();
  if (values.json) printJson({ messages, replies, engine: model.info.engine });
  model.dispose();
  return replies.at(-1)?.reason === 'abort' && !isTerminal ? 130 : 0;
}

/**
 * Writes a reply as it comes.
 * @param {import('../index.js').Model} model
 * @param {Message[]} messages
 * @param {import('../index.js').ChatOptions} options
 * @param {boolean} isSilent
 */
async function reply(model, messages, options, isSilent) {
  const stream = model.chat(messages, options);
  let next = await stream.next();
  for (; !next.done; next = await stream.next()) {
    const { text } = next.value;
    if (!isSilent) process.stdout.write(process.stdout.isTTY ? printable(text) : text);
  }
  if (!isSilent) process.stdout.write('\n');
  return next.value;
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'talk with a model that has a chat template',
  help: `usage: heed chat [OPTIONS]

Reads a line as a message and writes the reply, with the chat template of the model. On a terminal an empty line ends
the conversation. From a pipe each line is a message. With --json: { messages, replies, engine }, at the end.

  --system TEXT       first message, with the role system
  --template FILE     chat template in Jinja, instead of the model's
${writingHelp}${modelHelp}`,
  options: {
    ...modelOptions,
    ...writingOptions,
    system: { type: 'string' },
    template: { type: 'string' },
  },
  positionals: 0,
  run,
};
