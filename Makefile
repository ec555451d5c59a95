# The front door: each target calls CMake presets and the scripts in tools/. Start with `make help`.

PREFIX ?= /usr/local
DESTDIR ?=
PRESETS = release clang asan

.DEFAULT_GOAL := help
.PHONY: help demo test fuzz soak bench bench-packages check install package format clean packages release
# ninja and ctest run in parallel by themselves; the steps here stay in order under `make -j`
.NOTPARALLEL:

help:
	@echo "make demo            build, run the demonstration, write out/index.html"
	@echo "make test            static checks, then build and test with gcc, clang and sanitizers"
	@echo "make fuzz MINUTES=7  libFuzzer on every reader, that many minutes in all"
	@echo "make soak            2000 random models, every fault, an hour of fuzzing"
	@echo "make bench           build and time every pass"
	@echo "make bench-packages  install other libraries that bench compares with (optional)"
	@echo "make check           static checks only: layers and formatting"
	@echo "make install         install to PREFIX ($(PREFIX)), below DESTDIR if set"
	@echo "make package         make a Debian package in build/package"
	@echo "make format          rewrite the sources with clang-format"
	@echo "make clean           remove build/ and out/"
	@echo "Missing Debian packages (tools/packages.txt) are installed first."

demo: release
	@mkdir -p out
	@build/release/bin/appell-demo
	@build/release/bin/appell-controlled-arm models/arm7.yaml
	@set -e; pages=; [ -s build/release/viewer/dist/viewer.html ] || pages=--no-pages; \
	python3 tools/gallery.py --appell build/release/bin/appell --out out $$pages

test: check
	@set -e; for preset in $(PRESETS); do \
	  echo "== $$preset: configure, build, test"; \
	  cmake --preset $$preset; \
	  cmake --build --preset $$preset; \
	  ctest --preset $$preset; \
	done
	@echo "== hot code"
	@python3 tools/check_hot.py build/release
	@python3 tools/check_names.py build/release

# each reader for an equal part of the time; what it finds stays in build/fuzz/TARGET
MINUTES ?= 7
FUZZ = model urdf settings quantity csv result checkpoint
fuzz: packages
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

soak: release
	cmake --build --preset release --target appell_faulty
	python3 tests/cli/random_models.py build/release/bin/appell 2000
	/usr/bin/python3 tests/cli/test_faults.py build/release/bin/appell_faulty 1
	$(MAKE) fuzz MINUTES=60

bench: release
	build/release/bin/appell-bench
	build/release/bin/appell-targets
	build/release/bin/appell-contact
	build/release/bin/appell-crawl
	build/release/bin/appell-rows

bench-packages:
	@sh tools/install-packages.sh tools/packages-bench.txt

check: packages
	@echo "== static checks"
	@python3 tools/check_layers.py
	@sh tools/check_format.sh

package: packages
	@cmake -S . -B build/package -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
	  -DAPPELL_PYTHON_HOME=lib/python3/dist-packages
	@cmake --build build/package
	@cd build/package && cpack

install: release
	DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

format: packages
	@sh tools/check_format.sh --fix

clean:
	rm -rf build out

packages:
	@sh tools/install-packages.sh tools/packages.txt

release: packages
	cmake --preset release
	cmake --build --preset release
