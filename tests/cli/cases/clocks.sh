# Threads that lack a clock: main and worker have CPU times; pool, the async track and the sampled
# thread do not. Missing times are omitted everywhere, never shown as 0.
cp "$made/chrome_clocks.trace" c.json

expect 0 -o 'wall and thread CPU; 3 of 5 threads have no CPU times' aflame info -q c.json
check 'the async track has CPU time' grep -qE 'request .async.  13 +4 +2 +700 µs +100 µs +800 µs' "$captured/out"
expect_sh 0 -o '"wall": 100' -n '"cpu"' "aflame info -q --json c.json | sed -n '/request/,/exited/p'"

# tables; all of them are in golden/report and golden/calls
expect 0 -o '100 % = 700 µs wall of 1 of 5 threads' aflame report -q c.json --thread async
out_lacks cpu wait
expect 0 aflame report c.json --clock cpu --by threads
out_has '100 % = 790 µs CPU of 2 of 5 threads; 3 without CPU times left out'
out_lacks pool
expect 0 -n request -o '"threads_left_out": 3' aflame report c.json --clock cpu --format json
expect 2 aflame report c.json --clock cpu --thread async
err_is 'aflame: c.json: request (async) has no CPU times; other threads have them'
expect 2 aflame report c.json --clock wait --thread pool --thread async
err_is 'aflame: c.json: the selected threads have no CPU times; other threads have them'
expect 2 aflame report c.json --thread pool --by waits
err_is 'aflame: c.json: waiting needs both clocks; no thread has both'
expect 0 -o 'Total cycles: 3350' aflame report -q c.json --format dmtracedump
expect 0 -o 'Total cycles: 790' aflame report -q c.json --format dmtracedump --clock cpu
expect 0 -o 'Total cycles: 850' aflame report -q c.json --format dmtracedump --thread worker --clock wall
expect 0 -o '2 calls' aflame calls -q c.json parse --clock cpu
out_has '3 without CPU times left out'

# other tools
expect 0 -l 2 aflame convert c.json --clock cpu -o c.folded
err_has 'aflame: c.json: 3 threads without CPU times are left out'
err_has 'folded files cannot hold this, so it is left out: categories of the input'
check 'folded stacks contain frames without CPU time' sh -c "! grep -qE '^(pool|request|main .samples)' c.folded"
expect 0 -e '' aflame convert -q c.json --clock cpu -o c.folded
expect 0 aflame convert c.json -o c.folded
err_is 'aflame: c.json: folded files cannot hold this, so it is left out: that asynchronous tracks are no threads, categories of the input'
check 'wall times are missing' grep -q '^pool;com.example.Work.parse 30$' c.folded
expect 2 aflame convert c.json --clock cpu --thread pool -o no.folded
err_is 'aflame: c.json: pool has no CPU times; other threads have them'
absent no.folded
expect 0 aflame convert c.json --format chrome
check 'the async track has CPU times' sh -c "! grep -E '\"tid\":1[234]' '$captured/out' | grep -qE 'tts|tdur'"
check 'CPU times are missing' sh -c "grep '\"X\"' '$captured/out' | grep -E '\"tid\":1[01]' | grep -c tdur | grep -qx 6"
expect_sh 0 'aflame convert c.json --format perfetto |
    protoc --proto_path="'"$data"'"/../../src --decode=af.perfetto.Trace export/perfetto.proto'
check 'events of the async track have CPU times' sh -c "grep -c uint_value '$captured/out' | grep -qx 6"
expect 0 aflame convert c.json --format firefox
check 'the table has columns of CPU time' sh -c "grep -c 'threadCPUDelta.:\[' '$captured/out' | grep -qx 2"
expect_sh 0 'aflame convert c.json --format pprof | gzip -dc |
    protoc --proto_path="'"$data"'"/../../src --decode=af.pprof.Profile export/pprof.proto'
out_has '"no cpu known for thread request (async)"' '"no calls known for thread main (samples)"'
out_lacks '"no calls known for thread pool"'
expect 0 aflame convert c.json -o c.callgrind
check 'the async track has CPU time' sh -c "grep -A4 'thread request' c.callgrind | grep -qx '0 0'"
check 'the description of call counts is missing' grep -qx 'desc: Calls: 1 where the input has no call counts: main (samples)' \
    c.callgrind
if command -v callgrind_annotate >/dev/null; then
    expect 0 callgrind_annotate --inclusive=yes c.callgrind
    check 'callgrind_annotate shows CPU time of the async track' grep -qE '700,000 \(21.02%\) +\. +\?\?\?:request' "$captured/out"
    out_has '1,750,000 (52.55%) 600,000 (75.95%)  ???:com.example.App.main'
fi
expect 0 aflame convert c.json -o c.speedscope.json
check 'samples became calls' sh -c "grep -o '\"type\":\"[es][^}]*\"name\":\"[^\"]*\"' c.speedscope.json |
    tr '\n' ' ' | grep -q 'sampled\",\"name\":\"main (samples)'"
check 'calls became samples' sh -c "grep -c '\"evented\"' c.speedscope.json | grep -qx 4"
# reopened: samples next to calls are not calls
expect 0 aflame report -q c.speedscope.json --by threads --format csv
check 'samples have call counts' grep -qE '^main \(samples\),[^,]*,750000,[^,]*,,' "$captured/out"

# parts of pools and of the time range
cat >pool.json <<'END'
[{"ph":"M","pid":1,"tid":7,"name":"thread_name","args":{"name":"w-1"}},
{"ph":"M","pid":1,"tid":8,"name":"thread_name","args":{"name":"w-2"}},
{"ph":"M","pid":1,"tid":9,"name":"thread_name","args":{"name":"v-1"}},
{"ph":"M","pid":1,"tid":10,"name":"thread_name","args":{"name":"v-2"}},
{"ph":"X","pid":1,"tid":7,"ts":0,"dur":100,"tts":0,"tdur":60,"name":"a"},
{"ph":"X","pid":1,"tid":8,"ts":0,"dur":100,"name":"a"},
{"ph":"X","pid":1,"tid":9,"ts":0,"dur":100,"tts":0,"tdur":10,"name":"a"},
{"ph":"X","pid":1,"tid":10,"ts":0,"dur":100,"tts":0,"tdur":20,"name":"a"}]
END
expect 0 aflame report pool.json --merge-threads all --by threads --format csv
err_has '--merge-threads all: some of the threads lack CPU times, so the merged thread has none'
out_has 'w-#,7,200000,50.0000,,,,,2' 'v-#,9,200000,50.0000,30000,100.0000,170000,100.0000,2'
expect 0 -n cpu aflame report pool.json --thread w --merge-threads all --by threads --format csv
expect 2 aflame report pool.json --thread w --merge-threads all --clock cpu
expect 0 aflame report -q c.json --from 150us --to 250us --by threads --format csv
check 'an async track of a part has CPU time' grep -qE '^request \(async\),13,100000,[^,]*,,,,,' "$captured/out"
expect 0 -n seek aflame report -q c.json --shorter-than 1us --clock cpu
expect 0 aflame report -q c.json --sort cpu --by threads
check 'threads without CPU times are not last' sh -c "tail -1 '$captured/out' | grep -qE 'pool|samples|async'"

# pictures
for view in graph chart; do
    expect 0 aflame render c.json --view $view --thread all -o all.svg -o all.png
    err_carries 1
    sed '/<script>/,$d' all.svg >drawn.svg
    contains drawn.svg '3 of 5 threads have no CPU times' ' 700 µs wall · 2 calls<' ' 750 µs wall · sampled<'
    contains drawn.svg ' 1.00 ms wall · 600 µs CPU · 400 µs waiting · 3 calls<'
    check 'tooltips of the async track show CPU times' sh -c "tr '\n' ' ' <drawn.svg | grep -o '<title>request [^<]*' |
        grep -q CPU && exit 1; tr '\n' ' ' <drawn.svg | grep -q '<title>request '"
    expect 0 aflame render c.json --view $view --clock cpu -o cpu.svg
    err_is 'aflame: cpu.svg: 3 threads without CPU times are left out'
    sed '/<script>/,$d' cpu.svg >drawn.svg
    omits drawn.svg '>request<'
    check 'the omitted threads are not reported' grep -qE 'request \(async\)(,| *<)' drawn.svg
    expect 2 aflame render c.json --view $view --clock cpu --thread pool -o no.svg
    err_is 'aflame: c.json: pool has no CPU times; other threads have them'
done
expect 0 -m 'aflame: wait.svg: 3 threads without CPU times are left out' aflame render c.json --clock wait -o wait.svg
absent no.svg
