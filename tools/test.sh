#!/bin/bash
# Runs the test files given, or all of them, and prints the runner's totals last.
set -uo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
[ $# -gt 0 ] || set -- tests/*.test.js
node --test --test-reporter=spec "$@" 2>&1 | tee build/test.log
status=$?
echo
tools/totals.sh || exit 1
exit $status
