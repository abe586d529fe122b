/* Guards the products of whole bytes of the sets relaxed-u8 and relaxed-s8.
 *
 * WebAssembly does not define i32x4.relaxed_dot_i8x16_i7x16_add_s for second operands above 127.  These sets rely on
 * the results that the engine gave to js/engine/relaxed.js.  Another compiler of the engine, a later tier or another
 * thread could give other results.  So every call of a session computes a known product.  Each thread does it before
 * its first quantized product, and the calling thread also at the end.  If a result is wrong, the call starts again
 * with the set relaxed, whose products are exact in every engine.  The session keeps that set. */
#ifndef HEED_KERNELS_WHOLE_BYTES_H
#define HEED_KERNELS_WHOLE_BYTES_H

#include "kernels/kernels.h"
#include "threads.h"

#include <stdatomic.h>

/* The guard of one session. */
typedef struct heed_guard {
    uint32_t call;                      /* number of the current call */
    uint32_t checked[HEED_MAX_THREADS]; /* the call in which each thread checked last */
    atomic_int failed;
} heed_guard;

/* Whether a set multiplies codes of eight bits by the relaxed product. */
static inline int heed_has_whole_bytes(const heed_kernels *k) {
    return k && (k == &heed_kernels_relaxed_u8 || k == &heed_kernels_relaxed_s8);
}

/* Whether a known product of such a set is exact, in this thread and now. */
int heed_whole_bytes_are_exact(const heed_kernels *k);

/* Begins a call. */
static inline void heed_guard_begin(heed_guard *g) { g->call++; }

/* The kernels for a quantized product of this thread: k, or the exact ones. */
static inline const heed_kernels *heed_guarded(heed_guard *g, const heed_kernels *k, int thread) {
    if (!g || !heed_has_whole_bytes(k)) return k;
    if (g->checked[thread] != g->call && !heed_whole_bytes_are_exact(k)) atomic_store(&g->failed, 1);
    g->checked[thread] = g->call;
    return atomic_load(&g->failed) ? &heed_kernels_relaxed : k;
}

/* Ends a call.  Returns whether its results hold. */
static inline int heed_guard_end(heed_guard *g, const heed_kernels *k) {
    return !heed_has_whole_bytes(k) || (!atomic_load(&g->failed) && heed_whole_bytes_are_exact(k));
}

#endif
