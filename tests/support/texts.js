/** Hostile texts for input fields. */
export const HOSTILE = {
  empty: '', blank: '   ', endless: 'a'.repeat(100_000), picture: '👩‍👩‍👧🙂', markup: '<script>alert(1)</script>',
  invisible: '\u0000\u202e\u200b', leftwards: 'שלום עולם',
};
