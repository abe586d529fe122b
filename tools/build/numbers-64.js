// Writes C functions around the public functions for 64-bit memory. They take and return addresses and sizes as doubles,
// which are exact below 2^53. JavaScript would otherwise need a BigInt for each of them.
//   node tools/build/numbers-64.js src/heed.h src/heed_lab.h > build/heed-64/numbers.c
import { readFileSync } from 'node:fs';

const DECLARATION = /^HEED_API ([^;(]*?)(heed_\w+)\(([^)]*)\);/gm;
const paths = process.argv.slice(2);

/** Whether a C type is four bytes in both modules. @param {string} type */
const isWord = (type) => /^(int|uint32_t|heed_dtype|heed_cache_type|heed_kernel_set|heed_map_kind|heed_forward_state)$/.test(type);

/** @param {string} parameter  such as `const int32_t *ids` */
function parameterOf(parameter) {
  const [, type, name] = /** @type {RegExpExecArray} */ (/^(.*?)(\w+)$/.exec(parameter.trim()));
  const isPointer = type.includes('*');
  if (!isPointer && isWord(type.trim())) return { declared: parameter.trim(), passed: name };
  return { declared: `double ${name}`, passed: `${isPointer ? '(void *)' : ''}(size_t)${name}` };
}

/** @param {RegExpMatchArray} declaration */
function wrapped([, result, name, list]) {
  const parameters = list.trim() === 'void' ? [] : list.split(',').map(parameterOf);
  const call = `${name}(${parameters.map(({ passed }) => passed).join(', ')})`;
  const type = result.trim();
  const returned = isWord(type) || type === 'void' ? call : `(double)(size_t)${call}`;
  const as = isWord(type) || type === 'void' ? type : 'double';
  return `__attribute__((export_name("${name}"))) ${as} number_${name}(${
    parameters.map(({ declared }) => declared).join(', ') || 'void'}) {\n    ${
    type === 'void' ? '' : 'return '}${returned};\n}\n`;
}

const headers = paths.map((path) => readFileSync(path, 'utf8')).join('\n');
console.log(`#include "heed_lab.h"\n\n${[...headers.matchAll(DECLARATION)].map(wrapped).join('\n')}`);
