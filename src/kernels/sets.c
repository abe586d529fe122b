/* The tables of the sets scalar and simd128. */
#include "kernels/kernels.h"

#define KERNEL(result, name, ...) .name = heed_##name##_scalar,
const heed_kernels heed_kernels_scalar = {
#include "kernels/list.h"
};
#undef KERNEL

#ifdef __wasm_simd128__

#define KERNEL(result, name, ...) .name = heed_##name##_simd128,
const heed_kernels heed_kernels_simd128 = {
#include "kernels/list.h"
};
#undef KERNEL

#endif
