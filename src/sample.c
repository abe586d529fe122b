/* The sampler: from logits to the next id. */
#include "session.h"

#include "rng.h"

#include <math.h>
#include <string.h>

/* Likelier first; equal ones by id, so that every kernel set agrees. */
static int before(const heed_candidate *a, const heed_candidate *b) {
    return a->logprob > b->logprob || (a->logprob == b->logprob && a->id < b->id);
}

static void sift_down(heed_candidate *heap, int n, int i) {
    heed_candidate moved = heap[i];
    for (int child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && before(&heap[child + 1], &heap[child])) child++;
        if (!before(&heap[child], &moved)) break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

/* Removes the likeliest from a heap of n and puts it behind the remaining n - 1. */
static heed_candidate pop(heed_candidate *heap, int n) {
    heed_candidate best = heap[0];
    heap[0] = heap[n - 1];
    heap[n - 1] = best;
    if (n > 1) sift_down(heap, n - 1, 0);
    return best;
}

static void heapify(heed_candidate *heap, int n) {
    for (int i = n / 2 - 1; i >= 0; i--) sift_down(heap, n, i);
}

/* Applies the penalty once per id: an id whose logit differs from the model's already has it. */
static void penalize(const heed_session *s, float *logits, float penalty) {
    for (int p = 0; p < s->position; p++) {
        int id = s->ids[p];
        if (logits[id] == s->logits[id]) logits[id] = logits[id] > 0 ? logits[id] / penalty : logits[id] * penalty;
    }
}

/* The n_top likeliest of logits [V] in order, as log-probabilities, by insertion: n_top is small. */
static void likeliest(const float *logits, int V, float log_sum, heed_candidate *top, int n_top) {
    int n = 0;
    for (int id = 0; n_top && id < V; id++) {
        heed_candidate x = {id, logits[id]};
        if (n == n_top && !before(&x, &top[n - 1])) continue;
        int i = n < n_top ? n++ : n - 1;
        for (; i > 0 && before(&x, &top[i - 1]); i--) top[i] = top[i - 1];
        top[i] = x;
    }
    for (int i = 0; i < n; i++) top[i].logprob -= log_sum;
}

/* The logarithm of the sum of exp(logits [V]), with the n_top likeliest as log-probabilities. */
static float rank(const heed_session *s, const float *logits, int V, heed_candidate *top, int n_top) {
    float largest = s->kernels->max_f32(logits, (size_t)V);
    float log_sum = largest + logf(s->kernels->sumexp_f32(logits, largest, (size_t)V));
    likeliest(logits, V, log_sum, top, n_top);
    return log_sum;
}

/* The number of candidates after the cuts.  They are at the end of the array, the likeliest last.  Pops candidates from
 * the heap until a cut is reached, so that only these are sorted. */
static int cut(const heed_kernels *k, heed_candidate *heap, int V, const float *logits, float largest,
               const heed_sampling *p) {
    int most = p->top_k > 0 && p->top_k < V ? p->top_k : V, taken = 0, n = 0;
    float least = p->min_p > 0 ? largest + logf(p->min_p) : -INFINITY, total = INFINITY, sum = 0;
    heapify(heap, V);
    if (p->top_p < 1) {
        total = most < V ? 0 : k->sumexp_f32(logits, largest, (size_t)V);
        for (; taken < most && most < V; taken++) total += expf(pop(heap, V - taken).logprob - largest);
    }
    for (; n < most && sum < p->top_p * total; n++) {
        if (n == taken) pop(heap, V - taken++);
        float logit = heap[V - 1 - n].logprob;
        if (n && logit < least) break;
        sum += expf(logit - largest);
    }
    return n;
}

/* The id that follows; -1 if the bias leaves none, or is not a bias. */
static int draw(heed_session *s, const heed_sampling *p) {
    const heed_kernels *k = s->kernels;
    int V = s->model->config.vocabulary;
    float *logits = s->adjusted;
    memcpy(logits, s->logits, (size_t)V * sizeof *logits);
    if (p->repeat_penalty != 1) penalize(s, logits, p->repeat_penalty);
    for (int id = 0; s->bias && id < V; id++)
        if (!((logits[id] += s->bias[id]) < INFINITY)) return -1;
    float largest = k->max_f32(logits, (size_t)V);
    if (!(largest - largest == 0)) return -1;

    if (p->temperature == 0) {
        int id = 0;
        while (id < V - 1 && logits[id] != largest) id++;
        return id;
    }

    float temperature = p->temperature;
    if (p->order == HEED_TEMPERATURE_FIRST) {
        for (int id = 0; id < V; id++) logits[id] = (logits[id] - largest) / temperature;
        largest = 0, temperature = 1;
    }

    const heed_candidate *kept = NULL; /* NULL: all ids in order */
    int n = V;
    if ((p->top_k > 0 && p->top_k < V) || p->top_p < 1 || p->min_p > 0) {
        for (int id = 0; id < V; id++) s->sorted[id] = (heed_candidate){id, logits[id]};
        n = cut(k, s->sorted, V, logits, largest, p);
        kept = s->sorted + V - n;
        for (int i = 0; i < n; i++) logits[i] = kept[i].logprob;
    }

    float *weights = logits;
    for (int i = 0; i < n; i++) weights[i] = (logits[i] - largest) / temperature;
    k->softmax_f32(weights, n);
    /* Both sums have the same order, so that rounding is the same. */
    float total = 0, sum = 0;
    for (int i = n - 1; i >= 0; i--) total += weights[i];
    uint64_t seed = heed_joined_words(p->seed_low, p->seed_high);
    float target = heed_random(seed, (uint64_t)s->position) * total;
    int i = n - 1;
    while (i > 0 && (sum += weights[i]) <= target) i--;
    return kept ? kept[i].id : i;
}

static int fits(int V, const heed_candidate *top, int n_top, heed_error *error) {
    if (n_top >= 0 && n_top <= V && (n_top == 0 || top)) return 1;
    return heed_fail(error, HEED_ERROR_ARGUMENT, "%d candidates of %d logits", n_top, V);
}

static int valid(const heed_session *s, const heed_sampling *p, const heed_candidate *chosen, const heed_candidate *top,
                 int n_top, heed_error *error) {
    if (!heed_is_address(s, 1, error) || !heed_is_address(p, 1, error) || !heed_is_address(chosen, 1, error) ||
        !fits(s->model->config.vocabulary, top, n_top, error))
        return 0;
    const heed_config *c = &s->model->config;
    const char *wrong =
        c->labels || c->patch                                      ? "a classifier chooses no ids"
        : !(p->temperature >= 0 && p->temperature < INFINITY)      ? "temperature must be 0 or more"
        : !(p->top_p > 0 && p->top_p <= 1)                         ? "top-p must be above 0 and at most 1"
        : !(p->min_p >= 0 && p->min_p <= 1)                        ? "min-p must be between 0 and 1"
        : !(p->repeat_penalty > 0 && p->repeat_penalty < INFINITY) ? "the repeat penalty must be above 0"
        : p->top_k < 0                                             ? "top-k must be 0 or more"
        : p->order != HEED_TEMPERATURE_LAST && p->order != HEED_TEMPERATURE_FIRST ? "temperature must be last or first"
                                                                                  : NULL;
    return wrong ? heed_fail(error, HEED_ERROR_ARGUMENT, "%s", wrong) : 1;
}

int heed_sample(heed_session *s, const heed_sampling *sampling, heed_candidate *chosen, heed_candidate *top, int n_top,
                heed_error *error) {
    if (!valid(s, sampling, chosen, top, n_top, error)) return 0;
    const float *logits = heed_logits(s, s->last - 1, 1, error);
    if (!logits) return 0;
    float log_sum = rank(s, logits, s->model->config.vocabulary, top, n_top);
    int id = draw(s, sampling);
    if (id < 0)
        return heed_fail(error, HEED_ERROR_ARGUMENT,
                         "the bias or the repeat penalty excludes every id, or gives NaN or inf");
    *chosen = (heed_candidate){id, logits[id] - log_sum};
    return 1;
}

/* A row of the pass that cannot be sampled ends the step before it.  The next step runs that row again, and reports the
 * error. */
int heed_step(heed_session *s, const int32_t *ids, int n, const heed_sampling *sampling, heed_candidate *chosen,
              heed_candidate *top, int n_top, heed_error *error) {
    if (!valid(s, sampling, chosen, top, n_top, error)) return 0;
    if (s->model->config.bidirectional) return heed_fail(error, HEED_ERROR_ARGUMENT, "an encoder continues no text");
    if (!heed_forward(s, ids, n, error)) return 0;
    int first = s->position - n;
    for (int i = 0; i < n; i++) {
        s->position = first + i + 1, s->last = i + 1; /* the pass as if it had ended with this row */
        heed_candidate *candidates = top ? top + (size_t)i * (size_t)n_top : NULL;
        if (!heed_sample(s, sampling, &chosen[i], candidates, n_top, i ? NULL : error)) {
            heed_rewind(s, first + i, error);
            return i;
        }
        if (i + 1 < n && chosen[i].id != ids[i + 1]) return i + 1;
    }
    return n;
}

int heed_bias(heed_session *s, const float *bias, heed_error *error) {
    if (!heed_is_address(s, 1, error) || (bias && !heed_is_address(bias, sizeof *bias, error))) return 0;
    s->bias = bias;
    return 1;
}

int heed_rank(const heed_session *s, const float *logits, heed_candidate *top, int n_top, heed_error *error) {
    if (!heed_is_address(s, 1, error) || !heed_is_address(logits, 1, error)) return 0;
    int V = heed_outputs(&s->model->config);
    if (!fits(V, top, n_top, error)) return 0;
    rank(s, logits, V, top, n_top);
    return 1;
}
