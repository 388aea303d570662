#!/bin/sh
# starve_jobs.sh STARVE MAPPING SHAPES
# A trace that is long enough to be read by several threads, with refusals in all of them.
set -eu
trace=$(mktemp)
trap 'rm -f "$trace"' EXIT
"$3" paths 11000 -o "$trace"
"$1" "$2" -j "$trace"
