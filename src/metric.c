#include "metric.h"

#include "ops/learn.h"

static int counted_targets(const heed_metric *m) {
    int count = 0;
    for (int t = 0; t < m->rows; t++) count += m->targets[t] >= 0;
    return count;
}

int heed_metric_is_valid(const heed_session *s, const heed_metric *m, int n, heed_error *error) {
    int vocabulary = s->model->config.vocabulary;
    if (!heed_is_address(m, 1, error)) return 0;
    if (m->first < 0 || m->rows < 1 || m->first > n - m->rows)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "a metric of %d rows from row %d; there are %d", m->rows, m->first,
                         n);
    if (!m->weights == !m->targets)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "a metric has either weights or targets");
    for (int t = 0; m->targets && t < m->rows; t++)
        if (m->targets[t] < -1 || m->targets[t] >= vocabulary)
            return heed_fail(error, HEED_ERROR_ARGUMENT, "target %d is not in the vocabulary of %d", m->targets[t],
                             vocabulary);
    if (m->targets && !counted_targets(m)) return heed_fail(error, HEED_ERROR_ARGUMENT, "a metric needs a target");
    return 1;
}

static void add_weighted(const float *weights, const heed_tensor *logits, double *value) {
    for (int t = 0; t < logits->rows; t++, weights += logits->columns)
        for (int i = 0; i < logits->columns; i++) {
            *value += weights[i] != 0 ? (double)weights[i] * (double)heed_row(logits, t)[i] : 0;
            if (logits->grad) heed_grad(logits, t)[i] = weights[i];
        }
}

int heed_metric_add(heed_context *c, const heed_metric *m, int row, const heed_tensor *logits, double *value) {
    if (m->weights) {
        add_weighted(m->weights + (size_t)row * (size_t)logits->columns, logits, value);
        return 1;
    }
    heed_tensor *loss = heed_cross_entropy(c, logits, m->targets + row, -1, 0, 0);
    if (!loss) return 0;
    int counted = counted_targets(m);
    *value += (double)*heed_row(loss, 0) / counted;
    if (loss->grad) *loss->grad = 1 / (float)counted;
    return 1;
}
