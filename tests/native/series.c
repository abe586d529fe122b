/* Errors of logarithm, power, sine and cosine against the C library in extended precision. */
#include "check.h"
#include "tiny.h"

#include "ops/series.h"

#include <float.h>
#include <math.h>

enum { POINTS = 200000 };
static const double ROUNDING = DBL_EPSILON; /* 2^-52 */

/* Point i of POINTS, evenly from `from` to `to`. */
static double between(double from, double to, int i) { return from + (to - from) * i / (POINTS - 1); }

static void logarithms(void) {
    double worst = 0;
    for (int i = 0; i < POINTS; i++) {
        double x = exp(i % 2 ? between(-700, 700, i) : between(-1e-3, 1e-3, i)), least = x == 1 ? 1 : fabs(log(x));
        worst = fmax(worst, (double)fabsl(heed_log(x) - logl(x)) / least);
    }
    check(worst <= 2 * ROUNDING, "ln x has a relative error of at most %.2f·2^-51", worst / (2 * ROUNDING));
    check(heed_log(1) == 0 && heed_log(INFINITY) == INFINITY && isnan(heed_log(NAN)), "ln 1 = 0, ln inf, ln NaN");
}

static void powers(void) {
    static const double bases[] = {1e-3, 1.5, 1e4, 5e5, 1e38};
    double worst = 0;
    int same = 0, count = 0;
    for (int b = 0; b < 5; b++) {
        for (int i = 0; i < POINTS; i++, count++) {
            double exponent = between(-1, 1, i), y = heed_power(bases[b], exponent);
            long double exact = powl(bases[b], exponent);
            worst = fmax(worst, (double)(fabsl(y / exact - 1) / (1 + fabsl(logl(exact)))));
            same += (float)y == (float)exact;
        }
        check(heed_power(bases[b], 0) == 1, "%g^0 = 1", bases[b]);
    }
    check(heed_power(INFINITY, 1) == INFINITY && heed_power(10, -1e9) == 0 && heed_power(10, 1e9) == INFINITY &&
              isnan(heed_power(NAN, 1)),
          "powers past the largest and below the smallest normal number");
    check(worst <= 2 * ROUNDING, "base^x has a relative error of at most %.2f·2^-51·(1 + |ln|)",
          worst / (2 * ROUNDING));
    check(same >= count - 1, "rounded to float it is the nearest: %d of %d", same, count);
}

static void turns(void) {
    static const double farthest[] = {1, 6.3, 1e3, 131072, 0x1.fffffp30};
    for (int f = 0; f < 5; f++) {
        double worst = 0;
        for (int i = 0; i < POINTS; i++) {
            double a = between(-farthest[f], farthest[f], i);
            heed_rotation turn = heed_rotation_by(a);
            worst = fmax(worst, (double)fmaxl(fabsl(turn.cosine - cosl(a)), fabsl(turn.sine - sinl(a))));
        }
        check(worst <= ROUNDING, "rotations up to %g have an error of at most %.2f·2^-52", farthest[f],
              worst / ROUNDING);
    }
    heed_rotation none = heed_rotation_by(0);
    check(none.cosine == 1 && none.sine == 0, "a rotation by 0 is the identity");
    static const double beyond[] = {0x1p31, -0x1p31, INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        heed_rotation turn = heed_rotation_by(beyond[i]);
        check(isnan(turn.cosine) && isnan(turn.sine), "a rotation by %g is NaN", beyond[i]);
    }
}

void test_series(void) {
    logarithms();
    powers();
    turns();
}
