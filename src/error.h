/* What went wrong, as a code and a sentence. */
#ifndef HEED_ERROR_H
#define HEED_ERROR_H

#include "heed.h"

/* Fills error, unless it already tells of an earlier failure.  format knows %d (int), %u (size_t) and %s.  Returns 0.
 */
int heed_fail(heed_error *error, heed_error_code code, const char *format, ...);

#endif
