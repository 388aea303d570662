#!/bin/sh
# callgraph.sh AFLAME INPUT...: recomputes every node and every edge of the call graph in Graphviz'
# language from the tables of `aflame report`.
set -eu
aflame=$1
shift
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
for input; do
    for clock in wall cpu wait; do
        "$aflame" report -q "$input" --clock $clock --top 0 --format json >"$scratch/methods" \
            2>/dev/null || continue
        "$aflame" report -q "$input" --clock $clock --top 0 --method '/./' --format json \
            >"$scratch/relatives"
        "$aflame" convert -q "$input" --clock $clock --top 0 --min-percent 0 -o "$scratch/calls.dot"
        awk -v suffix=_${clock}_ns -f "$here/callgraph.awk" "$scratch/methods" "$scratch/relatives" \
            "$scratch/calls.dot" || {
            echo "callgraph.sh: the graph of $input ($clock) differs from its report" >&2
            failed=1
        }
    done
done
exit $failed
