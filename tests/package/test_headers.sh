#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each public header compiles alone, as C17 and as C++17, and its version macros are those of CMake.
#
# usage: test_headers.sh INCLUDE_DIR VERSION C_COMPILER CXX_COMPILER     an empty CXX_COMPILER skips C++
set -eu

include=$1
version=$2
compiler=$3
cxx=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0

for header in "$include"/appell/*.h; do
  name=appell/$(basename "$header")
  printf '#include <%s>\n#include <%s>\nint apl_nothing;\n' "$name" "$name" >"$work/one.c"
  cp "$work/one.c" "$work/one.cpp"
  "$compiler" -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$include" -fsyntax-only "$work/one.c" ||
    { echo "test_headers: $name does not compile alone as C17" >&2; exit 1; }
  [ -z "$cxx" ] || "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$include" -fsyntax-only "$work/one.cpp" ||
    { echo "test_headers: $name does not compile alone as C++17" >&2; exit 1; }
  count=$((count + 1))
done

printf '#include <appell/base.h>\nAPL_VERSION_MAJOR.APL_VERSION_MINOR.APL_VERSION_PATCH\n' >"$work/version.c"
macros=$("$compiler" -E -P -I"$include" "$work/version.c" | tail -1 | tr -d ' ')
[ "$macros" = "$version" ] ||
  { echo "test_headers: the macros APL_VERSION_* say $macros, CMake says $version" >&2; exit 1; }

echo "test_headers: $count headers alone as C17${cxx:+ and C++17}, version $macros"
