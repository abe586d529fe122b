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
    check(done && heed_step(t.session, id, &s, &again, stepped, V, &t.error) == position &&
              !memcmp(&again, &chosen, sizeof chosen) && !memcmp(stepped, after, sizeof after),
          "a step is a forward pass and a sample");
    heed_rewind(t.session, 0, &t.error);
    tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, logits);

    heed_sample(t.session, &s, &chosen, NULL, 0, &t.error);
    heed_sample(t.session, &s, &again, NULL, 0, &t.error);
    check(chosen.id == again.id, "the same seed draws the same id");
    /* Frequencies of 4000 draws; seeds are fixed, so this is the same on every run.  Five deviations in 50 ids: one
     * wrong verdict in ten thousand generators. */
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
