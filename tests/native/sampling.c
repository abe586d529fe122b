/* The sampler. */
#include "check.h"
#include "tiny.h"

#include <math.h>
#include <string.h>

/* Draws many ids; returns the largest distance of a frequency from `probability`, in standard deviations. */
static double misfit(tiny *t, heed_sampling sampling, const double *probability) {
    enum { DRAWS = 4000 };
    int counts[TINY_VOCABULARY] = {0};
    for (int i = 0; i < DRAWS; i++) {
        heed_candidate chosen;
        sampling.seed_low = (uint32_t)i;
        if (!heed_sample(t->session, &sampling, &chosen, NULL, 0, &t->error)) return INFINITY;
        counts[chosen.id]++;
    }
    double worst = 0;
    for (int id = 0; id < t->config.vocabulary; id++) {
        double p = probability[id], expected = p * DRAWS;
        if (p == 0 && counts[id]) return INFINITY;
        if (expected > 5) worst = fmax(worst, fabs(counts[id] - expected) / sqrt(expected * (1 - p)));
    }
    return worst;
}

/* Text of four single steps, then the same text from one step with a guess that is right up to each length. */
static void test_guesses(tiny *t, int32_t first) {
    enum { STEPS = 4, TOP = 2 };
    const heed_sampling s = {.temperature = 1, .top_p = 0.9f, .repeat_penalty = 1.5f, .seed_low = 9};
    int V = t->config.vocabulary, start = heed_position(t->session) - 1;
    heed_candidate one[STEPS], all[STEPS], top_one[STEPS][TOP], top_all[STEPS][TOP];
    int32_t ids[STEPS] = {first};
    heed_rewind(t->session, start, &t->error);
    for (int i = 0; i < STEPS; i++) {
        heed_step(t->session, &ids[i], 1, &s, &one[i], top_one[i], TOP, &t->error);
        if (i + 1 < STEPS) ids[i + 1] = one[i].id;
    }
    int same = 1;
    for (int right = 1; right <= STEPS; right++) {
        int32_t guess[STEPS];
        for (int i = 0; i < STEPS; i++) guess[i] = i < right ? ids[i] : (ids[i] + 1) % V;
        heed_rewind(t->session, start, &t->error);
        same &= heed_step(t->session, guess, STEPS, &s, all, top_all[0], TOP, &t->error) == right &&
                heed_position(t->session) == start + right && !memcmp(all, one, (size_t)right * sizeof *one) &&
                !memcmp(top_all, top_one, (size_t)right * sizeof *top_one);
        heed_candidate next;
        same &= right == STEPS || (heed_step(t->session, &ids[right], 1, &s, &next, NULL, 0, &t->error) == 1 &&
                                   !memcmp(&next, &one[right], sizeof next));
    }
    check(same, "a step with a guess chooses the ids of single steps, and ends after the first wrong one");
}

/* A bias of -inf excludes an id, in both orders of the steps, with all ids or few of them. */
static void test_bias(tiny *t) {
    float bias[TINY_VOCABULARY] = {0};
    int V = t->config.vocabulary, kept = 1, ends = 1;
    heed_candidate chosen;
    for (int id = 1; id < V; id++) bias[id] = -INFINITY;
    check(heed_bias(t->session, bias, &t->error), "a bias is taken");
    for (int order = HEED_TEMPERATURE_LAST; order <= HEED_TEMPERATURE_FIRST; order++)
        for (int top_k = 0; top_k <= V; top_k += V / 2) {
            const heed_sampling s = {
                .temperature = 2, .top_p = top_k ? 0.9f : 1, .repeat_penalty = 1, .top_k = top_k, .order = order};
            kept &= heed_sample(t->session, &s, &chosen, NULL, 0, &t->error) && chosen.id == 0;
        }
    check(kept, "a bias of -inf excludes ids");
    for (int id = 0; id < V; id++) bias[id] = id == V - 1 ? 0 : -INFINITY;
    const heed_sampling greedy = {.top_p = 1, .repeat_penalty = 1};
    ends &= heed_sample(t->session, &greedy, &chosen, NULL, 0, &t->error) && chosen.id == V - 1;
    check(ends, "greedy finds the last id");
    int refuses = 1;
    for (int i = 0; i < 4; i++) {
        const heed_sampling s = {.temperature = (float)(i % 2), .top_p = 1, .repeat_penalty = 1};
        bias[V / 2] = i / 2 ? INFINITY : NAN;
        refuses &= !heed_sample(t->session, &s, &chosen, NULL, 0, &t->error) && t->error.code == HEED_ERROR_ARGUMENT;
        memset(&t->error, 0, sizeof t->error);
    }
    check(refuses, "a bias with inf or NaN is refused");
    bias[V / 2] = -INFINITY;
    bias[V - 1] = -INFINITY;
    for (int temperature = 0; temperature < 2; temperature++) {
        const heed_sampling s = {.temperature = (float)temperature, .top_p = 0.5f, .repeat_penalty = 1};
        refuses &= !heed_sample(t->session, &s, &chosen, NULL, 0, &t->error) && strstr(t->error.message, "bias");
        memset(&t->error, 0, sizeof t->error);
    }
    check(refuses, "a bias that excludes every id is refused");
    check(!heed_bias(t->session, (const float *)((const char *)bias + 1), &t->error), "a bias is aligned");
    t->error.code = HEED_ERROR_NONE;
    check(!heed_bias(NULL, bias, &t->error), "a bias belongs to a session");
    t->error.code = HEED_ERROR_NONE;
    check(heed_bias(t->session, NULL, &t->error), "a bias ends");
    heed_sampling wrong = greedy;
    wrong.temperature = INFINITY;
    ends = !heed_sample(t->session, &wrong, &chosen, NULL, 0, &t->error);
    t->error.code = HEED_ERROR_NONE;
    wrong = greedy, wrong.min_p = -1;
    ends &= !heed_sample(t->session, &wrong, &chosen, NULL, 0, &t->error);
    t->error.code = HEED_ERROR_NONE;
    wrong = greedy, wrong.repeat_penalty = INFINITY;
    ends &= !heed_sample(t->session, &wrong, &chosen, NULL, 0, &t->error);
    t->error.code = HEED_ERROR_NONE;
    check(ends, "settings that are not finite or negative are refused");
}

void test_sampling(void) {
    const heed_sampling greedy = {.top_p = 1, .repeat_penalty = 1};
    tiny t = tiny_run(TINY_LLAMA, HEED_F32, 1, HEED_CACHE_F32);
    int V = t.config.vocabulary;
    float logits[TINY_VOCABULARY];
    tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, logits);
    heed_candidate chosen, again, top[TINY_VOCABULARY];
    int done = heed_sample(t.session, &greedy, &chosen, top, V, &t.error);
    double largest = -INFINITY, total = 0, p[TINY_VOCABULARY], kept[TINY_VOCABULARY], sum = 0;
    for (int i = 0; i < V; i++) largest = fmax(largest, (double)logits[i]);
    for (int i = 0; i < V; i++) total += p[i] = exp((double)logits[i] - largest);
    int right = done, ordered = done;
    for (int i = 0; i < V; i++) {
        right &= fabs(exp((double)top[i].logprob) - p[top[i].id] / total) < 1e-6;
        if (i) ordered &= top[i - 1].logprob >= top[i].logprob;
    }
    check(done && chosen.id == top[0].id && chosen.logprob == top[0].logprob, "greedy takes the likeliest");
    check(right && ordered, "candidates are in order, with the log-probabilities of the softmax");

    heed_sampling s = {.temperature = 1, .top_p = 1, .repeat_penalty = 1, .seed_low = 5};
    heed_candidate after[TINY_VOCABULARY], stepped[TINY_VOCABULARY];
    int32_t id = chosen.id;
    done = heed_forward(t.session, &id, 1, &t.error) && heed_sample(t.session, &s, &chosen, after, V, &t.error);
    int position = heed_position(t.session);
    heed_rewind(t.session, position - 1, &t.error);
    check(done && heed_step(t.session, &id, 1, &s, &again, stepped, V, &t.error) == 1 &&
              heed_position(t.session) == position && !memcmp(&again, &chosen, sizeof chosen) &&
              !memcmp(stepped, after, sizeof after),
          "a step is a forward pass and a sample");
    test_guesses(&t, id);
    test_bias(&t);
    heed_rewind(t.session, 0, &t.error);
    tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, logits);

    heed_sample(t.session, &s, &chosen, NULL, 0, &t.error);
    heed_sample(t.session, &s, &again, NULL, 0, &t.error);
    check(chosen.id == again.id, "the same seed draws the same id");
    /* Frequencies of 4000 draws with fixed seeds, so every run is equal.  A correct generator has an id
     * beyond five deviations for one of ten thousand seeds. */
    for (int i = 0; i < V; i++) kept[i] = p[i] / total;
    check(misfit(&t, s, kept) < 5, "draws follow the probabilities");

    for (int i = 0; i < V; i++) sum += kept[i] = pow(p[i], 1 / 0.5);
    for (int i = 0; i < V; i++) kept[i] /= sum;
    s.temperature = 0.5f;
    check(misfit(&t, s, kept) < 5, "temperature sharpens the distribution");

    s.temperature = 1, s.top_k = 3;
    memset(kept, 0, sizeof kept), sum = 0;
    for (int i = 0; i < 3; i++) sum += kept[top[i].id] = p[top[i].id];
    for (int i = 0; i < V; i++) kept[i] /= sum;
    check(misfit(&t, s, kept) < 5, "top-k keeps the k likeliest");

    s.top_k = 0, s.top_p = 0.4f;
    memset(kept, 0, sizeof kept), sum = 0;
    for (int i = 0; i < V && sum < 0.4 * total; i++) sum += kept[top[i].id] = p[top[i].id];
    for (int i = 0; i < V; i++) kept[i] /= sum;
    check(misfit(&t, s, kept) < 5, "top-p keeps the smallest set that reaches p");

    s.top_p = 1, s.min_p = 0.3f;
    memset(kept, 0, sizeof kept), sum = 0;
    for (int i = 0; i < V; i++)
        if (p[i] >= 0.3) sum += kept[i] = p[i];
    for (int i = 0; i < V; i++) kept[i] /= sum;
    check(misfit(&t, s, kept) < 5, "min-p keeps ids above a fraction of the largest probability");

    /* The penalty makes every id of the session less likely than any other id. */
    s = greedy, s.repeat_penalty = 1e6f;
    heed_sample(t.session, &s, &chosen, NULL, 0, &t.error);
    int fresh = 1;
    for (int i = 0; i < TINY_PROMPT; i++) fresh &= chosen.id != tiny_ids()[i];
    check(fresh, "a high repeat penalty chooses a new id");
    tiny_free(&t);
}
