# heed: `make help` lists the targets.
EMCC ?= emcc
CC ?= gcc
LLVM ?= 22
# The clang of Emscripten's package, for fuzzing and coverage.
CLANG ?= clang
SECONDS ?= 60
MODEL ?= models/stories.gguf
PORT ?= 8000
# Options of bench/peers.js for a run of a few minutes. PEERBENCH is the folder of peerbench (default ../shared/peerbench).
PEERS ?= --model smollm2-135m:q8_0 --heed node:auto --heed chromium:auto --threads 1 --peers native,ort-web \
    --turns 3 --slow-turns 1
# Options of bench/turns.js, in the same time.
TURNS ?= --model smollm2-135m:q8_0,q4_0 --ways native,base,relaxed,chromium,firefox,webkit --rounds 3
DATA ?= ../shared/data
OUT ?= models
CHECKPOINTS ?= $(if $(filter models,$(OUT)),build/train,$(OUT))
TSC := node node_modules/typescript/bin/tsc

RELAXED := $(wildcard src/kernels/*_relaxed.c src/kernels/*/*_relaxed.c)
CORE := $(filter-out $(RELAXED),$(wildcard src/*.c src/ops/*.c src/models/*.c src/kernels/*.c src/kernels/*/*.c))
HEADERS := $(wildcard src/*.h src/*/*.h src/kernels/*/*.h)
JS := $(wildcard js/*.js js/*/*.js js/*/*/*.js)
WEB := $(wildcard web/* web/*/* web/*/*/*)
BINARIES := $(addprefix dist/,heed.wasm heed-mt.wasm heed-relaxed.wasm heed-relaxed-mt.wasm)
BINARIES_64 := $(BINARIES:.wasm=-64.wasm)
EMULATED_BINARIES := $(addprefix build/emulated/,heed-relaxed.wasm heed-relaxed-mt.wasm)
LIMITS := dist/limits.wasm dist/limits-relaxed.wasm
WARN := -std=c11 -Wall -Wextra -Wno-missing-field-initializers -Werror -Isrc

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup setup-build setup-docs wasm emulated native fuzz coverage types bundle site docs package demo models test lint format bench clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## install missing tools: emscripten, gcc, chromium, firefox, webkitgtk, npm packages
	@tools/setup.sh test

setup-build:
	@tools/setup.sh build

setup-docs:
	@tools/setup.sh docs

wasm: $(BINARIES) $(BINARIES_64) $(LIMITS) ## compile the engine: four WebAssembly binaries, and four with 64-bit memory

# The binaries need no JavaScript runtime, and import only the memory that threads share. Emscripten compiles with a newer
# LLVM, which generates better vector code and the final relaxed instructions. Emscripten does not know its linker yet, so
# wasm-ld links the objects with Emscripten's C library directly. -ffp-contract=off keeps one rounding per operation.
# Builds do not install by themselves, because parallel recipes would start before the installation ends.
COMPILE := command -v $(EMCC) >/dev/null || { echo 'The compiler is missing. Run: make setup' >&2; exit 1; }; \
    EM_IGNORE_SANITY=1 EM_LLVM_ADD_VERSION=$(LLVM) EM_CLANG_ADD_VERSION=$(LLVM) $(EMCC) $(WARN) -msimd128 \
    -ffp-contract=off -fvisibility=hidden
LIBC = $(shell em-config CACHE)/sysroot/lib/wasm32-emscripten
LINK_ANY = wasm-ld-$(LLVM) --no-entry --stack-first -z stack-size=327680 --strip-all --compress-relocations --export-table \
    --export=__heap_base
LINK = $(LINK_ANY) --max-memory=4294967296 \
    $$(sed -nE 's/^HEED_API [^(]*[ *](heed_[a-z_0-9]+)\(.*/--export=\1/p' src/heed.h src/heed_lab.h) -L$(LIBC)

# Only kernels with relaxed intrinsics are compiled with -mrelaxed-simd, because the compiler would use relaxed
# instructions elsewhere too.
RELAX = $(if $(filter %_relaxed.c,$<),-mrelaxed-simd)
# -O3 without auto-vectorization for hand-written SIMD: the compiler would vectorize the loops over the last three elements.
# -O3 with it for element-wise loops without a kernel, whose scalar ends need no unrolling. -Os for the rest.
LOOPS := %/ops/elementwise.c %/ops/norm.c
# -Oz for the scalar reference kernels, for files that mostly check or call kernels, and for the sampler, which is as fast with it.
LEAST := src/kernels/%.c %/linear.c %/attention_parallel.c %/causal_lm.c %/sample.c %/lab.c %/error.c %/tape.c %/build.c %/loader.c %/gradient.c %/analysis.c %/metric.c %/adapter.c
# -Os for SIMD that memory limits, or that is a small part of a pass. Speed hardly depends on it there.
LIGHT := %/streams_simd.c %/gemm_pack_simd.c %/pack_simd.c %/pack_affine_simd.c %/read_panels_simd.c %/quantize_blocks_simd.c %/widen_simd.c %/weighted_sum_f32_simd.c %/softmax_f32_simd.c %/norm_f32_simd.c %/norm_backward_f32_simd.c \
    %/activation_f32_simd.c %/activation_backward_f32_simd.c %/sigmoid_f32_simd.c %/elementwise_f32_simd.c %/adamw_f32_simd.c %/accumulate_f32_simd.c
OPTIMIZE = $(if $(filter %_simd.c %_relaxed.c %/limits.c,$<),$(if $(filter $(LIGHT),$<),-Os,-O3) -fno-vectorize,$(if $(filter $(LOOPS),$<),-O3 -fno-unroll-loops,$(if $(filter $(LEAST),$<),-Oz,-Os)))
# The compiler lists the headers of each object (-MMD), so an edit of a header recompiles only the sources that include it.
define OBJECTS
build/$(1)/%.o: src/%.c Makefile
	@mkdir -p $$(@D)
	@$$(COMPILE) $(2) $$(OPTIMIZE) $$(RELAX) -MMD -MP -c $$< -o $$@

endef
THREADED := -matomics -mbulk-memory
$(eval $(call OBJECTS,heed,))
$(eval $(call OBJECTS,heed-mt,$(THREADED)))
$(eval $(call OBJECTS,heed-64,-sMEMORY64=1))
$(eval $(call OBJECTS,heed-mt-64,-sMEMORY64=1 $(THREADED)))
-include $(foreach folder,heed heed-mt heed-64 heed-mt-64,$(patsubst src/%.c,build/$(folder)/%.d,$(CORE) $(RELAXED)))

SHARED := --import-memory --shared-memory --export=__stack_pointer --export=__wasm_init_tls --export=__tls_size
dist/heed.wasm dist/heed-relaxed.wasm build/emulated/heed-relaxed.wasm: LIBRARIES := -lc -lcompiler_rt
dist/heed-mt.wasm dist/heed-relaxed-mt.wasm build/emulated/heed-relaxed-mt.wasm: LIBRARIES := $(SHARED) -lc-mt -lcompiler_rt-mt
# Kernel tables of each binary. The linker drops kernels that no table names. In the order of src/link-order.txt
# (tools/build/link-order.js), similar code is close together, so that gzip finds it.
LINK_ORDER := $(patsubst %,%.o,$(shell cat src/link-order.txt))
ordered = $(filter $(1),$(LINK_ORDER)) $(filter-out $(LINK_ORDER),$(1))
BASE := $(call ordered,$(CORE:src/%.c=%.o))
UNRELAXED := $(filter-out kernels/sets.o,$(BASE))
WITH_RELAXED := $(call ordered,$(filter-out kernels/sets.o,$(CORE:src/%.c=%.o) $(RELAXED:src/%.c=%.o)))
dist/heed.wasm: $(BASE:%=build/heed/%)
dist/heed-relaxed.wasm: $(WITH_RELAXED:%=build/heed/%)
dist/heed-mt.wasm: $(BASE:%=build/heed-mt/%)
dist/heed-relaxed-mt.wasm: $(WITH_RELAXED:%=build/heed-mt/%)
$(BINARIES): src/link-order.txt
$(BINARIES) $(EMULATED_BINARIES):
	@mkdir -p $(@D)
	@echo "link     $@"
	@$(LINK) $(LIBRARIES) $(filter %.o,$^) -o $@

# 64-bit memory: the same sources, and functions whose addresses are Numbers of JavaScript. Emscripten's package has no C
# library for 64 bits, so the few functions that the core calls are compiled from its sources.
FROM_LIBC := compiler-rt/lib/builtins/multi3 libc/musl/src/string/memcmp $(addprefix libc/musl/src/math/,erff expf expm1f \
    exp2f_data fmaxf logf logf_data roundf tanhf __math_divzerof __math_invalidf __math_oflowf __math_uflowf __math_xflowf)
define OBJECTS_64
build/$(1)/lib/%.o: Makefile
	@mkdir -p $$(@D)
	@lib=$$$$(em-config EMSCRIPTEN_ROOT)/system/lib; musl=$$$$lib/libc/musl; $$(filter-out $$(WARN),$$(COMPILE)) -w -sMEMORY64=1 \
	    $(2) -O2 -I$$$$musl/src/internal -I$$$$musl/src/include -I$$$$musl/include -I$$$$musl/arch/emscripten \
	    -I$$$$musl/arch/generic -c $$$$lib/$$*.c -o $$@

build/$(1)/numbers.o: build/numbers-64.c
	@mkdir -p $$(@D)
	@$$(COMPILE) -sMEMORY64=1 $(2) -Os -c $$< -o $$@

endef
$(eval $(call OBJECTS_64,heed-64,))
$(eval $(call OBJECTS_64,heed-mt-64,$(THREADED)))
build/numbers-64.c: tools/build/numbers-64.js src/heed.h src/heed_lab.h Makefile
	@node $(filter-out Makefile,$^) > $@

OF_64 := numbers.o $(FROM_LIBC:%=lib/%.o)
dist/heed-64.wasm: $(addprefix build/heed-64/,$(BASE) $(OF_64))
dist/heed-relaxed-64.wasm: $(addprefix build/heed-64/,$(WITH_RELAXED) $(OF_64))
dist/heed-mt-64.wasm: $(addprefix build/heed-mt-64/,$(BASE) $(OF_64))
dist/heed-relaxed-mt-64.wasm: $(addprefix build/heed-mt-64/,$(WITH_RELAXED) $(OF_64))
$(BINARIES_64): src/link-order.txt
	@mkdir -p $(@D)
	@echo "link     $@"
	@$(LINK_ANY) -mwasm64 --max-memory=17179869184 $(if $(findstring mt,$@),$(SHARED)) $(filter %.o,$^) -o $@

emulated: $(EMULATED_BINARIES) ## compile the relaxed binaries with emulated relaxed instructions, for tests

# The same objects, except for relaxed kernels, whose instructions tests/emulated/dot.c computes by base SIMD.
EMULATED := $(RELAXED:src/%.c=%.o)
EMULATE := -D__wasm_relaxed_simd__ -Itests/emulated -include dot.h
build/emulated/heed/%.o: src/%.c tests/emulated/dot.h Makefile
	@mkdir -p $(@D)
	@$(COMPILE) $(OPTIMIZE) $(EMULATE) -MMD -MP -c $< -o $@

build/emulated/heed-mt/%.o: src/%.c tests/emulated/dot.h Makefile
	@mkdir -p $(@D)
	@$(COMPILE) $(OPTIMIZE) $(EMULATE) $(THREADED) -MMD -MP -c $< -o $@

build/emulated/heed/dot.o: tests/emulated/dot.c tests/emulated/dot.h Makefile
	@mkdir -p $(@D)
	@$(COMPILE) -O2 -c $< -o $@

build/emulated/heed-mt/dot.o: tests/emulated/dot.c tests/emulated/dot.h Makefile
	@mkdir -p $(@D)
	@$(COMPILE) -O2 $(THREADED) -c $< -o $@

-include $(foreach folder,heed heed-mt,$(EMULATED:%.o=build/emulated/$(folder)/%.d))

build/emulated/heed-relaxed.wasm: $(UNRELAXED:%=build/heed/%) $(EMULATED:%=build/emulated/heed/%) build/emulated/heed/dot.o
build/emulated/heed-relaxed-mt.wasm: $(UNRELAXED:%=build/heed-mt/%) $(EMULATED:%=build/emulated/heed-mt/%) build/emulated/heed-mt/dot.o

# Loops that measure the limits of a thread, for `heed bench`: a separate module.
dist/limits-relaxed.wasm: RELAX := -mrelaxed-simd
$(LIMITS): bench/limits.c Makefile
	@mkdir -p dist build
	@echo "compile  $@"
	@$(COMPILE) $(OPTIMIZE) $(RELAX) -c $< -o build/$(@F:.wasm=.o)
	@wasm-ld-$(LLVM) --no-entry --stack-first -z stack-size=4096 --strip-all build/$(@F:.wasm=.o) -o $@

native: build/native/heed-test build/native/heed-threads ## compile the C core natively with sanitizers, for tests

SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
NATIVE := $(filter-out %_simd.c,$(CORE)) $(wildcard tests/native/*.c)
build/native/heed-test: $(NATIVE) $(HEADERS) $(wildcard tests/native/*.h) Makefile
	@mkdir -p $(@D)
	@echo "compile  $@"
	@$(CC) $(WARN) $(SANITIZE) -ffp-contract=off -pthread $(NATIVE) -o $@ -lm

# libFuzzer calls the C API with random configurations and sequences (tests/fuzz).
FUZZ := -O1 -g -fno-omit-frame-pointer -ffp-contract=off -fsanitize=address,undefined,float-cast-overflow \
    -fno-sanitize-recover=all
FUZZED := $(filter-out %_simd.c,$(CORE)) tests/native/tiny.c $(wildcard tests/fuzz/*.c)
build/fuzz/%.o: %.c $(HEADERS) $(wildcard tests/native/*.h tests/fuzz/*.h) Makefile
	@mkdir -p $(@D)
	@$(CLANG) $(WARN) $(FUZZ) -fsanitize=fuzzer-no-link -c $< -o $@

build/fuzz/heed-fuzz: $(FUZZED:%.c=build/fuzz/%.o)
	@echo "link     $@"
	@$(CLANG) $(FUZZ) -fsanitize=fuzzer $^ -o $@ -lm

fuzz: build/fuzz/heed-fuzz ## fuzz the C API and the file readers for SECONDS each (60); new inputs go to build/fuzz/corpus
	@mkdir -p build/fuzz/corpus build/fuzz/failures
	@ASAN_OPTIONS=detect_leaks=0 build/fuzz/heed-fuzz -max_total_time=$(SECONDS) -max_len=512 -len_control=0 -timeout=20 \
	    -print_final_stats=1 -artifact_prefix=build/fuzz/failures/ build/fuzz/corpus tests/fuzz/corpus
	@[ ! -e tests/fuzz/files.js ] || node tests/fuzz/files.js --seconds $(SECONDS)

# The thread sanitizer excludes the other two, so it has its own binary. `heed-threads threads` runs the threaded tests.
build/native/heed-threads: $(NATIVE) $(HEADERS) $(wildcard tests/native/*.h) Makefile
	@mkdir -p $(@D)
	@echo "compile  $@"
	@$(CC) $(WARN) -O1 -g -fsanitize=thread -ffp-contract=off -pthread $(NATIVE) -o $@ -lm

# Branch coverage of the scalar core by the native tests and the stored inputs of the fuzzer.
COVER := -O1 -g -ffp-contract=off -fprofile-instr-generate -fcoverage-mapping
build/cover/%.o: %.c $(HEADERS) $(wildcard tests/native/*.h tests/fuzz/*.h) Makefile
	@mkdir -p $(@D)
	@$(CLANG) $(WARN) $(COVER) -pthread -c $< -o $@

build/cover/heed-test: $(NATIVE:%.c=build/cover/%.o)
	@$(CLANG) $(COVER) -pthread $^ -o $@ -lm
build/cover/heed-fuzz: $(FUZZED:%.c=build/cover/%.o)
	@$(CLANG) $(COVER) -fsanitize=fuzzer $^ -o $@ -lm

coverage: ## list branches of the scalar core that native tests and stored fuzzer inputs never take
	@node tools/coverage.js

types: dist/types/js/index.d.ts ## write type declarations from the JSDoc comments
dist/types/js/index.d.ts: $(JS) $(wildcard web/elements/*.js web/elements/*.d.ts web/elements/define/* web/draw/*.js) tsconfig.types.json
	@[ -d node_modules ] || { echo 'The npm packages are missing. Run: make setup' >&2; exit 1; }
	@echo "declare  dist/types"
	@rm -rf dist/types
	@$(TSC) -p tsconfig.types.json
	@cp web/elements/*.d.ts dist/types/web/elements
	@cp web/elements/define/*.d.ts dist/types/web/elements/define

bundle: dist/heed.js ## bundle the library and the elements for pages without a bundler
dist/heed.js: $(BINARIES) $(BINARIES_64) $(JS) $(WEB) tools/build/bundle.js $(wildcard tools/build/single/*.js) package-lock.json
	@echo "bundle   $@"
	@node tools/build/bundle.js

site: dist/site/index.html ## assemble the page as static files in dist/site
dist/site/index.html: $(BINARIES) $(BINARIES_64) $(LIMITS) $(JS) $(WEB) $(wildcard models/*.gguf models/*.safetensors) tools/build/bundle.js tools/build/formulas.js tools/build/site.js package-lock.json
	@echo "assemble dist/site"
	@node tools/build/site.js

docs: dist/docs/index.html ## build the documentation as static files in dist/docs
dist/docs/index.html: dist/types/js/index.d.ts $(wildcard tools/docs/*) $(filter-out node_modules/%,$(wildcard *.md */*.md */*/*.md)) $(wildcard docs/*.png docs/insight/*.svg) | setup-docs
	@echo "document dist/docs"
	@node tools/docs/build.js

package: wasm types bundle site ## build every file of the npm package

demo: setup-build setup-docs ## build the page and the documentation, and serve them on 127.0.0.1:PORT (8000)
	@$(MAKE) --no-print-directory -j$$(nproc) site docs
	@node js/cli.js serve --port $(PORT)

test: setup ## lint, build and run every test
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory -j$$(nproc) package emulated native docs
	@tools/test.sh

models: wasm ## train every model that OUT (models) lacks; can be stopped and resumed (DATA=… for corpora)
	@files=$$(node tools/build/missing-models.js --out $(OUT) --data $(DATA) --checkpoints $(CHECKPOINTS)); whole=$$?; \
	[ -z "$$files" ] || $(MAKE) --no-print-directory --keep-going $$files && exit $$whole

# Keep a model that misses its goal, for inspection.
.PRECIOUS: $(OUT)/%.safetensors $(OUT)/%.gguf
$(OUT)/%.safetensors $(OUT)/%.gguf:
	@echo "train    $*"
	@node js/cli.js train $* --out $(OUT) --checkpoints $(CHECKPOINTS) --data $(DATA) $(if $(STEPS),--steps $(STEPS))

lint: ## check imports, types, formatting, words and documentation
	@node tools/lint.js

format: ## format the C sources
	@echo "format   src tests bench"
	@clang-format -i $(wildcard src/*.[ch] src/*/*.[ch] src/kernels/*/*.[ch] tests/native/*.[ch] tests/fuzz/*.[ch] bench/*.c)

bench: wasm bundle ## measure MODEL (the default model), every kernel, and peers
	@echo "measure  $(MODEL)"
	@node js/cli.js bench --model $(MODEL)
	@echo "measure  kernels of every set"
	@node bench/kernels.js
	@echo "measure  heed call by call in turns with native llama.cpp, in Node.js and browsers"
	@node bench/turns.js --if-there $(TURNS)
	@echo "measure  heed in turns with peers"
	@rm -f build/bench-peers.jsonl
	@node bench/peers.js --if-there $(PEERS) --out build/bench-peers.jsonl

clean: ## remove build and dist
	@echo "remove   build dist"
	@rm -rf build dist
