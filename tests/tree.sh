#!/bin/sh
# tree.sh GOLDEN PRINT_TREE ARGUMENT...
# The output of print_tree equals GOLDEN, with one worker and with four.
set -eu
. "$(dirname "$0")/golden.sh"
golden=$1
shift
actual=$(mktemp)
trap 'rm -f "$actual" "$actual.one"' EXIT
"$@" --jobs=4 "$actual" --jobs=1 "$actual.one"
if [ ! -s "$actual" ]; then
    echo "$golden: no output" >&2
    exit 1
fi
cmp "$actual" "$actual.one"
compare_golden "$golden" "$actual"
