#!/bin/sh
# gecko.sh GOLDEN AFLAME TRACE
# What `aflame convert` makes of recorded samples is GOLDEN, byte for byte. With AFLAME_BLESS=1 it
# becomes that.
set -eu
actual=$(mktemp)
trap 'rm -f "$actual"' EXIT
"$2" convert -q --format gecko --remove-gaps 0 "$3" -o - >"$actual"
if [ "${AFLAME_BLESS:-}" = 1 ] && [ -z "${CI:-}" ]; then
    cp "$actual" "$1"
fi
[ -s "$1" ]
cmp "$1" "$actual"
