#!/bin/sh
# bytes.sh EXPECTED FILE
# FILE has exactly the bytes that EXPECTED lists: hex pairs, `#` starts a comment. The lists are
# written by hand from the layouts of the format text; no test blesses them.
set -eu
expected=$(sed 's/#.*//' "$1" | tr -s ' \n\t' ' ' | sed 's/^ //; s/ $//')
actual=$(od -An -v -tx1 "$2" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')
[ -n "$expected" ]
if [ "$expected" != "$actual" ]; then
    echo "expected: $expected" >&2
    echo "actual:   $actual" >&2
    exit 1
fi
