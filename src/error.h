/* Errors: a code and a sentence. */
#ifndef HEED_ERROR_H
#define HEED_ERROR_H

#include "heed.h"

/* Fills `error`, unless it holds an earlier error.  format: %d (int), %u (size_t) and %s.  Returns 0. */
int heed_fail(heed_error *error, heed_error_code code, const char *format, ...);

/* Whether low <= value <= high; otherwise fails with this code and name. */
int heed_in_range(heed_error *error, heed_error_code code, const char *name, int value, int low, int high);

/* Whether an address is a multiple of `alignment` and not NULL; otherwise fails. */
int heed_is_address(const void *address, size_t alignment, heed_error *error);

#endif
