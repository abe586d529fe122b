/* libFuzzer's entry: the first byte chooses the API, the others are a program. */
#include "input.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int any_int(input *in) {
    static const int odd[] = {INT_MIN, -65536, -2,    -1,    16,      17,          31,     33,
                              64,      4096,   65535, 65536, 1 << 24, INT_MAX - 1, INT_MAX};
    int b = byte(in), count = (int)(sizeof odd / sizeof *odd);
    return b < 256 - count ? b % 14 : odd[b - (256 - count)];
}

float any_float(input *in) {
    static const float odd[] = {-1, 0, 1e-45f, 1e-30f, 1e30f, 3e38f, -3e38f, INFINITY, -INFINITY, NAN};
    int b = byte(in), count = (int)(sizeof odd / sizeof *odd);
    return b < 256 - count ? (float)b / 64 : odd[b - (256 - count)];
}

void need(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, data + size};
    if (byte(&in) % 2)
        fuzz_lab(&in);
    else
        fuzz_session(&in);
    return 0;
}
