#!/bin/sh
# tidy.sh CLANG_TIDY BUILD TOP PART PARTS [CHECKS]
# clang-tidy reports no findings in the library, the command and the pictures, of which this run reads
# part PART of PARTS. CHECKS are added to those of .clang-tidy. Findings in tidy_reviewed.txt do not
# count.
set -eu
tidy=$1 build=$2 top=$3 part=$4 parts=$5 checks=${6:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$top"
find src render -name '*.c' | LC_ALL=C sort | awk -v part="$part" -v n="$parts" 'NR % n == part % n' |
    xargs -n 8 nice "$tidy" -p "$build" --quiet ${checks:+"--checks=$checks"} \
        >"$scratch/found" 2>"$scratch/counts" && exit 0

# PATH:LINE:COLUMN: error: TEXT [CHECK,...]
LC_ALL=C awk -v top="$(pwd -P)/" -F '\t' '
    FILENAME == ARGV[1] { if (!/^#/) reviewed[$0] = 1; next }
    / error: .* \[[a-z]/ {
        findings++
        split($0, part, ":")
        path = part[1]
        if (index(path, top) == 1) path = substr(path, length(top) + 1)
        check = $0
        sub(/.* \[/, "", check)
        sub(/[],].*/, "", check)
        sub(/^clang-analyzer-/, "", check)
        for (n = 0; n < part[2] && (getline line < part[1]) > 0; n++) { }
        close(part[1])
        gsub(/^[ \t]+|[ \t]+$/, "", line)
        if (path "\t" check "\t" line in reviewed) next
        print
        bad = 1
    }
    END { exit bad || !findings }
' tests/tidy_reviewed.txt "$scratch/found" && exit 0
grep -v ' warnings\{0,1\} generated\.$' "$scratch/counts" >&2 || true
exit 1
