#!/bin/sh
# folded.sh GOLDEN AFLAME CLOCK TRACE
# What `aflame convert` writes is what GOLDEN lists, whatever the order. The lists come from another
# reading of the format text than the program's; nothing blesses them.
set -eu
actual=$(mktemp)
trap 'rm -f "$actual"' EXIT
[ -s "$1" ]
"$2" convert -q --clock "$3" "$4" -o - >"$actual"
LC_ALL=C sort -o "$actual" "$actual"
diff -u "$1" "$actual"
