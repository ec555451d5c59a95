#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs a build into a temporary prefix and uses both of its libraries from another project, by find_package and
# by pkg-config: appell::appell and pkg-config give the shared one, appell::static and pkg-config --static the other.
#
# usage: test_package.sh BUILD_DIR C_COMPILER     CFLAGS and LDFLAGS are honoured
set -eu

fail() {
  echo "test_package: $*" >&2
  [ ! -s "$log" ] || cat "$log" >&2
  exit 1
}

log=/dev/null
[ $# -eq 2 ] || fail "usage: test_package.sh BUILD_DIR C_COMPILER"
build=$1
compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
log=$work/log
unset DESTDIR
export LC_ALL=C # words of readelf

# install, and find out where the library went
cmake --install "$build" --prefix "$prefix" >"$log" 2>&1 || fail "the build '$build' cannot be installed."
pc=$(find "$prefix" -name appell.pc)
[ -n "$pc" ] || fail "the installation has no appell.pc."
export PKG_CONFIG_PATH="${pc%/*}"
version=$(pkg-config --modversion appell 2>"$log") || fail "pkg-config does not find appell."
export LD_LIBRARY_PATH="${pc%/pkgconfig/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# the consumer must run, print the version that pkg-config knows, and have the library it was promised
expect_version() {
  if readelf -d "$1" | grep -q 'NEEDED.*libappell'; then linked=shared; else linked=static; fi
  [ "$linked" = "$3" ] || fail "the consumer built by $2 has the $linked library, not the $3 one."
  printed=$("$1" 2>"$log") || fail "the consumer built by $2 does not run."
  [ "$printed" = "$version" ] ||
    fail "the consumer built by $2 prints version '$printed', pkg-config says '$version'."
}

cmake -G Ninja -S "$here" -B "$work/cmake" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" \
  >"$log" 2>&1 || fail "find_package(appell) fails."
grep -q "^appell_DIR:PATH=$prefix/" "$work/cmake/CMakeCache.txt" ||
  fail "find_package(appell) does not find the package in the prefix."
cmake --build "$work/cmake" >"$log" 2>&1 || fail "the consumer does not build by find_package."
expect_version "$work/cmake/consumer" find_package shared
expect_version "$work/cmake/consumer_static" "find_package(COMPONENTS static)" static
expect_version "$work/cmake/consumer_core" "find_package(COMPONENTS core)" static
readelf -d "$work/cmake/consumer_core" | grep NEEDED | grep -qvE '\[(libc|libm|ld-linux)[.-]' &&
  fail "the consumer of appell::core needs more than libc and libm."

# soname: users of one minor version go on with its patches
readelf -d "${pc%/pkgconfig/*}/libappell.so" | grep -q "SONAME.*libappell.so.${version%.*}]" ||
  fail "libappell.so has not the soname libappell.so.${version%.*}."
# every symbol that the shared library shows is declared in a header
shown=$(nm -D --defined-only "${pc%/pkgconfig/*}/libappell.so" | sed -n 's/.* T //p' | sort)
for symbol in $shown; do
  grep -qw "$symbol" "$prefix"/include/appell/*.h || fail "libappell.so shows '$symbol', which no header declares."
done

for static in "" --static; do
  flags=$(pkg-config $static --cflags --libs appell 2>"$log") || fail "pkg-config $static fails."
  kind=shared
  if [ -n "$static" ]; then
    kind=static
    flags=$(echo " $flags " | sed 's/ -lappell / -l:libappell.a /')
  fi
  # shellcheck disable=SC2086  # flags are words
  "$compiler" -std=c17 ${CFLAGS:-} -o "$work/consumer" "$here/consumer.c" ${LDFLAGS:-} $flags >"$log" 2>&1 ||
    fail "the consumer does not build by pkg-config $static ($flags)."
  expect_version "$work/consumer" "pkg-config $static" $kind
done

# a user of the shared library needs none of the development packages that its making took
flags=$(PKG_CONFIG_LIBDIR="${pc%/*}" PKG_CONFIG_PATH= pkg-config --cflags --libs appell 2>"$log") ||
  fail "pkg-config asks for the packages that the library was built with."

# the build folder serves before anything is installed
flags=$(PKG_CONFIG_PATH=$build pkg-config --cflags --libs appell 2>"$log") || fail "the build folder has no appell.pc."
# shellcheck disable=SC2086  # flags are words
"$compiler" -std=c17 ${CFLAGS:-} -o "$work/built" "$here/consumer.c" ${LDFLAGS:-} $flags >"$log" 2>&1 ||
  fail "the consumer does not build by appell.pc of the build folder ($flags)."
LD_LIBRARY_PATH=$build expect_version "$work/built" "appell.pc of the build folder" shared

echo "test_package: version $version works by find_package and by pkg-config"
