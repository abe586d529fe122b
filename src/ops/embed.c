#include "ops/ops.h"

#include "kernels/half.h"

#include <string.h>

/* One row of n weights of any type as f32. */
static void read_row(float *y, const heed_tensor *w, int row) {
    int n = w->columns;
    const uint8_t *bytes = (const uint8_t *)w->data + (size_t)row * heed_row_bytes(w->dtype, n);
    switch (w->dtype) {
    case HEED_F32: memcpy(y, bytes, (size_t)n * sizeof *y); break;
    case HEED_F16:
        for (int i = 0; i < n; i++) y[i] = float_of_f16(((const uint16_t *)bytes)[i]);
        break;
    case HEED_BF16:
        for (int i = 0; i < n; i++) y[i] = float_of_bf16(((const uint16_t *)bytes)[i]);
        break;
    case HEED_Q8_0:
        for (int i = 0; i < n; i++) {
            const heed_block_q8_0 *b = (const heed_block_q8_0 *)bytes + i / HEED_BLOCK;
            y[i] = float_of_f16(b->d) * (float)b->q[i % HEED_BLOCK];
        }
        break;
    case HEED_Q4_0:
        for (int i = 0; i < n; i++) {
            const heed_block_q4_0 *b = (const heed_block_q4_0 *)bytes + i / HEED_BLOCK;
            int j = i % HEED_BLOCK, half = HEED_BLOCK / 2;
            int code = j < half ? b->q[j] & 15 : b->q[j - half] >> 4;
            y[i] = float_of_f16(b->d) * (float)(code - 8);
        }
        break;
    }
}

heed_tensor *heed_embed(heed_context *c, const heed_tensor *table, const int32_t *ids, int n) {
    heed_tensor *y = heed_tensor_new(c, n, table->columns);
    for (int t = 0; y && t < n; t++) read_row(heed_row(y, t), table, ids[t]);
    return y;
}

heed_tensor *heed_positions(heed_context *c, const heed_tensor *table, int first, int n) {
    heed_tensor *y = heed_tensor_new(c, n, table->columns);
    for (int t = 0; y && t < n; t++) read_row(heed_row(y, t), table, first + t);
    return y;
}
