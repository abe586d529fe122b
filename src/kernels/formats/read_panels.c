/* Panels as floats. */
#include "kernels/formats/affine.h"
#include "kernels/half.h"
#include "kernels/kernels.h"

void heed_read_q8_0_scalar(float *y, size_t y_stride, size_t strip, const heed_panel_q8_0 *w, int n) {
    for (int row = 0; row < HEED_PANEL; row++, y += y_stride)
        for (int i = 0; i < n; i++) {
            const heed_panel_q8_0 *p = &w[i / HEED_BLOCK];
            y[(size_t)(i / HEED_STRIP) * strip + i % HEED_STRIP] =
                p->d[row] * (float)heed_code_q8_0(p, row, i % HEED_BLOCK);
        }
}

void heed_read_q4_0_scalar(float *y, size_t y_stride, size_t strip, const heed_panel_q4_0 *w, int n) {
    for (int row = 0; row < HEED_PANEL; row++, y += y_stride)
        for (int i = 0; i < n; i++) {
            const heed_panel_q4_0 *p = &w[i / HEED_BLOCK];
            int j = i % HEED_BLOCK, half = HEED_BLOCK / 2;
            uint8_t codes = p->q[j % half / 4][row][j % 4];
            y[(size_t)(i / HEED_STRIP) * strip + i % HEED_STRIP] =
                float_of_f16(p->d[row]) * (float)((j < half ? codes & 15 : codes >> 4) - 8);
        }
}

/* Both products are exact in single precision, so only their sum is rounded. */
void heed_read_affine_scalar(float *y, size_t y_stride, size_t strip, const uint8_t *w, int n,
                             const affine_layout *layout) {
    affine_layout l = *layout;
    for (int row = 0; row < HEED_PANEL; row++, y += y_stride)
        for (int i = 0; i < n; i++) {
            const uint8_t *panel = w + (size_t)(i / HEED_BLOCK / l.sub_blocks) * affine_panel_bytes(l);
            int sub = i / HEED_BLOCK % l.sub_blocks, k = i % HEED_BLOCK, part = k * affine_parts(l) / HEED_BLOCK;
            y[(size_t)(i / HEED_STRIP) * strip + i % HEED_STRIP] =
                affine_scale(l, panel, sub, part, row) * (float)affine_code(l, panel, sub, k, row) +
                affine_minimum(l, panel, sub, part, row);
        }
}
