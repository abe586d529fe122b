/**
 * heed, a case at a time.
 *
 *     node heed.js PEERBENCH ARGUMENT     ARGUMENT as peers/heed.mjs takes it
 */
import { join } from 'node:path';
import { load } from '../../js/index.js';
import { oneRun } from '../peers/one-run.js';
import { answer } from './answer.js';

const [peerbench, argument] = process.argv.slice(2);
const { prompt } = await import(join(peerbench, 'lib/prompt.js'));
const { path, spec, ...options } = JSON.parse(argument);
const { model, one } = await oneRun(load, path, options);
await answer(one, (length) => prompt(length, 2, spec.vocab), { kernels: model.info.engine.kernels });
model.dispose();
