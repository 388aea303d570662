# --time-scale: multiplies the times of a file.
cp "$made/spall_v3.trace" v3.spall
cp "$made/spall_native_v2.trace" native.spall
cp "$made/chrome_markers.trace" marks.json
cp "$made/basic.trace" basic.trace
cp "$made/stream_dual.trace" dual.trace
cp "$made/perf_linux.trace" perf.data
cp "$made/elapsed_short.trace" short.trace

# times of calls, records, markers and counters
expect 0 aflame convert -q basic.trace -o unscaled.folded
expect 0 aflame convert -q basic.trace --time-scale 1 -o scaled_by_1.folded
same unscaled.folded scaled_by_1.folded
for file in basic.trace v3.spall native.spall marks.json; do
    aflame convert -q $file --format chrome | grep -o '"ts":[0-9.]*\|"dur":[0-9.]*' >small
    aflame convert -q $file --format chrome --time-scale 1000 | grep -o '"ts":[0-9.]*\|"dur":[0-9.]*' >large
    check "$file is not a thousand times as long" sh -c \
        "paste -d: small large | awk -F: '{ d = \$4 - \$2 * 1000; exit !(d < 1e-6 && d > -1e-6) }'"
    check "$file has no times" test -s small
done
expect 0 -o 'elapsed     303.0 ms' aflame info -q basic.trace --time-scale 1000
expect 0 aflame render -q marks.json --time-scale 1000 --view chart -o marks.svg
contains marks.svg '<title>vsync · at 10 ms</title>'
expect 0 aflame render -q marks.json --time-scale 0.001 --view chart -o marks.svg
contains marks.svg '<title>vsync · at 10 ns</title>'

# with two clocks it applies to the wall clock; automatic scaling is off
expect 0 -o ',30000000,' aflame report -q dual.trace --time-scale 1000 --format csv
expect 2 aflame report -q dual.trace --time-scale 1000 --clock cpu --format csv
err_is 'aflame: dual.trace: --time-scale has no effect: it multiplies wall times, and only CPU times are written'

# calls and time ranges use the scaled times
expect 0 -w large.csv aflame calls -q basic.trace --time-scale 1000 '**.foo' --format csv
expect 0 aflame calls -q basic.trace '**.foo' --format csv
differ "$captured/out" large.csv
expect 0 aflame render -q basic.trace --time-scale 1000 --view chart --from 50ms --to 200ms -o part.svg
contains part.svg '>100 ms</text>'

# invalid scales
expect 2 aflame info perf.data --time-scale 1000
err_is 'aflame: perf.data: the input holds samples; only times of calls can be scaled'
expect 2 aflame info basic.trace --time-scale 0.0005
err_is 'aflame: basic.trace: times of this input are in whole microseconds, and this scale needs fractions of them'
for odd in 0 -1 x 1001 '' 1e-7 nan 2x; do
    expect 2 aflame info basic.trace --time-scale "$odd"
    err_is "aflame: --time-scale takes a number from 0.000001 to 1000, not \"$odd\""
done

# times far before and after 0 become too large
printf '[{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":3},{"ph":"X","pid":1,"tid":1,"name":"b",
    "ts":-787527544498000,"dur":2000000000000000}]' >far.json
expect 0 -e 'one out of range' aflame report --time-scale 1000 far.json
