/* What went wrong, as a code and a sentence. */
#ifndef HEED_ERROR_H
#define HEED_ERROR_H

#include "heed.h"

/* Fills error, unless it already tells of an earlier failure.  format knows %d (int), %u (size_t) and %s.  Returns 0.
 */
int heed_fail(heed_error *error, heed_error_code code, const char *format, ...);

/* Whether low <= value <= high; else the call is refused with this code and the value's name. */
int heed_in_range(heed_error *error, heed_error_code code, const char *name, int value, int low, int high);

/* Whether an address is one that a caller may give: not NULL, and a multiple of `alignment`. */
int heed_is_address(const void *address, size_t alignment, heed_error *error);

#endif
