#!/bin/sh
# dmtracedump.sh AFLAME GOLDEN TRACE
# The tables and the records that aflame prints are those that dmtracedump has printed: GOLDEN.txt
# and GOLDEN.records.txt. Where that tool is installed it is asked again.
set -eu
aflame=$1 golden=$2 trace=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$aflame" report -q --format dmtracedump --quirks "$trace" >"$work/tables"
cmp "$golden.txt" "$work/tables"
"$aflame" report -q --records --quirks "$trace" >"$work/records"
cmp "$golden.records.txt" "$work/records"

# without the quirks the file behind the signature is missing, and nothing else
"$aflame" report -q --format dmtracedump "$trace" >"$work/plain"
sed 's/	[^	]*$//' "$golden.txt" | cmp - "$work/plain"

if command -v dmtracedump >/dev/null; then
    dmtracedump "$trace" >"$work/theirs" 2>/dev/null
    cmp "$golden.txt" "$work/theirs"
    dmtracedump -o "$trace" >"$work/theirs" 2>/dev/null
    cmp "$golden.records.txt" "$work/theirs"
fi
