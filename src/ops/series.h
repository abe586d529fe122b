/* Logarithm, power, sine and cosine in double precision, from their series.
 *
 * Operations need them once per position or row, and round the result to float.  The C library's functions are exact to
 * half a unit in the last place, but their tables are an eighth of a binary. */
#ifndef HEED_OPS_SERIES_H
#define HEED_OPS_SERIES_H

/* ln x, relative error 2^-51; x normal and positive, or infinite or NaN, which are returned. */
double heed_log(double x);

/* base^exponent, relative error (1 + |ln result|)·2^-51; base as for heed_log.  A result that is not normal becomes 0
 * or infinity; NaN gives NaN. */
double heed_power(double base, double exponent);

/* (cos a, sin a), absolute error 2^-52; NaN when |a| is 2^31 or more. */
typedef struct heed_rotation {
    double cosine, sine;
} heed_rotation;
heed_rotation heed_rotation_by(double a);

#endif
