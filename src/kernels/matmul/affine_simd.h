/* Products of quantised activations with panels of the step formats, as a template: before it is included,
 *     operand, load_operands, add_products, whole
 *         how tiles multiply (kernels/matmul/panels_int16_simd.h, kernels/matmul/panels_int8_relaxed.h)
 *     int fit_of(layout)                          steps of a tile that a sum has room for until it is made whole:
 *                                                 HEED_BLOCK where it always is
 *     void store_codes(operand *to, v128_t quads) four columns of rows 0-3 or 4-7 as tiles read them
 *     void prepare(int16_t x[32], int32_t start[2], int32_t sums[2], layout, const int8_t q[32])
 *         a step of one row of activations as add_part reads them, what the sums of its two halves start from, and its
 *         own sums
 *     void add_part(v128_t sums[2], layout, const uint8_t *codes, const int16_t *x, int part)
 *         adds the codes of one part of a step of eight rows times that row
 * say how codes meet activations.
 *
 * Lanes are rows of weights.  One row of activations passes by the panels in their place; more of them go in tiles of
 * four by eight outputs, for which codes and scales are unpacked once for a band, as those of Q8_0.  The sum of a part
 * of a step is exact in int32 and parts are added one after the other, as in the scalar reference: the two agree to the
 * last bit. */
#include "kernels/matmul/triples_simd.h"

/* ROW_CHUNK steps of one row, prepared once for all outputs, stay in the first-level cache, and are whole rows of most
 * models: panels are then one stream, where gaps between chunks would halve the speed of reading them; CHUNK steps of a
 * panel, unpacked, and of four rows, too; those of a band in the second: 170 KB, on the stack. */
enum { ROWS = 4, BAND = 128, CHUNK = 16, ROW_CHUNK = 256, G = 4 / sizeof(operand), STEPS = HEED_BLOCK / G };

/* Half precision to float, exact for what is finite: exponent and mantissa in the places of a float mean 2^-112 of the
 * value, subnormals too.  The sign comes along four times. */
ALWAYS_INLINE void load_halves(v128_t to[2], const uint8_t *from) {
    for (int i = 0; i < 2; i++) {
        v128_t bits = wasm_i32x4_shl(wasm_i32x4_load16x4(from + 8 * i), 13);
        to[i] = wasm_f32x4_mul(wasm_v128_and(bits, wasm_i32x4_splat((int32_t)0x8fffffff)), splat(0x1p112f));
    }
}

/* Eight numbers times eight integers. */
ALWAYS_INLINE void scale_by(v128_t to[2], const v128_t from[2], const int8_t *by) {
    v128_t wide = wasm_i16x8_load8x8(by);
    to[0] = wasm_f32x4_mul(from[0], wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(wide)));
    to[1] = wasm_f32x4_mul(from[1], wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(wide)));
}

/* A panel's scales and minima of one part of a step. */
typedef struct factors {
    _Alignas(16) float scale[HEED_PANEL], minimum[HEED_PANEL];
} factors;

/* totals += sums·(scale·d) + minimum·sum_x */
ALWAYS_INLINE void add_scaled(v128_t totals[2], layout l, const v128_t sums[2], const v128_t scale[2],
                              const v128_t minimum[2], const float *d, const float *sum) {
    v128_t d_x = wasm_v128_load32_splat(d), sum_x = wasm_v128_load32_splat(sum);
    for (int i = 0; i < 2; i++) {
        v128_t term = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[i]), wasm_f32x4_mul(scale[i], d_x));
        if (l.minima) term = wasm_f32x4_add(term, wasm_f32x4_mul(minimum[i], sum_x));
        totals[i] = wasm_f32x4_add(totals[i], term);
    }
}

/* Where a row is alone: a chunk of it. */
typedef struct row_chunk {
    _Alignas(16) int16_t x[ROW_CHUNK][HEED_BLOCK];
    float d[ROW_CHUNK];
    int32_t start[ROW_CHUNK][2]; /* of the parts */
    float sum[ROW_CHUNK][2];     /* d·Σx of the parts */
} row_chunk;

/* Once a row, and one function for all formats, as what lays four rows side by side. */
static NOINLINE void prepare_row(row_chunk *to, layout l, const heed_block_q8 *x, int steps) {
    for (int b = 0; b < steps; b++, x++) {
        int32_t sums[2];
        prepare(to->x[b], to->start[b], sums, l, x->q);
        if (parts_of(l) == 1) {
            to->start[b][0] += to->start[b][1];
            sums[0] += sums[1];
        }
        to->d[b] = x->d;
        for (int part = 0; part < 2; part++) to->sum[b][part] = (float)sums[part] * x->d;
    }
}

/* One step of a panel, whose numbers are d and m, by step `at` of a row. */
ALWAYS_INLINE void add_step(v128_t totals[2], layout l, const uint8_t *panel, int step, const v128_t d[2],
                            const v128_t m[2], const row_chunk *x, int at) {
    v128_t sums[2], scales[2] = {d[0], d[1]}, minima[2] = {m[0], m[1]};
    for (int part = 0; part < parts_of(l); part++) {
        sums[0] = sums[1] = wasm_v128_load32_splat(&x->start[at][part]);
        add_part(sums, l, codes_of(l, panel, step), x->x[at], part);
        if (l.scales) scale_by(scales, d, scales_of(l, panel, step, part));
        if (l.scales && l.minima) scale_by(minima, m, minima_of(l, panel, step, part));
        add_scaled(totals, l, sums, scales, minima, &x->d[at], &x->sum[at][part]);
    }
}

/* One row by one row of panels: y[8], and `add` to it what the earlier chunks of the sum gave. */
ALWAYS_INLINE void row(float *y, const row_chunk *x, layout l, const uint8_t *w, int steps, int add) {
    v128_t totals[2], d[2], m[2] = {splat(0), splat(0)};
    for (int i = 0; i < 2; i++) totals[i] = add ? wasm_v128_load(y + 4 * i) : splat(0);
    for (int at = 0; at < steps; at += l.steps, w += panel_bytes(l)) {
        load_halves(d, w);
        if (l.minima) load_halves(m, w + 2 * HEED_PANEL);
#pragma clang loop unroll(disable)
        for (int step = 0; step < l.steps; step++) add_step(totals, l, w, step, d, m, x, at + step);
    }
    for (int i = 0; i < 2; i++) wasm_v128_store(y + 4 * i, totals[i]);
}

/* Where eight outputs from o on are summed.  The last panel of a matrix may stand for fewer than eight outputs: those
 * have a room of their own, and what exists of them is copied when all chunks are in. */
ALWAYS_INLINE float *place_of(float *y, int o, int O, float *last) { return o + HEED_PANEL <= O ? y + o : last; }

ALWAYS_INLINE void copy_last(float *y, const float *last, int O) {
    for (int o = O / HEED_PANEL * HEED_PANEL; o < O; o++) y[o] = last[o % HEED_PANEL];
}

/* `stride` bytes of panels from one eight outputs to the next. */
ALWAYS_INLINE void multiply_row(float *y, layout l, const heed_block_q8 *x, const uint8_t *w, size_t stride, int O,
                                int steps) {
    row_chunk chunk;
    float last[HEED_PANEL];
    for (int from = 0; from < steps; from += ROW_CHUNK, w += (size_t)(ROW_CHUNK / l.steps) * panel_bytes(l)) {
        int n = steps - from < ROW_CHUNK ? steps - from : ROW_CHUNK;
        prepare_row(&chunk, l, x + from, n);
        const uint8_t *w_o = w;
        for (int o = 0; o < O; o += HEED_PANEL, w_o += stride)
            row(place_of(y, o, O, last), &chunk, l, w_o, n, from > 0);
    }
    copy_last(y, last, O);
}

/* A step of four rows side by side, and of a panel. */
typedef struct tile_step {
    _Alignas(16) operand x[STEPS][ROWS][G];
    float d[ROWS];
    int32_t start[2][ROWS];
    float sum[2][ROWS];
} tile_step;

typedef struct unpacked_step {
    factors f[2];
    operand q[STEPS][HEED_PANEL][G];
} unpacked_step;

/* `steps` steps of four rows, `stride` blocks apart. */
static NOINLINE void interleave(tile_step *to, layout l, const heed_block_q8 *x, int stride, int steps) {
    for (int b = 0; b < steps; b++, to++, x++) {
        const heed_block_q8 *rows[ROWS] = {x, x + stride, x + 2 * stride, x + 3 * stride};
        for (int step = 0; step < STEPS; step += 4) {
            v128_t v[ROWS];
            for (int t = 0; t < ROWS; t++) v[t] = load_operands(rows[t]->q + step * G);
            transpose_i32x4(v);
            for (int i = 0; i < 4; i++) wasm_v128_store(to->x[step + i], v[i]);
        }
        for (int t = 0; t < ROWS; t++) {
            v128_t halves = sum_halves_i8(rows[t]->q);
            int32_t sums[2] = {wasm_i32x4_extract_lane(halves, 0), wasm_i32x4_extract_lane(halves, 1)};
            if (parts_of(l) == 1) sums[0] += sums[1];
            to->d[t] = rows[t]->d;
            for (int part = 0; part < parts_of(l); part++) {
                to->start[part][t] = -l.zero * sums[part];
                to->sum[part][t] = (float)sums[part] * rows[t]->d;
            }
        }
    }
}

/* Four columns of rows 4r to 4r + 3. */
ALWAYS_INLINE v128_t quads_of(layout l, const uint8_t *codes, int quad, int r) {
    if (l.bits > 4) return wasm_v128_load(codes + quad * GROUP + 16 * r);
    v128_t q = wasm_v128_load(codes + (quad / 4 * 2 + quad % 2) * GROUP + 16 * r);
    return wasm_v128_and(quad / 2 % 2 ? wasm_u16x8_shr(q, 4) : q, wasm_i8x16_splat(15));
}

ALWAYS_INLINE void store_factors(float *to, const v128_t from[2]) {
    for (int i = 0; i < 2; i++) wasm_v128_store(to + 4 * i, from[i]);
}

ALWAYS_INLINE void unpack(unpacked_step *to, layout l, const uint8_t *w, int steps) {
    v128_t d[2], m[2], product[2];
    for (int at = 0; at < steps; at += l.steps, w += panel_bytes(l)) {
        load_halves(d, w);
        if (l.minima) load_halves(m, w + 2 * HEED_PANEL);
#pragma clang loop unroll(disable)
        for (int step = 0; step < l.steps; step++, to++) {
            for (int part = 0; part < parts_of(l); part++) {
                if (l.scales) scale_by(product, d, scales_of(l, w, step, part));
                store_factors(to->f[part].scale, l.scales ? product : d);
                if (l.scales && l.minima) scale_by(product, m, minima_of(l, w, step, part));
                if (l.minima) store_factors(to->f[part].minimum, l.scales ? product : m);
            }
            const uint8_t *codes = codes_of(l, w, step);
            uint8_t bytes[HEED_BLOCK * HEED_PANEL];
            if (l.bits == 5) {
                unpack_triples(bytes, codes);
                codes = bytes;
            }
            for (int quad = 0; quad < HEED_BLOCK / 4; quad++)
                for (int r = 0; r < 2; r++)
                    store_codes(to->q[0][0] + quad * 4 * HEED_PANEL + 4 * r * G, quads_of(l, codes, quad, r));
        }
    }
}

ALWAYS_INLINE void add_products_of(v128_t sums[ROWS][2], const operand *x, const operand *q) {
    v128_t codes[2] = {wasm_v128_load(q), wasm_v128_load(q + 4 * G)};
    for (int t = 0; t < ROWS; t++) {
        v128_t activations = wasm_v128_load32_splat(x + t * G);
        for (int i = 0; i < 2; i++) sums[t][i] = add_products(sums[t][i], codes[i], activations);
    }
}

/* Adds `steps` > 0 steps, the first alone: where sums are 0, nothing is added to it.  A longer turn would spill. */
ALWAYS_INLINE void add_steps(v128_t sums[ROWS][2], const operand *x, const operand *q, int steps) {
    const operand *end = q + steps * HEED_PANEL * G;
    add_products_of(sums, x, q);
#pragma clang loop unroll(disable)
    for (q += HEED_PANEL * G, x += ROWS * G; q != end; q += HEED_PANEL * G, x += ROWS * G) {
        HIDE(q);
        HIDE(x);
        add_products_of(sums, x, q);
    }
}

/* Sums of one part of a step, as int32. */
ALWAYS_INLINE void multiply_part(v128_t sums[ROWS][2], layout l, const tile_step *x, const unpacked_step *w, int part) {
    const int steps = STEPS / parts_of(l), fit = fit_of(l) < steps ? fit_of(l) : steps;
    for (int t = 0; t < ROWS; t++)
        sums[t][0] = sums[t][1] = l.zero ? wasm_v128_load32_splat(&x->start[part][t]) : splat(0);
    if (fit_of(l) == HEED_BLOCK) {
        add_steps(sums, x->x[part * steps][0], w->q[part * steps][0], steps);
        return;
    }
#pragma clang loop unroll(disable)
    for (int step = part * steps; step < (part + 1) * steps; step += fit) {
        v128_t narrow[ROWS][2];
        for (int t = 0; t < ROWS; t++) narrow[t][0] = narrow[t][1] = splat(0);
        add_steps(narrow, x->x[step][0], w->q[step][0], fit);
        for (int t = 0; t < ROWS; t++)
            for (int i = 0; i < 2; i++) sums[t][i] = wasm_i32x4_add(sums[t][i], whole(narrow[t][i]));
    }
}

/* Four rows by one row of panels: y[4][8], and `add` to it. */
ALWAYS_INLINE void tile(float *y, size_t y_stride, layout l, const tile_step *x, const unpacked_step *w, int steps,
                        int add) {
    v128_t totals[ROWS][2], sums[ROWS][2];
    for (int t = 0; t < ROWS; t++)
        for (int i = 0; i < 2; i++) totals[t][i] = add ? wasm_v128_load(y + (size_t)t * y_stride + 4 * i) : splat(0);
    for (; steps > 0; steps--, w++, x++) {
#pragma clang loop unroll(disable)
        for (int part = 0; part < parts_of(l); part++) {
            multiply_part(sums, l, x, w, part);
            const factors *f = &w->f[part];
            v128_t scale[2] = {wasm_v128_load(f->scale), wasm_v128_load(f->scale + 4)};
            v128_t minimum[2] = {wasm_v128_load(f->minimum), wasm_v128_load(f->minimum + 4)};
            for (int t = 0; t < ROWS; t++)
                add_scaled(totals[t], l, sums[t], scale, minimum, &x->d[t], &x->sum[part][t]);
        }
    }
    for (int t = 0; t < ROWS; t++)
        for (int i = 0; i < 2; i++) wasm_v128_store(y + (size_t)t * y_stride + 4 * i, totals[t][i]);
}

/* `rows` rows, a multiple of four. */
ALWAYS_INLINE void multiply_band(float *y, size_t y_stride, layout l, const heed_block_q8 *x, const uint8_t *w,
                                 size_t stride, int rows, int O, int steps) {
    tile_step tiles[BAND / ROWS][CHUNK];
    unpacked_step codes[CHUNK];
    float last[BAND][HEED_PANEL];
    for (int from = 0; from < steps; from += CHUNK, w += (size_t)(CHUNK / l.steps) * panel_bytes(l)) {
        int n = steps - from < CHUNK ? steps - from : CHUNK;
        for (int t = 0; t < rows; t += ROWS)
            interleave(tiles[t / ROWS], l, x + (size_t)t * (size_t)steps + from, steps, n);
        const uint8_t *w_o = w;
        for (int o = 0; o < O; o += HEED_PANEL, w_o += stride) {
            unpack(codes, l, w_o, n);
            size_t to_stride = o + HEED_PANEL <= O ? y_stride : HEED_PANEL;
            for (int t = 0; t < rows; t += ROWS) {
                float *to = place_of(y + (size_t)t * y_stride, o, O, last[t]);
                tile(to, to_stride, l, tiles[t / ROWS], codes, n, from > 0);
            }
        }
    }
    for (int t = 0; t < rows; t++) copy_last(y + (size_t)t * y_stride, last[t], O);
}

ALWAYS_INLINE void matmul(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, int K,
                          layout l) {
    const int steps = K / HEED_BLOCK;
    const size_t stride = (size_t)(steps / l.steps) * panel_bytes(l);
    for (int t = 0, rows; t < T; t += rows) {
        float *y_t = y + (size_t)t * y_stride;
        const heed_block_q8 *x_t = x + (size_t)t * (size_t)steps;
        rows = T - t >= BAND ? BAND : T - t >= ROWS ? (T - t) / ROWS * ROWS : 1;
        if (rows == 1)
            multiply_row(y_t, l, x_t, w, stride, O, steps);
        else
            multiply_band(y_t, y_stride, l, x_t, w, stride, rows, O, steps);
    }
}
