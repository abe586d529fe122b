/** Kinds of models. The page itself is made for decoders; the code of another kind loads when such a model opens. */

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {import('./generation.js').Candidate} Candidate */
/** @typedef {import('./generation.js').Edit} Edit */
/** @typedef {import('./generation.js').Text} Text */
/** @typedef {import('./generation.js').Sampling} Sampling */

/**
 * The text that a model has read or written. `Generation` is the text of decoders.
 * @typedef {import('./runs.js').Runs & PageTextParts} PageText
 */
/**
 * @typedef {object} PageTextParts
 * @property {number[]} ids
 * @property {string[]} tokens
 * @property {(Candidate[] | undefined)[]} candidates of each predicted position
 * @property {number} promptLength
 * @property {number[]} [sourceIds] ids of the source of an encoder–decoder
 * @property {string | null} prompt of the text; null before the first
 * @property {boolean} [isEncoded] whether the prompt was given as ids
 * @property {string} [pair] second text, of models that compare two texts
 * @property {(positions: number) => Edit[]} edits of the run that the maps show
 * @property {number | null} lastGenerated position whose candidates are shown first, or null
 * @property {Text} text a copy, for `show()`
 * @property {(prompt: string, length: number, sampling: Sampling) => Promise<any>} begin
 * @property {(length: number, sampling: Sampling) => Promise<any>} continue
 * @property {(idsOf: () => Promise<ArrayLike<number>>, length: number, sampling: Sampling) => Promise<any>} beginIds
 * @property {(position: number, id: number, length: number, sampling: Sampling) => Promise<any>} continueWith
 * @property {(text: Text) => Promise<any>} show
 * @property {(prompt: string, ids: number[], promptLength?: number) => Promise<any>} showIds
 * @property {(position: number) => Promise<Float32Array | null>} logitsAt
 * @property {(position: number) => boolean} predicts
 * @property {(position: number) => number | undefined} chosenAt
 * @property {(position: number, edits: (positions: number) => Edit[], signal: AbortSignal) =>
 *   Promise<Float32Array>} editedLogitsAt
 * @property {(ids: number[]) => Promise<string[]>} namesOf
 * @property {(position: number) => Promise<void>} [predict] computes the candidates of a position
 * @property {(position: number | null, state: { isKnown: boolean, compares: boolean }) => string} [caption] of the
 *   candidates
 * @property {import('../elements/next-token.js').CandidateWords} [words] of the candidates
 */

/**
 * A model of another kind, on the page.
 * @typedef {object} Opened
 * @property {PageText} generation
 * @property {import('./map-controller.js').MapController} maps
 * @property {string[]} views names of the views beside the map that the kind has
 * @property {() => void} close removes what the kind added to the page
 * @property {() => import('./address.js').Address} [address] fields of the page's address
 * @property {(address: import('./address.js').Address) => void} [openAddress] shows fields of another address
 * @property {(files: File[]) => boolean} [takeFiles] reads files that are not of a model; false: they may be of one
 * @property {() => { name: import('./edits/change.js').Part, source: string[] }} [part] the part of an
 *   encoder–decoder whose maps are open, and the tokens of the source
 */
/**
 * @typedef {object} KindModule
 * @property {(app: import('./app.js').App, model: Model, events: import('./generation.js').GenerationEvents,
 *   address: import('./address.js').Address) => Promise<Opened>} openKind address: to show
 */

/**
 * Loads the code of a model's kind.
 * @param {Model['info']} info
 * @returns {Promise<KindModule | null>} null for decoders
 */
export async function loadKind({ bidirectional, picture, parts, head }) {
  if (picture) return import('./kinds/picture.js');
  if (parts) return import('./kinds/encoder-decoder.js');
  return bidirectional || head !== 'words' ? import('./kinds/encoder.js') : null;
}
