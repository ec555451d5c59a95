# The front door: each target calls CMake presets and the scripts in tools/. Start with `make help`.

PREFIX ?= /usr/local
DESTDIR ?=
PRESETS = release clang asan

.DEFAULT_GOAL := help
.PHONY: help demo test bench bench-packages check install package format clean packages release
# ninja and ctest run in parallel by themselves; the steps here stay in order under `make -j`
.NOTPARALLEL:

help:
	@echo "make demo            build, run the demonstration, write out/index.html"
	@echo "make test            static checks, then build and test with gcc, clang and sanitizers"
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
	@set -e; replays=; for model in models/*.yaml models/*.urdf; do \
	  name=$$(basename "$${model%.*}"); \
	  page="--html out/$$name.html"; replay="--replay $$name"; \
	  if ! [ -s build/release/viewer/dist/viewer.html ]; then page=; replay=; fi; \
	  build/release/bin/appell run "$$model" -o "out/$$name.h5" $$page; \
	  replays="$$replays $$replay"; \
	done; papers=; for name in $$(build/release/bin/appell paper | cut -d' ' -f1); do \
	  build/release/bin/appell paper "$$name" --html "out/paper-$$name.html"; \
	  papers="$$papers --paper $$name"; \
	done; build/release/bin/appell-controlled-arm models/arm7.yaml; \
	build/release/bin/appell-demo $$replays $$papers

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

bench: release
	build/release/bin/appell-bench
	build/release/bin/appell-targets
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
