/**
 * A small picture of each lesson, for the list. Cells are 1 (pale) to 9 (strong), or 0 if masked. A space is paper.
 * `lines` is a path over the cells; its unit is a cell.
 * @type {Readonly<Record<string, { cells: string[], lines?: string }>>}
 */
export const PICTURES = {
  '00-why-attention': { cells: ['9    1', '3    9', '2    1', '1    8'],
    lines: 'M1 .5C3 .5 3 1.5 5 1.5M1 .5C3 .5 3 3.5 5 3.5M1 2.5C3 2.5 3 3.5 5 3.5' },
  '01-soft-lookup': { cells: ['2    1', '1    1', '9    8', '3    2'],
    lines: 'M1 .5C3 .5 3 2.5 5 2.5M1 1.5C3 1.5 3 2.5 5 2.5M1 2.5H5M1 3.5C3 3.5 3 2.5 5 2.5' },
  '02-scores': { cells: ['8 1 2 ', '1 2 9 ', '2 7 1 ', '      '], lines: 'M.5 3.5H5.5' },
  '03-masks': { cells: ['900000', '360000', '127000', '511300'] },
  '04-heads': { cells: ['9   9 ', '19   9', '  9 9 ', '   919'], lines: 'M3 0V4' },
  '05-positions': { cells: ['159995', '951159', '519951', '195159'] },
  '06-block': { cells: ['  77  ', '  44  ', '      ', '  77  '], lines: 'M3 3V2M3 2.5H1V-.5H3V0M1 1H2' },
  '07-weights': { cells: ['     9', '   6 9', ' 4 6 9', '24 6 9'] },
  '08-bahdanau': { cells: ['    18', '   291', ' 391  ', '92    '] },
  '09-luong': { cells: ['   9 1', '  18  ', ' 49   ', '9 1   '] },
  '10-encoder-decoder': { cells: ['44  66', '44  66', '44  66', '      '], lines: 'M2 .5H4M2 1.5H4M2 2.5H4' },
  '11-classification': { cells: ['121931', '      ', '  9   ', '      '],
    lines: 'M.5 1L2.5 2M1.5 1L2.5 2M2.5 1V2M3.5 1L2.5 2M4.5 1L2.5 2' },
  '12-thinking-like-transformers': { cells: ['993339', '993339', '339939', '339939'] },
  '13-train-one-here': { cells: ['333333', '343332', '361131', '911111'], lines: 'M0 0C2 .3 2 3.7 6 3.8' },
  '14-find-out-why': { cells: ['1 9 1 ', '  1   ', '4 0 2 ', '  9   '], lines: 'M2 2L3 3M3 2L2 3' },
  '15-rasp': { cells: ['44   9', '444 9 ', '4  9  ', '44 9  '], lines: 'M0 -.3H2M3 -.3H6' },
  '16-pictures': { cells: ['      ', ' 99   ', ' 99 2 ', '      '], lines: 'M0 0H6V4H0ZM2 0V4M4 0V4M0 2H6' },
  '17-tokens': { cells: ['9     ', '   427', '9  186', '   531'],
    lines: 'M1 .5C2 .5 2 2.5 3 2.5M1 2.5C2 2.5 2 1.5 3 1.5' },
  '18-logits': { cells: ['9999  ', '77    ', '5     ', '1     '], lines: 'M0 3H6' },
  '19-cache': { cells: ['9  9  ', ' 4 9  ', '  49  ', '   999'], lines: 'M3 -.3V4.3' },
};
