# Sampled inputs: units, events, symbols.
cp "$made/folded.trace" x.folded
cp "$made/perf_simpleperf.trace" perf.data
cp "$made/perf_linux.trace" linux.data
cp "$made/perf_offcpu.trace" off.data
cp "$made/perf_script.trace" perf.txt
# the head of a recording is one, however early it was cut
head -c 75 "$made/perf_script_bare.trace" >head.txt
check 'the cut line is whole' sh -c 'tail -n 1 head.txt | grep -qx "perl 4321/4322 "'
expect 0 -o 'the file holds no calls, slices or samples to draw' aflame info head.txt

# counts are never called a time, wall or a call
expect 0 -o 'measures    cycles' aflame info -q perf.data
out_lacks 'wall' 'open'
expect 0 -o '"unit": "cycles"' aflame info -q --json perf.data
out_lacks '"calls"' '"clock"'
expect 0 aflame report -q perf.data --format csv
out_has 'name,self_cycles,self_percent,inclusive_cycles,inclusive_percent,threads'
out_lacks 'ns'
expect 0 -o '"unit": "cycles", "total": 3456' -n 'calls' aflame report -q perf.data --format json --by threads
expect 0 -o 'self cycles</th>' aflame report -q perf.data --format html
expect 0 aflame render -q perf.data -o p.svg -o p.png -o p.pdf
opens p.svg p.png p.pdf
contains p.svg '3,006 cycles' 'event cpu-cycles'
check 'the picture shows a clock' sh -c '! grep -q "data-clock=\"[a-z]*\"" p.svg'
omits p.svg ' calls</title>'

# sampled threads next to threads with calls: only the latter have call counts
cp "$made/chrome_samples.trace" mixed.json
expect 0 -o 'calls       1' aflame info -q mixed.json
out_has 'every call (instrumented); samples without call counts in some threads'
expect 0 -o '  "calls": 1,' aflame info -q --json mixed.json
check 'info counts samples as calls' sh -c '[ "$(aflame info -q --json mixed.json | grep -c "\"calls\"")" = 2 ]'
expect 0 aflame report -q mixed.json --format csv --by methods --by threads
out_has 'methods,call,40000,29.0909,40000,29.0909,1,0,1,40000,40000,40000,0,1,'
out_has 'methods,work,15000,10.9091,15000,10.9091,,,,,,,,1,native'
out_has 'threads,process 2: Thread 1 (samples),,,40000,29.0909,,,,,,,,,,,8,6,110000,150000,2,'
expect 0 -n '"calls": 2' aflame report -q mixed.json --format json -m work
expect 0 aflame report -q mixed.json --tree down --tree up --format csv
out_has 'tree_down,work,2,7,15000,10.9091,15000,,,,,,'
check 'a tree counts samples as calls' sh -c \
    '! aflame report -q mixed.json --tree down --tree up --format json | grep -E "\"(work|f|io)\".*\"calls\": [0-9]"'
expect 0 -o 'slices of work' aflame calls -q mixed.json work
expect 0 -n slice aflame calls -q mixed.json call
expect 0 aflame convert -q mixed.json --format callgrind -o -
out_has 'desc: Calls: 1 where the input has no call counts: process 1: Thread 5 (samples), process 2'
out_lacks 'calls=0 '
if command -v callgrind_annotate >/dev/null; then # which treats 0 calls as an error
    expect_sh 0 'aflame convert -q mixed.json -o m.callgrind && callgrind_annotate --inclusive=yes m.callgrind'
    out_lacks 'WARNING'
fi
expect 0 aflame render -q mixed.json -o m.svg
check 'the picture counts samples as calls' sh -c \
    "[ \"\$(sed '/<script>/,\$d' m.svg | grep -cE '>[^<]*[0-9] calls?\\b')\" -le 2 ]"

cp "$made/chrome_samples_processes.trace" only.json
expect 0 -o 'without call counts' aflame info -q only.json
out_lacks 'open' 'calls  '
expect 0 -n '"calls"' aflame info -q --json only.json
expect 0 -n 'calls' aflame report -q only.json --format csv --by methods --by threads

# only files with clocks have clocks
expect 2 -e 'the clock cannot be selected: the input counts cycles' aflame convert -q perf.data --clock wall
expect 0 aflame convert -q off.data --clock cpu
expect 2 -e 'times of an unknown clock' aflame convert -q x.folded --unit ms --clock cpu

# the Firefox Profiler gets each sample at its time, with its weight; a part of the trees has no
# samples
expect 0 -o '"time":[0,0.001,0.004]' aflame convert -q perf.data --format firefox -o -
out_has '"weight":[1000,2000,6]' '"time":[0.002,0.003]'
expect 0 -o '"time":[0,0.001,0.0045,0.005,0.00505]' aflame convert -q off.data --format firefox -o -
out_has '"weight":[0.0001,0.003,0.0002,0.00005,0.00001]'
expect 0 -o '"weight":[0.0001,0.0002,0.00001]' aflame convert -q off.data --clock cpu --format firefox -o -
expect 0 -o '"weight":[0.003,0.00005]' aflame convert -q off.data --clock wait --format firefox -o -
expect 0 -o '"time":[0,0.001]' -n '"weight":[1000' aflame convert -q perf.data --thread 8 --format firefox -o -
expect 0 -o '"time":[0' -n '"time":[0,0.001,0.004]' aflame convert -q perf.data --max-depth 1 --format firefox -o -

# units
expect 0 -o 'main;com.example.Main.run;com.example.Main.load 17' aflame convert -q x.folded
expect 0 -o 'main;com.example.Main.run;com.example.Main.load 17000' aflame convert -q x.folded --unit ms
expect 0 -o 'measures    time on an unknown clock' aflame info -q x.folded --unit ms
expect 0 -o 'self_bytes' aflame report -q x.folded --unit bytes --format csv
expect 0 -o '"unit": "näh \"x\""' aflame report -q x.folded --unit 'näh "x"' --format json
out_has '"self_n__h__x_"'
expect 0 -o 'measures    samples' aflame info -q perf.data --unit samples
printf 'a;b 2.75\n' >fraction.folded
expect 0 -o 'a;b 2.75' aflame convert -q fraction.folded
expect 0 -o '"self_samples": 2.75' aflame report -q fraction.folded --format json

# an exported file can be read again
expect 0 aflame convert -q x.folded -o once.folded
expect 0 aflame convert -q once.folded -o twice.folded
same once.folded twice.folded

# events
expect 0 -o 'event       cycles:u (1 of 2 events)' aflame info -q perf.txt
expect 0 -o 'measures    page-faults' aflame info -q perf.txt --event page-faults
expect 2 aflame info perf.txt --event cycle
err_is 'aflame: perf.txt: this recording has no event "cycle"; it has cycles:u, page-faults'
expect 2 -e 'it has cpu-clock, sched:sched_switch' aflame info off.data --event instructions
expect 0 aflame convert -q off.data --event sched_switch
expect 2 aflame convert -q off.data --event ''
{
    printf 'perl 4321 \n\n' # no stack, and thus no sample
    for n in 1 2 3 4 5; do
        printf 'app 12 500%s.5: cycles: \n\t7f722d12e1d4 main (/usr/lib/liba.so)\n\n' $n
    done
} >dropped.txt
expect 0 -o 'event       cycles (2 of 2 events)' aflame info -q dropped.txt
expect 0 -o 'event       samples (1 of 2 events)' aflame info -q dropped.txt --event samples
expect 2 -e 'it has samples, cycles' aflame info dropped.txt --event instructions

# symbols from other files
mkdir -p root/bin flat
cp "$made/refused/elf.trace" root/bin/app
cp "$made/refused/elf.trace" flat/app
expect 0 -o 'late;app[+110];app[+10] 10' aflame convert -q linux.data
for folder in root flat; do
    expect 0 -o 'late;main;foo::leaf() 10' aflame convert -q linux.data --symfs "$folder"
done
printf '\0' | dd of=flat/app bs=1 seek=184 conv=notrunc 2>/dev/null # main without a size
expect 0 -o 'late;main;foo::leaf() 10' aflame convert -q linux.data --symfs flat
mkdir empty
expect 0 -o 'late;app[+110];app[+10] 10' aflame convert -q linux.data --symfs empty
printf 'ffffffff81000000 T do_work\nffffffff81000100 T other\n' >kallsyms
expect 0 -o 'late;app[+110];app[+1f];do_work;app[+20] 20' aflame convert -q linux.data --kallsyms kallsyms
expect 3 -e '--kallsyms: nowhere: cannot open: No such file or directory' aflame convert -q linux.data --kallsyms nowhere
expect 3 -e '--kallsyms: /dev/zero: File too large' aflame convert -q linux.data --kallsyms /dev/zero

# frames of the Android runtime
expect 0 -o 'art_quick_jni_trampoline' aflame convert -q perf.data --show-art-frames
expect 0 -n 'art_quick_jni_trampoline' aflame convert -q perf.data

# time limits are not applied to counts
expect 2 -e '--shorter-than is about time, and the input counts cycles' aflame convert -q perf.data --shorter-than 1us
expect 0 aflame convert -q off.data --shorter-than 1us
expect 0 -n 'wall' -o 'largest inclusive first' aflame report -q perf.data --tree down

# samples are not calls
expect 2 -e 'the input holds samples, not single calls' aflame report perf.data --format dmtracedump
expect 2 aflame render perf.data --from 1ms -o part.svg
absent part.svg

# in time order: slices show the number of samples and their weight, and the word "calls" is absent
for name in perf linux off; do
    expect 0 aflame render -q $name.data --view chart -o $name.svg -o $name.png -o $name.pdf
    opens $name.svg $name.png $name.pdf
    check "the chart of $name mentions calls" sh -c "! sed '/<script>/,\$d' $name.svg | grep -qiE '[0-9] calls?\b'"
done
expect 0 aflame render -q perf.txt --view chart -o text.svg
check 'a slice does not show its samples' grep -qE '^1 sample$' text.svg
check 'a slice does not show its weight and unit' grep -qE '^100 cycles, self 0 cycles' text.svg
check 'a slice does not show its times' grep -qE '^from 265\.433 ms to [0-9.]+ ms, depth 1$' text.svg
contains text.svg 'Chart of samples'
expect_sh 0 'aflame render -q - --view chart <perf.txt -o piped.png'
expect 0 aflame render -q perf.txt --view chart -o text.png
expect 0 aflame render -q perf.txt --view chart --jobs 1 -o text1.png
same text.png text1.png
expect 2 aflame render -q x.folded --view chart -o no.svg
err_is 'aflame: x.folded: the input does not record when its stacks were sampled, so it has no chart; draw a graph instead'
absent no.svg

# a time range contains the samples recorded in it
aflame convert -q perf.txt >all.folded
aflame convert -q perf.txt --to 500ms >first.folded
aflame convert -q perf.txt --from 500ms >rest.folded
check 'the parts do not add up' sh -c "sort first.folded rest.folded >parts; sort all.folded | diff - parts"
expect 0 -o '500 ms to' aflame info -q perf.txt --from 500ms
expect 0 aflame render -q perf.txt --view chart --from 200ms --to 300ms -o part.svg
contains part.svg '>200 ms</text>'
expect 1 -m 'aflame: perf.txt: the selected part contains no samples' aflame convert -q perf.txt --from 300ms --to 400ms
expect 2 aflame convert -q x.folded --from 1ms
err_is 'aflame: x.folded: the input has no start times, so no part of it can be selected by time'

# the kernel and annotations are categories; folded stacks retain the annotations
printf 'a;com.foo.Shop.run_[j];com.foo.Shop.add_[i];sys_read_[k] 8\na;wake_up_[w] 2\na;com.foo.Shop.run_[1] 1\n' >notes.folded
expect 0 -o 'kernel,8,' aflame report -q notes.folded --by categories --format csv
out_has 'waker,2,' 'JIT-compiled,0,' 'inlined,0,'
expect 0 aflame convert -q notes.folded
out_has 'a;com.foo.Shop.run_[j];com.foo.Shop.add_[i];sys_read_[k] 8' 'a;com.foo.Shop.run_[1] 1'
expect 0 -o 'kernel,50,' aflame report -q perf.data --by categories --format csv
expect 0 -o 'kernel,40,' aflame report -q perf.txt --by categories --format csv
expect 0 aflame render -q notes.folded -o notes.svg
contains notes.svg 'kernel 72.7 %'

# most lines must be stacks, unless the file's name declares the format
printf 'a;b 3\nno count\nnor here\n' >half.folded
cp half.folded half.txt
expect 0 -o 'a;b 3' -e 'lines do not end with a count; ignored' aflame convert half.folded
expect 3 aflame convert half.txt

# speedscope samples with a time unit follow each other: ui 20 ms main/load, 15.5 parse in it, 10
# idle, 30 main/draw; io from 50 ms on 30 ms load/parse, 20 load
stacks() {
    printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","name":"app","shared":{"frames":'
    printf '[{"name":"main"},{"name":"load"},{"name":"parse"},{"name":"draw"}]},"profiles":[{"type":"sampled",'
    printf '"name":"ui","unit":"%s","startValue":0,"endValue":75.5,' "$1"
    printf '"samples":[[0,1],[0,1,2],[],[0,3]],"weights":[20,15.5,10,30]},'
    printf '{"type":"sampled","name":"io","unit":"%s","startValue":50,"endValue":100,' "$1"
    printf '"samples":[[1,2],[1]],"weights":[30,20]}]}'
}
stacks milliseconds >stacks.json
expect 0 aflame render stacks.json --view chart -o stacks.svg -o stacks.png -o stacks.pdf
err_carries 2
opens stacks.svg stacks.png stacks.pdf
contains stacks.svg 'ordered by time, each stack as wide as its weight'
check 'a stack has the wrong times' grep -q '^from 45.500 ms to 75.500 ms, depth 2<' stacks.svg
check 'a continued frame is split' grep -q '^from 0.000 ms to 35.500 ms, depth 2<' stacks.svg
expect_sh 0 'aflame convert -q stacks.json -o - --from 10ms --to 60ms'
printf '%s\n' 'ui;main;load 10000' 'ui;main;load;parse 15500' 'ui;main;draw 14500' 'io;load;parse 10000' >part
same part "$captured/out"
for unit in none bytes widgets; do
    stacks $unit >weighed.json
    expect 2 aflame render weighed.json --view chart -o no.svg
    err_is 'aflame: weighed.json: the input does not record when its stacks were sampled, so it has no chart; draw a graph instead'
done
absent no.svg

# times that no recording has are dropped, also where they are sums; so is the line of a function
far=2305843009213690 nodes='{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"callFrame":'
{
    printf '%s{"functionName":"f"}}],"startTime":0,"samples":[2,2,2,2,2,2,2,2,2],' "$nodes"
    printf '"timeDeltas":[-%s,-%s,-%s,-%s,%s,%s,%s,%s,%s]}' $far $far $far $far $far $far $far $far $far
} >far.cpuprofile
expect 0 -e 'no time, or one out of range; dropped (6 times)' aflame convert far.cpuprofile
{
    printf '%s{"functionName":"","url":"a/b.js","lineNumber":9223372036854775807}}],' "$nodes"
    printf '"startTime":0,"endTime":100,"samples":[2,2],"timeDeltas":[10,10]}'
} >line.cpuprofile
expect 0 -e '' -o 'main (samples);(anonymous b.js) 90' aflame convert line.cpuprofile
{
    printf '{"meta":{"preprocessedProfileVersion":55},"threads":[{"name":"t","samples":{"stack":[0,0,0,0,0,0],'
    printf '"timeDeltas":[-%s,-%s,-%s,-%s,-%s,-%s]},' ${far%%???} ${far%%???} ${far%%???} ${far%%???} ${far%%???} ${far%%???}
    printf '"stackTable":{"frame":[0],"prefix":[null]},"frameTable":{"func":[0]},'
    printf '"funcTable":{"name":[0],"resource":[-1]},"resourceTable":{"name":[]},"stringArray":["run"]}]}'
} >far.firefox.json
expect 0 -e 'no time, or one out of range; dropped (6 times)' aflame convert far.firefox.json

# several files of folded stacks are one input, however they are compressed
printf 'a;b 3\na;c 4\n' >one.folded
printf 'a;b 10\nd 1\n' | gzip >two.folded.gz
printf 'a;b 1 100\na;c 2 200\n' >diff.folded
printf '%s\n' 'a;b 13' 'a;c 4' 'd 1' >sum
expect 0 -e '' aflame convert one.folded two.folded.gz
same sum "$captured/out"
expect_sh 0 'gzip -dc two.folded.gz | aflame convert one.folded -'
same sum "$captured/out"
expect 0 aflame convert two.folded.gz one.folded --jobs 1
same sum "$captured/out"
cat one.folded one.folded one.folded >three.folded
for remark in 2 3; do # equal contents would count once
    { cat one.folded; echo "# $remark"; } >remark$remark.folded
done
expect 0 aflame convert one.folded remark2.folded remark3.folded -o three.speedscope.json
expect 0 aflame convert three.folded -o cat.speedscope.json
sed 's/one.folded and 2 more/three.folded/' three.speedscope.json >renamed.json
same renamed.json cat.speedscope.json
expect 0 aflame render one.folded two.folded.gz -o sum.svg -o sum.png
opens sum.svg sum.png
contains sum.svg '<title>one.folded and 1 more<'
expect 0 -o 'a;b 103' aflame convert one.folded diff.folded
expect 3 aflame convert one.folded missing.folded -o none.folded
err_is 'aflame: one.folded and 1 more: missing.folded: cannot open: No such file or directory'
expect 2 -e 'stacks.json does not hold folded stacks' aflame render one.folded stacks.json -o none.svg
expect 2 -e 'would overwrite an input' aflame convert one.folded two.folded.gz -o two.folded.gz --format folded
absent none.folded none.svg
expect 0 aflame render one.folded two.folded.gz
present one.svg two.svg
while read -r input events; do
    expect 2 aflame info "$made/$input.trace" --event nonsense
    err_has "this recording has no event \"nonsense\"; it has $events"
done <<END
pprof samples, wall, cpu
callgrind Ir, Dr
report_sample cpu-clock:u, sched:sched_switch
END

# the interval is that of the samples, even if most of them have the stack of the one before
awk 'BEGIN {
    printf "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2,3]},"
    printf "{\"id\":2,\"callFrame\":{\"functionName\":\"f\"}},{\"id\":3,\"callFrame\":{\"functionName\":\"g\"}}],"
    for (i = 0; i < 400; i++) samples = samples (i > 0 ? "," : "") (i % 40 < 20 ? 2 : 3)
    for (i = 0; i < 400; i++) deltas = deltas (i > 0 ? "," : "") 980 + i % 3 * 20
    printf "\"startTime\":0,\"endTime\":401000,\"samples\":[%s],\"timeDeltas\":[%s]}\n", samples, deltas
}' >runs.cpuprofile
expect 0 -o 'samples about every 1.00 ms' aflame info runs.cpuprofile
expect 0 aflame convert runs.cpuprofile -o runs.aflp
expect 0 -o 'samples about every 1.00 ms' aflame info runs.aflp

# the profile of an event may have a clock of its own
cat >clock.json <<END
[{"name":"Profile","ph":"P","pid":1,"tid":1,"id":1,"ts":5,"args":{"data":{"startTime":0}}},
{"name":"ProfileChunk","ph":"P","pid":1,"tid":1,"id":1,"ts":6,"args":{"data":{"timeDeltas":[10,10],
"cpuProfile":{"startTime":470029996000,"endTime":470029996030,"samples":[2,2],"nodes":[{"id":1,
"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"callFrame":{"functionName":"f"}}]}}}}]
END
expect 0 -o '  main (samples)   2        2  20 µs' aflame info clock.json

# a method trace does not say how it was recorded: --recorded overrides the guess
cp "$made/sampled.trace" sampled.trace
expect 0 -o 'samples about every' aflame info -q sampled.trace
expect 0 -o 'every call (instrumented)' aflame info -q sampled.trace --recorded instrumented
expect 0 -o 'calls' aflame report -q sampled.trace --recorded instrumented --by methods --format csv
expect 0 -o '31 calls' aflame calls -q sampled.trace leaf --recorded instrumented
expect 0 -o 'without call counts' aflame info -q app.trace --recorded sampled
expect 0 aflame render -q app.trace --recorded sampled -o app.svg
expect 0 -o 'without call counts' aflame info -q app.svg
expect 2 aflame info x.folded --recorded sampled
err_has '--recorded has no effect on an input in the format folded, only on: v1, v2, v1-streaming'
expect 2 aflame diff app.trace sampled.trace
err_is 'aflame: before holds calls, after samples: compare recordings of the same kind; if aflame took a method trace for the other kind, --recorded sampled or --recorded instrumented corrects it'
expect 0 aflame diff -q app.trace sampled.trace --recorded instrumented
expect 2 aflame merge app.trace sampled.trace -o no.aflp
err_has 'sampled.trace: holds samples, but app.trace holds calls; if aflame took a method trace for'

# ---- the processes of a perf.data file ----
processes=$made/perf_processes.trace
drawn_by() { # OPTION...
    expect_sh 0 "aflame convert -q --format folded $* '$processes' | sed 's/;.* / /' | sort"
}
drawn_by
printf '%s\n' 'app 5: app 1' 'app 9: app 4' 'other: other 2' 'other: worker 3' >expected
same "$captured/out" expected
drawn_by --pid all
printf '%s\n' 'app 5: app 1' 'app 9: app 4' 'other: other 2' 'other: worker 3' >expected
same "$captured/out" expected
for way in '--pid 6' '--pid other' '--process oTh'; do
    drawn_by "$way"
    printf '%s\n' 'other 2' 'worker 3' >expected
    same "$captured/out" expected
done
drawn_by --pid app # most samples
printf '%s\n' 'other 2' 'worker 3' >expected
same "$captured/out" expected
drawn_by --pid 5
echo 'app 1' >expected
same "$captured/out" expected
expect 0 aflame info --pid 6 "$processes"
out_has 'other processes have data in the file; not drawn: --process all draws them (2 times)'
expect 0 -o 'no calls, slices or samples' aflame info --pid 7 "$processes" # it has no samples
expect 2 -e 'no process is called "77"; this file has app (5), other (6), app (9)' aflame info --pid 77 "$processes"
expect 2 aflame info --pid 5 app.trace
err_has '--pid has no effect on an input in the format v1, only on: perfetto, systrace, perf-data'
# time off the CPU too
expect_sh 0 "aflame convert -q --format folded --clock wait --pid 7 '$made/perf_offcpu.trace' >some.folded"
expect_sh 0 "aflame convert -q --format folded --clock wait '$made/perf_offcpu.trace' >all.folded"
same some.folded all.folded
