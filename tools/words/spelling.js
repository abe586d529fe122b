// British words and their American spelling. This file is the one that tools/words.js does not read.

const ISE = `
  actual apolog author binar canonical capital categor central character critic(?!ism) custom
  dec(?:entral) digit discret emphas equal factor final form(?:al) general harmon ideal initial
  ital(?:ic) item legal linear local material maxim memor minim modern modular neutral normal optim
  organ orthogonal parallel parameter penal person(?:al) polar popular priorit public quant random
  raster real recogn regular rational sanit serial special stabil standard steril summar symbol
  symmetr synchron system(?:at) token util vector visual vocal
`;
const STEMS = new RegExp(
  `^(?:de|un|re|pre|dis|non|over|under)?(?:${ISE.trim().split(/\s+/).join('|')})` +
    'is(?:e|ed|er|ers|es|ing|able|ation|ations|ational)$',
);
const WORDS = new RegExp(
  `^(?:${[
    '(?:un|dis|mis|re|bi|multi|tri)?colour(?:s|ed|ing|ful|less|map|maps|ation)?',
    '(?:un|dis)?favour(?:s|ed|ing|able|ite|ites)?',
    '(?:mis)?behaviour(?:s|al)?',
    'neighbour(?:s|ed|ing|hood|hoods)?',
    '(?:dis)?honour(?:s|ed|ing|able)?',
    'labour(?:s|ed|ing)?',
    '(?:flav|hum|rum|vap|arm|harb|endeav|val|vig|rig|sav|od|parl|glam|tum)our(?:s|ed|ing)?',
    '(?:re|de|epi)?centre(?:s|d|piece)?|centring',
    '(?:milli|centi|kilo|nano|micro)?(?:metre|litre)s?|fibres?|theatres?|calibre|sombre|spectre|lustre|meagre',
    'licence(?:s|d)?|defence(?:s|less)?|offences?|pretence',
    'practis(?:e|ed|es|ing)',
    '(?:para|cata|ana)lys(?:e|ed|er|ers|ing)',
    'grey(?:s|ed|ing|ish|er|scale)?',
    '(?:un|re|mis)?(?:model|label|signal|level|total|channel|equal|tunnel|fuel|marshal|travel|panel|initial)' +
      'l(?:ed|ing|er|ers)',
    '(?:cata|ana)logue(?:s|d)?|programmes?',
    '(?:mis)?judgement(?:s|al)?|acknowledgements?',
    '(?:un)?(?:learnt|spelt|burnt|dreamt|spoilt)|whilst|amongst',
    'artefacts?|ageing|cheques?|tyres?|aluminium|moulds?|ploughs?|sceptic(?:s|al|ism)?|manoeuvres?',
    'fulfils?|fulfilment|enrols?|enrolment|instals?|instalments?|skilful(?:ly)?|wilful(?:ly)?',
    'maths|enquir(?:y|ies|e|ed|es|ing)|encyclopaedia|jewellery|woollen|storeys?|mum(?:s|my)?|pyjamas',
  ].join('|')})$`,
);

/** Foreign names that keep their spelling. */
const FOREIGN = new Set(['OpenColor']);

/** American spelling of a British word, for the message. */
const american = (word) =>
  word
    .replace(/our/i, 'or')
    .replace(/^mould/i, 'mold')
    .replace(/^(mis)?spelt$/i, '$1spelled')
    .replace(/is(e|ed|er|ers|es|ing|able|ation|ations|ational)$/i, 'iz$1')
    .replace(/lys(e|ed|er|ers|ing)$/i, 'lyz$1')
    .replace(/^(re|de|epi)?centre/i, '$1center')
    .replace(/centerd$/i, 'centered')
    .replace(/centring/i, 'centering')
    .replace(/(met|lit)re(s?)$/i, '$1er$2')
    .replace(/(licen|defen|offen|preten)ce/i, '$1se')
    .replace(/practis/i, 'practic')
    .replace(/grey/i, 'gray')
    .replace(/ll(ed|ing|er|ers)$/i, 'l$1')
    .replace(/judgement/i, 'judgment')
    .replace(/logue/i, 'log')
    .replace(/^(un)?(learn|burn|dream|spoil)t$/i, '$1$2ed')
    .replace(/artefact/i, 'artifact')
    .replace(/^maths$/i, 'math');

/** Parts of an identifier: quantiseBlock → quantise, Block. */
const parts = (word) => word.split(/_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|\d+/).filter(Boolean);

/**
 * American spelling of every British word in a line, also inside identifiers.
 * @param {string} line
 * @returns {string[]}
 */
export function spelling(line) {
  const words = [...line.matchAll(/[A-Za-z][A-Za-z0-9_]{3,}/g)].map(([word]) => word);
  const low = words.filter((word) => !FOREIGN.has(word)).flatMap(parts).map((part) => part.toLowerCase());
  return low.filter((word) => STEMS.test(word) || WORDS.test(word)).map(american);
}
