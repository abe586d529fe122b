/* Tiny random models of every family, made through the public API.  Their memory has exactly the size that the API
 * requires, so that the address sanitizer finds any access past it. */
#ifndef HEED_TINY_H
#define HEED_TINY_H

#include "heed.h"

/* The three decoders before the mixture have the settings of several families, so that each setting runs:
 * - Gemma: norms around both parts, norms of queries and keys by head, soft caps, local and global layers
 * - Bloom: ALiBi, a norm of embeddings, and attention and feed-forward in parallel as in Falcon
 * - OLMo: norms after both parts, norms of whole queries and keys, scales, and layers without positions as in SmolLM3
 */
typedef enum tiny_family {
    TINY_GPT2,
    TINY_LLAMA,
    TINY_QWEN2,
    TINY_MISTRAL,
    TINY_GEMMA,
    TINY_BLOOM,
    TINY_OLMO,
    TINY_MIXTURE,  /* of four experts, of which a token uses two, and a shared one; it takes no adapters */
    TINY_FAMILIES, /* of decoders */
    TINY_BERT = TINY_FAMILIES,
    TINY_MODERN_BERT, /* a classifier with 3 labels, with local and global layers */
    TINY_VIT,         /* a classifier of a random picture, with more labels than patches */
    TINY_T5,          /* an encoder–decoder with norms before both parts and relative biases */
    TINY_BART,        /* an encoder–decoder with norms of sums and learned positions */
    TINY_ALL
} tiny_family;
extern const char *const tiny_family_name[TINY_ALL];

enum { TINY_CONTEXT = 24, TINY_BATCH = 16, TINY_PROMPT = 15, TINY_SOURCE = 11, TINY_VOCABULARY = 50 };

typedef struct tiny {
    heed_config config;
    heed_model *model;
    heed_session *session;
    heed_error error; /* of the last call */
    float *picture;   /* [V][patch] of a model of pictures */
} tiny;

heed_config tiny_config(tiny_family family);
/* The configuration that has the sizes of a block; layer -1: of the model. */
heed_config tiny_sizes(const heed_config *c, int layer);
/* Blocks with weights: layers and experts. */
int tiny_blocks(const heed_config *c);
/* Whether a block has a slot: experts have three. */
int tiny_has_slot(const heed_config *c, int layer, int slot);
/* A model with matrices of this type, without a session. */
tiny tiny_model(tiny_family family, heed_dtype dtype);
/* The same with another configuration. */
tiny tiny_model_of(tiny_family family, heed_config config, heed_dtype dtype);
/* A model in F32 that lacks one weight; `error` says so. */
tiny tiny_model_without(tiny_family family, int layer, int slot);
/* The same with a session of TINY_CONTEXT positions. */
tiny tiny_run(tiny_family family, heed_dtype dtype, int maps, heed_cache_type cache);
/* The same with another configuration. */
tiny tiny_run_of(tiny_family family, heed_config config, heed_dtype dtype, int maps, heed_cache_type cache);
/* The random bytes of one weight: small finite numbers, of a vector around `center`. */
void tiny_fill(void *bytes, heed_dtype dtype, int rows, int columns, float center, uint32_t *state);
/* A loader in new memory; the caller frees it. */
heed_loader *tiny_loader(heed_model *model);
/* Loads one weight from the bytes of a file, in pieces.  1 when done. */
int tiny_load(tiny *t, int layer, int slot, heed_dtype stored, heed_dtype kept, int rows, int columns, int transposed,
              const void *bytes);
/* TINY_SOURCE ids, which tiny_run gives to an encoder–decoder. */
const int32_t *tiny_source(void);
/* TINY_CONTEXT + 1 ids of a fixed text. */
const int32_t *tiny_ids(void);
/* Runs the text up to its first n ids, in calls of at most `step` ids, and copies the last logits [V].  1 when done. */
int tiny_forward(tiny *t, int n, int step, float *logits);
/* Whether n floats have the same bits. */
int tiny_same(const float *a, const float *b, size_t n);
/* Memory of exactly this size, with the alignment of the API. */
void *tiny_memory(size_t bytes);
void tiny_free(tiny *t);

/* The suites. */
void test_arena(void);
void test_runs(void);
void test_taps(void);
void test_sampling(void);
void test_refusals(void);
void test_pool(void);
void test_threads(void);
void test_packing(void);
void test_learning(void);
void test_series(void);
void test_whole_bytes(void);
void test_analysis(void);
void test_adapters(void);
void test_encoders(void);
void test_encoder_decoders(void);
void test_mixtures(void);
void test_saved(void);

#endif
