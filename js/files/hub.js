/** Files of a model hub by name: `hf:owner/name/file.gguf`; of another revision `hf:owner/name@v1.0/file.gguf`. */
import { HeedError, quoted } from '../errors.js';

/** Hugging Face's, whose files lie at {owner}/{name}/resolve/{revision}/{file}. */
const HUB = 'https://huggingface.co';
const REVISION = 'main';

/** A name that is no way to another place: letters, digits, _, and within it dots and dashes. */
const NAME = String.raw`\w[\w.+-]*`;
const ID = new RegExp(`^hf:(${NAME})/(${NAME}?)(?:@(${NAME}))?((?:/${NAME})+)$`, 'i');

/** @param {unknown} source @returns {source is string} */
export const isHubId = (source) => typeof source === 'string' && /^hf:/i.test(source);

/**
 * @param {string} id
 * @param {string | URL} [hub] where another hub, or a mirror, lies
 * @returns {string} the file's address
 * @throws {HeedError} 'bad-source'
 */
export function hubAddress(id, hub = HUB) {
  const [, owner, name, revision = REVISION, file] = ID.exec(id) ?? [];
  if (owner === undefined || id.includes('..')) {
    throw new HeedError('bad-source', `${quoted(id)} names no file of a hub: that is hf:owner/name/file.gguf, or ` +
      'hf:owner/name@revision/file.gguf, in letters, digits, dots, dashes and underscores. Any other file loads by ' +
      'its whole address.');
  }
  return `${baseOf(hub)}/${owner}/${name}/resolve/${revision}${file}`;
}

/** @param {string | URL} hub */
function baseOf(hub) {
  const address = typeof hub === 'string' || hub instanceof URL ? String(hub) : '';
  if (/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(address)) return address.replace(/\/+$/, '');
  throw new HeedError('bad-argument', `hub is ${quoted(hub)}; it is the address of a hub, such as ‘${HUB}’.`);
}

/**
 * Every id in a source as an address of this hub.
 * @template T @param {T} source @param {string | URL} hub @returns {T}
 */
export function atHub(source, hub) {
  baseOf(hub); // refused even where nothing is asked of it
  /** @param {any} part @returns {any} */
  const found = (part) => {
    if (part instanceof URL) return found(part.href);
    if (isHubId(part)) return hubAddress(part, hub);
    if (Array.isArray(part)) return part.map(found);
    const files = typeof part === 'object' && part !== null && 'weights' in part;
    return files ? Object.fromEntries(Object.entries(part).map(([name, file]) => [name, found(file)])) : part;
  };
  return found(source);
}
