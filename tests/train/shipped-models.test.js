// Every shipped safetensors model equals PyTorch with the same file (tools/goldens/shipped.py).
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { after, test } from 'node:test';
import { lab } from '../../js/lab/index.js';
import * as bahdanau from '../../js/train/models/bahdanau.js';
import * as captioner from '../../js/train/models/captioner.js';
import { hardened, largestWeight } from '../../js/train/models/hard-attention.js';
import * as cho from '../../js/train/models/cho.js';
import { classifier } from '../../js/train/models/classifier.js';
import { openModel } from '../../js/train/models/index.js';
import { letterGpt } from '../../js/train/models/letter-gpt.js';
import * as luong from '../../js/train/models/luong.js';
import { pronounEncoder } from '../../js/train/models/pronoun-encoder.js';
import { toyGpt } from '../../js/train/models/toy-gpt.js';
import * as transformer from '../../js/train/models/transformer-seq2seq.js';
import { close, golden } from '../support/lab.js';

const MODELS = new URL('../../models/', import.meta.url);
const RNN = { bahdanau, luong, none: cho };
const PAD = 0;

const l = await lab();
after(() => l.dispose());

/** Ids [batch][time], and the lengths without padding. @param {{ shape: number[], data: Float32Array }} stored */
function padded({ shape: [batch, time], data }) {
  const ids = Int32Array.from(data);
  const lengths = Int32Array.from({ length: batch }, (_, b) =>
    ids.subarray(b * time, (b + 1) * time).filter((id) => id !== PAD).length);
  return { ids, lengths, shape: { batch, time } };
}

/** Logits of a model for the inputs of its golden. */
function logitsOf({ config, weights: w }, stored) {
  if (config.model === 'transformer-seq2seq') {
    const encoded = transformer.encode(l, w, config, padded(stored.source));
    return transformer.decode(l, w, config, encoded, padded(stored.input)).logits;
  }
  if (config.model === 'rnn-seq2seq') {
    const { encode, decode } = RNN[config.attention];
    const memory = encode(l, w, config, padded(stored.source));
    return decode(l, w, config, memory, memory.state, padded(stored.input)).logits;
  }
  if (config.model === 'encoder-classifier') {
    const [batch, time, piece] = stored.pieces.shape;
    const [words, pieces, lengths] = ['words', 'pieces', 'lengths'].map((name) => Int32Array.from(stored[name].data));
    const shares = Float32Array.from({ length: batch * time }, (_, i) =>
      1 / Math.max(1, pieces.subarray(i * piece, (i + 1) * piece).filter((id) => id >= 0).length));
    return classifier(l, w, config, { batch, time, piece, words, pieces, shares, lengths: [...lengths] }).logits;
  }
  if (config.model === 'pronoun-encoder') {
    return pronounEncoder(l, w, config, { texts: padded(stored.ids), at: [...stored.at.data] }).logits;
  }
  if (config.model === 'captioner') {
    const size = config.channels * config.size ** 2;
    const pictures = Array.from({ length: stored.pictures.data.length / size }, (_, i) =>
      stored.pictures.data.slice(i * size, (i + 1) * size));
    const { memory } = captioner.encode(l, w, config, pictures);
    const edit = config.attention === 'hard' ? hardened(l, largestWeight) : undefined;
    return RNN.bahdanau.decode(l, w, config, memory, memory.state, padded(stored.input), { edit }).logits;
  }
  const { ids, shape } = padded(stored.ids);
  return 'channels' in config ? toyGpt(l, w, ids, shape).output : letterGpt(l, w, config, ids, shape).logits;
}

const files = (await readdir(MODELS)).filter((name) => name.endsWith('.safetensors'));

for (const file of files) {
  test(`${file}: PyTorch’s logits`, async () => {
    const model = await openModel(l, new Uint8Array(await readFile(new URL(file, MODELS))));
    const stored = await golden(file.replace('.safetensors', ''), 'shipped');
    const logits = l.evaluate(() => logitsOf(model, stored).data.slice());
    assert.ok(logits.length > 1);
    close(logits, stored.logits.data, file);
  });
}
