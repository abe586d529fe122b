/* Rows of activations as they come: bands of whole tiles, and one by one what is left.  Included where `panel`, ROWS,
 * BAND, multiply_row and multiply_band are there. */
ALWAYS_INLINE void matmul(float *y, size_t y_stride, const heed_block_q8 *x, const panel *w, int T, int O, int K) {
    const int stride = K / HEED_BLOCK;
    for (int t = 0, rows; t < T; t += rows) {
        float *y_t = y + (size_t)t * y_stride;
        const heed_block_q8 *x_t = x + (size_t)t * (size_t)stride;
        rows = T - t >= BAND ? BAND : T - t >= ROWS ? (T - t) / ROWS * ROWS : 1;
        if (rows == 1)
            multiply_row(y_t, x_t, w, O, stride);
        else
            multiply_band(y_t, y_stride, x_t, w, rows, O, stride);
    }
}
