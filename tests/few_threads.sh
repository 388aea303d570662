#!/bin/sh
# few_threads.sh FEW_THREADS SHAPES PATHS
# Runs on a trace of so many paths that it is long enough to be read, unpacked, drawn and compressed by several threads.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" paths "$3" -o "$scratch/paths.trace"
gzip -1 -k "$scratch/paths.trace"
"$1" "$scratch/paths.trace" "$scratch/paths.trace.gz"
