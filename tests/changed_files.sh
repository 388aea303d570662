#!/bin/sh
# changed_files.sh CHANGED_FILES SHAPES MADE
# Every way to read a file: at any offset on several threads, in windows, as a whole, unpacked.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" paths 20000 -o "$scratch/paths.trace"
gzip -1 -k "$scratch/paths.trace"
{
    printf '[\n'
    seq 20000 | sed 's/.*/{"ph":"X","name":"a&","ts":&,"dur":1,"pid":1,"tid":1},/'
    printf '{}]\n'
} >"$scratch/long.json"
"$1" "$scratch/paths.trace" "$scratch/paths.trace.gz" "$scratch/long.json" "$3/basic.trace" \
    "$3/v2d.trace" "$3/stream_dual.trace" "$3/stream_single.trace" \
    "$3/perf_linux.trace" "$3/chrome_samples.trace"
