#!/bin/sh
# tree.sh GOLDEN PRINT_TREE ARGUMENT...
# The output of print_tree equals GOLDEN, with one worker and with four.
set -eu
golden=$1
shift
actual=$(mktemp)
trap 'rm -f "$actual" "$actual.one"' EXIT
"$@" --jobs=4 "$actual" --jobs=1 "$actual.one"
[ -s "$actual" ] || { echo "$golden: no output" >&2; exit 1; }
cmp "$actual" "$actual.one"
"$(dirname "$0")/golden.sh" "$golden" cat "$actual"
