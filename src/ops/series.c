/* Logarithms, powers, sines and cosines by series, with the same bits in every engine. */
#include "ops/series.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Constants in parts: integer multiples of all parts but the last are exact (Cody and Waite 1980). */
static const double ln2[] = {0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45};
static const double half_pi[] = {0x1.921fb00000000p+0, 0x1.5110b00000000p-22, 0x1.18469898cc517p-44};

/* 1 / n! of the terms that matter: e^r for |r| <= ln(2) / 2, sine and cosine for |r| <= π / 4. */
enum { EXP_TERMS = 13, COSINE_TERMS = 18 };
static const double reciprocal[] = {
    1.0,
    1.0,
    1.0 / 2,
    1.0 / 6,
    1.0 / 24,
    1.0 / 120,
    1.0 / 720,
    1.0 / 5040,
    1.0 / 40320,
    1.0 / 362880,
    1.0 / 3628800,
    1.0 / 39916800,
    1.0 / 479001600,
    1.0 / 6227020800,
    1.0 / 87178291200,
    1.0 / 1307674368000,
    1.0 / 20922789888000,
    1.0 / 355687428096000,
    1.0 / 6402373705728000,
};

/* x = 2^k·m with m between sqrt(1/2) and sqrt(2), and ln m = 2·artanh s = 2·(s + s³/3 + s⁵/5 + …), s = (m - 1) / (m +
 * 1). */
double heed_log(double x) {
    if (!isfinite(x)) return x;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int k = (int)(bits >> 52) - 1023;
    bits = (bits & (UINT64_MAX >> 12)) | UINT64_C(1023) << 52;
    double m, sum = 0;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) m /= 2, k++;
    double s = (m - 1) / (m + 1);
    for (int n = 19; n > 0; n -= 2) sum = sum * s * s + 1.0 / n;
    return k * ln2[0] + (2 * s * sum + k * ln2[1]);
}

/* e^x = 2^k·e^r with x = k·ln 2 + r; k is an exponent of normal numbers, -1022 .. 1023. */
static double exponential(double x) {
    if (!(fabs(x) < 708)) return x < 0 ? 0 : x > 0 ? INFINITY : NAN;
    double k = rint(x / ln2[0]), r = x - k * ln2[0] - k * ln2[1], sum = 0, power;
    for (int n = EXP_TERMS; n >= 0; n--) sum = sum * r + reciprocal[n];
    uint64_t bits = (uint64_t)((int)k + 1023) << 52;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

double heed_power(double base, double exponent) { return exponential(exponent * heed_log(base)); }

/* a = k·π/2 + r: a further quarter rotation turns (cos, sin) into (-sin, cos). */
heed_rotation heed_rotation_by(double a) {
    if (!(fabs(a) < 0x1p31)) return (heed_rotation){NAN, NAN};
    double k = rint(a * (2 / 3.14159265358979323846));
    double r = a - k * half_pi[0] - k * half_pi[1] - k * half_pi[2], cosine = 0, sine = 0;
    for (int n = COSINE_TERMS; n >= 0; n -= 2) cosine = cosine * -r * r + reciprocal[n];
    for (int n = COSINE_TERMS - 1; n > 0; n -= 2) sine = sine * -r * r + reciprocal[n];
    sine *= r;
    switch ((int)k & 3) {
    case 0: return (heed_rotation){cosine, sine};
    case 1: return (heed_rotation){-sine, cosine};
    case 2: return (heed_rotation){-cosine, -sine};
    default: return (heed_rotation){sine, -cosine};
    }
}
