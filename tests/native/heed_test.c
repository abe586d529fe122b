/* The core through its public API, for the sanitizers. */
#include "check.h"
#include "tiny.h"

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was said before a sanitizer ends the process */
    test_runs();
    test_taps();
    test_sampling();
    test_refusals();
    test_pool();
    test_packing();
    test_learning();
    test_series();
    return check_plan();
}
