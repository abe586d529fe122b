/* heed_abi(): the lists of heed.h and heed_lab.h as text.  Also the kernel sets and the number of streams. */
#include "heed_lab.h"

#include "kernels/kernels.h"

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

/* One line per list. */
/* clang-format off */
#define CONFIG_FIELD(type, name, names) "field config " #name " " #type " 1" names "\n"
#define SAMPLING_FIELD(type, name, names) "field sampling " #name " " #type " 1" names "\n"
#define CANDIDATE_FIELD(type, name, names) "field candidate " #name " " #type " 1" names "\n"
#define TAP_FIELD(type, name) "field tap " #name " " #type " 1\n"
#define METRIC_FIELD(type, name) "field metric " #name " " #type " 1\n"
#define ADAPTER_FIELD(type, name) "field adapter " #name " " #type " 1\n"
#define CALL_FIELD(type, name, count) "field call " #name " " #type " " #count "\n"
#define DTYPE(name, number, text) "dtype " text " " #number "\n"
#define MODEL_SLOT(name, text, rows, columns, needed) "slot " text "\n"
#define BLOCK_SLOT(name, text, rows, columns, needed) "block " text "\n"
#define HOOK(name, text, per_layer, axes) "hook " text " " #per_layer " " HEED_AXES_##axes "\n"
#define OPERATION(NAME, name, needed, integers, floats) "operation " #name "\n"
#define ERROR(name, text) "error " text "\n"
#define ENUM(name, values) "enum " name values(HEED_WORD) "\n"
#define LIMIT(name, number) "limit " name " " NUMBER(number) "\n"
#define CONFIG_LIMIT(name, number) "limit config." #name " " #number "\n"

const char *heed_abi(void) {
    return
        HEED_CONFIG_FIELDS(CONFIG_FIELD)
        HEED_SAMPLING_FIELDS(SAMPLING_FIELD)
        HEED_CANDIDATE_FIELDS(CANDIDATE_FIELD)
        "field tap next pointer 1\n"
        HEED_TAP_FIELDS(TAP_FIELD)
        HEED_METRIC_FIELDS(METRIC_FIELD)
        HEED_ADAPTER_FIELDS(ADAPTER_FIELD)
        HEED_CALL_FIELDS(CALL_FIELD)
        HEED_DTYPES(DTYPE)
        HEED_MODEL_SLOTS(MODEL_SLOT)
        HEED_BLOCK_SLOTS(BLOCK_SLOT)
        HEED_HOOKS(HOOK)
        HEED_OPERATIONS(OPERATION)
        HEED_ERROR_CODES(ERROR)
        ENUM("norm", HEED_NORM_KINDS)
        ENUM("position", HEED_POSITION_KINDS)
        ENUM("activation", HEED_ACTIVATION_KINDS)
        ENUM("cache", HEED_CACHE_TYPES)
        ENUM("kernel_set", HEED_KERNEL_SETS)
        ENUM("forward", HEED_FORWARD_STATES)
        ENUM("map", HEED_MAP_KINDS)
        HEED_CONFIG_LIMITS(CONFIG_LIMIT)
        LIMIT("error_bytes", HEED_ERROR_BYTES)
        LIMIT("logit_rows", HEED_LOGIT_ROWS)
        LIMIT("panel_rows", HEED_PANEL)
        LIMIT("max_rank", HEED_MAX_RANK)
        "kernels"
#define KERNEL(result, name, ...) " " #name
#include "kernels/list.h"
#undef KERNEL
        "\n";
}
/* clang-format on */

#ifdef __wasm32__
/* The counts of HEED_CALL_FIELDS match the struct. */
#define X(type, name, count) +count
_Static_assert(sizeof(heed_call) == 4 * (0 HEED_CALL_FIELDS(X)), "HEED_CALL_FIELDS: a wrong count");
#undef X
#endif

const heed_kernels *heed_kernels_get(heed_kernel_set set) {
    switch (set) {
    case HEED_KERNELS_SCALAR: return &heed_kernels_scalar;
    case HEED_KERNELS_SIMD128: return &heed_kernels_simd128;
    case HEED_KERNELS_RELAXED: return &heed_kernels_relaxed;
    case HEED_KERNELS_RELAXED_U8: return &heed_kernels_relaxed_u8;
    case HEED_KERNELS_RELAXED_S8: return &heed_kernels_relaxed_s8;
    }
    return NULL;
}

int heed_many_streams = 1;

void heed_set_streams(int many) { heed_many_streams = many; }
