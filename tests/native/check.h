/* Counts what was checked, in the lines of the Test Anything Protocol. */
#ifndef HEED_CHECK_H
#define HEED_CHECK_H

#include <stdio.h>

/* One test: `ok` and a sentence that says what it shows. */
void check(int ok, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The closing plan; gives the exit status. */
int check_plan(void);

#endif
