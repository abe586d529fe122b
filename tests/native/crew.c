#include "crew.h"

#include "threads.h"
#include "tiny.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct helper {
    heed_pool *pool;
    int part;
    pthread_t thread;
} helper;
static helper helpers[HEED_MAX_THREADS];

static void *work(void *argument) {
    helper *h = argument;
    heed_pool_work(h->pool, h->part);
    return NULL;
}

heed_pool *crew_start(int threads) {
    heed_error error = {0};
    heed_pool *pool = heed_pool_create(tiny_memory(heed_pool_bytes()), threads, &error);
    for (int part = 1; part < threads; part++) {
        helpers[part] = (helper){pool, part};
        pthread_create(&helpers[part].thread, NULL, work, &helpers[part]);
    }
    return pool;
}

void crew_end(heed_pool *pool) {
    heed_pool_close(pool);
    for (int part = 1; part < heed_pool_threads(pool); part++) pthread_join(helpers[part].thread, NULL);
    free(pool);
}
