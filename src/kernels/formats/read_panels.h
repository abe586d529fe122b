/* One row of a panel, decoded. */
#ifndef HEED_KERNELS_READ_PANELS_H
#define HEED_KERNELS_READ_PANELS_H

#include "kernels/formats/formats.h"

/* 32 columns of a row: weight i is scale[p]·code[i] + minimum[p], where p is its part.  Both factors are exact, so only
 * the sum is rounded.  A stored code has `bits` bits, and weight 0 the stored code `zero`. */
typedef struct panel_row {
    int parts, bits, zero;
    float scale[2], minimum[2]; /* the minimum of Q8_0 and Q4_0 is -0, because adding +0 would change -0 */
    int code[HEED_BLOCK];
} panel_row;

/* Row `row` of a panel, and of sub-block `sub` of an affine panel. */
void heed_panel_row_q8_0(panel_row *r, const heed_panel_q8_0 *w, int row);
void heed_panel_row_q4_0(panel_row *r, const heed_panel_q4_0 *w, int row);
void heed_panel_row_affine(panel_row *r, const uint8_t *w, int row, int sub, const affine_layout *layout);

#endif
