#!/bin/sh
# dmtracedump_ours.sh AFLAME GOLDEN TRACE
# aflame prints the tables (GOLDEN.txt) and records (GOLDEN.records.txt) of a trace that dmtracedump
# cannot read.
set -eu
. "$(dirname "$0")/golden.sh"
aflame=$1 golden=$2 trace=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$aflame" report -q --format dmtracedump "$trace" >"$work/txt"
"$aflame" report -q --records "$trace" >"$work/records.txt"
compare_golden "$golden.txt" "$work/txt"
compare_golden "$golden.records.txt" "$work/records.txt"
