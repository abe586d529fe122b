// Writes C functions around the public functions for 64-bit memory. They take and return addresses and sizes as
// doubles, which are exact below 2^53. JavaScript would otherwise need a BigInt for each of them.
//   node tools/build/numbers-64.js src/heed.h src/heed_lab.h > build/heed-64/numbers.c
import { readFileSync } from 'node:fs';

const DECLARATION = /^HEED_API ([^;(]*?)(heed_\w+)\(([^)]*)\);/gm;

/** Types that are integers of four bytes. */
const WORDS = ['int', 'heed_dtype', 'heed_cache_type', 'heed_kernel_set', 'heed_map_kind', 'heed_forward_state'];

/** @param {string} parameter  such as `const int32_t *ids` @returns {{ declared: string, passed: string }} */
function parameterOf(parameter) {
  const [, type, name] = /** @type {RegExpExecArray} */ (/^(.*?)(\w+)$/.exec(parameter.trim()));
  if (WORDS.includes(type.trim())) return { declared: `int ${name}`, passed: name };
  return { declared: `double ${name}`, passed: type.includes('*') ? `(void *)(size_t)${name}` : `(size_t)${name}` };
}

/** The function around a declared function. @param {RegExpMatchArray} declaration */
function around([, result, name, list]) {
  const parameters = list === 'void' ? [] : list.split(',').map(parameterOf);
  const declared = parameters.map((parameter) => parameter.declared).join(', ') || 'void';
  const call = `${name}(${parameters.map(({ passed }) => passed).join(', ')})`;
  const start = (/** @type {string} */ type) =>
    `__attribute__((export_name("${name}"))) ${type} number_${name}(${declared})`;
  if (result.trim() === 'void') return `${start('void')} { ${call}; }`;
  if (WORDS.includes(result.trim())) return `${start('int')} { return (int)${call}; }`;
  return `${start('double')} { return (double)(size_t)${call}; }`;
}

const headers = process.argv.slice(2).map((path) => readFileSync(path, 'utf8')).join('\n');
console.log(['#include "heed_lab.h"', ...[...headers.matchAll(DECLARATION)].map(around)].join('\n'));
