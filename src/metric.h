/* A metric: a number computed from logits. */
#ifndef HEED_METRIC_H
#define HEED_METRIC_H

#include "session.h"

/* Rows of logits at a time.  The head is the widest product, so its tensors are released after each of these. */
enum { HEED_METRIC_ROWS = 16 };

/* Whether a metric fits n rows and the model's vocabulary. */
int heed_metric_is_valid(const heed_session *session, const heed_metric *metric, int n, heed_error *error);

/* Adds to *value the part of rows [row, row + rows) of a metric, for inputs x [rows][D] of the head.  With a tape, the
 * logits are recorded and have the metric's gradient.  0 when the arena is full. */
int heed_metric_add(heed_context *c, const heed_model *model, const heed_metric *metric, int row, heed_tensor *x,
                    double *value);

#endif
