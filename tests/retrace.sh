#!/bin/sh
# retrace.sh AFLAME OBFUSCATE TRACE
# The mapping restores all names of an obfuscated trace, gzipped or not: the same stacks in every
# clock, the same methods with their arguments, the same app, no ambiguous names.
set -eu
. "$(dirname "$0")/again.sh"
aflame=$1 obfuscate=$2 trace=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
before=$trace after=$scratch/after.trace mapping=$scratch/mapping.txt
"$obfuscate" --all "$before" "$after" "$mapping"
gzip -k "$mapping"

clocks=0 run=
for clock in wall cpu; do
    $run "$aflame" convert -q --clock $clock "$before" -o "$scratch/before.folded" 2>/dev/null || continue
    clocks=$((clocks + 1))
    $run "$aflame" convert -q --clock $clock "$after" -o "$scratch/after.folded"
    ! cmp -s "$scratch/before.folded" "$scratch/after.folded" ||
        { echo "the names were not obfuscated" >&2; exit 1; }
    for packed in "" .gz; do
        $run "$aflame" convert -q --clock $clock "$after" --mapping "$mapping$packed" \
            -o "$scratch/after.folded"
        diff -u "$scratch/before.folded" "$scratch/after.folded"
    done
    run=again
done
[ "$clocks" -gt 0 ]

# except for source files, which a mapping lists only if they differ from the class name
"$aflame" report -q --names full --top 0 --format csv "$before" |
    sed 's/,[^,]*$//' >"$scratch/before.csv"
"$aflame" report -q --names full --top 0 --format csv "$after" --mapping "$mapping" |
    sed 's/,[^,]*$//' >"$scratch/after.csv"
diff -u "$scratch/before.csv" "$scratch/after.csv"

"$aflame" info --json "$before" >"$scratch/before.json"
"$aflame" info --json "$after" --mapping "$mapping" >"$scratch/after.json"
app='s/^ *"app": /app /p'
[ "$(sed -n "$app" "$scratch/before.json")" = "$(sed -n "$app" "$scratch/after.json")" ]
grep -q '^ *"ambiguous": 0' "$scratch/after.json"
grep -q '^ *"other_build": false' "$scratch/after.json"
