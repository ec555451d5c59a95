#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that all C and C++ sources are formatted as .clang-format says and name their licence; --fix formats them.
#
# usage: tools/check_format.sh [--fix]     CLANG_FORMAT names another clang-format (14 is the reference)
set -eu
cd "$(dirname "$0")/.."

tool=${CLANG_FORMAT:-clang-format}
case "${1:-}" in
  "") options="--dry-run -Werror" ;;
  --fix) options="-i" ;;
  *) echo "check_format: usage: tools/check_format.sh [--fix]" >&2; exit 2 ;;
esac
command -v "$tool" >/dev/null || { echo "check_format: $tool is not installed." >&2; exit 1; }

list=$(mktemp)
trap 'rm -f "$list"' EXIT

# tracked files and new ones that are not ignored; from an unpacked archive, all files
git ls-files -co --exclude-standard -- '*.c' '*.h' '*.cpp' >"$list" 2>/dev/null ||
  find . \( -path ./build -o -path ./out -o -name node_modules \) -prune -o \
    -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' \) -print >"$list"

count=0
bad=0
while IFS= read -r file; do
  [ -f "$file" ] || continue # deleted, not yet committed
  count=$((count + 1))
  # shellcheck disable=SC2086  # options are words
  "$tool" --style=file $options "$file" || bad=$((bad + 1))
  head -n 1 "$file" | grep -q 'SPDX-License-Identifier: ' || {
    echo "check_format: $file does not begin with its SPDX-License-Identifier." >&2
    bad=$((bad + 1))
  }
done <"$list"

[ "$count" -gt 0 ] || { echo "check_format: no sources found." >&2; exit 1; }
[ "$bad" -eq 0 ] || { echo "check_format: $bad of $count files need 'make format' or a licence line." >&2; exit 1; }
echo "check_format: $count files, all formatted"
