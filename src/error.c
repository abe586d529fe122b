/* Error messages of the core, without stdio. */
#include "error.h"

#include <stdarg.h>

typedef struct text {
    char *at, *end;
} text;

static void put(text *t, char character) {
    if (t->at < t->end) *t->at++ = character;
}

static void put_string(text *t, const char *s) {
    while (*s) put(t, *s++);
}

static void put_number(text *t, size_t n) {
    if (n >= 10) put_number(t, n / 10);
    put(t, (char)('0' + n % 10));
}

/* No stdio: printf would be larger than the rest of the module. */
int heed_fail(heed_error *error, heed_error_code code, const char *format, ...) {
    if (!error || error->code != HEED_ERROR_NONE) return 0;
    error->code = code;
    text t = {error->message, error->message + sizeof error->message - 1};
    va_list arguments;
    va_start(arguments, format);
    for (const char *f = format; *f; f++) {
        if (*f != '%') {
            put(&t, *f);
            continue;
        }
        switch (*++f) {
        case 'd': {
            int n = va_arg(arguments, int);
            if (n < 0) put(&t, '-');
            put_number(&t, n < 0 ? (size_t)0 - (size_t)n : (size_t)n);
            break;
        }
        case 'u': put_number(&t, va_arg(arguments, size_t)); break;
        case 's': put_string(&t, va_arg(arguments, const char *)); break;
        }
    }
    va_end(arguments);
    *t.at = 0;
    return 0;
}

int heed_in_range(heed_error *error, heed_error_code code, const char *name, int value, int low, int high) {
    if (value >= low && value <= high) return 1;
    return heed_fail(error, code, "%s is %d; it must be between %d and %d", name, value, low, high);
}

int heed_is_address(const void *address, size_t alignment, heed_error *error) {
    if (address && (uintptr_t)address % alignment == 0) return 1;
    return heed_fail(error, HEED_ERROR_ARGUMENT, "an address is NULL or not aligned to %u bytes", alignment);
}
