/* Weights from a file's blocks to panels, each compared with the definition of both. */
#include "check.h"
#include "tiny.h"

#include "kernels/codes.h"
#include "kernels/half.h"
#include "kernels/kernels.h"
#include "kernels/steps.h"

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

/* Whether rows of panels mean what those of blocks do, and rows that are not there are zeros. */
#define X(NAME, name, elements, ...)                                                                                   \
    static int equal_##name(const uint8_t *panels, const heed_block_##name *b, int rows, int blocks) {                 \
        const layout l = LAYOUT(elements, __VA_ARGS__);                                                                \
        int equal = 1;                                                                                                 \
        for (int r = 0; r < HEED_PANEL; r++)                                                                           \
            for (int i = 0; i < blocks * elements; i++) {                                                              \
                int step = i % elements / HEED_BLOCK, k = i % HEED_BLOCK;                                              \
                const uint8_t *p = panels + (size_t)(i / elements) * panel_bytes(l);                                   \
                float is = scale_of(l, p, step, k * parts_of(l) / HEED_BLOCK, r);                                      \
                float least = minimum_of(l, p, step, k * parts_of(l) / HEED_BLOCK, r), want = 0;                       \
                if (r < rows) {                                                                                        \
                    codes c = codes_##name(&b[r * blocks + i / elements], step);                                       \
                    int half = l.scales == 2 ? k / 16 : 0, s = l.scales ? c.s[half] : 1, n = l.scales ? c.n[half] : 1; \
                    equal &= least == (l.minima ? float_of_f16(c.m) * (float)n : 0);                                   \
                    want = float_of_f16(c.d) * (float)(s * (c.q[k] - l.zero));                                         \
                }                                                                                                      \
                equal &= is * (float)code_of(l, p, step, k, r) == want && (r < rows || least == 0);                    \
            }                                                                                                          \
        return equal;                                                                                                  \
    }
HEED_STEP_FORMATS(X)
#undef X

/* Memory of exactly the size of either. */
#define X(NAME, name, elements, bits, scales, minima, zero)                                                            \
    static void packs_##name(int rows, int blocks) {                                                                   \
        size_t in_file = (size_t)(rows * blocks) * sizeof(heed_block_##name), last = (size_t)(rows * blocks) - 1;      \
        size_t packed = (size_t)blocks * panel_bytes(LAYOUT(elements, bits, scales, minima, zero));                    \
        heed_block_##name *from = malloc(in_file);                                                                     \
        uint8_t *to = malloc(packed);                                                                                  \
        uint32_t state = (uint32_t)(rows + 8 * blocks);                                                                \
        tiny_fill(from, HEED_##NAME, rows, blocks *elements, 0, &state);                                               \
        memset(to, 0xff, packed);                                                                                      \
        check(heed_pack_##name(to, from, rows, blocks) && equal_##name(to, from, rows, blocks),                        \
              "%d rows of %d blocks of " #NAME " mean the same in panels", rows, blocks);                              \
        (&from[last].d)[minima] = 0x7e01;                                                                              \
        check(!heed_pack_##name(to, from, rows, blocks), "NaN is seen in %d rows of %d blocks", rows, blocks);         \
        (&from[last].d)[minima] = 0, from->d = 0xfc00;                                                                 \
        check(!heed_pack_##name(to, from, rows, blocks), "infinity is seen in %d rows of %d blocks", rows, blocks);    \
        free(from);                                                                                                    \
        free(to);                                                                                                      \
    }
HEED_STEP_FORMATS(X)
#undef X

/* Codes that are looked up: in panels of Q8_0, d·s as one float. */
static void looked_up(int rows) {
    enum { BLOCKS = 2, STEPS = 8 };
    static const int8_t values[16] = {HEED_IQ4_VALUES};
    heed_block_iq4_xs *from = malloc((size_t)(rows * BLOCKS) * sizeof *from);
    heed_panel_q8_0 *to = malloc(BLOCKS * STEPS * sizeof *to);
    uint32_t state = (uint32_t)rows;
    int equal = 1;
    tiny_fill(from, HEED_IQ4_XS, rows, BLOCKS * 256, 0, &state);
    int finite = heed_pack_iq4_xs(to, from, rows, BLOCKS);
    for (int r = 0; r < HEED_PANEL; r++)
        for (int k = 0; k < BLOCKS * 256; k++) {
            const heed_block_iq4_xs *b = &from[r * BLOCKS + k / 256];
            int step = k % 256 / 32;
            float want = 0;
            if (r < rows) {
                int byte = b->q[16 * step + k % 16], code = k % 32 < 16 ? byte & 15 : byte >> 4;
                int s = (b->s[step / 2] >> 4 * (step % 2) & 15) + 16 * (b->h >> 2 * step & 3) - 32;
                want = float_of_f16(b->d) * (float)(s * values[code]);
            }
            equal &= panel_q8_0(to, r, k) == want;
        }
    check(finite && equal, "%d rows of IQ4_XS mean the same in panels of Q8_0", rows);
    from[rows * BLOCKS - 1].d = 0x7c00;
    check(!heed_pack_iq4_xs(to, from, rows, BLOCKS), "infinity is seen in %d rows of IQ4_XS", rows);
    free(from);
    free(to);
}

/* q, k and v of one fused matrix must begin where a panel begins. */
static void splits(int kv_heads, int possible) {
    heed_config c = tiny_config(TINY_GPT2);
    c.heads = 8, c.d_head = 4, c.kv_heads = kv_heads;
    tiny t = tiny_model_of(TINY_GPT2, c, HEED_Q8_0);
    heed_error none = {0};
    int ready = heed_session_bytes(t.model, 8, 8, 1, HEED_CACHE_F32, 1, &none) != 0;
    check(ready == possible && (possible || strstr(t.error.message, "attn_qkv")), "fused keys of %d rows: %s",
          4 * kv_heads, t.error.message);
    tiny_free(&t);
}

void test_packing(void) {
    for (int rows = 1; rows <= HEED_PANEL; rows++)
        for (int blocks = 1; blocks <= 3; blocks++) {
            packs(HEED_Q8_0, rows, blocks);
            packs(HEED_Q4_0, rows, blocks);
#define X(NAME, name, ...) packs_##name(rows, blocks);
            HEED_STEP_FORMATS(X)
#undef X
        }
    looked_up(3);
    looked_up(8);
    splits(8, 1);
    splits(2, 1);
    splits(1, 0);
}
