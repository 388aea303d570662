#!/bin/sh
# diff.sh AFLAME BEFORE AFTER...: recomputes every number of `aflame diff --format json` for pairs of
# inputs, and of the first one and itself without some methods, from what `convert` and `report` give for each side.
set -eu
aflame=$(realpath "$1")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Both sides as "SIDE THREAD;FRAME;... NS" and "SIDE METHOD<tab>CALLS", and the rows of the JSON as
# "KEY=VALUE<tab>...": what awk compares.
collect() {
    "$aflame" convert -q "$2" --folded-unit ns -o "$scratch/$1.folded"
    "$aflame" report -q "$2" --by methods --top 0 --format json -o "$scratch/$1.json"
}

rows() {
    sed -n "/^  \"$1\": \[/,/^  \]/p" "$2" | sed -n 's/^ *{\(.*\)},*$/\1/p'
}

# the same recording without some methods, as a saved profile
"$aflame" convert -q "$1" --hide onBindViewHolder --ignore decode -o "$scratch/changed.aflp"
set -- "$1" "$scratch/changed.aflp" "$@"
failed=0
while [ $# -gt 1 ]; do
    collect before "$1"
    collect after "$2"
    "$aflame" diff -q "$1" "$2" --exact-names --paths --format json >"$scratch/diff.json"
    rows threads "$scratch/diff.json" >"$scratch/threads"
    rows methods "$scratch/diff.json" >"$scratch/methods"
    rows paths "$scratch/diff.json" >"$scratch/paths"
    rows methods "$scratch/before.json" >"$scratch/report.before"
    rows methods "$scratch/after.json" >"$scratch/report.after"
    LC_ALL=C awk -f "$(dirname "$0")/diff.awk" "$scratch/before.folded" "$scratch/after.folded" \
        "$scratch/report.before" "$scratch/report.after" "$scratch/threads" "$scratch/methods" \
        "$scratch/paths" || {
        echo "diff.sh: $1 and $2 differ from their recomputation" >&2
        failed=1
    }
    shift 2
done
[ $# -eq 0 ] || { echo "diff.sh: an odd number of inputs" >&2; exit 2; }
exit $failed
