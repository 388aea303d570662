#!/bin/sh
# tree.sh GOLDEN PRINT_TREE ARGUMENT...
# What print_tree says of a trace is what GOLDEN says, with one worker and with several.
# AFLAME_BLESS=1 writes GOLDEN instead.
set -eu
golden=$1
shift
actual=$(mktemp)
trap 'rm -f "$actual" "$actual.one"' EXIT
"$@" --jobs=4 >"$actual"
"$@" --jobs=1 >"$actual.one"
if [ ! -s "$actual" ]; then
    echo "$golden: nothing was printed" >&2
    exit 1
fi
cmp "$actual" "$actual.one"
if [ "${AFLAME_BLESS:-}" = 1 ]; then
    if [ -n "${CI:-}" ]; then
        echo "$golden: blessing is for people, not for CI" >&2
        exit 1
    fi
    mkdir -p "$(dirname "$golden")"
    cp "$actual" "$golden"
    echo "blessed $golden"
    exit 0
fi
if [ ! -f "$golden" ]; then
    echo "$golden is missing: look at the output below, then run with AFLAME_BLESS=1" >&2
    cat "$actual" >&2
    exit 1
fi
diff -u "$golden" "$actual"
