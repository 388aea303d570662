#!/bin/sh
# exports.sh FORMAT AFLAME READ_EXPORT PRINT_ROWS FILE|DIRECTORY...
# What is written of every input there is holds the numbers of its call trees to the ns, as
# a reader finds it that shares nothing with the writer; packed and into a pipe it is the same.
set -eu
format=$1 aflame=$2 read=$3 print=$4
shift 4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$file: $1" >&2
    exit 1
}

find "$@" -maxdepth 1 -type f ! -name '*.made' ! -name '*.sec' | LC_ALL=C sort >"$scratch/files"
# x-trees: format x, made of trees after a step that changes nothing
step=
[ "${format%-trees}" = "$format" ] || step='--max-depth 4294967295'
convert() {
    # shellcheck disable=SC2086
    "$aflame" convert -q --format "${format%-trees}" $step "$@"
}
n=0
while read -r file; do
    if ! convert "$file" -o "$scratch/out" 2>"$scratch/err"; then
        grep -qE 'the input holds samples|--any-size writes it|nothing is left' "$scratch/err" ||
            fail "was not written: $(cat "$scratch/err")"
        continue
    fi
    "$read" "${format%-trees}" "$scratch/out" >"$scratch/got" || fail "cannot be read"
    status=0
    "$print" "$format" "$file" >"$scratch/wanted" || status=$?
    [ "$status" -ne 3 ] || continue
    [ "$status" -eq 0 ] || fail "has no rows"
    diff "$scratch/wanted" "$scratch/got" >"$scratch/diff" ||
        fail "other rows: $(head -n 20 "$scratch/diff")"
    n=$((n + 1))
done <"$scratch/files"
[ "$n" -gt 50 ] || fail "hardly any input"

file=$(grep '/sample.trace$' "$scratch/files" | head -n 1)
convert "$file" -o "$scratch/out"
"$read" "${format%-trees}" "$scratch/out" >"$scratch/got"
[ "$(wc -l <"$scratch/got")" -gt 200 ] || fail "hardly any rows"
convert "$file" -o "$scratch/out.gz"
convert - -o - <"$file" >"$scratch/piped"
cmp "$scratch/out" "$scratch/piped" || fail "a pipe gives other bytes"
"$read" "${format%-trees}" "$scratch/out.gz" >"$scratch/packed"
cmp "$scratch/got" "$scratch/packed" || fail "packed it is something else"
echo "$n inputs"
