#!/bin/sh
# dmtracedump.sh AFLAME GOLDEN TRACE
# aflame prints the tables and records that dmtracedump printed: GOLDEN.txt and GOLDEN.records.txt.
# Where that tool is installed, the test runs it again.
set -eu
aflame=$1 golden=$2 trace=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$aflame" report -q --format dmtracedump --quirks "$trace" >"$work/tables"
cmp "$golden.txt" "$work/tables"
"$aflame" report -q --records --quirks "$trace" >"$work/records"
cmp "$golden.records.txt" "$work/records"

# without the quirks only the file after the signature is missing
"$aflame" report -q --format dmtracedump "$trace" >"$work/plain"
sed 's/	[^	]*$//' "$golden.txt" | cmp - "$work/plain"

if command -v dmtracedump >/dev/null; then
    dmtracedump "$trace" >"$work/theirs" 2>/dev/null
    cmp "$golden.txt" "$work/theirs"
    dmtracedump -o "$trace" >"$work/theirs" 2>/dev/null
    cmp "$golden.records.txt" "$work/theirs"
fi
