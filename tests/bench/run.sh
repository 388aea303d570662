#!/usr/bin/env bash
# Times the command with hyperfine.
#   run.sh AFLAME FOLDER
# Inputs and outputs go to FOLDER. From the environment:
#   AFLAME_BENCH_SIZES   records of method traces (default "100000 4100000 20000000")
#   AFLAME_BENCH_TRACE   more options for generate.js, such as "--threads 1"
#   AFLAME_BENCH_SHAPES  inputs of other tools (shapes.js)
#   AFLAME_BENCH_INPUT   their size (default 1000000)
#   AFLAME_BENCH_RUNS    runs of each command (default 5)
set -euo pipefail
export LC_ALL=C

aflame=$(realpath "$1") folder=$2 here=$(realpath "$(dirname "$0")")
shapes=${AFLAME_BENCH_SHAPES:-chrome-calls chrome-spans spall-1 spall-3 folded perf report perfetto-events perfetto-ftrace systrace}
read -ra options <<< "${AFLAME_BENCH_TRACE:-}"
mkdir -p "$folder"
cd "$folder"
trap 'rm -f bench.*' EXIT

run() { # WORDS of a command...
    hyperfine -N --warmup 1 --runs "${AFLAME_BENCH_RUNS:-5}" "${@/#/$aflame }"
}

echo "$("$aflame" --version), $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg)"
for size in ${AFLAME_BENCH_SIZES:-100000 4100000 20000000}; do
    "$here/generate.js" --records "$size" "${options[@]}" -o bench.trace
    "$here/generate.js" --records "$size" --seed 2 -o bench.other
    for name in trace other; do
        "$aflame" convert -q bench.$name -o bench.$name.aflp
    done
    for jobs in '-q --jobs 1' -q; do
        run "render $jobs bench.trace -o bench.svg" "render $jobs bench.trace -o bench.png" \
            "render $jobs bench.trace -o bench.pdf" "convert $jobs bench.trace -o bench.folded" \
            "info $jobs bench.trace" "report $jobs bench.trace"
    done
    run 'diff -q bench.trace bench.other -o bench.txt' 'diff -q bench.trace bench.other -o bench.svg' \
        'diff -q bench.trace.aflp bench.other.aflp -o bench.txt' 'info -q bench.trace.aflp'
done
for shape in $shapes; do
    "$here/shapes.js" "$shape" "${AFLAME_BENCH_INPUT:-1000000}" -o "bench.$shape"
    gzip -1 -k "bench.$shape"
    run "info -q --jobs 1 bench.$shape" "info -q --jobs 1 bench.$shape.gz"
    rm -f "bench.$shape" "bench.$shape.gz"
done
