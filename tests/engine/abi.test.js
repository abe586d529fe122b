// Imports and exports of the WebAssembly modules. A change of this list is a change of the ABI.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { whyNotRelaxed } from '../../js/engine/relaxed.js';
import { Engine } from '../../js/engine/wasm.js';
import { CONFIG_LIMITS } from '../../js/files/config.js';
import { DTYPES } from '../../js/files/dtypes.js';
import { on } from '../support/engines.js';

const file = (name) => readFile(new URL(`../../dist/${name}.wasm`, import.meta.url));

const EXPORTS = {
  function: [
    'heed_abi',
    'heed_bias',
    'heed_cached',
    'heed_forward',
    'heed_forward_begin',
    'heed_forward_from',
    'heed_forward_next',
    'heed_gradient_bytes',
    'heed_gradient_create',
    'heed_gradient_next',
    'heed_kernels_get',
    'heed_lab_backward',
    'heed_lab_bytes',
    'heed_lab_check_gradients',
    'heed_lab_create',
    'heed_lab_grow',
    'heed_lab_mark',
    'heed_lab_model_bytes',
    'heed_lab_record',
    'heed_lab_release',
    'heed_lab_take',
    'heed_loader_begin',
    'heed_loader_bytes',
    'heed_loader_create',
    'heed_loader_next',
    'heed_logits',
    'heed_map',
    'heed_measure',
    'heed_model_adapt',
    'heed_model_bytes',
    'heed_model_create',
    'heed_model_pair',
    'heed_model_picture',
    'heed_model_ready',
    'heed_model_share',
    'heed_operation',
    'heed_pool_bytes',
    'heed_pool_close',
    'heed_pool_create',
    'heed_pool_work',
    'heed_position',
    'heed_rank',
    'heed_restore',
    'heed_rewind',
    'heed_sample',
    'heed_session_bytes',
    'heed_session_create',
    'heed_session_kernels',
    'heed_set_streams',
    'heed_source',
    'heed_step',
    'heed_tap_clear',
    'heed_tap_end',
    'heed_tap_link',
    'heed_unembed',
    'heed_weight_bytes',
    'heed_weight_read',
    'heed_weight_shape',
  ],
  global: ['__heap_base'],
  memory: ['memory'],
  table: ['__indirect_function_table'],
};

for (const [suffix, engine] of /** @type {const} */ ([['', 'simd128'], ['-relaxed', 'relaxed']])) {
  test(`heed${suffix} imports nothing and exports exactly this list`, on(engine), async () => {
    const module = new WebAssembly.Module(await file(`heed${suffix}`));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    for (const [kind, names] of Object.entries(EXPORTS)) {
      const found = WebAssembly.Module.exports(module).filter((entry) => entry.kind === kind);
      assert.deepEqual(found.map(({ name }) => name).sort(), [...names].sort(), kind);
    }
    const kinds = new Set(WebAssembly.Module.exports(module).map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), Object.keys(EXPORTS));
  });

  test(`heed${suffix}-mt imports its memory, and exports the same plus the start of a thread`, on(engine), async () => {
    const module = new WebAssembly.Module(await file(`heed${suffix}-mt`));
    assert.deepEqual(WebAssembly.Module.imports(module), [{ module: 'env', name: 'memory', kind: 'memory' }]);
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    const core = EXPORTS.function.filter((name) => name.startsWith('heed_'));
    const thread = ['__stack_pointer', '__tls_size', '__wasm_init_tls', '__heap_base', '__indirect_function_table'];
    assert.deepEqual(names.sort(), [...core, ...thread].sort());
  });
}

test('every public function of heed.h and heed_lab.h is exported', async () => {
  const headers = await Promise.all(['heed.h', 'heed_lab.h'].map((name) =>
    readFile(new URL(`../../src/${name}`, import.meta.url), 'utf8')));
  const declared = [...headers.join('\n').matchAll(/^HEED_API [^(;]*?\b(heed_\w+)\(/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), EXPORTS.function.filter((name) => name.startsWith('heed_')));
});

test('weight types of files equal the weight types of the engine', async () => {
  const { abi } = await Engine.create();
  const files = Object.entries(DTYPES).map(([number, { name }]) => [name.toLowerCase(), Number(number)]);
  assert.deepEqual(Object.fromEntries(abi.dtypes), Object.fromEntries(files));
});

test('limits of a configuration equal the limits of the engine', async () => {
  const { abi } = await Engine.create();
  const limits = [...abi.limits].filter(([name]) => name.startsWith('config.'));
  assert.deepEqual(Object.fromEntries(limits.map(([name, limit]) => [name.slice('config.'.length), limit])),
    { ...CONFIG_LIMITS });
});

test('JavaScript and the core have the same limits', async () => {
  const text = (/** @type {string} */ path) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  const pairs = /** @type {const} */ ([
    ['src/heed.h', /define HEED_MAX_EXPERTS (\d+)/, 'js/files/families/experts.js', /MAX_EXPERTS = (\d+)/],
    ['src/session.c', /MAX_BATCH = (\d+)/, 'js/model/context.js', /ENCODER_POSITIONS = (\d+)/],
    ['src/metric.h', /HEED_METRIC_ROWS = (\d+)/, 'js/model/gradients.js', /HEAD_ROWS = (\d+)/],
    ['src/kernels/attention/codes_i16.h', /define HEED_CODE (\d+)/, 'js/model/saved.js', /LARGEST_CODE = (\d+)/],
  ]);
  for (const [header, inC, module, inJs] of pairs) {
    const c = inC.exec(await text(header));
    const js = inJs.exec(await text(module));
    assert.ok(c && js, `${header} or ${module} lacks the number`);
    assert.equal(js[1], c[1], `${module} and ${header}`);
  }
});

test('the modules contain SIMD instructions', async () => {
  // A baseline build would validate without the SIMD proposal; the prefix of its instructions is 0xfd.
  const constant = Buffer.from([0xfd, 0x0c]); // v128.const
  for (const name of ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt']) {
    assert.ok((await file(name)).includes(constant), `no v128.const in ${name}`);
  }
});

test('the relaxed modules contain only relaxed instructions that js/engine/relaxed.js tests', async () => {
  const dot = Buffer.from([0xfd, 0x92, 0x02]); // i16x8.relaxed_dot_i8x16_i7x16_s
  const madd = Buffer.from([0xfd, 0x85, 0x02]); // f32x4.relaxed_madd
  for (const name of ['heed-relaxed', 'heed-relaxed-mt']) {
    const binary = await file(name);
    assert.deepEqual([binary.includes(dot), binary.includes(madd)], [true, true], name);
  }
  const kernels = new URL('../../src/kernels/', import.meta.url);
  const sources = await Promise.all((await readdir(kernels, { recursive: true }))
    .filter((name) => /\.[ch]$/.test(name)).map((name) => readFile(new URL(name, kernels), 'utf8')));
  const used = sources.flatMap((source) => source.match(/\b(__builtin_)?wasm_\w*relaxed_\w+/g) ?? []);
  const tried = [
    'wasm_i16x8_relaxed_dot_i8x16_i7x16', 'wasm_i32x4_relaxed_dot_i8x16_i7x16_add', '__builtin_wasm_relaxed_madd_f32x4',
  ];
  assert.ok(used.length > 0);
  assert.deepEqual(used.filter((name) => !tried.includes(name)), []);
});

const relaxed = whyNotRelaxed() === null && 'this WebAssembly engine would take relaxed instructions';
test('an engine without relaxed SIMD loads heed and heed-mt', { skip: relaxed }, async () => {
  for (const name of ['heed', 'heed-mt']) assert.ok(WebAssembly.validate(await file(name)), name);
});
