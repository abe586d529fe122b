/* A pool with a thread for each of its parts. */
#ifndef HEED_CREW_H
#define HEED_CREW_H

#include "heed.h"

/* One crew at a time; crew_end frees it. */
heed_pool *crew_start(int threads);
void crew_end(heed_pool *pool);

#endif
