/* Random numbers without state: a function of seed and counter. */
#ifndef HEED_RNG_H
#define HEED_RNG_H

#include <stdint.h>

/* Uniform in [0, 1), 24 bits: the counter-th output of SplitMix64 (Steele, Lea, Flood 2014) from this seed. */
float heed_random(uint64_t seed, uint64_t counter);

/* A seed or a counter from its two words, which an interface of 32-bit integers passes. */
static inline uint64_t heed_joined_words(int low, int high) { return (uint64_t)(uint32_t)high << 32 | (uint32_t)low; }

#endif
