/* heed_abi(): the names and numbers of heed.h as text. */
#include "heed.h"

#include "kernels/kernels.h"

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

/* One line per list of heed.h. */
/* clang-format off */
#define CONFIG_FIELD(type, name, names) "field config " #name " " #type " " names "\n"
#define SAMPLING_FIELD(type, name) "field sampling " #name " " #type "\n"
#define TAP_FIELD(type, name) "field tap " #name " " #type "\n"
#define DTYPE(name, number, text) "dtype " text " " #number "\n"
#define MODEL_SLOT(name, text, rows, columns, needed) "slot " text "\n"
#define BLOCK_SLOT(name, text, rows, columns, needed) "block " text "\n"
#define HOOK(name, text, per_layer) "hook " text " " #per_layer "\n"
#define OPERATION(name, text) "operation " text "\n"
#define ERROR(name, text) "error " text "\n"
#define LIMIT(name, number) "limit " name " " NUMBER(number) "\n"
#define ENUM(name, values) "enum " name values(WORD) "\n"
#define WORD(name, text) " " text

const char *heed_abi(void) {
    return
        HEED_CONFIG_FIELDS(CONFIG_FIELD)
        HEED_SAMPLING_FIELDS(SAMPLING_FIELD)
        HEED_TAP_FIELDS(TAP_FIELD)
        HEED_DTYPES(DTYPE)
        HEED_MODEL_SLOTS(MODEL_SLOT)
        HEED_BLOCK_SLOTS(BLOCK_SLOT)
        HEED_HOOKS(HOOK)
        HEED_OPERATIONS(OPERATION)
        HEED_ERROR_CODES(ERROR)
        ENUM("forward", HEED_FORWARD_STATES)
        ENUM("map", HEED_MAP_KINDS)
        LIMIT("logit_rows", HEED_LOGIT_ROWS)
        LIMIT("call_inputs", HEED_CALL_INPUTS)
        LIMIT("call_integers", HEED_CALL_INTEGERS)
        LIMIT("call_floats", HEED_CALL_FLOATS)
        "kernels"
#define KERNEL(result, name, ...) " " #name
#include "kernels/list.h"
#undef KERNEL
        "\n";
}
/* clang-format on */

const heed_kernels *heed_kernels_get(int engine) {
    if (engine == 0) return &heed_kernels_scalar;
    if (engine == 1) return &heed_kernels_simd128;
    if (engine == 2) return &heed_kernels_relaxed;
    return NULL;
}
