#!/bin/sh
# dmtracedump_ours.sh AFLAME GOLDEN TRACE
# The same tables and records of a trace that dmtracedump cannot read or gives up on: GOLDEN.txt and
# GOLDEN.records.txt. AFLAME_BLESS=1 writes them.
set -eu
aflame=$1 golden=$2 trace=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$aflame" report -q --format dmtracedump "$trace" >"$work/txt"
"$aflame" report -q --records "$trace" >"$work/records.txt"
for what in txt records.txt; do
    if [ "${AFLAME_BLESS:-}" = 1 ] && [ -z "${CI:-}" ]; then
        cp "$work/$what" "$golden.$what"
    fi
    diff -u "$golden.$what" "$work/$what"
done
