/** The heads of classes of `transformers` that heed does not run. */
import { HeedError, quoted } from '../../errors.js';

/** Endings of classes that compute words, or whose head for pairs of sentences is left out. */
const USUAL = /For(CausalLM|ConditionalGeneration|MaskedLM|PreTraining|NextSentencePrediction)/;

/**
 * Refuses a class with a head that heed does not run.
 * @param {import('./fields.js').Fields} json
 * @param {import('../config.js').Config} config
 * @throws {HeedError} 'unsupported'
 */
export function checkHead(json, { bidirectional, patch, encoder_layers: encoder }) {
  const name = json.className();
  const [, stem, head] = /^(\w*?)(For[A-Z]\w*|DoubleHeadsModel)$/.exec(name) ?? [];
  const isEncoder = bidirectional === 'yes';
  const runs = patch ? ['ForImageClassification'] : isEncoder ? ['ForMaskedLM', 'ForSequenceClassification']
    : encoder ? ['ForConditionalGeneration', 'MTModel'] : ['ForCausalLM', 'LMHeadModel'];
  if (head === undefined || USUAL.test(head) || runs.some((run) => head.startsWith(run))) return;
  const advice = isEncoder ? `Its encoder loads without a head: set ‘architectures’ of config.json to ["${stem}Model"]`
    : 'Choose a model of such a class';
  throw new HeedError('unsupported', `${quoted(json.name)} names the class ${quoted(name)}. heed does not run its ` +
    `head. It runs heads of classes that end with ${runs.join(' or ')}. ${advice}.`);
}
