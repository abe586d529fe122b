/* Positions of a training: RoPE of rows, and sinusoids. */
#include "ops/learn.h"
#include "ops/ops.h"
#include "ops/series.h"

heed_tensor *heed_rope_rows(heed_context *c, const heed_tensor *x, int first, int period, int heads, int dims,
                            heed_position_kind kind, float theta) {
    heed_tape *tape = c->tape;
    c->tape = NULL; /* angles are constants */
    heed_tensor *angles = heed_rope_angles(c, first, period, dims, theta, 1, NULL);
    c->tape = tape;
    return angles ? heed_rope(c, heed_copied(c, x), angles, heads, kind) : NULL;
}

heed_tensor *heed_sinusoidal(heed_context *c, int first, int T, int D) {
    heed_tensor *y = heed_tensor_new(c, T, D);
    for (int t = 0; y && t < T; t++)
        for (int i = 0; i < D; i++) {
            heed_rotation r = heed_rotation_by((double)(first + t) / heed_power(10000, (double)(i - i % 2) / D));
            heed_row(y, t)[i] = (float)(i % 2 ? r.cosine : r.sine);
        }
    return y;
}
