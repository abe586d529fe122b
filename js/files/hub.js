/**
 * Names on a model hub: a file `hf:owner/name/file.gguf`, or a repository `hf:owner/name`, whose file heed chooses.
 * `@revision` follows the name, and `:Q4_K_M` ends the name of a repository.
 */
import { HeedError, quoted } from '../errors.js';

/** The Hugging Face hub. */
export const HUB = 'https://huggingface.co';

/** Letters, digits and _, with dots and dashes inside: a name cannot lead to another folder. */
const NAME = String.raw`\w[\w.+-]*`;
const ID = new RegExp(`^hf:(${NAME})/(${NAME}?)(?:@(${NAME}))?(?:((?:/${NAME})+)|:(\\w+))?$`, 'i');

/**
 * @typedef {object} HubName
 * @property {string} owner
 * @property {string} name
 * @property {string} [revision]
 * @property {string} [file]       path of a file in the repository
 * @property {string} [precision]  wanted weight type, such as Q4_K_M
 */

/** Whether a source is a name of a hub. @param {unknown} source @returns {source is string} */
export const isHubId = (source) => typeof source === 'string' && /^hf:/i.test(source);

/** Whether a text is the name of a repository without `hf:`, and not of a file. @param {string} text */
export const isRepository = (text) =>
  new RegExp(`^${NAME}/${NAME}$`, 'i').test(text) && !/\.(gguf|safetensors|json)$/i.test(text);

/** The repository of an address that a browser shows, or null. @param {string} address */
export const repositoryOfPage = (address) =>
  new RegExp(`^${HUB}/(${NAME}/${NAME})(/tree/[^/]+)?/?$`, 'i').exec(address)?.[1] ?? null;

/**
 * The parts of a name.
 * @param {string} id
 * @returns {HubName}
 * @throws {HeedError} 'bad-source'
 */
export function parseHubId(id) {
  const [, owner, name, revision, file, precision] = ID.exec(id) ?? [];
  if (owner !== undefined && !id.includes('..')) {
    return { owner, name, revision, file: file?.slice(1), precision };
  }
  throw new HeedError('bad-source', `Expected hf:owner/name/file.gguf, hf:owner/name or hf:owner/name:Q4_K_M, with ` +
    `@revision after the name if needed, in letters, digits, dots, dashes and underscores; got ${quoted(id)}. For ` +
    'other files, give the whole address.');
}

/**
 * The address of a file on a hub.
 * @param {string} id
 * @param {string | URL} [hub]  address of another hub or of a mirror
 * @returns {string}
 * @throws {HeedError} 'bad-source'
 */
export function hubAddress(id, hub = HUB) {
  const parts = parseHubId(id);
  if (parts.file !== undefined) return addressOf(parts, parts.file, hub);
  throw new HeedError('bad-source', `Expected hf:owner/name/file.gguf, got ${quoted(id)} without a file.`);
}

/** @param {HubName} name @param {string} path  of a file @param {string | URL} hub */
export function addressOf({ owner, name, revision }, path, hub) {
  const { base, branch } = baseOf(hub);
  return `${base}/${owner}/${name}/resolve/${revision ?? branch}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * The address of the list of a repository's files.
 * @param {HubName} name @param {string | URL} hub
 */
export function listAddress({ owner, name, revision }, hub) {
  const { base, branch, site } = baseOf(hub);
  return site === undefined
    ? `${base}/api/models/${owner}/${name}/tree/${revision ?? branch}?recursive=true`
    : `${site}/api/v1/models/${owner}/${name}/repo/files?Revision=${revision ?? branch}&Recursive=true`;
}

/** @typedef {{ path: string, bytes: number, sha256: string | null }} HubFile */

/**
 * The files of a repository, from the answer of a hub.
 * @param {any} json
 * @returns {HubFile[] | null} null for another answer
 */
export function filesIn(json) {
  const entries = Array.isArray(json) ? json : json?.Data?.Files;
  if (!Array.isArray(entries)) return null;
  return entries.flatMap((entry) => {
    const path = entry?.path ?? entry?.Path;
    const bytes = entry?.lfs?.size ?? entry?.size ?? entry?.Size;
    if (typeof path !== 'string' || !isPlainPath(path) || !Number.isSafeInteger(bytes) || bytes < 0) return [];
    return [{ path, bytes, sha256: sha256In(entry.lfs?.oid ?? entry.Sha256) }];
  });
}

/** A SHA-256 of 64 hexadecimal digits, or null for any other value. @param {unknown} value */
export function sha256In(value) {
  const [, digits] = /^"?(?:sha256:)?([0-9a-f]{64})"?$/i.exec(typeof value === 'string' ? value : '') ?? [];
  return digits?.toLowerCase() ?? null;
}

/** Whether a path leads down from its folder. @param {string} path */
const isPlainPath = (path) =>
  path.split('/').every((part) => /^[^\\\p{Cc}]+$/u.test(part) && !/^\.{1,2}$/.test(part));

/**
 * A hub: `base` is the address of its repositories.  ModelScope has them below /models, and its list of files at
 * another address of the same site.
 * @param {string | URL} hub
 * @returns {{ base: string, branch: string, site?: string }} branch: its default revision
 */
function baseOf(hub) {
  const address = typeof hub === 'string' || hub instanceof URL ? String(hub) : '';
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(address)) {
    throw new HeedError('bad-argument', `Expected hub to be the address of a hub, such as ‘${HUB}’; got ` +
      `${quoted(hub)}.`);
  }
  const base = address.replace(/\/+$/, '');
  const [, site] = /^(.*)\/models$/.exec(base) ?? [];
  return site === undefined ? { base, branch: 'main' } : { base, branch: 'master', site };
}

/** Checks the address of a hub. @param {string | URL} hub @throws {HeedError} 'bad-argument' */
export const checkHub = (hub) => void baseOf(hub);
