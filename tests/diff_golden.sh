#!/bin/sh
# diff_golden.sh GOLDEN AFLAME FORMAT BEFORE AFTER [RUNS]
# GOLDEN holds every table of the comparison of two traces, or its stacks. With RUNS each side has so many
# runs of almost the same speed.
set -eu
compare=$(realpath "$(dirname "$0")/golden.sh") golden=$1 aflame=$(realpath "$2") format=$3
if [ $# -gt 5 ]; then
    runs=$(mktemp -d)
    trap 'rm -rf "$runs"' EXIT
    for run in $(seq "$6"); do
        "$aflame" convert -q "$4" --time-scale 1.00"$run" -o "$runs/before.$run.aflp"
        "$aflame" convert -q "$5" --time-scale 1.00"$run" -o "$runs/after.$run.aflp"
    done
    cd "$runs"
    set -- --before 'before.*' --after 'after.*'
else
    cd "$(dirname "$4")"
    set -- "$(basename "$4")" "$(basename "$5")"
fi
[ "$format" = folded ] || set -- "$@" --top 0 --by methods --by threads --by classes --by packages \
    --by categories --by files --by waits --method /./ --tree down --tree up --min-percent 0 --paths
[ "$format" != html ] || set -- "$@" --data none
"$compare" "$golden" "$aflame" diff -q --format "$format" "$@"
