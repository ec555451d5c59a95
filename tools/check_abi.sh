#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the shared library with the one of the last minor version: functions that are gone or have other arguments,
# structs with another layout, enums with other values. Additions are allowed. docs/deprecation.md says what is promised.
#
# usage: tools/check_abi.sh LIBRARY [--record]
#   LIBRARY   libappell.so with debug information, as build/bare/libappell.so of the preset `bare`
#   --record  writes the record in place of comparing with it, when a minor version is dated
# abidw and abidiff are of Debian's package abigail-tools. Skipped, with a reason, where they are missing or on another
# architecture than that of the record.
set -eu

fail() {
  echo "check_abi: $*" >&2
  exit 1
}

case $#${2:-} in 1 | 2--record) ;; *) fail "usage: tools/check_abi.sh LIBRARY [--record]" ;; esac
library=$1
root=$(cd "$(dirname "$0")/.." && pwd)
record=$root/tests/data/abi/libappell-x86_64.xml
[ -r "$library" ] || fail "there is no library '$library': cmake --preset bare && cmake --build --preset bare --target appell_shared"

for tool in abidw abidiff; do
  command -v $tool >/dev/null || { echo "check_abi: skipped, $tool is not installed (package abigail-tools)"; exit 0; }
done
[ "$(uname -m)" = x86_64 ] || { echo "check_abi: skipped, the record is of x86_64"; exit 0; }
readelf -S "$library" | grep -q '\.debug_info' || fail "'$library' has no debug information; build it with -g."

now=$(mktemp)
trap 'rm -f "$now"' EXIT
# types by the public headers only; no paths, lines or needed libraries, which say nothing about the interface
abidw --headers-dir "$root/include/appell" --drop-private-types --drop-undefined-syms --no-show-locs --no-corpus-path \
  --no-comp-dir-path --no-elf-needed --type-id-style hash --out-file "$now" "$library"
count=$(grep -c "<elf-symbol .*type='func-type'" "$now") || fail "'$library' shows no function."

if [ $# = 2 ]; then
  mkdir -p "${record%/*}"
  cat "$now" >"$record"
  echo "check_abi: recorded $count functions in ${record#"$root"/}"
  exit 0
fi

if abidiff --no-added-syms --drop-private-types "$record" "$now"; then
  echo "check_abi: $count functions, compatible with the record"
else
  fail "programs that were compiled with the recorded library would break (see above). Keep the old form; or, in a new" \
    "minor version, tell it in the migration page and record the new one: make check-abi RECORD=1"
fi
