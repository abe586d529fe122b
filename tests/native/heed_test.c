/* The core through its public API, for the sanitizers. */
#include "check.h"
#include "tiny.h"

#include <string.h>

/* `heed-test threads` runs only the tests of several threads. */
int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0); /* keeps output when a sanitizer ends the process */
    if (count > 1 && strcmp(arguments[1], "threads") == 0) {
        test_pool();
        test_threads();
        test_whole_bytes();
        return check_plan();
    }
    test_arena();
    test_runs();
    test_taps();
    test_sampling();
    test_refusals();
    test_pool();
    test_threads();
    test_packing();
    test_learning();
    test_series();
    test_analysis();
    test_adapters();
    test_encoders();
    test_encoder_decoders();
    test_mixtures();
    test_saved();
    test_whole_bytes();
    return check_plan();
}
