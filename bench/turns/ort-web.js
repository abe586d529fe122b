/**
 * onnxruntime-web in Node, a case at a time, by peerbench's own loop.
 *
 *     node ort-web.js PEERBENCH ARGUMENT     ARGUMENT as its peers/ort-web-node.mjs takes it
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answer } from './answer.js';

const [peerbench, argument] = process.argv.slice(2);
const arg = JSON.parse(argument);
const { prompt } = await import(join(peerbench, 'lib/prompt.js'));
const { ortLoop } = await import(join(peerbench, 'lib/ortloop.js'));
const ort = await import(join(peerbench, 'node_modules/onnxruntime-web/dist/ort.node.min.mjs'));
ort.env.wasm.numThreads = arg.threads;
const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' };
const session = await ort.InferenceSession.create(readFileSync(arg.path), options);
await answer(ortLoop(ort, session, arg), (length) => prompt(length, 2, arg.spec.vocab));
