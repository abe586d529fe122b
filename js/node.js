/**
 * A module of Node.js. Only Node.js calls this function; bundlers for browsers find no name that they can look for.
 * @param {string} name  such as 'node:fs'
 * @returns {Promise<any>}
 */
export async function nodeModule(name) {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
}
