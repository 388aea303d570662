#!/bin/sh
# report.sh GOLDEN AFLAME FORMAT TRACE
# GOLDEN holds every table of a report on TRACE, or in golden/calls every call. HTML is compared
# without its style sheet and script, which have their own files, and without its graph.
set -eu
. "$(dirname "$0")/golden.sh"
golden=$1 aflame=$(realpath "$2") format=$3 trace=$4
actual=$(mktemp)
trap 'rm -f "$actual"' EXIT
cd "$(dirname "$trace")"

everything() {
    "$aflame" report -q "$(basename "$trace")" --format "$format" --top 0 "$@"
}
case $golden in
*/golden/calls/*)
    everything() {
        "$aflame" calls -q "$(basename "$trace")" /./ --format "$format" --top 0 --sort number
    }
    ;;
esac
case $format in
html)
    case $golden in
    */golden/calls/*) everything >"$actual.whole" ;;
    *) everything --data none >"$actual.whole" ;;
    esac
    xmllint --noout "$actual.whole"
    sed -e '/^<style>/,/<\/style>/d' -e '/^<script>/,$d' -e '/^<meta http-equiv/d' \
        -e '/data-rest="graph"/d' \
        <"$actual.whole" >"$actual"
    rm "$actual.whole"
    ;;
*)
    case $golden in
    */golden/calls/*) everything >"$actual" ;;
    *)
        everything --by methods --by threads --by classes --by packages --by categories \
            --by sources --method /./ --tree down --tree up --min-percent 0 >"$actual"
        ;;
    esac
    ;;
esac
compare_golden "$golden" "$actual"
