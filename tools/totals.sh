#!/bin/bash
# The closing totals of the last test run.
cd "$(dirname "$0")/.." && grep -E '^. (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [0-9.]+$' build/test.log
