#ifdef __wasm_simd128__
#include "kernels/codes_simd.h"
#include "kernels/set.h"

typedef heed_block_iq4_nl weight_block;
#define STEPS 1
#define ZERO 128
#define MINIMA 0
#define SCALES NONE

ALWAYS_INLINE void load_codes(v128_t q[2], const weight_block *w, int step) {
    (void)step;
    load_iq4(q, w->q);
}
#include "kernels/matmul_codes_simd.h"

void heed_matmul_iq4_nl_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_block_iq4_nl *w, int T,
                                int O, int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
