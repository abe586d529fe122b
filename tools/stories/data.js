/** Reads the validation stories: the first stories of the file. train.py holds them out. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const SEPARATOR = '<|endoftext|>\n';

/** @param {string} path of stories.txt.gz @param {number} count
 *  @returns {Promise<string[]>} the first `count` stories */
export async function readStories(path, count) {
  const stories = [];
  let rest = '';
  for await (const chunk of createReadStream(path).pipe(createGunzip()).setEncoding('utf8')) {
    const parts = (rest + chunk).split(SEPARATOR);
    rest = parts.pop() ?? '';
    stories.push(...parts.map((story) => story.replace(/^\n+|\n+$/g, '')).filter((story) => story !== ''));
    if (stories.length >= count) return stories.slice(0, count);
  }
  throw new Error(`${path} has only ${stories.length} stories`);
}
