/* Logarithm, power and turn in double precision, from their series.
 *
 * Operations need them once a position or a row, and then round to float.  A C library's are correct to half a unit in
 * the last place of a double and pay for it with tables that no compression makes smaller: an eighth of a binary. */
#ifndef HEED_OPS_SERIES_H
#define HEED_OPS_SERIES_H

/* ln x, to 2^-51 of itself; x normal and positive, or infinite or NaN, which it returns. */
double heed_log(double x);

/* base^exponent, to (1 + |ln|)·2^-51 of itself, where ln is that of the result; base as for heed_log.  A result that is
 * not normal becomes 0 or infinity; of NaN it is NaN. */
double heed_power(double base, double exponent);

/* (cos a, sin a), to 2^-52 of 1; NaN where |a| is not below 2^31, for which positions have no whole numbers. */
typedef struct heed_rotation {
    double cosine, sine;
} heed_rotation;
heed_rotation heed_rotation_by(double a);

#endif
