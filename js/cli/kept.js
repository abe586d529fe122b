// heed kept: lists and deletes the models that --keep stored.
import { kept } from '../index.js';
import { UsageError, oneLine, printJson, sizeText } from './terminal.js';

/** @param {import('./terminal.js').Values} values  @returns {Promise<number>} */
async function run(values) {
  if (values.delete !== undefined && !await kept.delete(values.delete)) {
    throw new UsageError(`'${values.delete}' is not kept; heed kept lists the names`);
  }
  const models = await kept();
  const bytes = await kept.bytes();
  if (values.json) {
    printJson({ models, bytes });
    return 0;
  }
  for (const { name, bytes: size, date, complete } of models) {
    const state = complete ? '' : ', not complete';
    process.stdout.write(`${oneLine(name)}: ${sizeText(size)}, ${date.toISOString().slice(0, 10)}${state}\n`);
  }
  process.stdout.write(`${models.length === 1 ? '1 model' : `${models.length} models`}, ${sizeText(bytes)}\n`);
  return 0;
}

/** @type {import('./terminal.js').Command} */
export default {
  summary: 'list or delete kept models',
  help: `usage: heed kept [--delete NAME] [--json]

Lists the models that --keep stored in $HEED_CACHE, $XDG_CACHE_HOME/heed or ~/.cache/heed.

  --delete NAME       delete this model first
  --json              print one JSON object: { models, bytes }
  --help              print this text
`,
  options: { delete: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 0,
  run,
};
