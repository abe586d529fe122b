# heed: `make help` lists what there is.
EMCC ?= emcc
CC ?= gcc
MODEL ?= models/heed-stories-q8_0.gguf
PORT ?= 8000
BIN := node_modules/.bin

CORE := $(wildcard src/*.c src/ops/*.c src/models/*.c src/kernels/*.c)
HEADERS := $(wildcard src/*.h src/*/*.h)
JS := $(wildcard js/*.js js/*/*.js)
WEB := $(wildcard web/* web/*/*)
WARN := -std=c11 -Wall -Wextra -Werror -Isrc

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup setup-build wasm native types bundle site package demo test lint format bench clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## install what is missing: emscripten, gcc, chromium, firefox, npm packages
	@tools/setup.sh test

setup-build:
	@tools/setup.sh build

wasm: dist/heed.wasm dist/heed-mt.wasm ## the engine, compiled by Emscripten

# Stand-alone: no imports, no JavaScript runtime.  -ffp-contract=off keeps one rounding per operation everywhere.
dist/heed.wasm: $(CORE) $(HEADERS) Makefile
	@command -v $(EMCC) >/dev/null || { echo "$(EMCC) is missing: run make setup" >&2; exit 1; }
	@mkdir -p dist
	@echo "compile  $@"
	@$(EMCC) $(WARN) -O3 -msimd128 -ffp-contract=off --no-entry -sSTANDALONE_WASM=1 -sALLOW_MEMORY_GROWTH=1 \
	    -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=2MB -sTOTAL_STACK=256KB -Wl,--export-table -Wl,--export=__heap_base $(CORE) -o $@

# The same with threads: one memory, imported, that every thread's instance shares.  emcc 3.1 cannot make that stand alone, so
# its objects and its C library are linked by its linker.
LIBC = $(shell em-config CACHE)/sysroot/lib/wasm32-emscripten
WASM_LD ?= $(firstword $(wildcard $(shell em-config LLVM_ROOT)/wasm-ld $(shell em-config LLVM_ROOT)/wasm-ld-[0-9]*))
MT := $(CORE:src/%.c=build/mt/%.o)
build/mt/%.o: src/%.c $(HEADERS) Makefile
	@mkdir -p $(@D)
	@$(EMCC) $(WARN) -O3 -msimd128 -matomics -mbulk-memory -ffp-contract=off -fvisibility=hidden -c $< -o $@

dist/heed-mt.wasm: $(MT)
	@mkdir -p dist
	@echo "link     $@"
	@$(WASM_LD) --no-entry --import-memory --shared-memory --max-memory=4294967296 --global-base=1024 -z stack-size=262144 \
	    --strip-debug $$(sed -nE 's/^HEED_API [^(]*[ *](heed_[a-z_]+)\(.*/--export=\1/p' src/heed.h) --export-table --export=__heap_base --export=__stack_pointer --export=__wasm_init_tls \
	    --export=__tls_size $(MT) -L$(LIBC) -lc-mt -lcompiler_rt-mt -o $@

native: build/native/heed-test ## the same C with address and undefined-behaviour sanitizers, for tests

SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
NATIVE := $(filter-out %_simd.c,$(CORE)) $(wildcard tests/native/*.c)
build/native/heed-test: $(NATIVE) $(HEADERS) $(wildcard tests/native/*.h) Makefile
	@mkdir -p $(@D)
	@echo "compile  $@"
	@$(CC) $(WARN) $(SANITIZE) -ffp-contract=off -pthread $(NATIVE) -o $@ -lm

types: dist/types/js/index.d.ts ## type declarations, from the JSDoc comments
dist/types/js/index.d.ts: $(JS) $(wildcard web/elements/*.js web/draw/*.js) tsconfig.types.json
	@echo "declare  dist/types"
	@rm -rf dist/types
	@$(BIN)/tsc -p tsconfig.types.json

bundle: dist/heed.js ## the library and the elements as modules for pages without a bundler
dist/heed.js: $(JS) $(WEB) tools/bundle.js package-lock.json
	@echo "bundle   $@"
	@node tools/bundle.js

site: dist/site/index.html ## the page as static files in dist/site
dist/site/index.html: dist/heed.wasm dist/heed-mt.wasm $(JS) $(WEB) $(wildcard models/*.gguf) tools/bundle.js tools/site.js package-lock.json
	@echo "assemble dist/site"
	@node tools/site.js

package: wasm types bundle site ## everything that `npm pack` ships

demo: setup-build ## build the page and serve it on 127.0.0.1
	@$(MAKE) --no-print-directory site
	@node js/cli.js serve --port $(PORT)

test: setup ## check the sources, build everything, run every test
	@$(MAKE) --no-print-directory lint package native
	@tools/test.sh

lint: ## rules of the house: include direction, rooms of JavaScript, types, layout of C
	@node tools/lint.js

format: ## lay out the C sources
	@echo "format   src tests/native"
	@clang-format -i $(wildcard src/*.[ch] src/*/*.[ch] tests/native/*.[ch])

bench: wasm ## speed on the default model (MODEL=… for another), then of every kernel
	@echo "measure  $(MODEL)"
	@node js/cli.js bench --model $(MODEL)
	@echo "measure  kernels, scalar and simd128"
	@node bench/kernels.js

clean: ## remove everything that was built
	@echo "remove   build dist"
	@rm -rf build dist
