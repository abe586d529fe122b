// What the WebAssembly module needs and offers, frozen: a change of this list is a change of the ABI.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const compile = async (name) => new WebAssembly.Module(await readFile(new URL(`../dist/${name}`, import.meta.url)));
const module = await compile('heed.wasm');
const threaded = await compile('heed-mt.wasm');

const EXPORTS = {
  function: [
    'heed_abi',
    'heed_forward',
    'heed_kernels_get',
    'heed_logits',
    'heed_map',
    'heed_model_bytes',
    'heed_model_create',
    'heed_model_ready',
    'heed_model_weight',
    'heed_pool_bytes',
    'heed_pool_close',
    'heed_pool_create',
    'heed_pool_work',
    'heed_position',
    'heed_rewind',
    'heed_sample',
    'heed_session_bytes',
    'heed_session_create',
    'heed_tap_end',
    'heed_tap_link',
    'heed_weight_bytes',
  ],
  global: ['__heap_base'],
  memory: ['memory'],
  table: ['__indirect_function_table'],
};

test('the module imports nothing', () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test('the module exports this list and nothing else', () => {
  for (const [kind, names] of Object.entries(EXPORTS)) {
    const found = WebAssembly.Module.exports(module).filter((entry) => entry.kind === kind);
    assert.deepEqual(found.map(({ name }) => name).sort(), [...names].sort(), kind);
  }
  const kinds = new Set(WebAssembly.Module.exports(module).map(({ kind }) => kind));
  assert.deepEqual([...kinds].sort(), Object.keys(EXPORTS));
});

test('the module for threads imports its memory, and exports the same functions and what a thread needs', () => {
  assert.deepEqual(WebAssembly.Module.imports(threaded), [{ module: 'env', name: 'memory', kind: 'memory' }]);
  const names = WebAssembly.Module.exports(threaded).map(({ name }) => name);
  const core = EXPORTS.function.filter((name) => name.startsWith('heed_'));
  const thread = ['__stack_pointer', '__tls_size', '__wasm_init_tls', '__heap_base', '__indirect_function_table'];
  assert.deepEqual(names.sort(), [...core, ...thread].sort());
});

test('every public function of heed.h is exported', async () => {
  const header = await readFile(new URL('../src/heed.h', import.meta.url), 'utf8');
  const declared = [...header.matchAll(/^HEED_API [^(;]*?\b(heed_\w+)\(/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), EXPORTS.function.filter((name) => name.startsWith('heed_')));
});

test('the module holds SIMD instructions', async () => {
  // A baseline build would validate without the SIMD proposal; the prefix of its instructions is 0xfd.
  const code = await readFile(new URL('../dist/heed.wasm', import.meta.url));
  assert.ok(code.includes(Buffer.from([0xfd, 0x0c])), 'no v128.const in the binary');
});
