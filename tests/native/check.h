/* Prints tests in the Test Anything Protocol. */
#ifndef HEED_CHECK_H
#define HEED_CHECK_H

#include <stdio.h>

/* One test: a result and a claim. */
void check(int ok, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the plan and returns the exit status. */
int check_plan(void);

#endif
