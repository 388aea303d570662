#!/bin/sh
# third_party.sh TABLE GENERATED FILE...
# The table of third parties names each library that the files are linked with, and where; both lists
# name each of its rows but those of the static aflame.
set -eu
table=$1 generated=$2
shift 2
n=0
for file; do
    case $file in
    *serve.so) part=aflame-server ;;
    *graphviz.so) part=aflame-graphviz ;;
    *) part=aflame ;;
    esac
    for library in $(objdump -p "$file" | awk '$1 == "NEEDED" { sub(/[.]so.*/, "", $2); print $2 }'); do
        awk -F'|' -v library="$library" -v part="$part" '
            index(" " $5 " ", " " library " ") && ($4 ~ /^(all|the packages)$/ ||
                index(", " $4 ",", ", " part ",")) { n++ }
            END { exit !n }' "$table" ||
            { echo "$(basename "$file") is linked with $library, which $table does not name in $part" >&2; exit 1; }
        n=$((n + 1))
    done
done
[ "$n" -gt 15 ]
grep -v '^#\||the static aflame|' "$table" | cut -d'|' -f1,3 | while IFS='|' read -r name licence; do
    grep -q "^$name " "$generated/THIRD-PARTY" || { echo "THIRD-PARTY lacks $name" >&2; exit 1; }
    grep -A5 -x "PackageName: $name" "$generated/aflame.spdx" | grep -qx "PackageLicenseConcluded: $licence" ||
        { echo "aflame.spdx lacks $name" >&2; exit 1; }
done
