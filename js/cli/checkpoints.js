// Files of a training that survive a power cut: each is written under another name, synced and then renamed.
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HeedError } from '../errors.js';
import { say } from './terminal.js';

/** @typedef {import('../train/trainer.js').Trainer} Trainer */

/** Writes a file whole or not at all. @param {string} path @param {Uint8Array} bytes
 *  @param {() => Promise<void>} [makeWay]  runs when the bytes are on the disk, before they get their name */
export async function writeWhole(path, bytes, makeWay = async () => {}) {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeToDisk(`${path}.part`, bytes);
    await makeWay();
    await rename(`${path}.part`, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    await rm(`${path}.part`, { force: true }).catch(() => {});
    throw new HeedError('unavailable', `${path} could not be written (${/** @type {Error} */ (cause).message}). Make ` +
      'room, or choose other folders with --out and --checkpoints.', { cause });
  }
}

/** @param {string} path @param {Uint8Array} bytes */
async function writeToDisk(path, bytes) {
  const file = await open(path, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync().catch(ignoreUnsupported);
  } finally {
    await file.close();
  }
}

/** Syncs the names of a folder. @param {string} path */
async function syncFolder(path) {
  const folder = await open(path, 'r').catch(ignoreUnsupported);
  await folder?.sync().catch(ignoreUnsupported);
  await folder?.close();
}

/** Some file systems and devices do not support syncing. @param {NodeJS.ErrnoException} error */
function ignoreUnsupported(error) {
  if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES', 'ENOSYS'].includes(error.code ?? '')) throw error;
}

/** The last two states of a training. */
export class Checkpoints {
  /** The newest. */
  path;
  #previous;

  /** @param {string} path of the newest; the previous checkpoint is in the same folder */
  constructor(path) {
    this.path = path;
    this.#previous = path.replace(/(\.safetensors)?$/, '.previous$1');
  }

  /** @param {Uint8Array} checkpoint @throws {HeedError} 'unavailable' */
  async write(checkpoint) {
    await writeWhole(this.path, checkpoint, () => rename(this.path, this.#previous).catch(ignoreMissing));
  }

  /**
   * Restores the newest complete checkpoint, and prints its step.
   * @param {Trainer} trainer
   * @returns {Promise<boolean>} whether there was one
   * @throws {HeedError} the error of the newest checkpoint, if every checkpoint is unusable
   */
  async restore(trainer) {
    const name = trainer.recipe.name;
    /** @type {HeedError | null} */
    let failure = null;
    for (const path of [this.path, this.#previous]) {
      try {
        const checkpoint = await readIfThere(path);
        if (checkpoint === null) continue;
        await trainer.restore(checkpoint);
        if (failure) say(`${name}: ${failure.message} The previous checkpoint is used.`);
        say(`${name}: continuing from step ${trainer.step} of ${path}; --fresh starts again`);
        return true;
      } catch (cause) {
        if (!(cause instanceof HeedError)) throw cause;
        failure ??= new HeedError(cause.code, `${path} cannot be continued: ${cause.message}`, { cause });
      }
    }
    if (failure === null) return false;
    throw new HeedError(failure.code, `${failure.message} --fresh starts again.`, { cause: failure });
  }

  /** Removes the checkpoints after the training. */
  async remove() {
    for (const path of [this.path, this.#previous]) await rm(path, { force: true });
  }
}

/** @param {NodeJS.ErrnoException} error */
function ignoreMissing(error) {
  if (error.code !== 'ENOENT') throw error;
}

/** @param {string} path @returns {Promise<Uint8Array | null>} */
async function readIfThere(path) {
  try {
    return new Uint8Array(await readFile(path));
  } catch (cause) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === 'ENOENT') return null;
    throw new HeedError('unavailable', `The checkpoint ${path} could not be read (${message}).`, { cause });
  }
}
