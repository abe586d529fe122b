#!/bin/bash
# Installs missing packages with apt and npm, and does nothing if they are all installed.
#   tools/setup.sh build   installs the compiler and the npm packages, for the engine and the page.
#   tools/setup.sh docs    installs the npm packages and the generator of the documentation site.
#   tools/setup.sh test    also installs a native compiler, three browsers, the C formatter, the bundlers, and qemu with
#                          Node.js for ARM64.
# SETUP_DRY_RUN=1 prints the commands without running them.
set -euo pipefail
cd "$(dirname "$0")/.."
log=build/setup.log
NO_LLVM="this machine's package lists have no LLVM 22. Debian 12 has it among its security updates: add the suite
       bookworm-security, component main, to the sources of apt. Other releases of Debian and Ubuntu need the
       packages of the LLVM project. Then run this again."

fail() { printf 'setup: %s\n' "$@" >&2; exit 1; }

# Runs a command quietly; on failure prints the end of its output.
quietly() {
    local what=$1; shift
    printf 'setup: %s\n' "$what"
    [ -n "${SETUP_DRY_RUN:-}" ] && { printf '       would run: %s\n' "$*"; return; }
    mkdir -p "$(dirname "$log")"
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 25 "$log" >&2
        printf 'setup: %s\n' "failed: $*" "the whole log is in $log" >&2
        grep -qE 'locate package (clang|lld)-22' "$log" && fail "$NO_LLVM"
        exit 1
    fi
}

check_node() {
    local hint="Debian's own nodejs is version 18. Take 20 or newer from https://nodejs.org/en/download, e.g. unpack
       node-v20.*-linux-x64.tar.xz and put its bin/ first in PATH, then run this again."
    command -v node >/dev/null || fail "Node.js is missing; heed needs version 20 or newer." "$hint"
    command -v npm >/dev/null || fail "npm is missing; it comes with Node.js 20 or newer." "$hint"
    local major; major=$(node -p 'process.versions.node.split(".")[0]')
    [ "$major" -ge 20 ] || fail "Node.js $(node --version) is too old; heed needs version 20 or newer." "$hint"
}

has_native_gcc() {
    command -v gcc >/dev/null && [ -e /usr/include/stdio.h ] && [ -e "$(gcc -print-file-name=libasan.so)" ]
}

# libFuzzer and llvm-cov for the clang of Emscripten's package.
has_fuzzer() {
    command -v clang >/dev/null && command -v llvm-cov >/dev/null &&
        [ -e "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a")" ]
}

# The package of libFuzzer has the version of clang in its name; Debian 12 has version 14.
fuzzer_packages() {
    local version=14
    ! command -v clang >/dev/null || version=$(clang -dumpversion)
    echo clang llvm "libclang-rt-${version%%.*}-dev"
}

# Debian packages whose command is missing.
missing_packages() {
    command -v make >/dev/null || echo make
    [ "$1" != docs ] || return 0
    command -v emcc >/dev/null || echo emscripten
    command -v clang-22 >/dev/null || echo clang-22 # the compiler and the linker behind emcc: see Makefile
    command -v wasm-ld-22 >/dev/null || echo lld-22
    [ "$1" = test ] || return 0
    has_native_gcc || echo gcc libc6-dev
    has_fuzzer || fuzzer_packages
    command -v clang-format >/dev/null || echo clang-format
    command -v chromium >/dev/null || echo chromium
    command -v firefox-esr >/dev/null || echo firefox-esr
    command -v WebKitWebDriver >/dev/null || echo webkit2gtk-driver
    command -v Xvfb >/dev/null || echo xvfb # a screen for WebKitGTK, which has no headless mode
    [ -d /usr/share/fonts/truetype ] || echo fonts-dejavu-core
    [ "$arch" = arm64 ] || has_arm64 || echo qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross
}

# An emulator of ARM64, and the libraries of Node.js there.
has_arm64() {
    command -v qemu-aarch64-static >/dev/null && [ -e /usr/aarch64-linux-gnu/lib/libstdc++.so.6 ]
}

# The command to become root: empty for root, otherwise sudo, or an error without sudo.
root_prefix() {
    [ "$(id -u)" -eq 0 ] && return
    if sudo -n true 2>/dev/null || { command -v sudo >/dev/null && [ -t 0 ]; }; then echo "sudo"; return; fi
    fail "this needs root, and there is no sudo to ask. Run as root:" \
        "    apt-get update && apt-get install --no-install-recommends $*"
}

install_packages() {
    local packages=("$@") prefix
    command -v apt-get >/dev/null || fail "not a Debian machine: please install what these Debian packages hold: $*"
    prefix=$(root_prefix "$@")
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -y -o Dpkg::Use-Pty=0)
    [ -n "$prefix" ] && apt=("$prefix" "${apt[@]}")
    (quietly "updating the package lists" "${apt[@]}" update) || echo "setup: going on with the lists there are"
    quietly "installing Debian packages: $*" "${apt[@]}" install --no-install-recommends "${packages[@]}"
}

# Succeeds if node_modules of a folder has every package of its lock file for a processor (default: this one), in its
# version.
npm_is_complete() { # folder arch
    node --input-type=commonjs -e '
        const { readFileSync } = require("fs");
        const fits = (list, name) => list.includes(name) || list.some((l) => l[0] === "!" && l !== "!" + name);
        const here = (list, name) => !list || fits([list].flat(), name);
        process.chdir(process.argv[1]);
        const { packages } = JSON.parse(readFileSync("package-lock.json"));
        for (const [path, entry] of Object.entries(packages)) {
            if (path === "" || !here(entry.os, process.platform) || !here(entry.cpu, process.argv[2])) continue;
            if (entry.optional && !entry.os) continue;
            if (entry.libc && !entry.libc.includes("glibc")) continue;
            if (JSON.parse(readFileSync(path + "/package.json")).version !== entry.version) process.exit(1);
        }' "$1" "${2:-$arch}" 2>/dev/null
}

group=${1:-test}
case $group in build | docs | test) ;; *) fail "unknown group '$group': build, docs or test" ;; esac

check_node
arch=$(node -p process.arch)
read -r -a packages <<<"$(missing_packages "$group" | tr '\n' ' ')"
[ ${#packages[@]} -eq 0 ] || install_packages "${packages[@]}"
npm_ci=(npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
[ "$(node -p 'process.platform + process.arch')" = linuxx64 ] || npm_ci+=(--force) # the second Node.js cannot run there
npm_is_complete . || quietly "installing npm packages of package-lock.json" "${npm_ci[@]}"
# Installs packages that heed's build does not use: the folder of their lock file, the target folder, and a label.
# Packages for another processor also need its name.
install_apart() { # from to what arch
    mkdir -p "$2"
    for file in package.json package-lock.json; do cat "$1/$file" >"$2/$file"; done
    # npm ci refuses a lock file without the optional packages of other platforms, which some registries do not carry.
    # npm install takes the same versions.
    npm_is_complete "$2" "${4:-}" || quietly "installing $3 of $1" \
        npm install --prefix "$2" ${4:+--force} --ignore-scripts --no-audit --no-fund --loglevel=error
}
[ "$group" = build ] || install_apart tools/docs build/docs "the documentation generator"
[ "$group" != test ] || install_apart tests/bundlers build/bundlers "the bundlers"
[ "$group" != test ] || [ "$arch" = arm64 ] || install_apart tests/arm64 build/arm64 "Node.js for ARM64" arm64
[ -z "${SETUP_DRY_RUN:-}" ] || exit 0
[ "$group" = docs ] || emcc --version >/dev/null 2>&1 || fail "emcc does not run: $(emcc --version 2>&1 | tail -n 1)"
echo "setup: all tools of the group $group are installed"
