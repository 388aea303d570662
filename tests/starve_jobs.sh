#!/bin/sh
# starve_jobs.sh STARVE MAPPING SHAPES
# Refuses memory in all threads that read a long trace.
set -eu
trace=$(mktemp)
trap 'rm -f "$trace"' EXIT
"$3" paths 11000 -o "$trace"
"$1" "$2" -j "$trace"
