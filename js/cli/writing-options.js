// Options of commands that write text: sampling, length and end.
import { SAMPLING } from '../model/sampling.js';
import { textOf } from './given-files.js';
import { number, UsageError } from './terminal.js';

/** @type {NonNullable<import('node:util').ParseArgsConfig['options']>} */
export const writingOptions = {
  'max-tokens': { type: 'string' },
  temperature: { type: 'string' },
  'top-k': { type: 'string' },
  'top-p': { type: 'string' },
  'min-p': { type: 'string' },
  'repeat-penalty': { type: 'string' },
  'sampler-order': { type: 'string' },
  seed: { type: 'string' },
  stop: { type: 'string', multiple: true },
  top: { type: 'string' },
  'prompt-lookup': { type: 'string' },
  grammar: { type: 'string' },
  schema: { type: 'string' },
  ban: { type: 'string', multiple: true },
};

export const writingHelp = `  --max-tokens N      how many tokens to make at most; 256 by default
  --temperature T     divides the logits; ${SAMPLING.temperature} by default, 0 takes the likeliest token always
  --top-k K           keep the K likeliest tokens; ${SAMPLING.topK} by default, 0 keeps all
  --top-p P           keep the smallest set with this probability; ${SAMPLING.topP} by default, 1 keeps all
  --min-p P           keep tokens with this share of the likeliest's probability; ${SAMPLING.minP} by default
  --repeat-penalty R  on tokens that the text already has; ${SAMPLING.repeatPenalty} by default, which changes nothing
  --sampler-order O   ${SAMPLING.samplerOrder} by default: temperature after the cuts; transformers: before them
  --seed S            the same seed gives the same text; random by default; --json prints it
  --stop TEXT         end where this appears; may be given more than once
  --top N             list the N likeliest candidates of each step (with --json)
  --prompt-lookup N   guess up to N tokens a pass from earlier text; the text stays the same; 0 by default
  --grammar FILE      the text follows this grammar, in GBNF
  --schema FILE       the text is JSON of this schema; any: any JSON object or array
  --ban TEXT          does not occur in the text; may be given more than once
`;

/** The schema of `--schema`: any JSON, or that of a file. @param {string} file @returns {true | object} */
function schemaIn(file) {
  if (file === 'any') return true;
  const text = textOf('schema', file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new UsageError(`--schema ${file}: expected a file of JSON, or the word any (${message})`);
  }
}

/** @param {import('./terminal.js').Values} values  @returns {import('../model/local.js').GuidedOptions} */
export function generateOptions(values) {
  const { grammar, schema, ban } = values;
  if (grammar !== undefined && schema !== undefined) throw new UsageError('expected either --schema or --grammar');
  if (ban?.includes('')) throw new UsageError('--ban needs a text that is not empty');
  const given = {
    maxTokens: number(values, 'max-tokens', { min: 0, integer: true }),
    temperature: number(values, 'temperature', { min: 0 }),
    topK: number(values, 'top-k', { min: 0, integer: true }),
    topP: number(values, 'top-p', { min: 0, max: 1 }),
    minP: number(values, 'min-p', { min: 0, max: 1 }),
    repeatPenalty: number(values, 'repeat-penalty', { min: 0 }),
    samplerOrder: values['sampler-order'],
    seed: number(values, 'seed', { min: 0, max: 0xffffffff, integer: true }),
    top: number(values, 'top', { min: 0, integer: true }),
    promptLookup: number(values, 'prompt-lookup', { min: 0, integer: true }),
    stop: values.stop,
    grammar: grammar === undefined ? undefined : textOf('grammar', grammar),
    json: schema === undefined ? undefined : schemaIn(schema),
    banned: ban,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
