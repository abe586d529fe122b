/* Packs blocks of a file into panels of Q8_0 and Q4_0.  Both keep four adjacent bytes of a row together: columns 4i to
 * 4i + 3, and in the high halves of Q4_0 columns 4i + 16 to 4i + 19. */
#include <string.h>

#include "kernels/half.h"
#include "kernels/kernels.h"

static inline void copy_quads(void *to, const void *from, int quads, int row) {
    uint8_t(*out)[HEED_PANEL][4] = to;
    const uint8_t(*in)[4] = from;
    for (int i = 0; i < quads; i++) memcpy(out[i][row], in[i], 4);
}

int heed_pack_q8_0_scalar(heed_panel_q8_0 *to, const heed_block_q8_0 *from, int blocks) {
    int all_finite = 1;
    for (int row = 0; row < HEED_PANEL; row++) {
        for (int b = 0; b < blocks; b++, from++) {
            all_finite &= finite_f16(from->d);
            to[b].d[row] = float_of_f16(from->d);
            heed_put_codes_q8_0(&to[b], row, from->q);
        }
    }
    return all_finite;
}

int heed_pack_q4_0_scalar(heed_panel_q4_0 *to, const heed_block_q4_0 *from, int blocks) {
    int all_finite = 1;
    for (int row = 0; row < HEED_PANEL; row++) {
        for (int b = 0; b < blocks; b++, from++) {
            all_finite &= finite_f16(from->d);
            to[b].d[row] = from->d;
            copy_quads(to[b].q, from->q, HEED_BLOCK / 8, row);
        }
    }
    return all_finite;
}
