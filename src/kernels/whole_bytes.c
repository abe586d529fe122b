#include "kernels/whole_bytes.h"

/* Enough outputs for every loop of q8_0_bytes_relaxed.c: three panels together, panels that remain, and a tile of four
 * rows. */
enum { ROWS = 4, OUTPUTS = 40, PANELS = OUTPUTS / HEED_PANEL, GROUPS = HEED_BLOCK / 4 };

/* Four columns of a row as a panel holds them, and their sum.  Sums of two extremes exceed 16 bits. */
#define CODES(a, b, c, d)                                                                                              \
    { (uint8_t)((a) ^ 0x80), (uint8_t)(b), (uint8_t)((c) ^ 0x80), (uint8_t)(d) }
#define SUM(a, b, c, d) (a) + (b) + (c) + (d)
#define EIGHT_ROWS(X)                                                                                                  \
    X(127, 127, 127, 127), X(-128, -128, -128, -128), X(127, -128, 127, -128), X(-128, 127, 127, -128),                \
        X(-1, -1, -1, -1), X(1, 1, 1, 1), X(127, 127, -128, -128), X(0, -1, 0, -1)
static const int SUMS[HEED_PANEL] = {EIGHT_ROWS(SUM)};
static const heed_panel_q8_0 WEIGHTS[PANELS] = {
    [0 ... PANELS - 1] = {.d = {[0 ... HEED_PANEL - 1] = 1}, .q = {[0 ... GROUPS - 1] = {EIGHT_ROWS(CODES)}}}};

static const heed_block_q8 ACTIVATIONS[ROWS] = {{1, {[0 ... HEED_BLOCK - 1] = 127}},
                                                {1, {[0 ... HEED_BLOCK - 1] = -127}},
                                                {1, {[0 ... HEED_BLOCK - 1] = 127}},
                                                {1, {[0 ... HEED_BLOCK - 1] = -127}}};

static int is_exact(const float *y, int rows, int outputs) {
    int exact = 1;
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++)
            exact &= y[t * outputs + o] == (float)(GROUPS * ACTIVATIONS[t].q[0] * SUMS[o % HEED_PANEL]);
    return exact;
}

int heed_whole_bytes_are_exact(const heed_kernels *k) {
    float row[OUTPUTS], tile[ROWS * HEED_PANEL];
    k->matmul_q8_0(row, OUTPUTS, ACTIVATIONS, WEIGHTS, 1, OUTPUTS, HEED_BLOCK);
    k->matmul_q8_0(tile, HEED_PANEL, ACTIVATIONS, WEIGHTS, ROWS, HEED_PANEL, HEED_BLOCK);
    return is_exact(row, 1, OUTPUTS) && is_exact(tile, ROWS, HEED_PANEL);
}
