/* Rows of the cache: another session continues with the same bits. */
#include "check.h"
#include "tiny.h"

#include <stdlib.h>
#include <string.h>

enum { T = 13, V = TINY_VOCABULARY };

/* Bytes of a row, which is in memory of exactly this size. */
static size_t row_bytes(const heed_config *c, heed_cache_type cache, heed_cached_kind kind) {
    size_t vector = (size_t)c->d_head * (cache == HEED_CACHE_I16 ? 2 : 4) + (cache == HEED_CACHE_I16 ? 4 : 0);
    return (size_t)(kind == HEED_CACHED_QUERIES ? c->heads : c->kv_heads) * vector;
}

/* Copies all rows of one session into another one. */
static int copy(tiny *from, tiny *to, heed_cache_type cache) {
    int ok = 1;
    for (int layer = 0; layer < from->config.layers; layer++)
        for (heed_cached_kind kind = HEED_CACHED_KEYS; kind <= HEED_CACHED_QUERIES; kind++)
            for (int j = 0; j < T; j++) {
                void *row = malloc(row_bytes(&from->config, cache, kind));
                ok &= heed_cached(from->session, layer, kind, j, 1, row, &from->error) &&
                      heed_cached(to->session, layer, kind, j, 0, row, &to->error);
                free(row);
            }
    return ok && heed_restore(to->session, tiny_ids(), T, &to->error);
}

static void continues(tiny_family family, heed_cache_type cache) {
    const char *name = tiny_family_name[family];
    float whole[V], rest[V], map[T * T];
    tiny a = tiny_run(family, HEED_F32, 1, cache), b = tiny_run(family, HEED_F32, 1, cache);
    int done = tiny_forward(&a, T, T, whole), layer = a.config.layers - 1;
    const float *of_a = heed_map(a.session, layer, 0, HEED_MAP_SCORES, 0, T, &a.error);
    size_t numbers = (size_t)(T * (a.config.encoder_layers ? TINY_SOURCE : T));
    if (of_a) memcpy(map, of_a, numbers * sizeof *map);
    check(done && of_a && copy(&a, &b, cache) && heed_position(b.session) == T, "%s: rows are restored", name);
    const float *of_b = heed_map(b.session, layer, 0, HEED_MAP_SCORES, 0, T, &b.error);
    check(of_b && tiny_same(map, of_b, numbers), "%s: a restored map has the same bits", name);
    if (!a.config.bidirectional)
        check(tiny_forward(&a, T + 3, 3, whole) && tiny_forward(&b, T + 3, 1, rest) && tiny_same(whole, rest, V),
              "%s: a restored text continues with the same bits", name);
    tiny_free(&a);
    tiny_free(&b);
}

static void refuses(void) {
    float row[1024];
    tiny t = tiny_run(TINY_GPT2, HEED_F32, 0, HEED_CACHE_F32);
    static const int cases[][3] = {{-1, 0, 0}, {99, 0, 0}, {0, -1, 0}, {0, 2, 0}, {0, 0, -1}, {0, 0, TINY_CONTEXT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        t.error.code = HEED_ERROR_NONE;
        check(!heed_cached(t.session, cases[i][0], (heed_cached_kind)cases[i][1], cases[i][2], 1, row, &t.error) &&
                  t.error.code == HEED_ERROR_ARGUMENT,
              "layer %d, kind %d, position %d do not exist", cases[i][0], cases[i][1], cases[i][2]);
    }
    tiny_forward(&t, 2, 2, row);
    int32_t wrong[] = {0, V};
    t.error.code = HEED_ERROR_NONE;
    check(!heed_restore(t.session, wrong, 2, &t.error) && heed_position(t.session) == 2, "an id that does not exist");
    t.error.code = HEED_ERROR_NONE;
    check(!heed_restore(t.session, tiny_ids(), TINY_CONTEXT + 1, &t.error) && heed_position(t.session) == 2,
          "more ids than positions");
    tiny_free(&t);
    t = tiny_model(TINY_T5, HEED_F32);
    size_t bytes = heed_session_bytes(t.model, T, T, 0, HEED_CACHE_F32, 1, &t.error);
    t.session = heed_session_create(tiny_memory(bytes), bytes, t.model, T, T, 0, HEED_CACHE_F32,
                                    heed_kernels_get(HEED_KERNELS_SCALAR), NULL, &t.error);
    check(!heed_restore(t.session, tiny_ids(), 2, &t.error) && heed_position(t.session) == 0 &&
              strstr(t.error.message, "source"),
          "a text of an encoder–decoder is not restored without its source: %s", t.error.message);
    tiny_free(&t);
}

void test_saved(void) {
    for (int family = 0; family < TINY_ALL; family++)
        for (int cache = HEED_CACHE_F32; cache <= HEED_CACHE_I16; cache++)
            continues((tiny_family)family, (heed_cache_type)cache);
    refuses();
}
