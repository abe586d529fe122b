// The models that a comparison with peers needs: parsed from the command line, and checked for presence.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ model: string, quant: string }} PeerFile */

/** Parses options `--model M[:QUANT,QUANT]`; the default is Q8_0. @param {string[]} words @returns {PeerFile[]} */
export const filesOf = (words) => words.map((text) => text.split(':')).flatMap(([model, quants = 'q8_0']) =>
  quants.split(',').map((quant) => ({ model, quant })));

/** Names the first missing file or folder and says how to get it; null if nothing is missing.
 *  @param {string} peerbench @param {string} models folders @param {PeerFile[]} files */
export function missing(peerbench, models, files) {
  if (!existsSync(join(peerbench, 'node_modules'))) {
    return `peerbench with its npm packages is not in ${peerbench}. Install it there as its README says, or say ` +
      'where it is by --peerbench or $PEERBENCH';
  }
  const names = files.map(({ model, quant }) => `${model}-${quant}.gguf`);
  const absent = names.find((name) => !existsSync(join(models, name)));
  return absent ? `${absent} is not in ${models}. Make it by gen/gguf.py of peerbench, or say where its models are ` +
    'by --models or $PEERBENCH_MODELS' : null;
}
