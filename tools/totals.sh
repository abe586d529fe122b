#!/bin/bash
# Prints the failures of the last test run, the totals of each stage, and their sums in the runner's format.
cd "$(dirname "$0")/.." && [ -e build/test.log ] && awk '
    /^== / { label = substr($0, 4); runs[++n] = label; again = label ~ /^again, alone: /; next }
    /^test at tests\// { print label; lines = 3; inside = 1 }
    lines-- > 0 # place, name and message
    inside && /^ +at .*tests\// { print; inside = 0 }
    # words: allow
    /^[^ ]+ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [0-9.]+$/ {
        part[n, $2] = $3; seen = 1
        if (again) next
        sum[$2] += $3
        if (!order[$2]++) names[++kinds] = $2
    }
    END {
        # words: allow
        if (again && (n, "tests") in part && part[n, "fail"] + part[n, "cancelled"] == 0) {
            names[++kinds] = "flaky"
            # words: allow
            sum["flaky"] = sum["fail"] + sum["cancelled"]; sum["pass"] += sum["flaky"]; sum["fail"] = sum["cancelled"] = 0
        }
        for (i = 1; i <= n; i++) {
            if ((i, "tests") in part)
                printf "%s: %d tests, %d pass, %d fail, %d skipped, %d s\n", runs[i], part[i, "tests"], part[i, "pass"],
                    # words: allow
                    part[i, "fail"] + part[i, "cancelled"], part[i, "skipped"], part[i, "duration_ms"] / 1000
            else print runs[i] (runs[i] ~ /: skipped, / ? "" : ": broke off")
        }
        for (i = 1; i <= kinds; i++) printf "ℹ %s %s\n", names[i], sum[names[i]]
        exit !seen
    }' build/test.log
