// The command line on the shipped model: its output, its streams and its errors.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { timeLoads } from '../../js/cli/load-times.js';
import { measureLimits } from '../../js/cli/limits.js';
import { costOf } from '../../js/cli/maps-cost.js';
import { processor } from '../../js/cli/processor.js';
import { withFlags } from '../../js/cli/flags.js';
import { startServer } from '../../js/cli/server.js';
import { load } from '../../js/index.js';
import { whyNotMemory64 } from '../../js/memory64.js';
import { chatModel } from '../support/chat-model.js';
import { tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { BEST, TAKEN } from '../support/engines.js';
import { LETTERS } from '../support/letters.js';
import { collect } from '../support/model.js';
import { randomFrom } from '../support/numbers.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODEL = join(ROOT, 'models/stories.gguf');
const PROMPT = 'Once upon a time';
const COMMANDS = ['generate', 'chat', 'attention', 'logits', 'hooks', 'edit', 'ablate', 'inspect', 'train', 'bench',
  'serve'];

/** @returns {{ status: number, stdout: string, stderr: string }} */
function heed(args, input = '') {
  const options = { encoding: 'utf8', input, maxBuffer: 1 << 28 };
  return spawnSync(process.execPath, [join(ROOT, 'js/cli.js'), ...args], options);
}

/** The object that `--json` prints; both streams contain nothing else. */
function json(...args) {
  const { status, stdout, stderr } = heed([...args, '--json']);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '', 'standard error');
  assert.equal(stdout.trimEnd().split('\n').length, 1, 'lines on standard output');
  return JSON.parse(stdout);
}

const generate = (...args) => json('generate', '--model', MODEL, '--prompt', PROMPT, ...args);
const attention = (...args) => json('attention', '--model', MODEL, '--prompt', PROMPT, ...args);
const logits = (...args) => json('logits', '--model', MODEL, ...args);

let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), 'heed-cli-'))));
after(() => rmSync(folder, { recursive: true }));

describe('chat', () => {
  test('each line of a pipe is a message, and --json has the conversation', async () => {
    const model = join(folder, 'chat.gguf');
    writeFileSync(model, await chatModel());
    const options = ['chat', '--model', model, '--max-tokens', '4', '--temperature', '0', '--system', 'Be brief.'];
    const { status, stdout, stderr } = heed([...options, '--json'], 'Hello\n\nMore\n');
    assert.equal(status, 0, stderr);
    const { messages, replies } = JSON.parse(stdout);
    assert.deepEqual(messages.map(({ role }) => role), ['system', 'user', 'assistant', 'user', 'assistant']);
    assert.deepEqual(replies.map(({ text }) => text), [messages[2].content, messages[4].content]);
    assert.equal(heed(options, 'Hello\nMore\n').stdout, replies.map(({ text }) => `${text}\n`).join(''));
    const without = heed(['chat', '--model', MODEL], 'Hello\n');
    assert.equal(without.status, 1);
    assert.match(without.stderr, /no chat template\. .* pass its template as --template\. \[bad-argument\]/);
  });
});

describe('an encoder–decoder', () => {
  let path;
  let model;
  const SOURCE = 'ab c';
  before(async () => {
    path = mkdtempSync(join(folder, 'marian-'));
    const { weights, config } = tinyEncoderDecoder('marian', { config: { eos_token_id: 1 } });
    for (const [name, data] of Object.entries({ 'model.safetensors': weights, 'config.json': JSON.stringify(config),
      'tokenizer.json': JSON.stringify(LETTERS) })) writeFileSync(join(path, name), data);
    model = await load(path);
  });
  after(() => model.dispose());
  const of = (command, ...args) => [command, '--model', path, '--prompt', SOURCE, ...args];
  const TEXT = ['--text', 'ca b'];
  const run = async () => [...await model.read(SOURCE), ...(await model.encode('ca b')).subarray(0, -1)];

  test('has no learned positions, which are sinusoids, in the count of its weights', () => {
    assert.equal(json('inspect', join(path, 'model.safetensors')).parameters, model.info.parameters);
  });

  test('writes a text for its source', () => {
    const options = of('generate', '--temperature', '0', '--max-tokens', '5');
    const one = json(...options);
    assert.deepEqual([one.ids.length, one.reason, one.promptIds], [5, 'length', [39]]);
    assert.ok(heed(options).stdout.startsWith(one.text));
  });

  test('attention --of has the maps of the API, of all parts', async () => {
    await model.forward(await run());
    for (const part of ['encoder', 'decoder', 'cross']) {
      const map = json(...of('attention', ...TEXT, '--of', part, '--layer', '1', '--head', '2'));
      const { data, ...expected } = await model.attention({ of: part, layer: 1, head: 2 });
      assert.deepEqual({ ...map, data: Float32Array.from(map.data) }, { ...expected, data });
      const all = json(...of('attention', ...TEXT, '--of', part, '--all'));
      assert.deepEqual(Float32Array.from(all.data), (await model.attentionRows({ of: part })).data);
      assert.deepEqual([all.tokens, all.queryTokens], [expected.tokens, expected.queryTokens]);
      const { stdout } = heed(of('attention', ...TEXT, '--of', part, '--layer', '1', '--head', '2'));
      const rows = stdout.split('\n').filter((line) => /^ *\S* +\d+ /.test(line));
      assert.equal(rows.length, map.queries, part);
      const cells = rows[0].trim().split(/ +/).length;
      if (part !== 'decoder') assert.ok(cells >= map.keys, 'the first query sees all keys');
      const csv = heed(of('attention', ...TEXT, '--of', part, '--layer', '1', '--head', '2', '--format', 'csv')).stdout;
      const { queries, keys } = map;
      assert.equal(csv.trimEnd().split('\r\n').length - 1,
        part === 'decoder' ? queries * (queries + 1) / 2 : queries * keys);
      assert.match(heed(of('attention', ...TEXT, '--of', part, '--all', '--format', 'svg')).stdout, /<\/svg>\n$/);
    }
  });

  test('hooks, logits and edit have the numbers of the API', async () => {
    const ids = await run();
    const names = ['encoder.0.hook_resid_post', 'decoder.1.cross_attn.hook_pattern'];
    const expected = await model.runWithCache(ids, names);
    const { ids: found, cache } = json(...of('hooks', ...TEXT, '--name', names[0], '--name', names[1]));
    assert.deepEqual(found, ids);
    for (const name of names) {
      assert.deepEqual(cache[name].shape, expected.cache[name].shape);
      assert.deepEqual(Float32Array.from(cache[name].data), expected.cache[name].data);
    }
    assert.deepEqual(Float32Array.from(json(...of('logits', ...TEXT)).logits), expected.logits);
    const list = json('hooks', '--model', path).hooks;
    assert.ok(list.some(({ name }) => name === names[1]));
    const edit = { hook: 'decoder.1.cross_attn.hook_z', head: 1, scale: 0 };
    const edited = json(...of('edit', ...TEXT, '--edit', JSON.stringify(edit), '--top', '3'));
    const logits = await model.runWithHooks(ids, [edit]);
    for (const { id, logit } of edited.after) assert.equal(Math.fround(logit), logits[id]);
    assert.ok(edited.divergence > 0);
  });

  test('ablate removes each head of encoder, decoder and cross-attention', async () => {
    const ids = await run();
    const { ids: found, target, heads } = json(...of('ablate', ...TEXT, '--target', 'c'));
    assert.deepEqual(found, ids);
    assert.deepEqual([target.text, target.id], ['c', (await model.encode('ca')).at(1)]);
    const of32 = { encoder: 8, decoder: 12, cross: 12 };
    assert.deepEqual(heads.map(({ part }) => part), Object.entries(of32).flatMap(([part, n]) => Array(n).fill(part)));
    const logprob = (row) => row[target.id] - Math.log(row.reduce((sum, logit) => sum + Math.exp(logit), 0));
    const before = logprob(await model.runWithHooks(ids, []));
    for (const [part, hook] of Object.entries({ encoder: 'encoder.1.attn.hook_z', decoder: 'decoder.1.attn.hook_z',
      cross: 'decoder.1.cross_attn.hook_z' })) {
      const after = logprob(await model.runWithHooks(ids, [{ hook, head: 2, scale: 0 }]));
      const { change, divergence } = heads.find((each) => each.part === part && each.layer === 1 && each.head === 2);
      assert.ok(Math.abs(change - (after - before)) < 1e-6 && change !== 0 && divergence > 0, part);
    }
    const printed = heed(of('ablate', ...TEXT)).stdout.split('\n');
    for (const part of ['encoder', 'decoder', 'cross']) assert.ok(printed.includes(part), part);
    assert.equal(printed.filter((line) => /^(encoder|decoder|cross) +\d\.\d +-?\d/.test(line)).length, 10);
  });

  test('--text-ids are ids of the text; the default is its first token', () => {
    assert.deepEqual(json(...of('hooks', '--text-ids', '5,6', '--name', 'decoder.0.hook_resid_pre')).ids, [39, 5, 6]);
    assert.deepEqual(json(...of('logits')).ids, [39]);
  });

  test('what it does not have is refused with a sentence', () => {
    const says = (pattern, args) => {
      const { status, stderr } = heed(args);
      assert.notEqual(status, 0);
      assert.match(stderr, pattern);
    };
    says(/--target needs --prompt; with --ids or --text-ids/, of('ablate', '--text-ids', '5', '--target', 'a'));
    says(/one token after this prompt/, of('ablate', ...TEXT, '--target', 'bc'));
    says(/either --text TEXT or --text-ids/, of('logits', ...TEXT, '--text-ids', '1'));
    says(/--text-ids: 'x' is not a token id/, of('logits', '--text-ids', 'x'));
    says(/--of all: expected one of encoder/, of('attention', '--of', 'all', '--layer', '0', '--head', '0'));
    says(/is not an encoder–decoder, so it has no text/, ['logits', '--model', MODEL, '--prompt', 'a', ...TEXT]);
    says(/has no part ‘cross’/,
      ['attention', '--model', MODEL, '--prompt', 'a', '--of', 'cross', '--layer', '0', '--head', '0']);
    says(/encoder–decoder, whose texts begin with a source/, [...of('generate'), '--restore', 'none']);
  });
});

describe('generate', () => {
  test('--save and --restore continue a text as if it had not ended', () => {
    const file = join(folder, 'text.session');
    const how = ['--temperature', '0.8', '--seed', '5'];
    const whole = generate(...how, '--max-tokens', '12');
    const first = generate(...how, '--max-tokens', '6', '--save', file);
    const second = json('generate', '--model', MODEL, '--restore', file, ...how, '--max-tokens', '6');
    assert.equal(first.text + second.text, whole.text);
    assert.deepEqual(second.promptIds, [...first.promptIds, ...first.ids]);
    const more = json('generate', '--model', MODEL, '--restore', file, '--prompt', ' The dog', '--max-tokens', '1');
    assert.equal(more.promptIds.length, second.promptIds.length + 2, 'no second start token');
    const cut = join(folder, 'cut.session');
    writeFileSync(cut, readFileSync(file).subarray(0, -1));
    const { status, stderr } = heed(['generate', '--model', MODEL, '--restore', cut]);
    assert.equal(status, 1);
    assert.match(stderr, /cannot be restored: its checksum is wrong/);
  });

  test('--prompt-lookup gives the same text', () => {
    const how = ['--max-tokens', '24', '--temperature', '0', '--repeat-penalty', '1'];
    assert.equal(generate(...how, '--prompt-lookup', '5').text, generate(...how).text);
    const refused = heed(['generate', '--prompt', PROMPT, '--prompt-lookup', '-1']);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /--prompt-lookup/);
  });

  test('--sampler-order equals the option of the library, in a Worker too', async () => {
    const how = ['--max-tokens', '12', '--temperature', '2', '--top-p', '0.6', '--seed', '5'];
    const options = { maxTokens: 12, temperature: 2, topP: 0.6, seed: 5 };
    const model = await load(MODEL, { worker: true });
    const orders = ['llama.cpp', 'transformers'];
    const texts = [];
    for (const samplerOrder of orders) {
      const { summary } = await collect(model.generate(PROMPT, { ...options, samplerOrder }));
      assert.equal(generate(...how, '--sampler-order', samplerOrder).text, summary.text, samplerOrder);
      texts.push(summary.text);
    }
    model.dispose();
    assert.notEqual(texts[0], texts[1]);
    assert.equal(generate(...how).text, texts[0]);
    const refused = heed(['generate', '--prompt', PROMPT, '--sampler-order', 'first']);
    assert.notEqual(refused.status, 0);
    assert.match(refused.stderr, /Expected --sampler-order to be llama\.cpp or transformers, got ‘first’/);
  });

  test('--json is the summary', () => {
    const result = generate('--max-tokens', '12', '--temperature', '0');
    assert.deepEqual(Object.keys(result).sort(), [
      'decodeMs', 'engine', 'ids', 'prefillMs', 'promptIds', 'reason', 'seed', 'text',
    ]);
    assert.equal(result.ids.length, 12);
    assert.equal(result.reason, 'length');
    assert.ok(result.text.length > 12);
    assert.deepEqual(Object.keys(result.engine).sort(), ['binary', 'kernels', 'memory64', 'threads', 'why']);
  });

  test('--memory64 takes 64-bit memory and gives the same ids, or says that it is missing', () => {
    const how = ['--max-tokens', '12', '--temperature', '0'];
    if (whyNotMemory64()) {
      const { status, stderr } = heed(['generate', '--prompt', PROMPT, '--memory64', ...how]);
      assert.equal(status, 1);
      return assert.match(stderr, /--memory64 is not available: this WebAssembly engine has no 64-bit memory/);
    }
    const wide = generate('--memory64', ...how);
    assert.equal(wide.engine.memory64, true);
    assert.deepEqual(wide.ids, generate(...how).ids);
    const { stderr } = heed(['bench', '--memory64']);
    assert.match(stderr, /bench measures 32-bit memory/);
  });

  test('every engine gives the same ids', () => {
    const how = [...TAKEN.map((engine) => ['--engine', engine]), ['--strict'], []];
    const results = how.map((options) => generate('--max-tokens', '40', '--temperature', '0', ...options));
    assert.deepEqual(results.map(({ engine }) => engine.binary), [...TAKEN, 'simd128', BEST]);
    for (const { ids } of results) assert.deepEqual(ids, results[0].ids);
  });

  test('an unavailable engine is refused', () => {
    const both = heed(['generate', '--model', MODEL, '--prompt', PROMPT, '--strict', '--engine', 'relaxed']);
    assert.notEqual(both.status, 0);
    assert.match(both.stderr, /--strict excludes relaxed SIMD, and --engine relaxed requires it/);
  });

  test('a seed repeats its text, and another seed gives another text', () => {
    const [first, again, other] = ['7', '7', '8'].map((seed) => generate('--max-tokens', '24', '--seed', seed));
    assert.deepEqual(first.ids, again.ids);
    assert.notDeepEqual(first.ids, other.ids);
    const { stderr } = heed(['generate', '--model', MODEL, '--prompt', PROMPT, '--max-tokens', '1', '--seed', '7']);
    assert.match(stderr, /^1 tokens \(length\), prompt of \d+ in [\d.]+ ms, seed 7$/m);
  });

  test('--top lists the steps and their candidates, likeliest first', () => {
    const { steps, ids } = generate('--max-tokens', '3', '--temperature', '0', '--top', '4');
    assert.deepEqual(steps.map(({ id }) => id), ids);
    for (const { top, id, logprob } of steps) {
      assert.equal(top.length, 4);
      assert.equal(top[0].id, id);
      assert.equal(top[0].logprob, logprob);
      assert.ok(top.every((candidate, i) => i === 0 || candidate.logprob <= top[i - 1].logprob));
    }
  });

  test('the text is printed token by token, without other output', () => {
    const { status, stdout, stderr } = heed(['generate', '--model', MODEL, '--prompt', PROMPT, '--max-tokens', '12',
      '--temperature', '0']);
    assert.equal(status, 0);
    assert.equal(stdout, `${generate('--max-tokens', '12', '--temperature', '0').text}\n`);
    assert.match(stderr, /12 tokens \(length\)/);
  });

  test('the prompt can come as ids, or from standard input', () => {
    const { ids, promptIds } = generate('--max-tokens', '6', '--temperature', '0');
    const options = ['--max-tokens', '6', '--temperature', '0'];
    assert.deepEqual(json('generate', '--model', MODEL, '--ids', promptIds.join(','), ...options).ids, ids);
    const piped = heed(['generate', '--model', MODEL, '--prompt', '-', ...options, '--json'], PROMPT);
    assert.deepEqual(JSON.parse(piped.stdout).ids, ids);
  });

  test('--max-tokens 0 generates no token', () => {
    const { ids, text, reason } = generate('--max-tokens', '0');
    assert.deepEqual([ids, text, reason], [[], '', 'length']);
  });

  test('--stop ends before the word', () => {
    const whole = generate('--max-tokens', '40', '--temperature', '0').text;
    const word = whole.slice(10).split(' ')[2];
    const { text, reason } = generate('--max-tokens', '40', '--temperature', '0', '--stop', word);
    assert.equal(reason, 'stop');
    assert.equal(text, whole.slice(0, whole.indexOf(word)));
  });

  test('a full context ends the text with that reason', () => {
    const { reason, ids, promptIds } = generate('--context', '20', '--max-tokens', '100', '--temperature', '0');
    assert.equal(reason, 'context');
    assert.ok(ids.length + promptIds.length <= 21 && ids.length > 0);
  });

  test('Ctrl-C ends it with the text so far', async () => {
    const running = spawn(process.execPath, [join(ROOT, 'js/cli.js'), 'generate', '--model', MODEL, '--prompt', PROMPT,
      '--max-tokens', '1000', '--temperature', '1', '--seed', '1', '--engine', 'scalar']);
    let text = '';
    let words = '';
    running.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    running.stderr.setEncoding('utf8').on('data', (chunk) => (words += chunk));
    await once(running.stdout, 'data');
    running.kill('SIGINT');
    const [status] = await once(running, 'close');
    assert.equal(status, 130, words);
    assert.match(words, /\d+ tokens \(abort\)/);
    assert.ok(text.length > 1);
  });
});

/** Runs `heed inspect` with additional code in its process. */
function inspected(happens) {
  const module = `data:text/javascript,${encodeURIComponent(happens)}`;
  return spawn(process.execPath, ['--import', module, join(ROOT, 'js/cli.js'), 'inspect', MODEL, '--json'],
    { stdio: ['ignore', 'ignore', 'pipe'] });
}

test('Ctrl-C while modules load ends the command with status 130', async () => {
  const running = inspected(`process.on('newListener', (name) => {
    if (name === 'SIGINT') setImmediate(() => process.kill(process.pid, 'SIGINT'));
  })`);
  let words = '';
  running.stderr.setEncoding('utf8').on('data', (chunk) => (words += chunk));
  assert.deepEqual(await once(running, 'close'), [130, null], words);
  assert.match(words, /^heed: interrupted\n$/);
});

test('Ctrl-C after the last step keeps the exit status', async () => {
  const running = inspected(`process.once('beforeExit', () => {
    process.kill(process.pid, 'SIGINT');
    setTimeout(() => {}, 50);
  })`);
  assert.deepEqual(await once(running, 'close'), [0, null]);
});

describe('characters that the vocabulary lacks', () => {
  const SHAKESPEARE = join(ROOT, 'models/shakespeare.gguf');
  const ROMEO = 'Roméo 😀 é\t\u202e';
  const WARNING = 'warning: the vocabulary lacks ‘é’, ‘😀’, U+0009, U+202E; the model does not read them\n';

  test('are named in one line on standard error, by every command that reads a prompt', () => {
    for (const [name, ...options] of [['generate', '--max-tokens', '1'], ['logits'], ['hooks', '--name', 'hook_embed'],
      ['attention', '--layer', '0', '--head', '0'], ['ablate']]) {
      const { status, stdout, stderr } = heed([name, '--model', SHAKESPEARE, '--prompt', ROMEO, '--json', ...options]);
      assert.deepEqual([name, status, stderr], [name, 0, WARNING]);
      const { ids, promptIds = ids, queries = promptIds.length } = JSON.parse(stdout);
      assert.equal(queries, 'Romo  '.length, name);
    }
  });

  test('are counted beyond ten', () => {
    const letters = Array.from({ length: 13 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
    const { stderr } = heed(['logits', '--model', SHAKESPEARE, '--prompt', `a${letters}`, '--json']);
    assert.match(stderr, /‘一’, .*‘三’ and 3 more; the model/);
  });

  test('no token is left: the error does not say that the prompt is empty', () => {
    const { status, stderr } = heed(['generate', '--model', SHAKESPEARE, '--prompt', 'é', '--json']);
    assert.equal(status, 1);
    assert.match(stderr, /lacks ‘é’.*\nheed: The prompt has no token, .* a character of its vocabulary\./);
  });

  test('no warning: bytes represent every character, or the prompt is ids', () => {
    assert.equal(logits('--prompt', ROMEO).ids.length > 10, true);
    assert.equal(json('logits', '--model', SHAKESPEARE, '--ids', '1,2').ids.length, 2);
  });
});

describe('attention', () => {
  test('--json is an attention map', () => {
    const map = attention('--layer', '2', '--head', '3');
    assert.deepEqual(Object.keys(map).sort(), [
      'data', 'firstQuery', 'head', 'keys', 'kind', 'layer', 'queries', 'tokens',
    ]);
    const { data, queries, keys, tokens } = map;
    assert.deepEqual([map.layer, map.head, map.kind, map.firstQuery], [2, 3, 'pattern', 0]);
    assert.equal(data.length, queries * keys);
    assert.equal(tokens.length, keys);
    assert.ok(tokens.join('').includes(PROMPT), tokens.join(''));
    for (let q = 0; q < queries; q++) {
      const row = data.slice(q * keys, (q + 1) * keys);
      assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5, `row ${q}`);
      assert.ok(row.slice(q + 1).every((weight) => weight === 0), `row ${q} attends to later keys`);
    }
  });

  test('--queries selects rows, and --kind scores gives the scores of visible keys', () => {
    const whole = attention('--layer', '0', '--head', '0');
    const rows = attention('--layer', '0', '--head', '0', '--queries', '1:3');
    assert.deepEqual([rows.firstQuery, rows.queries], [1, 2]);
    assert.deepEqual(rows.data, whole.data.slice(whole.keys, 3 * whole.keys));
    const scores = attention('--layer', '0', '--head', '0', '--kind', 'scores');
    for (let q = 0; q < scores.queries; q++) {
      scores.data.slice(q * scores.keys, (q + 1) * scores.keys).forEach((score, k) =>
        assert.equal(score === null, k > q, `score ${q}, ${k}`));
    }
  });

  test('the printed map has a labeled row for each token', () => {
    const { status, stdout } = heed(['attention', '--model', MODEL, '--prompt', PROMPT, '--layer', '2', '--head', '3']);
    assert.equal(status, 0);
    const rows = stdout.split('\n').filter((line) => /^ *\S+ +\d+ /.test(line));
    assert.equal(rows.length, attention('--layer', '2', '--head', '3').queries);
    assert.match(stdout, / time +\d+ ( (\.\d\d| 1\.| ·))+\n/);
  });

  test('a long prompt is shaded, one column a key', () => {
    const prompt = `${PROMPT} `.repeat(15);
    const { stdout } = heed(['attention', '--model', MODEL, '--prompt', prompt, '--layer', '0', '--head', '0']);
    assert.match(stdout, /[░▒▓█]/);
    assert.ok(Math.max(...stdout.split('\n').map((line) => line.length)) <= 120);
  });
});

describe('attention as files', () => {
  const at = ['attention', '--model', MODEL, '--prompt', PROMPT];

  test('--all --json is every head of every layer', async () => {
    const rows = json(...at, '--all');
    const one = attention('--layer', '2', '--head', '3');
    assert.deepEqual([rows.layers, rows.heads, rows.queries, rows.keys], [6, 6, one.queries, one.keys]);
    const size = one.queries * one.keys;
    assert.deepEqual(rows.data.slice(15 * size, 16 * size), one.data);
    assert.deepEqual(rows.tokens, one.tokens);
  });

  test('--format csv has one line for each weight', () => {
    const one = attention('--layer', '2', '--head', '3');
    const { stdout, status } = heed([...at, '--layer', '2', '--head', '3', '--format', 'csv']);
    assert.equal(status, 0);
    const [heading, ...lines] = stdout.trimEnd().split('\r\n');
    assert.equal(heading, 'layer,head,query,query_token,key,key_token,weight');
    assert.equal(lines.length, one.queries * (one.queries + 1) / 2, 'masked cells have no line');
    const [layer, head, query, , key, , weight] = lines.at(-1).split(',');
    assert.deepEqual([layer, head, query, key].map(Number), [2, 3, one.queries - 1, one.keys - 1]);
    assert.ok(Math.abs(Number(weight) - one.data.at(-1)) < 1e-6);
    const all = heed([...at, '--all', '--format', 'csv']).stdout.trimEnd().split('\r\n');
    assert.equal(all.length, 1 + 36 * lines.length);
  });

  test('--format svg and png are pictures with provenance', () => {
    for (const which of [['--layer', '2', '--head', '3'], ['--all']]) {
      const { stdout } = heed([...at, ...which, '--format', 'svg']);
      assert.match(stdout, /^<svg [^]*<metadata>.*heed stories.*<\/metadata>[^]*<\/svg>\n$/);
      const file = join(folder, 'map.png');
      const { status, stdout: printed } = heed([...at, ...which, '--format', 'png', '--out', file]);
      assert.deepEqual([status, printed], [0, '']);
      const png = readFileSync(file);
      assert.equal(png.subarray(1, 4).toString(), 'PNG');
      const width = png.readUInt32BE(16);
      const height = png.readUInt32BE(20);
      assert.ok(width > 50 && height > 50, `${width} × ${height}`);
      assert.ok(png.includes('heed stories'), 'provenance');
      const begin = png.indexOf('IDAT');
      const data = inflateSync(png.subarray(begin + 4, begin + 4 + png.readUInt32BE(begin - 4)));
      assert.equal(data.length, height * (3 * width + 1));
      assert.ok(new Set(data).size > 10, 'colors');
    }
  });
});

describe('logits', () => {
  test('--json is a row for the last id, and with --all a row for each id', () => {
    const last = logits('--ids', '1,2,3');
    assert.deepEqual(Object.keys(last).sort(), ['ids', 'logits', 'rows', 'vocabulary']);
    assert.deepEqual([last.ids, last.rows, last.logits.length], [[1, 2, 3], 1, last.vocabulary]);
    const all = logits('--ids', '1,2,3', '--all');
    assert.deepEqual([all.rows, all.logits.length], [3, 3 * all.vocabulary]);
    assert.deepEqual(all.logits.slice(2 * all.vocabulary), last.logits);
  });

  test('the list begins with the token of greedy generation', () => {
    const { stdout } = heed(['logits', '--model', MODEL, '--prompt', PROMPT]);
    const { ids: [first], text } = generate('--max-tokens', '1', '--temperature', '0');
    const [heading, likeliest] = stdout.split('\n');
    assert.match(heading, /^probability +logit +id +token$/);
    const [, percent, , id, token] = /^ *([\d.]+) % +(-?[\d.]+) +(\d+) {2}‘(.*)’$/.exec(likeliest);
    assert.equal(Number(id), first);
    assert.equal(token, text);
    const { logits: row } = logits('--prompt', PROMPT);
    const total = row.reduce((sum, logit) => sum + Math.exp(logit - row[first]), 0);
    assert.equal(percent, (100 / total).toFixed(2));
  });
});

describe('activations and edits', () => {
  const head = { hook: 'blocks.4.attn.hook_z', head: 4, scale: 0 };
  /** @type {any} */ let model;
  before(async () => (model = await load(MODEL)));
  after(() => model.dispose());

  test('hooks lists every activation of the model, with its axes', () => {
    const { hooks } = json('hooks', '--model', MODEL);
    assert.deepEqual(hooks.map(({ name }) => name), model.hooks);
    const axes = Object.fromEntries(hooks.map((hook) => [hook.name, hook.axes]));
    assert.deepEqual(axes['blocks.0.attn.hook_pattern'], ['head', 'query', 'key']);
    assert.deepEqual(axes['blocks.5.attn.hook_k'], ['position', 'kv_head', 'd_head']);
    assert.match(heed(['hooks']).stdout, /^blocks\.1\.mlp\.hook_post +\[position\]\[d_mlp\]$/m);
  });

  test('the axes named by hooks are the axes of a run', async () => {
    const { cache } = json('hooks', '--model', MODEL, '--ids', '0,5,6,7');
    assert.deepEqual(Object.keys(cache), model.hooks);
    const { heads, kvHeads, dHead, dModel, dFeedForward } = model.info;
    const sizes = { head: heads, kv_head: kvHeads, d_head: dHead, d_model: dModel, d_mlp: dFeedForward };
    for (const axis of ['position', 'query', 'key']) sizes[axis] = 4;
    for (const { name, axes } of json('hooks', '--model', MODEL).hooks) {
      assert.deepEqual(cache[name].shape, axes.map((axis) => sizes[axis]), name);
    }
    const own = await model.runWithCache([0, 5, 6, 7], ['blocks.2.hook_resid_mid']);
    assert.deepEqual(cache['blocks.2.hook_resid_mid'].data, Array.from(own.cache['blocks.2.hook_resid_mid'].data));
  });

  test('edit shows the next token without and with the edits, in their order', async () => {
    const twice = { hook: 'hook_embed', scale: 2 };
    const result = json('edit', '--model', MODEL, '--prompt', PROMPT, '--edit', JSON.stringify(head),
      '--edit', JSON.stringify(twice), '--top', '3');
    const ids = await model.encode(PROMPT);
    for (const [name, edits] of [['before', []], ['after', [head, twice]]]) {
      const row = await model.runWithHooks(ids, edits);
      const best = Array.from(row.keys()).sort((a, b) => row[b] - row[a]).slice(0, 3);
      assert.deepEqual(result[name].map(({ id }) => id), best, name);
      assert.deepEqual(result[name].map(({ logit }) => logit), best.map((id) => row[id]), name);
    }
    assert.ok(result.divergence > 0);
    assert.equal(json('edit', '--ids', '0,1', '--edit', '{"hook":"hook_embed","scale":1}').divergence, 0);
    assert.match(heed(['edit', '--ids', '0,1', '--edit', '{"hook":"hook_embed"}']).stderr, /has no numbers/);
  });

  test('ablate knocks out one head at a time', async () => {
    const { ids, target, heads } = json('ablate', '--model', MODEL, '--prompt', PROMPT, '--target', ' there');
    const logprob = (row) => row[target.id] - Math.log(row.reduce((sum, logit) => sum + Math.exp(logit), 0));
    const [before, after] = [await model.runWithHooks(ids, []), await model.runWithHooks(ids, [head])].map(logprob);
    assert.equal(target.text, ' there');
    assert.deepEqual(heads.map(({ layer, head }) => [layer, head]).slice(5, 8), [[0, 5], [1, 0], [1, 1]]);
    assert.equal(heads.length, model.info.layers * model.info.heads);
    const found = heads.find(({ layer, head }) => layer === 4 && head === 4);
    assert.ok(Math.abs(found.change - (after - before)) < 1e-6);
    assert.ok(heads.every(({ divergence }) => divergence >= -1e-12));
    const mean = json('ablate', '--model', MODEL, '--prompt', PROMPT, '--target', ' there', '--ablation', 'mean');
    const { scale, ...place } = head;
    const replaced = logprob(await model.runWithHooks(ids, [{ ...place, mean: true }]));
    assert.ok(Math.abs(mean.heads[4 * model.info.heads + 4].change - (replaced - before)) < 1e-6);
    const printed = heed(['ablate', '--prompt', PROMPT]).stdout;
    assert.match(printed, /^next token ‘,’: [\d.]+ %\n/);
  });
});

describe('inspect', () => {
  test('--json describes the contents of the file', () => {
    const model = json('inspect', MODEL);
    assert.deepEqual(Object.keys(model).sort(), [
      'architecture', 'config', 'format', 'metadata', 'name', 'parameters', 'tensors', 'tokenizer', 'version',
      'weightsBytes',
    ]);
    assert.equal(model.architecture, 'llama');
    assert.equal(model.tensors.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0), model.parameters);
    assert.equal(model.tokenizer.size, model.config.vocabulary);
    assert.ok(model.tensors.every(({ dtype }) => ['Q8_0', 'F32'].includes(dtype)));
  });

  test('the printed form names every tensor', () => {
    const { tensors } = json('inspect', MODEL);
    const { stdout } = heed(['inspect', MODEL]);
    for (const { name } of tensors) assert.ok(stdout.includes(name), name);
  });

  test('a state dict without config.json shows its tensors and the metadata of heed train', () => {
    const path = 'models/dates-bahdanau.safetensors';
    const model = json('inspect', path);
    assert.equal(model.format, 'safetensors');
    assert.equal(model.architecture, 'dates-bahdanau');
    assert.equal(model.config.attention, 'bahdanau');
    assert.deepEqual(model.tensors.find(({ name }) => name === 'attention.w_a.weight'),
      { name: 'attention.w_a.weight', dtype: 'F32', shape: [1, 64], bytes: 256 });
    assert.equal(model.tensors.reduce((sum, { bytes }) => sum + bytes, 0), model.weightsBytes);
    assert.ok(model.metadata.heed.figures.exact >= 0.99);
    assert.match(heed(['inspect', path]).stdout, /attention +bahdanau\n[^]*attention\.W_q\.weight +F32 +64 × 64/);
  });
});

describe('safetensors', () => {
  const weights = join(ROOT, 'tests/goldens/qwen2/model.safetensors');

  test('config.json is read from the folder of the weights, or from --config', () => {
    const model = json('inspect', weights);
    assert.deepEqual([model.format, model.architecture, model.tokenizer], ['safetensors', 'qwen2', null]);
    const elsewhere = join(folder, 'elsewhere.safetensors');
    copyFileSync(weights, elsewhere);
    const config = join(ROOT, 'tests/goldens/qwen2/config.json');
    const [here, there] = [[weights], [elsewhere, '--config', config]].map((model) =>
      json('logits', '--model', ...model, '--ids', '1,2,3'));
    assert.deepEqual(here.logits, there.logits);
    assert.equal(here.logits.length, model.config.vocabulary);
  });

  test('--quantize changes the type of the weights, and names weights that keep their type', () => {
    const logits = (/** @type {string} */ type) => {
      const command = ['logits', '--model', weights, '--ids', '1,2,3', '--quantize', type, '--json'];
      return JSON.parse(heed(command).stdout).logits;
    };
    assert.deepEqual(logits('keep'), json('logits', '--model', weights, '--ids', '1,2,3').logits);
    assert.notDeepEqual(logits('q4_0'), logits('keep'));
    const gpt2 = join(ROOT, 'tests/goldens/gpt2/model.safetensors');
    const { stderr } = heed(['generate', '--model', gpt2, '--ids', '1', '--max-tokens', '1', '--quantize', 'q8_0']);
    assert.match(stderr, /not converted: position_embd\.weight/);
  });

  test('a text without a tokenizer is refused, and ids are not', () => {
    const { status, stderr } = heed(['generate', '--model', weights, '--prompt', 'a']);
    assert.equal(status, 1);
    assert.match(stderr, /\[no-tokenizer\]/);
    const { ids } = json('generate', '--model', weights, '--ids', '1,2,3', '--max-tokens', '4', '--temperature', '0');
    assert.equal(ids.length, 4);
  });
});

describe('bench', () => {
  test('the cost of maps is a median, and an interval that contains the true median in 95 of 100 runs', () => {
    assert.deepEqual(costOf([1.5, 1.25, 1]), { median: 0.25, interval: [0, 0.5] });
    const random = randomFrom(3);
    let held = 0;
    for (let run = 0; run < 1000; run++) {
      // Skewed like disturbances: -log2 of a uniform number between 0 and 1 has the median 1.
      const { median, interval: [low, high] } = costOf(Array.from({ length: 101 }, () => 1.01 * -Math.log2(random())));
      assert.ok(low <= median && median <= high);
      if (low <= 0.01 && 0.01 <= high) held++;
    }
    assert.ok(held >= 930 && held <= 985, `${held} of 1000`);
  });

  test('--json has every measurement', () => {
    const result = json('bench', '--model', MODEL, '--repeat', '1');
    assert.deepEqual(Object.keys(result).sort(), [
      'binary', 'commit', 'date', 'decode', 'engine', 'firstLoadMs', 'kernels', 'limits', 'loadLimitMs', 'loadMs',
      'machine', 'maps', 'model', 'peakBytes', 'prefill', 'readMs', 'sessionBytes', 'share', 'streams', 'threads',
      'weightsBytes',
    ]);
    assert.match(result.streams, /^(many|few)$/);
    assert.deepEqual(Object.keys(result.prefill), ['128', '512']);
    assert.deepEqual(Object.keys(result.decode), ['16', '512']);
    const { prefillCost, prefillInterval, decodeCost, decodeInterval, ...rest } = result.maps;
    assert.deepEqual(rest, { at: 128 });
    for (const [cost, [low, high]] of [[prefillCost, prefillInterval], [decodeCost, decodeInterval]]) {
      assert.ok(-1 < low && low <= cost && cost <= high, `${low} to ${high}: ${cost}`);
    }
    const rates = [...Object.values(result.prefill), ...Object.values(result.decode)];
    const { loadMs, readMs, loadLimitMs, peakBytes } = result;
    for (const value of [...rates, loadMs, readMs, loadLimitMs, peakBytes]) assert.ok(value > 0);
    assert.ok(result.weightsBytes < (readFileSync(MODEL).length * 36) / 34, 'Q8_0 has its scales as floats in memory');
    const limits = ['readBytesPerSecond', 'int16OpsPerSecond', 'int8OpsPerSecond', 'int7OpsPerSecond',
      'f32FlopsPerSecond', 'allReadBytesPerSecond'];
    assert.deepEqual(Object.keys(result.limits), limits);
    for (const limit of limits) assert.ok(result.limits[limit] > 0, limit);
    assert.ok(result.machine.startsWith(processor()) && result.machine.endsWith(process.version), result.machine);
  });

  test('several threads have a limit of reading at once', async () => {
    const one = await measureLimits('simd128', 1);
    assert.equal(one.allReadBytesPerSecond, one.readBytesPerSecond);
    const { stdout } = heed(['bench', '--model', MODEL, '--repeat', '1', '--threads', '2', '--maps-at', '300']);
    assert.match(stdout, /^maps after 300 tokens cost -?[\d.]+ % of prefill/m);
    const line = /^limit of 2 threads: reading ([\d.]+) GB\/s; decode after 16 reads ([\d.]+) GB\/s, .* of weights$/m;
    const [, limit, decode] = line.exec(stdout)?.map(Number) ?? assert.fail(stdout);
    assert.ok(limit > 0 && decode > 0, stdout);
  });

  test('a prompt for the cost of maps must fit into the context', () => {
    const { status, stderr } = heed(['bench', '--model', MODEL, '--context', '200', '--maps-at', '180']);
    assert.equal(status, 2);
    assert.match(stderr, /expected a context of at least 212 positions, got 200/);
  });

  test('reading an address alternates with loads, too', async () => {
    const server = await startServer({ root: ROOT });
    try {
      const address = new URL('models/stories.gguf', server.url).href;
      const model = { info: { weightsBytes: 1, types: {} }, dispose() {} };
      const took = await timeLoads(address, async () => model, { times: 2, turned: false });
      assert.ok(took.read.length === 2 && took.read.every((time) => time > 0));
      assert.deepEqual([took.load.length, took.least], [2, []]);
    } finally {
      await server.close();
    }
  });

  test('every call of a kernel is counted, with its operations and its limit', () => {
    const { kernels, share } = json('bench', '--model', MODEL, '--repeat', '1');
    // A batch of 128 and the head: seven products a block each; a token is one pass of each matrix.
    const [prefill, decode] = [kernels.prefill, kernels.decode].map((times) =>
      Object.fromEntries(times.map((time) => [time.kernel, time])));
    assert.equal(prefill.matmul_q8_0.calls, 6 * 7 + 1);
    assert.equal(decode.matmul_q8_0.calls, 6 * 7 + 1);
    const matrices = 6 * (2 * 192 * 192 + 2 * 64 * 192 + 3 * 512 * 192) + 2048 * 192;
    assert.equal(decode.matmul_q8_0.operations, 2 * matrices);
    assert.equal(prefill.matmul_q8_0.operations, 2 * (128 * (matrices - 2048 * 192) + 2048 * 192));
    // 32 tokens at positions 128 to 159, six heads of 32 columns in each of six layers.
    for (const kernel of ['scores_i16', 'weighted_sum_i16']) {
      assert.equal(decode[kernel].operations, 2 * 6 * 6 * 32 * ((129 + 160) / 2), kernel);
      assert.ok(prefill[kernel].limitSeconds > 0, kernel);
    }
    for (const times of Object.values(kernels)) {
      assert.ok(times.reduce((total, { part }) => total + part, 0) > 0.999, 'parts add up to the pass');
      for (const { kernel, seconds } of times) assert.ok(seconds >= 0, kernel);
    }
    assert.ok(prefill.matmul_q8_0.limitSeconds > 0);
    for (const value of Object.values(share)) assert.ok(value > 0, `a share of ${value}`);
  });
});

describe('refusals', () => {
  /** Asserts an empty standard output, a message on standard error, and this exit status. */
  function refused(status, pattern, ...args) {
    const result = heed(args);
    assert.equal(result.stdout, '', args.join(' '));
    assert.match(result.stderr, pattern, args.join(' '));
    assert.equal(result.status, status, `${args.join(' ')}: ${result.stderr}`);
    assert.doesNotMatch(result.stderr, /^\s+at /m, 'no stack trace');
  }
  const at = ['--layer', '0', '--head', '0'];

  test('an invalid command line', () => {
    refused(2, /no command 'pray'/, 'pray');
    refused(2, /'--color'/, 'generate', '--model', MODEL, '--prompt', 'a', '--color', 'red');
    refused(2, /no option '--color'\nheed generate --help/, 'generate', '--prompt', 'a', '--color');
    refused(2, /no option '-x'/, 'inspect', MODEL, '-x');
    refused(2, /--prompt needs a value\n/, 'generate', '--prompt');
    refused(2, /--prompt needs a value, got the option '--json'/, 'generate', '--prompt', '--json');
    refused(2, /--json takes no value/, 'generate', '--prompt', 'a', '--json=yes');
    refused(2, /--max-tokens -1: expected an integer of at least 0\n/, 'generate', '--prompt', 'a',
      '--max-tokens', '-1');
    refused(2, /either --prompt TEXT or --ids.*\nheed generate --help/, 'generate', '--model', MODEL);
    refused(2, /either --prompt TEXT or --ids/, 'generate', '--model', MODEL, '--prompt', 'a', '--ids', '1');
    refused(2, /--name needs --prompt/, 'hooks', '--name', 'hook_embed');
    refused(2, /--edit is missing/, 'edit', '--prompt', 'a');
    refused(2, /--edit \{x: expected JSON/, 'edit', '--prompt', 'a', '--edit', '{x');
    refused(2, /one token after this prompt/, 'ablate', '--prompt', 'a', '--target', ' there was');
    refused(2, /--target-id 99999: the vocabulary ends/, 'ablate', '--prompt', 'a', '--target-id', '99999');
    refused(2, /at most one of --target/, 'ablate', '--prompt', 'a', '--target', 'a', '--target-id', '1');
    refused(2, /expected zero or mean/, 'ablate', '--prompt', 'a', '--ablation', 'noise');
    refused(2, /--target needs --prompt/, 'ablate', '--ids', '1', '--target', 'a');
    refused(2, /--max-tokens many/, 'generate', '--model', MODEL, '--prompt', 'a', '--max-tokens', 'many');
    refused(2, /--max-tokens 1\.5/, 'generate', '--model', MODEL, '--prompt', 'a', '--max-tokens', '1.5');
    refused(2, /--temperature -1/, 'generate', '--model', MODEL, '--prompt', 'a', '--temperature=-1');
    refused(2, /--engine gpu/, 'generate', '--model', MODEL, '--prompt', 'a', '--engine', 'gpu');
    refused(2, /--quantize q5.*q8_0, q4_0/, 'generate', '--model', MODEL, '--prompt', 'a', '--quantize', 'q5');
    refused(2, /'x' is not a token id/, 'logits', '--model', MODEL, '--ids', '1,x');
    refused(2, /--layer is missing/, 'attention', '--model', MODEL, '--prompt', 'a', '--head', '0');
    refused(2, /--all needs --json or --format/, 'attention', '--prompt', 'a', '--all');
    refused(2, /either --all or --layer/, 'attention', '--prompt', 'a', '--all', '--layer', '0', '--json');
    refused(2, /--format gif: expected one of text, csv, svg, png/, 'attention', '--prompt', 'a', ...at,
      '--format', 'gif');
    refused(2, /--out needs --format/, 'attention', '--prompt', 'a', ...at, '--out', 'a.txt');
    refused(2, /shows patterns, not scores/, 'attention', '--prompt', 'a', ...at, '--format', 'svg',
      '--kind', 'scores');
    refused(2, /either --schema or --grammar/, 'generate', '--prompt', 'a', '--schema', 'any', '--grammar', MODEL);
    refused(2, /--schema .*stories\.gguf: expected a file of JSON, or the word any \(/, 'generate', '--prompt', 'a',
      '--schema', MODEL);
    refused(2, /--ban needs a text that is not empty/, 'generate', '--prompt', 'a', '--ban', '');
    refused(2, /--queries 3/, 'attention', '--model', MODEL, '--prompt', 'a', ...at, '--queries', '3');
    refused(2, /'more' is not expected/, 'inspect', MODEL, 'more');
    refused(2, /expected a file/, 'inspect');
    refused(2, /does not exist/, 'serve', join(folder, 'nowhere'));
    refused(2, /is a file; expected a folder/, 'serve', MODEL);
  });

  test('a missing file, a broken file, and a file of another kind', () => {
    const missing = join(folder, 'missing.gguf');
    const cut = join(folder, 'cut.gguf');
    const text = join(folder, 'text.gguf');
    writeFileSync(cut, readFileSync(MODEL).subarray(0, 1_000_000));
    writeFileSync(text, 'this is no model\n'.repeat(10));
    const commands = [['generate', '--prompt', 'a'], ['attention', '--prompt', 'a', ...at], ['logits', '--ids', '1']];
    for (const command of commands) {
      refused(1, /missing\.gguf.*\[unavailable\]/, ...command, '--model', missing, '--json');
      refused(1, /\[truncated\]/, ...command, '--model', cut, '--json');
      refused(1, /text\.gguf.*\[bad-file\]/, ...command, '--model', text, '--json');
    }
    refused(1, /\[unavailable\]/, 'inspect', missing, '--json');
    refused(1, /\[bad-file\]/, 'inspect', text, '--json');
    refused(1, /\[unavailable\]/, 'bench', '--model', missing);
  });

  test('a file of a flag that cannot be read or written', () => {
    for (const flag of ['--grammar', '--schema']) {
      refused(1, new RegExp(`^heed: ${flag} .* could not be read \\(EISDIR.*Give the path of a file.*\\[unavailable`),
        'generate', '--prompt', 'a', flag, folder);
    }
    const nowhere = join(folder, 'nowhere');
    refused(1, /^heed: --template .*nowhere could not be read \(ENOENT/, 'chat', '--template', nowhere);
    refused(1, /^heed: --restore .*nowhere could not be read/, 'generate', '--json', '--restore', nowhere);
    refused(1, /^heed: --out .* could not be written \(EISDIR/, 'attention', '--prompt', 'a', '--all', '--out', folder,
      '--format', 'csv');
    const { status, stderr, stdout } = heed(['generate', '--prompt', 'a', '--max-tokens', '1', '--save', folder]);
    assert.equal(status, 1);
    assert.match(stderr, /\nheed: --save .* could not be written \(EISDIR/);
    assert.match(stdout, /\n$/, 'the text ends its line before the error');
  });

  test('layers, heads, ids and positions that the model lacks', () => {
    const map = ['attention', '--model', MODEL, '--prompt', 'a', '--json'];
    refused(1, /layer .*‘99’.*\[bad-argument\]/, ...map, '--layer', '99', '--head', '0');
    refused(1, /head .*‘99’.*\[bad-argument\]/, ...map, '--layer', '0', '--head', '99');
    refused(1, /\[bad-argument\]/, ...map, ...at, '--queries', '50:60');
    refused(1, /999999.*\[bad-argument\]/, 'logits', '--model', MODEL, '--ids', '999999', '--json');
    refused(1, /raise --context or shorten the text\. \[context-full\]/, 'logits', '--model', MODEL, '--prompt', PROMPT,
      '--context', '2', '--json');
    refused(1, /Expected --context to be an integer from 1 to 1024/, 'logits', '--ids', '1', '--context', '4096');
    refused(1, /; heed hooks lists all of them/, 'hooks', '--prompt', 'a', '--name', 'nope');
  });

  test('messages of the library name flags, and quotations stay', () => {
    const options = { context: {}, engine: {}, keep: {}, quantize: {}, template: {} };
    for (const [message, expected] of [
      ['raise contextLength or maxTokens', 'raise --context or maxTokens'],
      ['with quantize: ‘q8_0’ or ‘q4_0’', 'with --quantize q8_0 or ‘q4_0’'],
      ["Load it with keep: true, engine: 'simd128', maps: true.", 'Load it with --keep, --engine simd128, maps: true.'],
      ['the option ‘template’; the option ‘tools’', '--template; the option ‘tools’'],
      ['‘keep: true, contextLength’ has no template', '‘keep: true, contextLength’ has no template'],
      ['memory64: false, https://example.org: 80', 'memory64: false, https://example.org: 80'],
    ]) assert.equal(withFlags(message, options), expected);
  });

  test('a closed pipe', async () => {
    const running = spawn('bash', ['-c', `set -o pipefail; "$0" "$@" | head -c 1 >/dev/null`, process.execPath,
      join(ROOT, 'js/cli.js'), 'logits', '--model', MODEL, '--ids', Array(200).fill(1).join(','), '--all', '--json']);
    let words = '';
    running.stderr.setEncoding('utf8').on('data', (chunk) => (words += chunk));
    const [status] = await once(running, 'close');
    assert.deepEqual([status, words], [141, ''], 'the status of a command that SIGPIPE ended');
  });

  test('a full disk', () => {
    const command = [join(ROOT, 'js/cli.js'), 'generate', '--prompt', PROMPT, '--max-tokens', '2'];
    const { status, stderr } = spawnSync('bash', ['-c', '"$0" "$@" >/dev/full', process.execPath, ...command],
      { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /\nheed: standard output cannot be written: .*no space left on device.*\n$/);
    assert.doesNotMatch(stderr, /^\s+at /m);
  });
});

test('a prompt may begin with a dash, and the default model is stories', () => {
  const options = ['--max-tokens', '3', '--temperature', '0'];
  const { promptIds, ids } = json('generate', '--prompt', '-1 apples', ...options);
  const own = json('generate', '--model', MODEL, '--prompt=-1 apples', ...options);
  assert.deepEqual([promptIds, ids], [own.promptIds, own.ids]);
});

test('--version is the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const option of ['--version', '-v']) {
    const { status, stdout, stderr } = heed([option]);
    assert.deepEqual([status, stdout, stderr], [0, `heed ${version}\n`, '']);
  }
});

test('every command has a help text', () => {
  const all = heed(['--help']);
  assert.equal(all.status, 0);
  for (const name of COMMANDS) {
    assert.ok(all.stdout.includes(name), name);
    const { status, stdout, stderr } = heed([name, '--help']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.ok(stdout.startsWith(`usage: heed ${name}`), name);
  }
  assert.equal(heed([]).status, 2);
});
