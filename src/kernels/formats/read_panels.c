/* Panels as codes of 16 bits, and one row of a panel. */
#include "kernels/formats/read_panels.h"

#include "kernels/formats/affine.h"
#include "kernels/half.h"
#include "kernels/kernels.h"

#include <math.h>

void heed_panel_row_q8_0(panel_row *r, const heed_panel_q8_0 *w, int row) {
    *r = (panel_row){1, 8, 128, {w->d[row]}, {-0.0f}, {0}};
    for (int i = 0; i < HEED_BLOCK; i++) r->code[i] = heed_code_q8_0(w, row, i);
}

void heed_panel_row_q4_0(panel_row *r, const heed_panel_q4_0 *w, int row) {
    *r = (panel_row){1, 4, 8, {float_of_f16(w->d[row])}, {-0.0f}, {0}};
    for (int i = 0; i < HEED_BLOCK; i++) r->code[i] = heed_code_q4_0(w, row, i);
}

void heed_panel_row_affine(panel_row *r, const uint8_t *w, int row, int sub, const affine_layout *layout) {
    affine_layout l = *layout;
    *r = (panel_row){affine_parts(l), l.bits, l.zero, {0}, {0}, {0}};
    for (int part = 0; part < r->parts; part++) {
        r->scale[part] = affine_scale(l, w, sub, part, row);
        r->minimum[part] = affine_minimum(l, w, sub, part, row);
    }
    for (int i = 0; i < HEED_BLOCK; i++) r->code[i] = affine_code(l, w, sub, i, row);
}

static void quantize(heed_codes *y, const panel_row *r, int rows) {
    int bits = r->bits, parts = r->parts, high = (1 << bits) - 1 - r->zero, most = high > r->zero ? high : r->zero;
    float largest = 0;
    for (int i = 0; i < rows * parts; i++) {
        const panel_row *at = &r[i / parts];
        largest = fmaxf(largest, fabsf(at->scale[i % parts]) * (float)most + fabsf(at->minimum[i % parts]));
    }
    float d = largest / HEED_CODE, inverse = isnormal(d) ? 1 / d : 0;
    for (int i = 0; i < HEED_BLOCK; i++) y->d[i] = d;
    for (int i = 0; i < rows * HEED_BLOCK; i++) {
        int row = i / HEED_BLOCK, column = i % HEED_BLOCK, part = column * parts / HEED_BLOCK;
        int scale = (int)rintf(r[row].scale[part] * (inverse * (float)(1 << bits)));
        int minimum = (int)rintf(r[row].minimum[part] * inverse);
        int product = (r[row].code[column] * (1 << (15 - bits)) * scale + (1 << 14)) >> 15;
        y->q[heed_key_at(rows, column, row)] = (int16_t)(product + minimum);
    }
}

void heed_read_q8_0_scalar(heed_codes *y, const heed_panel_q8_0 *w, size_t w_stride, int rows) {
    panel_row r[HEED_READ_ROWS];
    for (int i = 0; i < rows; i++) heed_panel_row_q8_0(&r[i], w + (size_t)(i / HEED_PANEL) * w_stride, i % HEED_PANEL);
    quantize(y, r, rows);
}

void heed_read_q4_0_scalar(heed_codes *y, const heed_panel_q4_0 *w, size_t w_stride, int rows) {
    panel_row r[HEED_READ_ROWS];
    for (int i = 0; i < rows; i++) heed_panel_row_q4_0(&r[i], w + (size_t)(i / HEED_PANEL) * w_stride, i % HEED_PANEL);
    quantize(y, r, rows);
}

void heed_read_affine_scalar(heed_codes *y, const uint8_t *w, size_t w_stride, int rows, int sub,
                             const affine_layout *layout) {
    panel_row r[HEED_READ_ROWS];
    for (int i = 0; i < rows; i++)
        heed_panel_row_affine(&r[i], w + (size_t)(i / HEED_PANEL) * w_stride, i % HEED_PANEL, sub, layout);
    quantize(y, r, rows);
}
