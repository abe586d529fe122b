/* Weights of floats, for matmul_float_simd.h. */
#include "kernels/lanes.h"

typedef float weight;

ALWAYS_INLINE void load8(v128_t to[2], const weight *w) { load_up_to_8(to, w, 8); }
ALWAYS_INLINE float load1(const weight *w) { return *w; }
