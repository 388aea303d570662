#!/bin/sh
# tidy.sh CLANG_TIDY BUILD TOP PART PARTS [CHECKS]
# clang-tidy reports no findings in the library, the command and the pictures, of which this run reads
# part PART of PARTS. Files are read in groups (tidy_groups.awk); those of a group with findings are
# read again one by one, and that counts. CHECKS, of the analyzer, are added to those of .clang-tidy;
# as it looks at no included code, each file is then read alone. Findings in tidy_reviewed.txt do not
# count.
set -eu
tidy=$1 build=$2 top=$3 part=$4 parts=$5 checks=${6:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$top"
top=$(pwd)
find src render -name '*.c' | LC_ALL=C sort >"$scratch/files"
# It reads the code that users get, not what sanitizers need, and headers once in its own way.
mkdir "$scratch/plain"
sed -e 's/ -Winvalid-pch//' -e 's/ -Xclang -\(emit\|include\)-pch -Xclang [^ ]*//' \
    -e 's/\( -Xclang\)* -include\( -Xclang\)* [^ ]*cmake_pch\.h//' -e 's/ -f\(no-\)*sanitize[^ ]*//g' \
    -e 's/ -DAFLAME_SANITIZED//g' -e 's/ -DAF_SMALL_BLOCKS/ -DNDEBUG -D_FORTIFY_SOURCE=2/' \
    "$build/compile_commands.json" >"$scratch/plain/compile_commands.json"
if [ -z "$checks" ]; then
    LC_ALL=C awk -v top="$top" -v scratch="$scratch" -v most=40 -f tests/tidy_groups.awk \
        "$scratch/files" "$scratch/plain/compile_commands.json"
    group=$part
    while [ -e "$scratch/$group.c" ]; do
        # a name of one file may be that of a variable in the next
        nice "$tidy" -p "$scratch" --quiet --config-file=.clang-tidy --extra-arg=-Wno-shadow \
            --header-filter='/(src|render)/.*[.]c$' "$scratch/$group.c" >/dev/null 2>&1 ||
            cat "$scratch/$group.files" >>"$scratch/single"
        group=$((group + parts))
    done
    [ -e "$scratch/single" ] || exit 0
    # if they have no findings, tidy_groups.awk has missed a name in them
    echo 'read one by one:' $(cat "$scratch/single")
else
    awk -v part="$part" -v n="$parts" 'NR % n == part % n' "$scratch/files" >"$scratch/single"
fi
xargs -n 8 nice "$tidy" -p "$scratch/plain" --quiet ${checks:+"--checks=$checks"} <"$scratch/single" \
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
