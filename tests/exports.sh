#!/bin/sh
# exports.sh FORMAT AFLAME CHECK_EXPORTS SAMPLE FILE|FOLDER...
# The export of every input contains the numbers of its call trees to the ns; the reader shares no
# code with the writer. The command writes the same bytes, also gzipped and into a pipe.
set -eu
format=$1 aflame=$2 check=$3 sample=$4
shift 4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

"$check" "$format" "$sample" "$@"

# x-trees: format x, written from trees after a step that changes nothing
step=
[ "${format%-trees}" = "$format" ] || step='--max-depth 4294967295'
convert() {
    # shellcheck disable=SC2086
    "$aflame" convert -q --format "${format%-trees}" $step "$@"
}
convert "$sample" -o "$scratch/out" -o "$scratch/out.gz"
convert - -o - <"$sample" >"$scratch/piped"
"$check" -w "$scratch/out" "$format" "$sample"
cmp "$scratch/out" "$scratch/piped" || fail "the bytes through a pipe differ"
# some formats are always compressed
gzip -dcf <"$scratch/out" >"$scratch/plain"
gzip -dc "$scratch/out.gz" | cmp - "$scratch/plain" || fail "the compressed output differs"
