# SPDX-License-Identifier: Apache-2.0
# The front door: each target calls CMake presets and the scripts in tools/. Start with `make help`.

PREFIX ?= /usr/local
DESTDIR ?=

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-rest hidden fuzz soak tsan wrong-calls bench bench-packages check check-abi install package format clean \
  packages test-packages check-packages release
# ninja and ctest run in parallel by themselves; the steps here stay in order under `make -j`
.NOTPARALLEL:

help:
	@echo "make demo            build, run the demonstration, write out/index.html"
	@echo "make test            build and run the whole test suite"
	@echo "make test-all        make test, then static checks, warnings as errors, clang, sanitizers"
	@echo "make fuzz MINUTES=7  libFuzzer on every reader, that many minutes in all"
	@echo "make soak            random models, every fault, races, wrong calls, fuzzing (MINUTES=60 MODELS=2000)"
	@echo "make tsan            threads and the live server under ThreadSanitizer"
	@echo "make wrong-calls     every public function with wrong arguments, under sanitizers"
	@echo "make bench           build and time every pass"
	@echo "make bench-packages  install other libraries that bench compares with (optional)"
	@echo "make check           static checks only: layers, hot files alone, public functions, the map, tested headers, formatting"
	@echo "make check-abi       compare the shared library with that of the last minor version (RECORD=1: record it)"
	@echo "make install         install to PREFIX ($(PREFIX)), below DESTDIR if set"
	@echo "make package         make a Debian package in build/package"
	@echo "make format          rewrite the sources with clang-format"
	@echo "make clean           remove build/ and out/"
	@echo "Missing Debian packages (tools/packages-*.txt) are installed first."

demo: release
	@mkdir -p out
	@build/release/bin/appell-demo
	@build/release/bin/appell-controlled-arm models/arm7.yaml
	@set -e; pages=; [ -s build/release/viewer/dist/viewer.html ] || pages=--no-pages; \
	python3 tools/gallery.py --appell build/release/bin/appell --out out $$pages
	@echo "The gallery of all robots is $(CURDIR)/out/index.html"
	@echo "Open it in a browser (xdg-open out/index.html), or serve it: python3 -m http.server -d out 8000"

# one build in the folder of `make demo`, whose objects are kept
test: test-packages
	cmake --preset test
	cmake --build --preset test
	ctest --preset test

test-all: test test-rest

# what `make test` leaves to developers and CI
test-rest: check hidden
	@set -e; for preset in strict clang-16 bare clang asan; do \
	  echo "== $$preset: configure, build"; \
	  cmake --preset $$preset; \
	  cmake --build --preset $$preset; \
	  case $$preset in clang|asan) ctest --preset $$preset ;; esac; \
	done
	@echo "== hot code"
	@python3 tools/check_hot.py build/strict
	@python3 tools/check_names.py build/strict
	@echo "== interface of the shared library"
	@sh tools/check_abi.sh build/bare/libappell.so

# each optional package hidden alone: the configuration says in one line what is left out
hidden: check-packages
	@set -e; mkdir -p build; for package in npm chromium gnuplot ffmpeg libmicrohttpd; do \
	  echo "== without $$package: configure"; \
	  cmake --preset bare -B build/hidden-$$package -DAPPELL_HIDE=$$package >build/hidden.log 2>&1 || \
	    { cat build/hidden.log; exit 1; }; \
	  grep "left out: .*($$package " build/hidden.log; \
	done

# each reader for an equal part of the time; what it finds stays in build/fuzz/TARGET
MINUTES ?= 7
FUZZ = model urdf settings quantity csv result checkpoint
fuzz: check-packages
	cmake --preset fuzz
	cmake --build --preset fuzz --target $(FUZZ:%=fuzz_%)
	@set -e; for target in $(FUZZ); do \
	  echo "== fuzz: $$target"; \
	  mkdir -p build/fuzz/$$target; \
	  ASAN_OPTIONS=detect_leaks=0 build/fuzz/bin/fuzz_$$target -max_total_time=$$(($(MINUTES) * 60 / 7)) -timeout=20 \
	    -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix=build/fuzz/$$target- build/fuzz/$$target \
	    tests/fuzz/corpus/$$target > build/fuzz/$$target.log 2>&1 || { tail -40 build/fuzz/$$target.log; exit 1; }; \
	  tail -8 build/fuzz/$$target.log; \
	done

# `make soak MINUTES=3 MODELS=50 FAULT_EVERY=50` is the same in short. Every part runs, also behind one that failed
MODELS ?= 2000
SEED ?= 40000
FAULT_EVERY ?= 1
soak: MINUTES = 60
soak: check-packages
	cmake --preset test
	cmake --build --preset test
	@fail=; \
	echo "== soak: $(MODELS) random models"; \
	python3 tests/cli/random_models.py build/release/bin/appell $(MODELS) $(SEED) || fail="$$fail models"; \
	echo "== soak: $(MODELS) random models, all methods in turn"; \
	python3 tests/cli/random_models.py build/release/bin/appell $(MODELS) $(SEED) --each || fail="$$fail methods"; \
	echo "== soak: faults"; \
	python3 tests/cli/test_faults.py build/release/bin/appell_faulty $(FAULT_EVERY) || fail="$$fail faults"; \
	$(MAKE) tsan ROUNDS=20 || fail="$$fail tsan"; \
	$(MAKE) wrong-calls || fail="$$fail calls"; \
	$(MAKE) fuzz MINUTES=$(MINUTES) || fail="$$fail fuzz"; \
	if [ -n "$$fail" ]; then echo "soak: failed:$$fail"; exit 1; fi; echo "soak: all parts passed"

# threads that share models, and requests to a live run, under ThreadSanitizer
ROUNDS ?= 1
tsan: check-packages
	cmake --preset tsan
	cmake --build --preset tsan --target test_races appell_command
	@echo "== races: shared models"
	@TSAN_OPTIONS=halt_on_error=1 build/tsan/bin/test_races $(ROUNDS)
	@echo "== races: live server"
	@python3 tests/cli/live_races.py build/tsan/bin/appell $(ROUNDS)

# every public function with wrong arguments, under address and undefined-behaviour sanitizers
wrong-calls: check-packages
	cmake --preset asan
	cmake --build --preset asan --target test_api
	@build/asan/bin/test_api

# the only build that looks for other libraries
bench: packages
	cmake --preset bench
	cmake --build --preset bench
	build/bench/bin/appell-bench
	build/bench/bin/appell-targets
	build/bench/bin/appell-contact
	build/bench/bin/appell-crawl
	build/bench/bin/appell-rows

bench-packages:
	@sh tools/install-packages.sh tools/packages-bench.txt

check: check-packages
	@echo "== static checks"
	@python3 tools/check_layers.py
	@python3 tools/check_alone.py
	@python3 tools/check_api.py
	@python3 tools/check_map.py
	@python3 tools/check_tested.py
	@sh tools/check_format.sh

# a library with debug information and the record in tests/data/abi: docs/deprecation.md
check-abi: check-packages
	cmake --preset bare
	cmake --build --preset bare --target appell_shared
	@sh tools/check_abi.sh build/bare/libappell.so $(if $(RECORD),--record)

package: packages
	@cmake -S . -B build/package -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
	  -DAPPELL_PYTHON_HOME=lib/python3/dist-packages
	@cmake --build build/package
	@cd build/package && cpack

install: release
	DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"
	@# the loader finds the shared library of /usr/local by its cache
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

format: check-packages
	@sh tools/check_format.sh --fix

clean:
	rm -rf build out

packages:
	@sh tools/install-packages.sh tools/packages-build.txt

test-packages:
	@sh tools/install-packages.sh tools/packages-build.txt tools/packages-test.txt

check-packages:
	@sh tools/install-packages.sh tools/packages-build.txt tools/packages-test.txt tools/packages-check.txt

release: packages
	cmake --preset release
	cmake --build --preset release
