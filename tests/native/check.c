#include "check.h"

#include <stdarg.h>

static int done, failed;

void check(int ok, const char *format, ...) {
    va_list arguments;
    printf("%s %d - ", ok ? "ok" : "not ok", ++done);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    failed += !ok;
}

int check_plan(void) {
    printf("1..%d\n", done);
    return failed || !done;
}
