#!/bin/sh
# tidy.sh CLANG_TIDY BUILD TOP [CHECKS]
# clang-tidy reports no findings in the library, the command and the pictures. CHECKS are added to
# those of .clang-tidy.
set -eu
tidy=$1 build=$2 top=$3 checks=${4:-}
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
cd "$top"
find src render -name '*.c' -print0 | LC_ALL=C sort -z |
    xargs -0 -n 8 nice -n 19 "$tidy" -p "$build" --quiet ${checks:+"--checks=$checks"} 2>"$counts" ||
    { grep -v ' warnings\{0,1\} generated\.$' "$counts" >&2; exit 1; }
