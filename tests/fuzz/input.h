/* Numbers for a random program from the bytes of libFuzzer. */
#ifndef HEED_FUZZ_INPUT_H
#define HEED_FUZZ_INPUT_H

#include "heed.h"

typedef struct input {
    const uint8_t *at, *end;
} input;

static inline int is_left(const input *in) { return in->at < in->end; }
/* The next byte; 0 at the end. */
static inline int byte(input *in) { return is_left(in) ? *in->at++ : 0; }
/* 0 .. n - 1. */
static inline int below(input *in, int n) { return n > 0 ? byte(in) % n : 0; }
/* Sizes and indices: most are small, some are wrong. */
int any_int(input *in);
/* Numbers: most are small, some are not finite. */
float any_float(input *in);
/* Stops the process with this message, as a sanitizer does, if `holds` is 0. */
void need(int holds, const char *what);

/* Random programs: calls of one part of heed.h with valid memory and any numbers. */
void fuzz_session(input *in);
void fuzz_lab(input *in);

#endif
