/* Analyses: a metric of the last pass, logits of any residual, weights as floats. */
#include "metric.h"

#include "kernels/formats/traits.h"

#include <string.h>

static const float *unembed(heed_session *s, const float *x, int rows, int normalize, heed_error *error) {
    heed_context c = heed_session_context(s, 0, s->position, NULL, error);
    int D = s->model->config.d_model;
    heed_tensor *copy = heed_tensor_new(&c, rows, D);
    if (!copy) return NULL;
    memcpy(copy->data, x, (size_t)rows * (size_t)D * sizeof *x);
    if (normalize) copy = heed_causal_lm_norm(&c, s->model, copy);
    return copy ? heed_session_logits(s, &c, copy, 0, error) : NULL;
}

const float *heed_unembed(heed_session *s, const float *x, int rows, int normalize, heed_error *error) {
    if (!heed_is_address(s, 1, error) || !heed_is_address(x, 1, error) ||
        !heed_in_range(error, HEED_ERROR_ARGUMENT, "rows", rows, 1, HEED_LOGIT_ROWS))
        return NULL;
    s->pass.x = NULL;
    const float *logits;
    do logits = unembed(s, x, rows, normalize, error);
    while (logits && !heed_session_holds(s));
    return logits;
}

/* Adds rows [row, row + rows) of a metric to *sum. */
static int measure(heed_session *s, const heed_metric *metric, int row, int rows, double *sum, heed_error *error) {
    heed_context c = heed_session_context(s, 0, s->position, NULL, error);
    size_t D = (size_t)s->model->config.d_model;
    heed_tensor x = {HEED_F32, rows, (int)D, D, s->hidden + (size_t)(metric->first + row) * D};
    return heed_metric_add(&c, s->model, metric, row, &x, sum);
}

int heed_measure(heed_session *s, const heed_metric *metric, float *value, heed_error *error) {
    if (!heed_is_address(s, 1, error) || !heed_is_address(value, 1, error) ||
        !heed_metric_is_valid(s, metric, s->last, error))
        return 0;
    s->pass.x = NULL;
    double sum = 0;
    for (int row = 0, rows; row < metric->rows; row += rows) {
        double before = sum;
        rows = metric->rows - row < HEED_LOGIT_ROWS ? metric->rows - row : HEED_LOGIT_ROWS;
        do {
            sum = before;
            if (!measure(s, metric, row, rows, &sum, error)) return 0;
        } while (!heed_session_holds(s));
    }
    *value = (float)sum;
    return *value - *value == 0 ? 1 : heed_fail(error, HEED_ERROR_NUMBER, "the metric is infinite or not a number");
}

/* NULL and an error when the slot does not exist. */
static const heed_tensor *weight(const heed_session *s, int layer, int slot, heed_error *error) {
    if (!heed_is_address(s, 1, error)) return NULL;
    const heed_model *m = s->model;
    int slots = layer < 0 ? HEED_MODEL_SLOT_COUNT : HEED_BLOCK_SLOT_COUNT;
    if (!heed_in_range(error, HEED_ERROR_ARGUMENT, "layer", layer, -1, heed_blocks(&m->config) - 1) ||
        !heed_in_range(error, HEED_ERROR_ARGUMENT, "slot", slot, 0, slots - 1))
        return NULL;
    return layer < 0 ? &m->weights.slot[slot] : &m->blocks[layer].slot[slot];
}

int heed_weight_shape(const heed_session *s, int layer, int slot, int *rows, int *columns, heed_error *error) {
    const heed_tensor *w = weight(s, layer, slot, error);
    if (!w || !heed_is_address(rows, 1, error) || !heed_is_address(columns, 1, error)) return 0;
    *rows = heed_has(w) ? w->rows : 0;
    *columns = heed_has(w) ? w->columns : 0;
    return 1;
}

/* The matrix whose adapter changes row *row of a weight, and its row there: attn_qkv is attn_q, attn_k and attn_v. */
static const heed_tensor *adapted_part(const heed_model *m, int layer, int slot, const heed_tensor *w, int *row) {
    if (layer < 0 || slot != HEED_SLOT_attn_qkv) return w;
    const heed_block_weights *block = &m->blocks[layer];
    if (*row < block->attn_q.rows) return &block->attn_q;
    *row -= block->attn_q.rows;
    if (*row < block->attn_k.rows) return &block->attn_k;
    *row -= block->attn_k.rows;
    return &block->attn_v;
}

int heed_weight_read(const heed_session *s, int layer, int slot, int first, int rows, float *y, heed_error *error) {
    const heed_tensor *w = weight(s, layer, slot, error);
    if (!w || !heed_is_address(y, 1, error)) return 0;
    int there = heed_has(w) ? w->rows : 0;
    if (first < 0 || rows < 1 || first > there - rows)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "%d rows of a weight from row %d; it has %d", rows, first, there);
    for (int i = 0; i < rows; i++, y += w->columns) {
        int row = first + i;
        heed_format_read(y, w->dtype, w->data, row, w->columns, 0, w->columns, s->kernels);
        const heed_adapter *adapter = adapted_part(s->model, layer, slot, w, &row)->adapter;
        if (!adapter) continue;
        const float *b = adapter->b + (size_t)row * (size_t)adapter->rank;
        size_t K = (size_t)w->columns;
        s->kernels->gemm_f32(y, K, b, 0, 1, adapter->a, K, 1, 1, w->columns, adapter->rank, 1, adapter->scale);
    }
    return 1;
}
