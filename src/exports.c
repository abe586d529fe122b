/* The WebAssembly module: heed.h as it is, and its names as text. */
#include "heed.h"

#include "kernels/kernels.h"

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)
#define LIMIT(name, number) "limit " name " " NUMBER(number) "\n"

const char *heed_abi(void) {
    return ""
#define X(type, name, names) "field config " #name " " #type " " names "\n"
        HEED_CONFIG_FIELDS(X)
#undef X
#define X(type, name) "field sampling " #name " " #type "\n"
            HEED_SAMPLING_FIELDS(X)
#undef X
#define X(type, name) "field tap " #name " " #type "\n"
                HEED_TAP_FIELDS(X)
#undef X
#define X(name, number, text) "dtype " text " " #number "\n"
                    HEED_DTYPES(X)
#undef X
#define X(name, text, rows, columns, needed) "slot " text "\n"
                        HEED_MODEL_SLOTS(X)
#undef X
#define X(name, text, rows, columns, needed) "block " text "\n"
                            HEED_BLOCK_SLOTS(X)
#undef X
#define X(name, text, per_layer) "hook " text " " #per_layer "\n"
                                HEED_HOOKS(X)
#undef X
#define X(name, text) "operation " text "\n"
                                    HEED_OPERATIONS(X)
#undef X
#define X(name, text) "error " text "\n"
                                        HEED_ERROR_CODES(X)
#undef X
                                            LIMIT("logit_rows", HEED_LOGIT_ROWS) LIMIT("call_inputs", HEED_CALL_INPUTS)
                                                LIMIT("call_integers", HEED_CALL_INTEGERS)
                                                    LIMIT("call_floats", HEED_CALL_FLOATS) "kernels " HEED_KERNEL_NAMES
                                                                                           "\n";
}

const heed_kernels *heed_kernels_get(int engine) {
    if (engine == 0) return &heed_kernels_scalar;
    if (engine == 1) return &heed_kernels_simd128;
    if (engine == 2) return &heed_kernels_relaxed;
    return NULL;
}
