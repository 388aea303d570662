#!/bin/sh
# gecko.sh GOLDEN AFLAME TRACE
# `aflame convert` writes the recorded samples of TRACE as GOLDEN, byte for byte.
set -eu
. "$(dirname "$0")/golden.sh"
actual=$(mktemp)
trap 'rm -f "$actual"' EXIT
"$2" convert -q --format gecko --remove-gaps 0 "$3" -o - >"$actual"
compare_golden "$1" "$actual"
