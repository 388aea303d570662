#!/bin/sh
# symbols.sh SHARED_LIBRARY INCLUDE
# The shared library shows exactly the functions that the public headers mark with AF_API.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//' |
    grep -vE '^(__asan_|__ubsan_|__odr_asan|_init$|_fini$)' | LC_ALL=C sort >"$scratch/shown"
cat "$2"/aflame/*.h | tr '\n' ' ' | grep -oE 'AF_API[^;(]*\(' |
    grep -oE 'af_[a-z0-9_]+\($' | tr -d '(' | LC_ALL=C sort >"$scratch/declared"
[ -s "$scratch/declared" ]
diff -u "$scratch/declared" "$scratch/shown"
