#!/bin/sh
# golden.sh GOLDEN COMMAND...
# COMMAND prints GOLDEN. HTML must be well-formed, and is compared without its style sheet and script, which have their
# own files, and without its graph. With AFLAME_BLESS=1 the output replaces GOLDEN instead, except in CI.
set -eu
golden=$1
shift
actual=$(mktemp)
trap 'rm -f "$actual"' EXIT
"$@" >"$actual"
case $golden in
*.html)
    xmllint --noout "$actual"
    sed -i -e '/^<style>/,/<\/style>/d' -e '/^<script>/,$d' -e '/^<meta http-equiv/d' -e '/data-rest="graph"/d' "$actual"
    ;;
esac
if [ "${AFLAME_BLESS:-}" = 1 ]; then
    [ -z "${CI:-}" ] || { echo "$golden: AFLAME_BLESS is refused because CI is set" >&2; exit 1; }
    mkdir -p "$(dirname "$golden")"
    cp "$actual" "$golden"
    echo "blessed $golden"
elif [ ! -s "$golden" ]; then
    echo "$golden is missing: check the output below, then run with AFLAME_BLESS=1" >&2
    cat "$actual" >&2
    exit 1
else
    diff -u "$golden" "$actual"
fi
