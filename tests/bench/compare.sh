#!/usr/bin/env bash
# Times comparisons of two large traces, and of their saved profiles, against one render.
#   compare.sh AFLAME TOOLS FOLDER
# TOOLS contains generate and measure; traces and outputs go to FOLDER. From the environment:
#   AFLAME_BENCH_RUNS    runs of each command (default 7)
#   AFLAME_BENCH_RECORDS records of each trace (default 4100000: 57 MB)
# The commands take turns, so that a disturbance of the machine affects all of them. Ratios compare the
# least CPU times, and next to them the least elapsed times. With valgrind, instructions are counted as
# well: they do not depend on what else the machine does.
set -euo pipefail
export LC_ALL=C

aflame=$1 tools=$2 folder=$3
runs=${AFLAME_BENCH_RUNS:-7}
records=${AFLAME_BENCH_RECORDS:-4100000}
mkdir -p "$folder"
trap 'rm -f "$folder"/compare-*' EXIT
one=$folder/compare-1.trace two=$folder/compare-2.trace out=$folder/compare-out
"$tools/generate" --records "$records" --seed 1 -o "$one" >/dev/null
"$tools/generate" --records "$records" --seed 2 -o "$two" >/dev/null
towers=$folder/compare-towers.trace
"$tools/generate" --records "$records" --threads 16 --depth 120 --towers -o "$towers" >/dev/null
"$aflame" convert -q "$one" -o "$folder/compare-1.aflp"
"$aflame" convert -q "$two" -o "$folder/compare-2.aflp"
"$aflame" convert -q "$towers" -o "$folder/compare-towers.aflp"
cat >"$folder/compare-budget.ini" <<'END'
[start]
method = onCreate
measure = inclusive
limit = 1000 s
optional = true
END

# name, target (x the first one, or below it), words
commands=(
    "render|1|render $one -o $out.svg"
    "diff of traces, table|2.3|diff $one $two -o $out.txt"
    "diff of traces, SVG|2.3|diff $one $two -o $out.svg"
    "diff of saved profiles|0.333|diff $folder/compare-1.aflp $folder/compare-2.aflp -o $out.txt"
    "check of a saved profile|0.333|check $folder/compare-1.aflp --budget $folder/compare-budget.ini -o $out.txt"
    "info of the trace||info $one"
    "info of the saved profile|0.2 of info|info $folder/compare-1.aflp"
    "info of towers||info $towers"
    "info of saved towers|0.2 of info|info $folder/compare-towers.aflp"
)
for ((round = 0; round < runs; round++)); do
    for i in "${!commands[@]}"; do
        IFS='|' read -r name target words <<<"${commands[i]}"
        # shellcheck disable=SC2086
        echo "$i|$("$tools/measure" "$aflame" $words -q 2>/dev/null)"
    done
done >"$folder/compare-times"
for i in "${!commands[@]}"; do
    IFS='|' read -r name target words <<<"${commands[i]}"
    count=
    if command -v valgrind >/dev/null; then
        # shellcheck disable=SC2086
        count=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$aflame" $words -q --jobs 1 2>&1 |
            sed -n 's/.*Collected : //p')
    fi
    echo "$name|$target|${count:-0}"
done >"$folder/compare-names"
awk -F '|' -v records="$records" '
    NR == FNR { name[NR - 1] = $1; target[NR - 1] = $2; count[NR - 1] = $3; n = NR; next }
    { split($2, v, " ")
      if (!($1 in ms) || v[1] < ms[$1]) ms[$1] = v[1]
      if (!($1 in cpu) || v[2] < cpu[$1]) cpu[$1] = v[2]
      memory[$1] = v[4] }
    END {
        printf "%-26s %9s %9s %9s %9s %9s %9s  %s\n", "", "cpu ms", "x render", "least ms", "x render",
               "M instr.", "x render", "at most"
        for (i = 0; i < n; i++)
            printf "%-26s %9.1f %9.2f %9.1f %9.2f %9.0f %9.2f  %s\n", name[i], cpu[i], cpu[i] / cpu[0], ms[i],
                   ms[i] / ms[0], count[i] / 1e6, count[0] ? count[i] / count[0] : 0, target[i]
        for (i = 5; i < n; i += 2)
            printf "open: %s is %.1f times as fast as the trace, %.1f in CPU time (both at least 5)\n",
                   name[i + 1], ms[i] / ms[i + 1], cpu[i] / cpu[i + 1]
    }' "$folder/compare-names" "$folder/compare-times"
echo "saved profile: $(stat -c %s "$folder/compare-1.aflp") bytes (below 2,500,000 for 4.1 million records)"
