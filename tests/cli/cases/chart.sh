# --view chart: single calls in time order.

expect 0 aflame render app.trace --view chart -o chart.svg -o chart.png -o chart.pdf
err_carries 2
out_empty
opens chart.svg chart.png chart.pdf
contains chart.svg '>100 ms</text>' 'ordered by time on the wall clock' 'starts at 0.000 ms, depth 1'
expect 0 aflame render app.trace -o graph.svg
differ chart.svg graph.svg
expect 0 aflame render app.trace --view graph -o same.svg
same same.svg graph.svg
expect 0 aflame render app.trace --view chart --static -o static.svg
opens static.svg
omits static.svg '<script'

# without calls and markers, no ruler and a single line
expect 0 aflame render -q --view chart "$made/no_records.trace" -o empty.svg
check 'an empty chart has a ruler' sh -c '! grep -q "id=.ruler" empty.svg'
expect 0 aflame render -q --view chart "$made/perfetto_counter.trace" -o counter.svg
contains counter.svg 'id="ruler"'

# the same bytes with any number of threads, from a pipe, gzipped
for jobs in 1 2 7; do
    for format in svg png pdf; do
        expect 0 aflame render app.trace --view chart --jobs $jobs -o jobs.$format
        same jobs.$format chart.$format
    done
done
expect_sh 0 'cat app.trace | aflame render - --view chart -o pipe.png'
expect_sh 0 'aflame render - --view chart -o file.png <app.trace'
same pipe.png file.png
mkdir packed
gzip -c app.trace >packed/app.trace
expect 0 aflame render packed/app.trace --view chart -o packed.png
same packed.png chart.png

# parts, threads, clocks, highlights
expect 0 aflame render app.trace --view chart --from 200ms --to 300ms --thread main -o part.svg
opens part.svg
contains part.svg '>200 ms</text>'
omits part.svg '>310 ms</text>'
expect 0 aflame render app.trace --view chart --clock cpu -o cpu.svg
check 'the clock is not named' grep -q "each thread's CPU clock" cpu.svg
expect 0 aflame render app.trace --view chart --mark onCreate --mark '=android.os.Looper.loopOnce' -o mark.svg
contains mark.svg 'calls of onCreate, =android.os.Looper.loopOnce highlighted'
copy_sample overflow.trace 's/^\(data-file-overflow\)=false$/\1=true/; s/^\(elapsed-time-usec\)=.*/\1=2000000/'
expect 0 aflame render -q overflow.trace --view chart -o overflow.svg
contains overflow.svg 'the buffer filled up at'

# contradictory options are refused with a reason
expect 2 aflame render app.trace --view chart --clock wait -o no.svg
err_is 'aflame: app.trace: a chart needs the clock wall or cpu; the chart of the wall clock hatches waiting'
expect 2 aflame render app.trace --view chart --hide onCreate -o no.svg
err_is 'aflame: --hide has no effect with --view chart, which draws single calls as recorded'
expect 2 aflame render app.trace --view chart --inverted -o no.svg
err_is 'aflame: --inverted has no effect with --view chart, which draws single calls as recorded'
expect 2 -m 'aflame: --mark needs --view chart' aflame render app.trace --mark onCreate -o no.svg
expect 1 -e 'onC' aflame render app.trace --view chart --mark onCraete -o no.svg
expect 2 -e 'did you mean chart?' aflame render app.trace --view cart -o no.svg
absent no.svg '.aflame-*'

# .aflame accepts both options
printf '[options]\nview = chart\nmark = onCreate\n' >.aflame
expect 0 aflame render app.trace -o config.svg
rm .aflame
expect 0 aflame render app.trace --view chart --mark onCreate -o config2.svg
same config.svg config2.svg

# instants and counters
cp "$made/chrome_markers.trace" marks.json
expect 0 aflame render -q marks.json --view chart --full-depth -o marks.svg -o marks.png -o marks.pdf
opens marks.svg marks.png marks.pdf
contains marks.svg '<title>vsync · at 10 µs</title>' '<title>crash · at 50 µs</title>'
contains marks.svg '<title>heap: used · maximum 2,048, minimum 1,024</title>'
contains marks.svg '<title>fps [#/1] · maximum 30, minimum 30</title>' '1 instant outside the time range'
check 'the PDF has no page of counters' sh -c 'pdftotext marks.pdf - | grep -q "maximum 59.94"'
expect 0 aflame render -q marks.json --view chart --from 20us --to 60us -o part.svg
omits part.svg 'at 10 µs'
contains part.svg 'maximum 2,048 · minimum 1,024 · 1 value'
expect 0 aflame render -q marks.json -o graph.svg
check 'the graph has counters' sh -c '! sed "/<script>/,\$d" graph.svg | grep -q "maximum"'

# a hundred thousand markers are reduced to the visible ones, and the picture reports it
awk 'BEGIN { print "[{\"name\":\"w\",\"ph\":\"X\",\"ts\":0,\"dur\":1000000,\"pid\":1,\"tid\":1}"
    for (i = 0; i < 100000; i++) {
        print ",{\"name\":\"i" i % 5 "\",\"ph\":\"i\",\"ts\":" i * 10 ",\"pid\":1,\"tid\":1}"
        print ",{\"name\":\"c" i % 40 "\",\"ph\":\"C\",\"ts\":" i * 10 ",\"pid\":1,\"args\":{\"v\":" i % 1000 "}}"
    }
    print "]" }' >many.json
expect 0 aflame render -q many.json --view chart -o many.svg
check 'markers are not merged' test "$(wc -c <many.svg)" -lt 1500000
check 'merged markers are not reported' grep -q 'instants and values within .* are merged in the file' many.svg
contains many.svg '16 counters with fewer values not drawn'

# sampled tracks, which have no call counts
cp "$made/chrome_samples_gap.trace" gap.json
expect 0 aflame render -q gap.json --view chart --static -o gap.svg
expect 0 aflame render -q gap.json --view chart -o gap.svg
contains gap.svg '· sampled'
check 'a sampled track has call counts' sh -c "! sed '/<script>/,\$d' gap.svg | grep -qE '[0-9] calls?\b'"

# sampled traces have no call counts: the chart merges and highlights slices
expect 0 aflame render "$data/real/local-art11__sampling.trace" --view chart --mark /./ -o s.svg -o s.png
sed '/<script>/,$d' s.svg >drawn.svg
check 'slices of samples are called calls' sh -c "! grep -qE '[0-9] calls?\\b|>calls' drawn.svg"
check 'slices of samples are not mentioned' grep -qE '[0-9] slices? (too short|of)' drawn.svg

# each sample lasts until the next one, the last one as long as the mean of the others: 150 us, so
# all are drawn
expect 0 aflame render -q "$made/chrome_clocks.trace" --view chart -o c.svg
sed '/<script>/,$d' c.svg >drawn.svg
check 'a slice of 150 us is merged' sh -c '! grep -qE "too short|<path class=.th?[a-n][0-9]" drawn.svg'

# a sample of 0.1 us is narrower than a pixel of 1 ms: a merged slice, in a chart of calls and of
# slices
sed 's/{"tid":10,"ts":700,"sf":2}/{"tid":10,"ts":699.9,"sf":3},&/' "$made/chrome_clocks.trace" >short.json
expect 0 aflame render -q short.json --view chart -o c.svg
sed '/<script>/,$d' c.svg >drawn.svg
contains drawn.svg '<path class="tN"' '>1 call or slice too short to draw separately: 100 ns'

# the chart of times as far apart as readers accept ends, in little memory
printf '[{"ph":"X","pid":1,"tid":1,"name":"early","ts":0,"dur":5},
{"ph":"X","pid":1,"tid":1,"name":"late","ts":2000000000000000,"dur":2},
{"ph":"X","pid":1,"tid":1,"name":"beyond","ts":18446744073709551,"dur":2}]' >wide.json
for format in svg png pdf; do
    expect 0 timeout 120 aflame render wide.json --view chart --max-memory 64M -o wide.$format
    err_has 'records have no time, or one out of range; dropped'
    opens wide.$format
done
