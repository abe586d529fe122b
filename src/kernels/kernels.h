/* The kernels: inner loops with one contract and several implementations (sets).
 *
 *     scalar   <op>_<dtype>.c          readable reference
 *     simd128  <op>_<dtype>_simd.c     128-bit WebAssembly SIMD
 *     relaxed  <op>_<dtype>_relaxed.c  relaxed SIMD where it is faster, else the function of simd128
 *
 * relaxed_u8 and relaxed_s8 are relaxed with products of whole bytes (whole_bytes.h).
 *
 * list.h names every kernel and states its contract.  A binary holds scalar and simd128, or the relaxed sets; a session
 * uses one set.  Kernels check nothing, allocate nothing and keep no state: the calling operation has checked sizes and
 * pointers.  They read one setting, heed_many_streams.
 *
 * Rows are independent: y[t][o] has the same bits for every T and O.  So a prompt gives the same numbers in one batch,
 * in parts or token by token.  Float rows need the alignment of a float, quantized blocks that of their scale. */
#ifndef HEED_KERNELS_H
#define HEED_KERNELS_H

#include "kernels/attention/codes_i16.h"
#include "kernels/formats/formats.h"

#include <stddef.h>
#include <stdint.h>

/* Each kernel of each set is a function heed_<name>_<set>. */
#define KERNEL(result, name, ...)                                                                                      \
    result heed_##name##_scalar(__VA_ARGS__);                                                                          \
    result heed_##name##_simd128(__VA_ARGS__);                                                                         \
    result heed_##name##_relaxed(__VA_ARGS__);
#include "kernels/list.h"
#undef KERNEL

/* How products of one row read weights (heed_set_streams).  It changes their time, not their results. */
extern int heed_many_streams;

/* A set: one pointer to each kernel, in the order of list.h. */
typedef struct heed_kernels {
#define KERNEL(result, name, ...) result (*name)(__VA_ARGS__);
#include "kernels/list.h"
#undef KERNEL
} heed_kernels;

/* A set is NULL in binaries that do not hold it.  The linker drops the kernels that no linked table names. */
extern const heed_kernels heed_kernels_scalar __attribute__((weak));
extern const heed_kernels heed_kernels_simd128 __attribute__((weak));
extern const heed_kernels heed_kernels_relaxed __attribute__((weak));
extern const heed_kernels heed_kernels_relaxed_u8 __attribute__((weak));
extern const heed_kernels heed_kernels_relaxed_s8 __attribute__((weak));

#endif
