#ifdef __wasm_simd128__
#include "kernels/matmul/outputs_simd.h"

enum { LINE_BYTES = 64, FIRST_BYTES = 8 * LINE_BYTES };

void heed_start_streams(const volatile char *at, size_t apart, int streams) {
    for (; streams > 0; streams--, at += apart)
        for (size_t i = 0; i < FIRST_BYTES && i < apart; i += LINE_BYTES) (void)at[i];
}

int heed_row_group(row_group *g, int i, int O, int streams) {
    const int whole = O / HEED_PANEL, apart = whole / streams, rest = whole % streams;
    *g = i < apart    ? (row_group){i, apart, streams}
         : i == apart ? (row_group){whole - rest, 1, rest}
                      : (row_group){whole, 0, O % HEED_PANEL > 0};
    return i < apart + 2;
}

void heed_copy_last(float *y, const float *last, int O) {
    for (int o = O / HEED_PANEL * HEED_PANEL; o < O; o++) y[o] = last[o % HEED_PANEL];
}

#endif
