#!/usr/bin/env bash
# Tests the SVG in a real browser.
#   run.sh AFLAME DATA [FOLDER [speed]]
# DATA holds the fixtures as traces, FOLDER receives pictures and screenshots. `speed` only measures the times
# of actions in large pictures. Needs `npm ci --prefix tests/browser` once,
# and Chromium (AFLAME_CHROMIUM, default: chromium-headless-shell or chromium in the path).
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
aflame=$(realpath "$1") data=$(realpath "$2")
folder=${3:-$data/../browser}
maker=$here/../support/make_trace.js
chromium=${AFLAME_CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)}
sample=$data/sample.trace
[ -e "$sample" ] || sample=$here/../data/sample.trace

for package in playwright-core speedscope @firefox-devtools/profiler-cli; do
    [ -d "$here/node_modules/$package" ] || {
        echo "run.sh: $package is missing, no browser tests ran: run npm ci --prefix tests/browser" >&2
        exit 1
    }
done
mkdir -p "$folder"
folder=$(realpath "$folder")
rm -rf "$folder/shots"
mkdir -p "$folder/shots"

draw() { # NAME TRACE OPTION...
    "$aflame" render -q "${@:3}" "$2" -o "$folder/$1.svg"
}
if [ "${4-}" = speed ]; then
    generate() { # NAME OPTION...
        "$here/../bench/generate.js" --records 4100000 "${@:2}" -o "$folder/$1.trace" >/dev/null
    }
    generate bench
    generate bench-towers --towers --threads 16 --depth 120
    draw bench "$folder/bench.trace"
    draw bench-towers "$folder/bench-towers.trace"
    draw chart-bench "$folder/bench.trace" --view chart
    rm "$folder"/bench.trace "$folder"/bench-towers.trace
    cd "$here"
    AFLAME_PICTURES=$folder AFLAME_CHROMIUM=$chromium exec node --test --test-reporter=spec speed.test.js
fi
for name in large hostile ended deep tiny waiter; do
    "$maker" "$here/$name.fix" "$folder"
done
# 16 threads with 15 towers each, 120 calls high
awk 'BEGIN {
    printf "["
    for (thread = 1; thread <= 16; thread++)
        for (tower = 0; tower < 15; tower++)
            for (level = 0; level < 120; level++)
                printf "%s{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"name\":\"%s%d\",\"ts\":%d,\"dur\":%d}\n",
                       n++ ? "," : "", thread, level == 0 ? "t" : "m", level == 0 ? tower : level,
                       tower * 1000 + level, 900 - 2 * level
    print "]"
}' > "$folder/towers.json"
draw sample "$sample"
draw sorted "$sample" --sort time
draw fixed "$sample" --width 900
draw min-width "$sample" --min-width 12.5
draw one-thread "$sample" --thread main
draw one-thread-full "$sample" --thread main --data full
draw all-threads "$sample" --thread all
draw icicle "$sample" --inverted --clock cpu --theme dark
draw folded "$sample" --fold framework
draw clean "$sample" --clean
draw waiting "$sample" --clock wait
draw exception "$data/exception.trace"
draw tiny "$folder/tiny.trace"
draw waiter "$folder/waiter.trace"
draw sandwich "$sample" --view sandwich --method handleBindApplication --width 890
draw no-tree "$sample" --data none
draw no-script "$sample" --no-script
draw sampled "$here/../data/real/local-art11__sampling.trace"
draw samples-beside "$data/chrome_samples.trace"
draw chart-samples-beside "$data/chrome_samples.trace" --view chart
draw clocks "$data/chrome_clocks.trace" --thread all
draw chart-clocks "$data/chrome_clocks.trace" --view chart
draw deep "$folder/deep.trace"
draw recursion "$data/deep.trace"
draw names "$data/names.trace"
draw threads "$data/many_threads.trace"
draw heaps "$data/perfetto_heaps.trace" --process all
draw hostile "$folder/hostile.trace"
draw large "$folder/large.trace" --data full
draw towers "$folder/towers.json" --thread all
draw chart "$sample" --view chart --mark onCreate
draw chart-cpu "$sample" --view chart --clock cpu --from 100ms --to 900ms
draw chart-large "$folder/large.trace" --view chart
draw chart-hostile "$folder/hostile.trace" --view chart
draw chart-ended "$folder/ended.trace" --view chart
draw chart-threads "$data/many_threads.trace" --view chart
draw chart-deep "$folder/deep.trace" --view chart
draw chart-marks "$data/chrome_markers.trace" --view chart
draw waits "$data/perfetto_waits.trace"
draw chart-waits "$data/perfetto_waits.trace" --view chart
draw chart-frames "$data/perfetto_frames.trace" --view chart
draw chart-heap "$data/perfetto_heap.trace" --view chart
draw chart-empty "$data/no_records.trace" --view chart
draw chart-no-length "$data/chrome_zero_axis.trace" --view chart
draw chart-samples "$data/perf_script.trace" --view chart
compare() { # NAME BEFORE AFTER OPTION...
    "$aflame" diff -q "${@:2}" -o "$folder/$1.svg"
}
compare compare "$data/compare_before.trace" "$data/compare_after.trace" --title 'Two builds'
for run in 1 2 3; do # each side has three runs of almost the same speed
    for side in before after; do
        "$aflame" convert -q "$data/compare_$side.trace" --time-scale 1.00$run \
            -o "$folder/compare_$side.$run.aflp"
    done
done
compare compare-runs --before "$folder/compare_before.*.aflp" --after "$folder/compare_after.*.aflp"
"$aflame" diff -q "$data/compare_before.trace" "$data/compare_after.trace" -o "$folder/compare.html"
"$aflame" calls -q "$sample" inflate -o "$folder/calls.html"
real=$here/../data/real/local-art11__sampling.trace
"$aflame" calls -q "$real" compute -o "$folder/calls-real.html"
"$aflame" diff -q "$real" "$real" --method compute -o "$folder/compare-real.html"
compare compare-noise "$data/compare_before.trace" "$data/compare_after.trace" --min-delta 16ms
sed -e 's/+50000/+52000/' -e 's/+90000/+91000/' -e 's/+3$/+7/' "$here/idle.fix" > "$folder/idle-after.fix"
"$maker" "$here/idle.fix" "$folder"
"$maker" "$folder/idle-after.fix" "$folder"
compare compare-idle "$folder/idle.trace" "$folder/idle-after.trace" --min-delta 1500us
"$aflame" info --json "$sample" > "$folder/sample.json"
"$aflame" report "$sample" -o "$folder/report.html"
"$aflame" report "$sample" --by methods --by threads --by classes --by packages --by categories --by sources \
    --top 0 -o "$folder/report.json"
"$aflame" report "$sample" --tree down --tree up -o "$folder/report-trees.html"
"$aflame" report -q "$folder/hostile.trace" -o "$folder/report-hostile.html"
"$aflame" convert "$sample" --clock wall -o "$folder/sample.wall.folded"
"$aflame" convert "$sample" --clock cpu -o "$folder/sample.cpu.folded"
"$aflame" convert "$sample" --clock wait -o "$folder/sample.wait.folded"
"$aflame" convert "$sample" --clock wall --from 200ms --to 300ms -o "$folder/sample.part.folded"
# for firefox.test.js and speedscope.test.js
mkdir -p "$folder/received"
for name in sample chrome_async chrome_samples perf_simpleperf folded_fractions; do
    trace=$data/$name.trace out=$folder/received/$name
    [ $name != sample ] || trace=$sample
    "$aflame" report -q "$trace" --top 0 --format json -o "$out.report.json"
    "$aflame" convert -q "$trace" --remove-gaps 0 -o "$out.firefox.json" -o "$out.gecko.json" \
        -o "$out.speedscope.json" -o "$out.folded" -o "$out.pb.gz" -o "$out.callgrind"
    case $name in
    # not chrome_async: speedscope ignores asynchronous events
    sample | chrome_samples) "$aflame" convert -q "$trace" -o "$out.json" ;;
    esac
done
AFLAME_CSP_HASH=$("$aflame" render --csp-hash | paste -s -d ' ' | sed "s/ /' '/")
AFLAME_PICTURES=$folder
AFLAME_CHROMIUM=$chromium
export AFLAME_CSP_HASH AFLAME_PICTURES AFLAME_CHROMIUM
cd "$here"
# a browser is idle most of the time, while it waits for frames and address updates
shopt -s extglob
exec node --test --test-concurrency=4 --test-reporter=spec ./!(speed).test.js
