#include "kernels/whole_bytes.h"

/* Enough outputs for every loop of the product: streams of panels, single panels, and a tile of four rows. */
enum { ROWS = 4, OUTPUTS = 72, PANELS = OUTPUTS / HEED_PANEL, GROUPS = HEED_BLOCK / 4 };

/* A block of four columns repeats; sums of products of its extremes exceed 16 bits. */
#define CODES                                                                                                          \
    {127, 127, 127, 127}, {-128, -128, -128, -128}, {127, -128, 127, -128}, {-128, 127, 127, -128}, {-1, -1, -1, -1},  \
        {1, 1, 1, 1}, {127, 127, -128, -128}, {                                                                        \
        0, -1, 0, -1                                                                                                   \
    }
static const int SUM_OF_CODES[HEED_PANEL] = {508, -512, -2, -2, -4, 4, -2, -2};
static const heed_panel_q8_0 W[PANELS] = {
    [0 ... PANELS - 1] = {.d = {[0 ... HEED_PANEL - 1] = 1}, .q = {[0 ... GROUPS - 1] = {CODES}}}};

static const heed_block_q8 X[ROWS] = {{1, {[0 ... HEED_BLOCK - 1] = 127}},
                                      {1, {[0 ... HEED_BLOCK - 1] = -127}},
                                      {1, {[0 ... HEED_BLOCK - 1] = 127}},
                                      {1, {[0 ... HEED_BLOCK - 1] = -127}}};

static int is_exact(const float *y, int rows, int outputs) {
    int exact = 1;
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++)
            exact &= y[t * outputs + o] == (float)(GROUPS * X[t].q[0] * SUM_OF_CODES[o % HEED_PANEL]);
    return exact;
}

int heed_whole_bytes_are_exact(const heed_kernels *k) {
    float row[OUTPUTS], tile[ROWS * HEED_PANEL];
    k->matmul_q8_0(row, OUTPUTS, X, W, 1, OUTPUTS, HEED_BLOCK);
    k->matmul_q8_0(tile, HEED_PANEL, X, W, ROWS, HEED_PANEL, HEED_BLOCK);
    return is_exact(row, 1, OUTPUTS) && is_exact(tile, ROWS, HEED_PANEL);
}
