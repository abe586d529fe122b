/* Weights from a file's blocks to panels, each compared with the definition of both. */
#include "check.h"
#include "tiny.h"

#include "kernels/half.h"
#include "kernels/kernels.h"

#include <stdlib.h>
#include <string.h>

/* Column k of a row of blocks, and row r, column k of panels. */
static float block_q8_0(const heed_block_q8_0 *b, int k) { return float_of_f16(b[k / 32].d) * b[k / 32].q[k % 32]; }
static float panel_q8_0(const heed_panel_q8_0 *p, int r, int k) {
    return p[k / 32].d[r] * p[k / 32].q[k % 32 / 4][r][k % 4];
}
static float block_q4_0(const heed_block_q4_0 *b, int k) {
    int byte = b[k / 32].q[k % 16];
    return float_of_f16(b[k / 32].d) * (float)((k % 32 < 16 ? byte & 15 : byte >> 4) - 8);
}
static float panel_q4_0(const heed_panel_q4_0 *p, int r, int k) {
    int byte = p[k / 32].q[k % 16 / 4][r][k % 4];
    return float_of_f16(p[k / 32].d[r]) * (float)((k % 32 < 16 ? byte & 15 : byte >> 4) - 8);
}

/* Memory of exactly the size of either; the panels hold something else before. */
static void packs(heed_dtype dtype, int rows, int blocks) {
    int is_q8 = dtype == HEED_Q8_0, columns = blocks * HEED_BLOCK, equal = 1, finite;
    size_t in_file = is_q8 ? sizeof(heed_block_q8_0) : sizeof(heed_block_q4_0);
    size_t packed = (size_t)blocks * (is_q8 ? sizeof(heed_panel_q8_0) : sizeof(heed_panel_q4_0));
    void *from = malloc((size_t)(rows * blocks) * in_file), *to = malloc(packed);
    uint32_t state = (uint32_t)(rows + 8 * blocks);
    tiny_fill(from, dtype, rows, columns, 0, &state);
    for (int b = 0; b < rows * blocks; b++) { /* scales of either sign, zero and subnormal ones among them */
        uint16_t d = (uint16_t)((b % 3 ? 0 : 0x8000) | (b * 97 % 0x2c00));
        memcpy((uint8_t *)from + (size_t)b * in_file, &d, sizeof d);
    }
    memset(to, 0xff, packed);
    finite = is_q8 ? heed_pack_q8_0(to, from, rows, blocks) : heed_pack_q4_0(to, from, rows, blocks);
    for (int r = 0; r < HEED_PANEL; r++)
        for (int k = 0; k < columns; k++) {
            float is = is_q8 ? panel_q8_0(to, r, k) : panel_q4_0(to, r, k);
            float want = r >= rows ? 0
                         : is_q8   ? block_q8_0((heed_block_q8_0 *)from + r * blocks, k)
                                   : block_q4_0((heed_block_q4_0 *)from + r * blocks, k);
            equal &= is == want;
        }
    check(finite && equal, "%d rows of %d blocks of type %d mean the same in panels", rows, blocks, (int)dtype);

    /* Infinity in the last scale, NaN in the first. */
    for (int i = 0; i < 2; i++) {
        uint16_t d = i ? 0x7e01 : 0xfc00;
        memcpy((uint8_t *)from + (i ? 0 : (size_t)(rows * blocks - 1) * in_file), &d, sizeof d);
        finite = is_q8 ? heed_pack_q8_0(to, from, rows, blocks) : heed_pack_q4_0(to, from, rows, blocks);
        check(!finite, "a scale that is not finite is seen in %d rows of %d blocks", rows, blocks);
        d = 0;
        memcpy((uint8_t *)from + (i ? 0 : (size_t)(rows * blocks - 1) * in_file), &d, sizeof d);
    }
    free(from);
    free(to);
}

/* q, k and v of one fused matrix must begin where a panel begins. */
static void splits(int kv_heads, int possible) {
    heed_config c = tiny_config(TINY_GPT2);
    c.heads = 8, c.d_head = 4, c.kv_heads = kv_heads;
    tiny t = tiny_model_of(TINY_GPT2, c, HEED_Q8_0);
    heed_error none = {0};
    int ready = heed_session_bytes(t.model, 8, 8, 1, 1, &none) != 0;
    check(ready == possible && (possible || strstr(t.error.message, "attn_qkv")), "fused keys of %d rows: %s",
          4 * kv_heads, t.error.message);
    tiny_free(&t);
}

void test_packing(void) {
    for (int rows = 1; rows <= HEED_PANEL; rows++)
        for (int blocks = 1; blocks <= 3; blocks++) {
            packs(HEED_Q8_0, rows, blocks);
            packs(HEED_Q4_0, rows, blocks);
        }
    splits(8, 1);
    splits(2, 1);
    splits(1, 0);
}
