# --view chart: single calls in order of time.
cp "$data/sample.trace" app.trace

expect 0 aflame render app.trace --view chart -o chart.svg -o chart.png -o chart.pdf
err_empty
out_empty
opens chart.svg chart.png chart.pdf
check 'no ruler' grep -q '>100 ms</text>' chart.svg
check 'it does not say what it is' grep -q 'ordered by time on the wall clock' chart.svg
check 'frames do not say when they began' grep -q 'starts at 0.000 ms, depth 1' chart.svg
expect 0 aflame render app.trace -o graph.svg
differ chart.svg graph.svg
expect 0 aflame render app.trace --view graph -o same.svg
same same.svg graph.svg
expect 0 aflame render app.trace --view chart --static -o static.svg
opens static.svg
check 'there is a script in it' sh -c '! grep -q "<script" static.svg'

# the same bytes with any number of threads, from a pipe, packed
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

# parts, threads, clocks, marks
expect 0 aflame render app.trace --view chart --from 200ms --to 300ms --thread main -o part.svg
opens part.svg
check 'the ruler does not begin at the part' grep -q '>200 ms</text>' part.svg
check 'the ruler ends elsewhere' sh -c '! grep -q ">310 ms</text>" part.svg'
expect 0 aflame render app.trace --view chart --clock cpu -o cpu.svg
check 'the clock is not said' grep -q "each thread's CPU clock" cpu.svg
expect 0 aflame render app.trace --view chart --mark onCreate --mark '=android.os.Looper.loopOnce' -o mark.svg
check 'marks are not said' grep -q 'calls of onCreate, =android.os.Looper.loopOnce highlighted' mark.svg
copy_sample overflow.trace 's/^\(data-file-overflow\)=false$/\1=true/; s/^\(elapsed-time-usec\)=.*/\1=2000000/'
expect 0 aflame render -q overflow.trace --view chart -o overflow.svg
check 'the lost end is not said' grep -q 'the buffer filled up at' overflow.svg

# what makes no sense is refused in words
expect 2 aflame render app.trace --view chart --clock wait -o no.svg
err_is 'aflame: app.trace: a chart is drawn along a clock, wall or cpu; where calls waited is hatched in that of the wall clock'
expect 2 aflame render app.trace --view chart --hide onCreate -o no.svg
err_is 'aflame: --hide has no effect with --view chart, which draws single calls as they were'
expect 2 aflame render app.trace --view chart --inverted -o no.svg
err_is 'aflame: --inverted has no effect with --view chart, which draws single calls as they were'
expect 2 aflame render app.trace --mark onCreate -o no.svg
err_is 'aflame: --mark needs --view chart'
expect 1 aflame render app.trace --view chart --mark onCraete -o no.svg
err_has 'onC'
expect 2 aflame render app.trace --view cart -o no.svg
err_has 'did you mean chart?'
absent no.svg '.aflame-*'

# .aflame knows both
printf '[options]\nview = chart\nmark = onCreate\n' >.aflame
expect 0 aflame render app.trace -o config.svg
rm .aflame
expect 0 aflame render app.trace --view chart --mark onCreate -o config2.svg
same config.svg config2.svg

# instants and counters
cp "$made/chrome_marks.trace" marks.json
expect 0 aflame render -q marks.json --view chart -o marks.svg -o marks.png -o marks.pdf
opens marks.svg marks.png marks.pdf
check 'no instant' grep -q '<title>vsync · at 10 µs</title>' marks.svg
check 'no instant of all' grep -q '<title>crash · at 50 µs</title>' marks.svg
check 'no counter' grep -q '<title>heap: used · maximum 2,048, minimum 1,024</title>' marks.svg
check 'not said what is off the axis' grep -q '1 instant outside the time range' marks.svg
check 'no page of counters' sh -c 'pdftotext marks.pdf - | grep -q "maximum 59.94"'
expect 0 aflame render -q marks.json --view chart --from 20us --to 60us -o part.svg
check 'an instant of another time' sh -c '! grep -q "at 10 µs" part.svg'
check 'no value from before the part' grep -q 'maximum 2,048 · minimum 1,024 · 1 value' part.svg
expect 0 aflame render -q marks.json -o graph.svg
check 'counters in a graph' sh -c '! sed "/<script>/,\$d" graph.svg | grep -q "maximum"'

# a hundred thousand of them are as many as can be seen, and that is said
awk 'BEGIN { print "[{\"name\":\"w\",\"ph\":\"X\",\"ts\":0,\"dur\":1000000,\"pid\":1,\"tid\":1}"
    for (i = 0; i < 100000; i++) {
        print ",{\"name\":\"i" i % 5 "\",\"ph\":\"i\",\"ts\":" i * 10 ",\"pid\":1,\"tid\":1}"
        print ",{\"name\":\"c" i % 40 "\",\"ph\":\"C\",\"ts\":" i * 10 ",\"pid\":1,\"args\":{\"v\":" i % 1000 "}}"
    }
    print "]" }' >many.json
expect 0 aflame render -q many.json --view chart -o many.svg
check 'many are not joined' test "$(wc -c <many.svg)" -lt 1500000
check 'not said that they are joined' grep -q 'instants and values within .* are merged in the file' many.svg
check 'not said that counters are left out' grep -q '16 counters with fewer values not drawn' many.svg

# lanes of samples, which count no calls
cp "$made/chrome_samples_gap.trace" gap.json
expect 0 aflame render -q gap.json --view chart --static -o gap.svg
expect 0 aflame render -q gap.json --view chart -o gap.svg
check 'a lane of samples does not say so' grep -q '· sampled' gap.svg
check 'a lane of samples counts calls' sh -c "! sed '/<script>/,\$d' gap.svg | grep -qE '[0-9] calls?\b'"

# of samples nobody counted calls: what a chart joins or marks are stretches
expect 0 aflame render "$data/real/local-art11__sampling.trace" --view chart --mark /./ -o s.svg -o s.png
sed '/<script>/,$d' s.svg >drawn.svg
check 'stretches are calls' sh -c "! grep -qE '[0-9] calls?\\b|>calls' drawn.svg"
check 'stretches are not said' grep -qE '[0-9] slices? (too short|of)' drawn.svg

# each sample lasts to the next one, the last one as long as the mean of the others: 150 us, so all are drawn
expect 0 aflame render -q "$made/chrome_clocks.trace" --view chart -o c.svg
sed '/<script>/,$d' c.svg >drawn.svg
check 'a slice of 150 us is joined' sh -c '! grep -qE "too short|<path class=.t" drawn.svg'

# a sample of 0.1 us is less than a pixel of 1 ms: a joined slice, in a chart of calls and of slices
sed 's/{"tid":10,"ts":700,"sf":2}/{"tid":10,"ts":699.9,"sf":3},&/' "$made/chrome_clocks.trace" >short.json
expect 0 aflame render -q short.json --view chart -o c.svg
sed '/<script>/,$d' c.svg >drawn.svg
check 'the short slice is not drawn' grep -q '<path class="tN"' drawn.svg
check 'a slice is a call' grep -q '>1 call or slice too short to draw separately: 100 ns' drawn.svg
