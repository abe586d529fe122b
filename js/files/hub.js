/** Names of files on a model hub: `hf:owner/name/file.gguf`, with a revision `hf:owner/name@v1.0/file.gguf`. */
import { HeedError, quoted } from '../errors.js';

/** The Hugging Face hub; its files have the addresses {owner}/{name}/resolve/{revision}/{file}. */
const HUB = 'https://huggingface.co';
const REVISION = 'main';

/** Letters, digits and _, with dots and dashes inside: a name cannot lead to another folder. */
const NAME = String.raw`\w[\w.+-]*`;
const ID = new RegExp(`^hf:(${NAME})/(${NAME}?)(?:@(${NAME}))?((?:/${NAME})+)$`, 'i');

/** Whether a source is a name of a hub. @param {unknown} source @returns {source is string} */
export const isHubId = (source) => typeof source === 'string' && /^hf:/i.test(source);

/**
 * The address of a file on a hub.
 * @param {string} id
 * @param {string | URL} [hub]  address of another hub or of a mirror
 * @returns {string}
 * @throws {HeedError} 'bad-source'
 */
export function hubAddress(id, hub = HUB) {
  const [, owner, name, revision = REVISION, file] = ID.exec(id) ?? [];
  if (owner === undefined || id.includes('..')) {
    throw new HeedError('bad-source', `Expected hf:owner/name/file.gguf or hf:owner/name@revision/file.gguf, in ` +
      `letters, digits, dots, dashes and underscores; got ${quoted(id)}. For other files, give the whole address.`);
  }
  return `${baseOf(hub)}/${owner}/${name}/resolve/${revision}${file}`;
}

/** @param {string | URL} hub */
function baseOf(hub) {
  const address = typeof hub === 'string' || hub instanceof URL ? String(hub) : '';
  if (/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(address)) return address.replace(/\/+$/, '');
  throw new HeedError('bad-argument', `Expected hub to be the address of a hub, such as ‘${HUB}’; got ${quoted(hub)}.`);
}

/**
 * Replaces the hub names in a source by addresses on one hub.
 * @template T @param {T} source @param {string | URL} hub @returns {T}
 */
export function atHub(source, hub) {
  baseOf(hub); // checks it even if the source has no hub name
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
