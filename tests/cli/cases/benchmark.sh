# The output folder of Macrobenchmark, as it is: its results name the traces of each iteration.
# recording WORK DRAW >FILE, in us
recording() {
    printf '[{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},\n'
    printf '{"ph":"X","pid":1,"tid":1,"name":"a.Work.run","ts":0,"dur":%s},\n' "$1"
    printf '{"ph":"X","pid":1,"tid":1,"name":"a.Draw.run","ts":%s,"dur":%s}]\n' "$1" "$2"
}
# output TYPE LABEL FILE
output() {
    printf '{"type": "%s", "label": "%s", "filename": "%s"}' "$1" "$2" "$3"
}
# build FOLDER WORK: a folder with two benchmarks, the first one with both kinds of traces
build() {
    mkdir "$1"
    for i in 0 1 2 3; do
        recording $(($2 + i)) 500 >"$1/Startup_cold_iter00$i.perfetto-trace"
        recording $(($2 * 2 + i)) 500 >"$1/Startup_cold-methods_iter00$i.trace"
        recording 900 $(($2 + i)) >"$1/Scroll_list_iter00$i.perfetto-trace"
    done
    recording 99999 500 >"$1/left_over.json"
    {
        printf '{"context": {"build": {"brand": "x"}, "cpuCoreCount": 8},\n"benchmarks": [\n'
        printf '{"name": "cold", "params": {"mode": "COLD", "n": "2"}, "className": "com.example.Startup",\n'
        printf '"metrics": {"timeToInitialDisplayMs": {"runs": [1.5, 2e1]}}, "profilerOutputs": [\n'
        for i in 0 1 2 3; do
            output PerfettoTrace "Trace Iteration $i" "Startup_cold_iter00$i.perfetto-trace" && printf ',\n'
            output MethodTrace "Method Trace $i" "Startup_cold-methods_iter00$i.trace"
            [ $i = 3 ] || printf ',\n'
        done
        printf ']},\n{"name": "list", "params": {}, "className": "com.example.Scroll", "profilerOutputs": [\n'
        for i in 0 1 2 3; do
            # a folder of the device
            output PerfettoTrace "Trace Iteration $i" "sub/Scroll_list_iter00$i.perfetto-trace"
            [ $i = 3 ] || printf ',\n'
        done
        printf ']},\n{"name": "untraced", "className": "com.example.Other", "profilerOutputs": []}]}\n'
    } >"$1/com.example-benchmarkData.json"
}
build old 1000
build new 1600

# ---- one benchmark of several, its iterations are runs ----
expect 2 aflame diff old new
err_has 'aflame: old: has several benchmarks; choose one with --benchmark: com.example.Startup.cold[mode=COLD,n=2], com.example.Scroll.list'
for asked in list Scroll.list com.example.Scroll.list; do
    expect 0 -o 'difference: +600 µs (+31.6 %) of wall time' aflame diff old new --benchmark $asked
    out_has '4 and 4 runs'
    out_lacks '99'
    err_empty
done
# method traces before others; a glob takes the others
expect 0 -o 'difference: +1.20 ms' aflame diff old new --benchmark 'Startup.cold[mode=COLD,n=2]'
err_has 'aflame: old: takes the 4 traces of the benchmark with methods and leaves out 4 others; a glob names those'
err_lines 2
expect 0 -o 'difference: +600 µs' aflame diff --before 'old/Startup_cold_*' --after 'new/Startup_cold_*'
expect 2 aflame diff old new --benchmark warm
err_has 'aflame: old: has no traces of the benchmark warm, only of com.example.Startup.cold[mode=COLD,n=2], com.example.Scroll.list'
expect 2 aflame diff old new --benchmark ist
expect 0 aflame merge old --benchmark list -o old.aflp
expect 0 -o '4 and 4 runs' aflame diff old.aflp new --benchmark list

# ---- budgets: check takes the median, diff the increase ----
printf '[draw]\nmethod = a.Draw.run\nlimit = 2 ms\nincrease = 10 %%\n' >budgets.ini
expect 0 -o 'ok    draw: inclusive of a.Draw.run is 1.60 ms' aflame check new --benchmark list --budget budgets.ini
expect 1 -e 'FAIL  draw: ' aflame diff old new --benchmark list --budget budgets.ini -o diff.md

# ---- the only benchmark needs no name; folders without one are as before ----
mkdir plain broken
recording 1 2 >plain/a.json
expect 0 aflame merge plain -o plain.aflp
expect 2 -m 'aflame: plain: has no traces of the benchmark list' aflame merge plain --benchmark list -o x.aflp
expect 2 -e '--benchmark needs an input that is a folder' aflame merge plain/a.json --benchmark list -o x.aflp
cp new/Scroll* broken
sed '/"name": "cold"/,/^{"name": "list"/c {"name": "list", "profilerOutputs": [' new/com.example-benchmarkData.json >broken/x-benchmarkData.json
expect 0 aflame merge broken -o broken.aflp
expect 0 -o '4 merged' aflame info broken.aflp

# ---- a trace that is missing, and results that end early ----
rm broken/Scroll_list_iter002.perfetto-trace
expect 3 -e 'Scroll_list_iter002.perfetto-trace: ' aflame merge broken -o x.aflp
head -c 300 new/com.example-benchmarkData.json >broken/x-benchmarkData.json
expect 2 -m 'aflame: broken: x-benchmarkData.json is not valid JSON' aflame merge broken -o x.aflp
absent x.aflp

# ---- the jobs of the manual for GitHub and GitLab, with stand-ins for gh and curl ----
mkdir bin perf
for tool in gh curl; do
    printf '#!/bin/sh\necho "%s $*" >>posted\ncp diff.md comment.md\n' $tool >bin/$tool
    chmod +x bin/$tool
done
manual_block aflame-check.1 'name: compare' >action.yml || fail 'the manual has no action for GitHub'
manual_block aflame-check.1 'compare:' >gitlab.yml || fail 'the manual has no job for GitLab'
# the lines after `run: |`, which are indented further than it
awk '/^      run: \|$/ { inside = 1; next } inside && !/^        / { exit }
    inside { print substr($0, 9) }' action.yml >github.sh
# the items of `script:`, whose further lines belong to the line above
awk '/^  script:$/ { inside = 1; next } inside && !/^    / { exit }
    inside && sub(/^    - (>-)?/, "") { printf "%s%s", n++ ? "\n" : "", $0; next }
    inside { sub(/^ */, " "); printf "%s", $0 } END { print "" }' gitlab.yml >gitlab.sh
job() { # STATUS SCRIPT POSTED
    rm -f posted comment.md diff.*
    expect "$1" env PATH="$PWD/bin:$PATH" PULL_REQUEST=7 BEFORE=old AFTER=new BENCHMARK=list \
        AFLAME_TOKEN=t CI_API_V4_URL=https://git/api/v4 CI_PROJECT_ID=5 CI_MERGE_REQUEST_IID=7 bash -e "$2"
    present comment.md diff.html diff.png
    expect 0 -o "$3" cat posted
}
for limit in '2 ms' '1 ms'; do
    printf '[draw]\nmethod = a.Draw.run\nlimit = %s\n' "$limit" >perf/budgets.ini
    job "$([ "$limit" = '2 ms' ] && echo 0 || echo 1)" github.sh 'gh pr comment 7 --body-file diff.md'
    job "$([ "$limit" = '2 ms' ] && echo 0 || echo 1)" gitlab.sh \
        'curl --fail --header PRIVATE-TOKEN: t --data-urlencode body@diff.md https://git/api/v4/projects/5/merge_requests/7/notes'
done
