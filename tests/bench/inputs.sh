#!/usr/bin/env bash
# Times the readers of other tools' inputs, on one core: by name, through a pipe, and gzipped.
#   inputs.sh AFLAME TOOLS FOLDER
# TOOLS contains measure; inputs go to FOLDER. From the environment:
#   AFLAME_BENCH_INPUT   approximate bytes per input (default 200000000)
#   AFLAME_BENCH_SHAPES  only these shapes of inputs.js
#   AFLAME_BENCH_RUNS    readings of each (default 3); the minimum counts
# Memory is anonymous memory, without file mappings.
set -euo pipefail
export LC_ALL=C

aflame=$1 tools=$2 folder=$3 shapes_js=$(dirname "$0")/shapes.js
bytes=${AFLAME_BENCH_INPUT:-200000000} runs=${AFLAME_BENCH_RUNS:-3}
shapes=${AFLAME_BENCH_SHAPES:-chrome-calls chrome-spans spall-1 spall-3 folded perf report perfetto-events perfetto-ftrace systrace}
mkdir -p "$folder"
trap 'rm -f "$folder"/input "$folder"/input.gz' EXIT

# The measurements of one command: minimum milliseconds, then kB of memory
time_line() {
    local run best=0 now
    for ((run = 0; run < runs; run++)); do
        now=$("$tools/measure" bash -c "$1" | awk '{ print $1 }')
        best=$(awk -v a="$best" -v b="$now" 'BEGIN { print (a > 0 && a < b ? a : b) }')
    done
    echo "$best $("$tools/measure" --watch bash -c "$1" | awk '{ print $3 }')"
}

report() {
    printf '%-14s %-6s ' "$1" "$2"
    time_line "$3" | awk -v bytes="$4" -v records="$5" '{
        printf "%8.0f ms %7.0f MB/s %7.1f ns/record %7.1f MB\n", $1, bytes / $1 / 1000,
               $1 * 1e6 / records, $2 / 1024 }'
}

echo "$("$aflame" --version), load $(cut -d ' ' -f 1 /proc/loadavg)"
for shape in $shapes; do
    "$shapes_js" "$shape" 10000 -o "$folder/input"
    records=$((bytes * 10000 / $(stat -c %s "$folder/input")))
    "$shapes_js" "$shape" "$records" -o "$folder/input"
    size=$(stat -c %s "$folder/input")
    read="exec '$aflame' info -q --json --jobs 1"
    report "$shape" file "$read '$folder/input'" "$size" "$records"
    report "$shape" pipe "$read - < <(cat '$folder/input')" "$size" "$records"
    gzip -1 -c "$folder/input" > "$folder/input.gz"
    report "$shape" gzip "$read '$folder/input.gz'" "$size" "$records"
done
