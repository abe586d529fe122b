/** The validation text of the stories model: the first stories of the file, as train.py holds them back. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const SEPARATOR = '<|endoftext|>\n';

/** @param {string} path of stories.txt.gz @param {number} count @returns {Promise<string[]>} from the first */
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
