#!/bin/sh
# symbols.sh SHARED_LIBRARY INCLUDE MAP
# The shared library exports exactly the functions that the public headers mark with AF_API, each
# under the version from MAP.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' |
    grep -vE '^(__asan_|__ubsan_|__odr_asan|_init$|_fini$)' | sed 's/@@/@/' |
    LC_ALL=C sort >"$scratch/exported"
awk '/^[A-Z]/ { version = $1 } /^ +af_/ { sub(/;/, ""); print $1 "@" version }' "$3" |
    LC_ALL=C sort >"$scratch/listed"
diff -u "$scratch/listed" "$scratch/exported" || { echo "the exported functions differ from $3" >&2; exit 1; }
cat "$2"/aflame/*.h | tr '\n' ' ' | grep -oE 'AF_API[^;(]*\(' |
    grep -oE 'af_[a-z0-9_]+\($' | tr -d '(' | LC_ALL=C sort -u >"$scratch/declared"
[ -s "$scratch/declared" ]
sed 's/@.*//' "$scratch/listed" | LC_ALL=C sort | diff -u "$scratch/declared" - ||
    { echo "a public function is missing in $3, or $3 lists another one" >&2; exit 1; }
