# heed: `make help` lists what there is.
EMCC ?= emcc
CORE := $(wildcard src/*.c src/ops/*.c src/models/*.c src/kernels/*.c)
HEADERS := $(wildcard src/*.h src/*/*.h)
WARN := -std=c11 -Wall -Wextra -Werror -Isrc

.DEFAULT_GOAL := help
.PHONY: help wasm

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

wasm: dist/heed.wasm ## the engine, compiled by Emscripten

# Stand-alone: no imports, no JavaScript runtime.  -ffp-contract=off keeps one rounding per operation everywhere.
dist/heed.wasm: $(CORE) $(HEADERS)
	@mkdir -p dist
	@echo "compile  $@"
	@$(EMCC) $(WARN) -O3 -msimd128 -ffp-contract=off --no-entry -sSTANDALONE_WASM=1 -sALLOW_MEMORY_GROWTH=1 \
	    -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=2MB -sTOTAL_STACK=256KB -Wl,--export-table $(CORE) -o $@
