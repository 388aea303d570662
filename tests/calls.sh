#!/bin/sh
# calls.sh COMPARE_CALLS FILE|DIRECTORY...
# Checks every input twice: under its own name and gzipped.
set -eu
compare=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
find "$@" -type f ! -name '*.sec' | LC_ALL=C sort >"$scratch/files"
[ "$(wc -l <"$scratch/files")" -gt 50 ] || { echo "too few inputs" >&2; exit 1; }
tr '\n' '\0' <"$scratch/files" | xargs -0 "$compare"
gzip -c "$(grep '/sample.trace$' "$scratch/files" | head -n 1)" >"$scratch/sample.trace.gz"
"$compare" "$scratch/sample.trace.gz"
