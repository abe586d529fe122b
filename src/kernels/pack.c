/* From blocks as they lie in a file to panels.  Both types keep four neighbouring bytes of a row together: columns
 * 4i to 4i + 3, and in Q4_0's upper halves columns 4i + 16 to 4i + 19. */
#include <string.h>

#include "kernels/half.h"
#include "kernels/kernels.h"

/* An exponent of all ones: infinity or NaN. */
static inline int finite(uint16_t half) { return (half & 0x7c00) != 0x7c00; }

static inline void copy_quads(void *to, const void *from, int quads, int row) {
    uint8_t(*out)[HEED_PANEL][4] = to;
    const uint8_t(*in)[4] = from;
    for (int i = 0; i < quads; i++) memcpy(out[i][row], in[i], 4);
}

int heed_pack_q8_0(heed_panel_q8_0 *to, const heed_block_q8_0 *from, int rows, int blocks) {
    int all_finite = 1;
    if (rows < HEED_PANEL) memset(to, 0, (size_t)blocks * sizeof *to);
    for (int row = 0; row < rows; row++) {
        for (int b = 0; b < blocks; b++, from++) {
            all_finite &= finite(from->d);
            to[b].d[row] = float_of_f16(from->d);
            copy_quads(to[b].q, from->q, HEED_BLOCK / 4, row);
        }
    }
    return all_finite;
}

int heed_pack_q4_0(heed_panel_q4_0 *to, const heed_block_q4_0 *from, int rows, int blocks) {
    int all_finite = 1;
    if (rows < HEED_PANEL) memset(to, 0, (size_t)blocks * sizeof *to);
    for (int row = 0; row < rows; row++) {
        for (int b = 0; b < blocks; b++, from++) {
            all_finite &= finite(from->d);
            to[b].d[row] = from->d;
            copy_quads(to[b].q, from->q, HEED_BLOCK / 8, row);
        }
    }
    return all_finite;
}
