/**
 * Imports a module of Node.  The name is a variable, so that bundlers for browsers do not resolve it.
 * @param {string} name  such as 'node:fs'
 * @returns {Promise<any>}
 */
export async function nodeModule(name) {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
}
