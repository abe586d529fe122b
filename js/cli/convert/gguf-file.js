/** GGUF files on disk. */
import { open } from 'node:fs/promises';
import { ggufParts } from '../../files/gguf/writer.js';

/** Only one tensor at a time is in memory if `data` is a function.
 *  @param {string} path @param {import('../../files/gguf/writer.js').GgufContent} content
 *  @returns {Promise<number>} bytes */
export async function writeGgufFile(path, content) {
  const file = await open(path, 'w');
  let bytes = 0;
  try {
    for await (const part of ggufParts(content)) {
      await file.writeFile(part);
      bytes += part.length;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
