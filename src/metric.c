/* Metrics of logits: weighted sums, cross-entropy. */
#include "metric.h"

#include "models/weights.h"
#include "ops/learn.h"

static int counted_targets(const heed_metric *m) {
    int count = 0;
    for (int t = 0; t < m->rows; t++) count += m->targets[t] >= 0;
    return count;
}

int heed_metric_is_valid(const heed_session *s, const heed_metric *m, int n, heed_error *error) {
    int outputs = heed_outputs(&s->model->config);
    if (!heed_is_address(m, 1, error)) return 0;
    if (m->first < 0 || m->rows < 1 || m->first > n - m->rows)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "a metric of %d rows from row %d; there are %d", m->rows, m->first,
                         n);
    if (!m->weights == !m->targets)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "a metric has either weights or targets");
    for (int t = 0; m->targets && t < m->rows; t++)
        if (m->targets[t] < -1 || m->targets[t] >= outputs)
            return heed_fail(error, HEED_ERROR_ARGUMENT, "target %d is none of the %d logits", m->targets[t], outputs);
    if (m->targets && !counted_targets(m)) return heed_fail(error, HEED_ERROR_ARGUMENT, "a metric needs a target");
    return 1;
}

/* Logits in one unit: whole panels. */
enum { UNIT = 4 * HEED_PANEL };

/* Whether `rows` rows of weights [rows][V] need logit `from` or the rest of its unit. */
static int needs_unit(const float *weights, int rows, int V, int from) {
    for (int t = 0; t < rows; t++, weights += V)
        for (int i = from; i < from + UNIT && i < V; i++)
            if (weights[i] != 0) return 1;
    return 0;
}

/* Logits from .. to - 1 with their weights. */
static int add_logits(heed_context *c, const heed_model *m, const float *weights, int from, int to, heed_tensor *x,
                      double *value) {
    const heed_tensor *w = &m->weights.output;
    heed_tensor *part = heed_arena_take(c->arena, 2, sizeof *part);
    if (!part) {
        heed_out_of_memory(c);
        return 0;
    }
    part[0] = heed_weight_view(w, from, to - from);
    part[1] = heed_weight_view(&m->weights.output_bias, from, to - from);
    heed_tensor *logits = heed_causal_lm_logits(c, m, heed_linear(c, x, &part[0], &part[1]));
    for (int t = 0; logits && t < logits->rows; t++)
        for (int i = 0; i < logits->columns; i++) {
            float weight = weights[(size_t)t * (size_t)w->rows + (size_t)(from + i)];
            *value += weight != 0 ? (double)weight * (double)heed_row(logits, t)[i] : 0;
            if (logits->grad) heed_grad(logits, t)[i] = weight;
        }
    return logits != NULL;
}

/* Runs of units with a weight: a logit difference needs two of thousands. */
static int add_weighted(heed_context *c, const heed_model *m, const float *weights, heed_tensor *x, double *value) {
    int V = heed_outputs(&m->config);
    for (int from = 0, to = 0; from < V; from = to += UNIT) {
        while (needs_unit(weights, x->rows, V, to)) to += UNIT;
        if (to > from && !add_logits(c, m, weights, from, to < V ? to : V, x, value)) return 0;
    }
    return 1;
}

int heed_metric_add(heed_context *c, const heed_model *model, const heed_metric *m, int row, heed_tensor *x,
                    double *value) {
    if (m->weights) {
        size_t V = (size_t)heed_outputs(&model->config);
        x = heed_causal_lm_cls(c, model, x);
        return x && add_weighted(c, model, m->weights + (size_t)row * V, x, value);
    }
    heed_tensor *logits = heed_causal_lm_head(c, model, x);
    heed_tensor *loss = logits ? heed_cross_entropy(c, logits, m->targets + row, -1, 0, 0) : NULL;
    if (!loss) return 0;
    int counted = counted_targets(m);
    *value += (double)*heed_row(loss, 0) / counted;
    if (loss->grad) *loss->grad = 1 / (float)counted;
    return 1;
}
