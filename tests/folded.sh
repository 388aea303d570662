#!/bin/sh
# folded.sh GOLDEN AFLAME CLOCK TRACE
# `aflame convert` writes the lines of GOLDEN in any order. The lists come from an independent
# reading of the format text; no test blesses them.
set -eu
actual=$(mktemp)
trap 'rm -f "$actual"' EXIT
[ -s "$1" ]
"$2" convert -q --clock "$3" "$4" -o - >"$actual"
LC_ALL=C sort -o "$actual" "$actual"
diff -u "$1" "$actual"
