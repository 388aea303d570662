#!/bin/sh
# report.sh GOLDEN AFLAME FORMAT TRACE
# All that a report can say of TRACE is what GOLDEN says; in golden/calls, of its single calls. Of
# HTML without style sheet and script, which are files of their own. AFLAME_BLESS=1 writes GOLDEN
# instead.
set -eu
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
    everything >"$actual.whole"
    xmllint --noout "$actual.whole"
    sed -e '/^<style>/,/<\/style>/d' -e '/^<script>/,$d' -e '/^<meta http-equiv/d' \
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
if [ "${AFLAME_BLESS:-}" = 1 ]; then
    if [ -n "${CI:-}" ]; then
        echo "$golden: blessing is for people, not for CI" >&2
        exit 1
    fi
    mkdir -p "$(dirname "$golden")"
    cp "$actual" "$golden"
    echo "blessed $golden"
    exit 0
fi
if [ ! -f "$golden" ]; then
    echo "$golden is missing: look at the output below, then run with AFLAME_BLESS=1" >&2
    cat "$actual" >&2
    exit 1
fi
diff -u "$golden" "$actual"
