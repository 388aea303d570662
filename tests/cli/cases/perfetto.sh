# Perfetto traces with several kinds of data and several processes.
cp "$made/perfetto_processes.trace" processes.pftrace
# packets of several recordings may follow each other
for kind in samples heap javaheap ftrace; do
    cat "$made/perfetto_$kind.trace"
done >kinds.pftrace

# ---- kinds of data ----
expect 0 -o 'content     6 stack samples, 1 sample without a stack, 3 stacks with allocations' aflame info kinds.pftrace
out_has 'not drawn   --source chooses one of: heap, java-heap, slices' 'ftrace: 2 (403 bytes)'
out_has 'the file holds other kinds of data; not drawn'
expect 0 -o 'not drawn   --source chooses one of: samples, java-heap, slices' aflame info --source heap kinds.pftrace
out_has 'dumps       2 of libc.malloc in process 7'
for source in samples heap java-heap slices; do
    expect 0 aflame convert -q --source $source --format folded kinds.pftrace -o $source.folded
done
for other in heap java-heap slices; do
    differ samples.folded $other.folded
done
expect 2 aflame render --source none kinds.pftrace -o x.svg
err_is 'aflame: kinds.pftrace: "none" is not a kind of data; the kinds are samples, heap, java-heap, slices'
expect 2 aflame render --source heap processes.pftrace -o x.svg
err_is 'aflame: processes.pftrace: this Perfetto trace holds no heap; it holds slices'
absent x.svg

# options of data that is not drawn
for verb in info report convert; do
    for option in '--dump 1' '--dump 1ns'; do
        expect 2 aflame $verb --source slices $option kinds.pftrace
        err_is 'aflame: kinds.pftrace: --dump has no effect: no dumps of a heap are drawn'
    done
    expect 2 aflame $verb --source slices --event allocated kinds.pftrace
    err_is 'aflame: kinds.pftrace: --event has no effect: no samples are drawn'
done
expect 2 aflame info --source samples --dump 1 kinds.pftrace
err_is 'aflame: kinds.pftrace: --dump has no effect: no dumps of a heap are drawn'
expect 0 aflame info --source java-heap --dump 1 "$made/perfetto_javaheap.trace"
mkdir project
printf 'dump = 1\nevent = allocated\nsource = slices\n' >project/.aflame
expect_sh 0 "cd project && aflame info ../kinds.pftrace"

# track events carry stacks, here with weights
expect 0 -o 'ui;main;work 3' aflame convert -q --source samples "$made/perfetto_event_stacks.trace"
out_has 'ui;main;leaf 2.5'
expect 0 -o 'ui;main;work 1' aflame convert -q --unit samples "$made/perfetto_event_stacks.trace" --source samples
expect 0 -o 'event       cpu cycles (1 of 2 events)' aflame info --event 'cpu cycles' "$made/perfetto_samplers.trace"
expect 2 -e 'this recording has no event "cpu"' aflame info --event 'cpu' "$made/perfetto_samplers.trace"

# of 70 CPUs that lost events 64 are listed; a counter of the battery is one of no process
expect_sh 0 -o '128 events on CPU 64, and on 6 other CPUs' "aflame info '$made/perfetto_marks.trace' | tr -s '\n ' ' '"
expect 0 -o 'counters    1 value of 1 counter' aflame info "$made/perfetto_marks.trace"
expect 0 -o 'process     tool (40)' aflame info "$made/perfetto_rests.trace"
expect 2 aflame convert -q --source samples --event cycles "$made/perfetto_event_stacks.trace"
err_has 'this recording has no event "cycles"; it has stacks of track events'

# ---- dumps of a heap ----
expect 0 aflame convert -q --source heap --event allocated --dump 1 --format folded kinds.pftrace
out_has 'libc.malloc;main;load;decode 1000'
expect 0 aflame convert -q --source heap --event allocated --dump 2 --format folded kinds.pftrace
out_has 'libc.malloc;main;load;decode 3000'
expect 2 aflame convert -q --source heap --dump 3 --format folded kinds.pftrace
err_is 'aflame: kinds.pftrace: this trace has no heap dump 3; the last one is 2'
expect 2 aflame convert --dump 100ns --format folded "$made/perfetto_heap.trace"
err_has 'this trace has no heap dump before 100 ns; the first one is at 900 ns'
expect 2 aflame convert --source java-heap --dump 2 --format folded kinds.pftrace
err_has 'this trace has no Java heap dump 2; the last one is 1'
expect 2 -e '--dump' aflame convert --dump 0 --format folded kinds.pftrace

# what is measured, with several heaps; Java's does not report what is freed
heaps="$made/perfetto_heaps.trace"
while read -r event process main load; do
    expect 0 -o ";main $main" aflame convert -q --event $event --process $process "$heaps"
    out_has ";main;load $load"
done <<END
unreleased 7 4000 31600
allocated 7 4096 32000
unreleased-count 7 39 316
allocated-count 7 40 320
unreleased 8 700 800
allocated-count 8 7 5
END
expect 2 aflame convert -q --event cycles "$heaps"
err_has 'this heap profile has no event "cycles"; it has unreleased, allocated, unreleased-count, allocated-count'
expect 0 -o 'part        dumps up to 2.5' aflame info --dump 2 "$heaps"
out_has '34 of libc.malloc in process 7, 1 of com.android.art in process 8'

# heaps are not called threads
for kind in heap javaheap; do
    expect 0 aflame report -q $made/perfetto_$kind.trace --by threads --by methods --tree up \
        --method /./ --format html --data none
    out_has ' of 1 heap;' '>heaps<' '<td class="n">heap '
    expect_sh 0 "aflame report -q $made/perfetto_$kind.trace --by threads --by methods --tree up \
        --method /./ | sed 1d"
    out_has ' of 1 heap;' 'heaps by inclusive' '  heap '
    out_lacks 'thread'
done

# growth between two dumps
growth='kinds.pftrace kinds.pftrace --source heap --event allocated --dump-before 1 --dump-after 2'
expect 0 -o 'libc.malloc;main;load;decode 1000 3000' aflame diff -q $growth --format folded
out_has 'libc.malloc;main;decode 0 512'
expect 0 aflame diff -q $growth -o growth.svg
opens growth.svg
contains growth.svg 'Change of self bytes:'
check 'nothing is pale here' [ "$(grep -c '>pale: within noise<' growth.svg)" -eq 0 ]
expect 0 -o '(1 heap, 1 run)' aflame diff $growth --by threads
out_has 'heaps by size of the difference'
out_lacks 'noise' 'thread' 'of bytes'
expect 0 -o 'heaps       1 with records' aflame info --source heap kinds.pftrace
out_has 'heaps by weight'
expect 2 -e 'this trace has no heap dump 3' aflame diff -q kinds.pftrace kinds.pftrace --source heap --dump-after 3

# classes of a Java heap get their names from a mapping too
cat >heap-map.txt <<'MAP'
com.real.Picture -> android.graphics.Bitmap:
    1:3:void draw():20:28 -> a
com.real.Window -> com.example.app.Screen:
MAP
expect 0 aflame convert --source java-heap --mapping heap-map.txt --format folded kinds.pftrace
out_has 'Java heap;com.real.Picture;[native] com.real.Picture 4096' 'Java heap;com.real.Window 100'
err_lacks 'contains no class'

# a dump is also selected by a time, 0 s or 1 us here
expect 0 aflame convert -q --source heap --event allocated --dump 1ns --format folded kinds.pftrace
out_has 'libc.malloc;main;load;decode 1000'
for time in -1s 1x ''; do
    expect 2 aflame report --source heap --dump "$time" kinds.pftrace
done
expect 2 aflame report --source java-heap --dump 1s kinds.pftrace
err_is 'aflame: kinds.pftrace: dumps of a Java heap are selected by number: --dump 1'
expect 0 -o 'part        dump 1 of 2, at 0 s' aflame info --source heap --dump 1 kinds.pftrace

# a chart has a dot for each dump, and what the heap held then
expect 0 aflame render -q --view chart --source heap --event allocated kinds.pftrace -o dots.svg -o dots.png -o dots.pdf
opens dots.svg dots.png
for title in 'dump 1 · at 0 s' 'dump 2 · at 1 µs' \
    'libc.malloc: allocated bytes · maximum 7,608, minimum 5,096'; do
    check "the chart lacks $title" grep -qF "<title>$title" dots.svg
done
expect 0 aflame render -q --view chart --source heap --dump 1 kinds.pftrace -o dots.svg
omits dots.svg 'dump 2'
expect 2 aflame render -q --view chart --source java-heap kinds.pftrace -o none.svg
err_has 'the input does not record when its stacks were sampled, so it has no chart'
absent none.svg

# --from and --to select two dumps, and the outputs are those of the comparison
heap='kinds.pftrace --source heap --event allocated'
expect 0 aflame diff -q $growth -o same.svg -o same.pdf -o same.json -o same.html -o same.folded
expect 0 -w same.txt aflame diff -q $growth
expect 0 aflame render -q $heap --from 0ns -o x.svg -o x.pdf
same x.svg same.svg
same x.pdf same.pdf
expect 0 aflame report -q $heap --from 0ns -o x.json -o x.html
same x.json same.json
same x.html same.html
expect 0 -s same.folded aflame convert -q $heap --from 0ns
rm x.*
for range in '--from 0s --to 1us' '--from 999ns' '--to 9s' '--from -1us'; do
    expect 0 -s same.txt aflame report -q $heap $range
done
grep -q 'kinds.pftrace, dump 1 of 2, at 0 s' same.svg || fail 'the picture names no dump'
expect 0 -e 'kinds.pftrace: drawn as kinds.svg' aflame render $heap --from 0ns
same kinds.svg same.svg
while read -r words; do
    expect 2 -l 1 aflame $words
    absent x.svg x.json
done <<WRONG
render -q $heap --from 1us -o x.svg
render -q $heap --to 999ns -o x.svg
render -q $heap --from 0ns --dump 1 -o x.svg
render -q $heap --from 0ns --view chart -o x.svg
render -q $heap --from 0ns --view sandwich --method decode -o x.svg
report -q $heap --from 0ns --records
convert -q $heap --from 0ns -o x.json
convert -q $heap --from 0ns -o x.folded.gz
calls -q $heap --from 0ns
check $heap --from 0ns --budget /dev/null
render -q $made/perfetto_javaheap.trace --from 0ns -o x.svg
WRONG
expect 2 sh -c "aflame render -q - --source heap --from 0ns -o x.svg <kinds.pftrace"
err_is 'aflame: standard input: aflame reads a heap once for each dump; save it to a file first'

# ---- processes ----
expect 0 -o serve aflame report --process all processes.pftrace
out_has measure wait
expect 0 -o measure aflame report processes.pftrace
out_lacks serve wait
expect 0 aflame render processes.pftrace -o app.svg
expect 0 aflame render --process app processes.pftrace -o same.svg
same app.svg same.svg
expect 0 aflame render --process all processes.pftrace -o all.svg
differ app.svg all.svg
for which in 800 com.example.quiet QUIET; do
    expect 0 -o 'wait 1' -n measure aflame convert --process $which --format folded processes.pftrace
done
expect 2 aflame render --process nobody processes.pftrace -o x.svg
err_is 'aflame: processes.pftrace: no process is called "nobody"; this file has system_server (500), com.example.busy (700), com.example.quiet (800)'
expect 2 aflame info --process nobody "$made/perfetto_nowhere.trace"
err_has 'no process is called "nobody"; this file has process 40'
expect 0 aflame info processes.pftrace
out_has 'processes   system_server (500), com.example.busy (700), com.example.quiet (800)'
out_has 'other processes have data in the file; not drawn: --process all draws them (2 times)'
out_has 'no data     ' 'idle-worker (701)'
for source in samples heap java-heap; do
    expect 0 aflame convert -q --source $source --process 7 --format folded kinds.pftrace
    same "$captured/out" $source.folded
    expect 2 aflame convert -q --source $source --process 9 --format folded kinds.pftrace
    err_has 'no process is called "9"; this file has com.example.app (7)'
done

# ---- why threads do not run ----
expect 0 aflame info "$made/perfetto_scheduling.trace"
out_has 'scheduling  main (20): running 3 µs, runnable 3 µs, sleeping 3 µs, uninterruptible'

# a chart has a band of these states, with a legend
for name in perfetto_scheduling perfetto_waits systrace_text; do
    expect 0 aflame render -q --view chart "$made/$name.trace" -o band.svg -o band.pdf -o band.png
    opens band.svg band.png
    check 'the legend is missing' sh -c 'pdftotext -layout band.pdf - |
        grep -q "scheduler: .*running .*runnable, without a processor .*blocked"'
    cp band.svg $name.svg
done
band() { # TIMES OPTION...: the text of the only band of a chart, '' = it has none
    times=$1
    shift
    expect 0 aflame render -q --view chart "$@" -o band.svg
    opens band.svg
    if [ -n "$times" ]; then contains band.svg "<title>running $times"; else omits band.svg '<title>running'; fi
}
waits=$made/perfetto_waits.trace
contains perfetto_scheduling.svg '<title>running 3 µs, runnable 3 µs, blocked 5 µs'
contains perfetto_waits.svg '<title>running 5.3 µs, runnable 2.6 µs, blocked 8 µs'
contains systrace_text.svg '<title>running 10 µs, runnable 20 µs, blocked 0'
contains systrace_text.svg '<title>running 30 µs, runnable 0, blocked 10 µs'
band '100 ns, runnable 1.9 µs, blocked 0' --from 5us --to 7us "$waits"
band '10.6 µs, runnable 5.2 µs, blocked 16 µs' --time-scale 2 "$waits"
band '' --clock cpu "$waits"
# times start at the first sample
band '8.00 ms, runnable 1.00 ms, blocked 11.0 ms' "$made/perfetto_sample_states.trace"
band '3.00 ms, runnable 1.00 ms, blocked 6.00 ms' --from 2ms --to 12ms "$made/perfetto_sample_states.trace"
# 8,000 switches in 1,200 pixels
awk 'BEGIN {
    print "# tracer: nop\n app-7 ( 7) [000] ...1 99.999000: tracing_mark_write: B|7|work"
    for (; i < 4000; i++) {
        printf " <idle>-0 (-----) [000] d..3 100.%06d: sched_switch: prev_comm=swapper prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app next_pid=7 next_prio=110\n", i * 10
        printf " app-7 ( 7) [000] d..3 100.%06d: sched_switch: prev_comm=app prev_pid=7 prev_prio=110 prev_state=S ==> next_comm=swapper next_pid=0 next_prio=120\n", i * 10 + 3
    }
    print " app-7 ( 7) [000] ...1 100.040000: tracing_mark_write: E|7"
}' >switches.systrace
band '12.0 ms, runnable 0, blocked 28.0 ms' switches.systrace
band '300 µs, runnable 0, blocked 700 µs' --from 2ms --to 3ms switches.systrace
band '' "$made/perfetto_events.trace"

# the part of the waiting in which no processor was free follows the slices everywhere
for way in '' '--sort name' '--merge-threads all' '--hide nothing'; do
    expect 0 -o 'inner,other,3000' aflame report -q --by waits --format csv $way "$waits"
    out_has 'inner,processor,2000' 'outer,processor,500'
done
expect 0 aflame convert -q "$waits" -o waits.aflp -o waits-after.aflp
expect 0 aflame render -q "$waits" -o waits.svg
for saved in waits.aflp waits.svg; do
    expect 0 -o 'inner,processor,2000' aflame report -q --by waits --format csv $saved
done
expect 0 aflame convert -q "$waits" --time-scale 2 -o twice.aflp
expect 0 aflame merge -q "$waits" twice.aflp -o merged.aflp
expect 0 -o 'inner,processor,6000' aflame report -q --by waits --format csv merged.aflp
# threads of a recording without it keep it absent
expect 0 aflame merge -q "$waits" "$made/perfetto_legacy.trace" -o merged.aflp
expect 0 -o 'inner,processor,2000' aflame report -q --by waits --format csv merged.aflp
expect 0 -o 'inner,processor,4000' aflame report -q --by waits --format csv --time-scale 2 "$waits"
expect 0 -o 'outer,processor,2500' aflame report -q --by waits --format csv --hide inner "$waits"
expect 0 -o 'outer,processor,500' aflame report -q --by waits --format csv --ignore inner "$waits"
expect 0 -n runnable aflame report -q --by methods --format csv "$made/perfetto_ftrace.trace"
expect 0 -o 'worker (101)' aflame calls -q --format csv "$waits" outer --hide inner
expect 0 aflame render -q --view chart "$waits" -o waits-chart.svg
contains waits-chart.svg 'ended by worker (101)'
expect 0 aflame render -q --view chart --redact "$waits" -o waits-redacted.svg
omits waits-redacted.svg worker
contains waits-redacted.svg 'ended by thread-'
cat >waits.budget <<'BUDGET'
[processor]
waits = processor
limit = 2us
BUDGET
expect 1 -o '2.6' aflame check "$waits" --budget waits.budget
sed 's/limit = 2us/limit = 3us/' waits.budget >waits-enough.budget
expect 0 aflame check "$waits" --budget waits-enough.budget

# comparisons have that reason if both sides record it, for one run and for several
for way in "$waits $waits" "--before $waits --before $waits --after $waits --after $waits"; do
    expect 0 -o 'other,8000,8000,' aflame diff -q --by waits --format csv $way
    out_has 'processor,2600,2600,'
done

# ---- events that the kernel lost, by CPU ----
lost='17 events on CPU 0, 1 event on CPU 2, an unknown number on CPU 3'
expect 0 -o "kernel lost $lost" aflame info "$made/perfetto_kernel_loss.trace"
out_has 'the kernel lost events: its buffer was full (record with a larger buffer) (19 times)'
expect 0 aflame render -q "$made/perfetto_kernel_loss.trace" -o lost.svg
check 'the health line lacks the CPUs' grep -qF "$lost" lost.svg
expect 0 aflame render -q "$made/perfetto_overwritten.trace" -o lost.svg
contains lost.svg 'were overwritten or lost (3 times)'
expect 0 -o 'kernel lost 12 events on CPU 1' aflame info "$made/systrace_text.trace"

# ---- lost packets: a begin and an end of one writer, the end after a gap and an overwritten chunk ----
printf '\012\015\100\350\007\120\001\132\006\110\001\272\001\001a' >gap.pftrace
printf '\012\014\100\350\010\120\001\320\002\102\132\002\110\002' >>gap.pftrace
expect 0 -o 'gaps        1 time, of 1 writer: lost on the way, overwritten' aflame info gap.pftrace
out_has 'packets of the recording were lost'

# ---- names that come after the events that need them ----
printf '\012\017\100\350\007\120\001\150\001\132\006\110\001\120\005\130\007' >late.pftrace
printf '\012\013\100\350\010\120\001\132\004\110\002\130\007' >>late.pftrace
printf '\012\015\120\001\142\011\022\007\010\005\022\003abc' >>late.pftrace
expect 0 -o 'abc;abc 128' aflame convert --folded-unit ns late.pftrace
err_is "aflame: late.pftrace: folded files cannot hold this, so it is left out: that asynchronous tracks are no threads"

# ---- slices that overlap without nesting: three of 5 us that begin at 1, 3 and 4.56 us ----
for begin in '\350\007' '\270\027' '\320\043'; do
    printf '\012\023\100'"$begin"'\120\001\132\014\130\005\272\001\001a\062\004\020\130\030\005'
done >overlaps.pftrace
expect 0 aflame convert --folded-unit ns overlaps.pftrace
err_has 'overlap without nesting; the later ones are clamped to the end of the earlier (2 times)'
out_has 'a;a 2000' 'a;a;a;a 1440'
expect 0 -o 'a;a 5000' aflame convert --folded-unit ns --overlaps track overlaps.pftrace
out_has 'a (overlap);a 5000' 'a (overlap 2);a 5000'
err_is "aflame: overlaps.pftrace: folded files cannot hold this, so it is left out: that asynchronous tracks are no threads"

# ---- names of functions from other files ----
mkdir -p symbols/bin
cp "$made/refused/elf.trace" symbols/bin/app
cp "$made/refused/elf.trace" outside
expect 0 aflame convert -q --format folded "$made/perfetto_symfs.trace"
out_has 'app+0x1111;app+0x1010;app+0x1010;outside+0x1010;app+0x1130 '
expect 0 aflame convert --format folded --symfs symbols "$made/perfetto_symfs.trace"
out_has 'main;foo::leaf;app+0x1010;outside+0x1010;app+0x1130 '
err_has 'do not belong to the recorded build'
expect 0 aflame convert -q --format folded --symfs symbols/bin "$made/perfetto_symfs.trace"
out_has 'main;foo::leaf;app+0x1010;outside+0x1010;app+0x1130 '
expect 0 aflame convert -q --format folded --symfs project "$made/perfetto_symfs.trace"
out_has 'app+0x1111;app+0x1010;app+0x1010;'

# ---- ANR reports: what the threads wait for ----
expect 0 aflame report -q --by waits --format csv "$made/anr_report.trace"
out_has 'name,waits_for,self_dumps,self_percent' 'com.example.Main.run,lock,1,16.6667'
out_has 'main,Object.wait,1,16.6667' 'com.example.Main.main,sleep,1,16.6667' 'draw,other,1,16.6667'
out_has 'quoted"" name",idle,1,16.6667'
out_lacks Runnable
expect 0 aflame convert -q "$made/anr_report.trace" -o anr.aflp
expect 0 -o 'com.example.Main.run,lock,1,16.6667' aflame report -q --by waits --format csv anr.aflp
expect 2 -e 'waiting needs both clocks' aflame report -q --by waits "$made/perfetto_samples.trace"

# ---- nothing to draw: a sentence, in the picture too ----
expect 0 -o 'content     1 value of counters' aflame info "$made/perfetto_counter.trace"
out_has 'not read    Android logs: 1 (4 bytes)'
for option in '' '--view sandwich --method x'; do
    expect 1 aflame render "$made/perfetto_counter.trace" $option -o nothing.svg
    err_has 'nothing to draw: this Perfetto trace holds no slices, samples or heaps; --view chart draws its counters and instants, or record with ftrace'
    absent nothing.svg
done
expect 1 aflame "$made/perfetto_counter.trace"
expect 0 aflame render --view chart "$made/perfetto_counter.trace" -o counter.svg
contains counter.svg memory
expect 0 aflame render -q --view chart "$made/perfetto_forms.trace" -o line.svg
contains line.svg '1 more counter (1 constant, 0 of other processes)'
expect 0 aflame render -q --view chart "$made/perfetto_forms.trace" --full-depth -o forms.svg
contains forms.svg 'load · maximum 1.5, minimum 1.5'
expect 0 aflame render "$made/perfetto_overwritten.trace" -o lost.svg
contains lost.svg 'their names were overwritten'
expect 1 aflame render "$made/refused/perfetto_nothing.trace" -o x.svg
err_has 'empty Perfetto trace, without slices, samples, heaps or names of threads: it holds configuration: 1 (2 bytes), service events: 1 (2 bytes); record with ftrace and atrace categories, track_event, linux.perf or android.heapprofd'

# ---- nothing to draw because of damage: what happened to it, with counts, and no other reason ----
expect 0 aflame info "$made/perfetto_unrelated.trace"
out_has 'content     1 slice, 2 switches of the scheduler' 'dropped (6 times)'
expect 0 aflame info "$made/perfetto_packed_damage.trace"
out_has 'compressed parts of the file are damaged; only the intact part is read (at byte 0)'
out_has 'holds no calls, slices or samples to draw'
out_lacks 'the recording ended immediately'
expect 0 aflame info "$made/perfetto_counter.trace"
out_has 'the recording ended immediately, or recorded no slices, samples or heaps'
expect 0 -n 'am profile' -o 'end the recording first' aflame info "$made/perfetto_loss.trace"
expect 0 aflame render "$made/perfetto_packed_damage.trace" -o damage.svg
contains damage.svg 'compressed parts of the file are damaged'
expect 0 aflame info "$made/perfetto_unended_heap.trace"
out_has 'packets of heap dumps are missing: the dumps are incomplete'
expect 0 -o 'everything recorded adds up to 0' aflame info "$made/perfetto_instant_slice.trace"
out_has 'overwritten or lost; dropped (2 times)'

# ---- own files come back whole ----
expect 0 aflame convert -q --process all processes.pftrace -o own.pftrace -o before.folded
expect 0 aflame convert -q own.pftrace -o after.folded
same before.folded after.folded
expect 0 aflame info --process app own.pftrace
out_has 'other processes have data in the file; not drawn: --process all draws them (2 times)'

# ---- times in which a thread could run, in views of methods ----
expect 0 aflame render -q --view sandwich --method inner "$made/perfetto_waits.trace" -o sandwich.svg -o sandwich.png
opens sandwich.svg sandwich.png
expect 0 aflame report -q --invert-callers --by waits --format csv "$made/perfetto_waits.trace"
out_has 'inner,processor,2000,'
expect 0 -o 'inner,processor,2000,' aflame report -q --sort name --by waits --format csv "$made/perfetto_waits.trace"

# ---- text that ends within a line ----
for text in systrace_text perf_script; do
    head -c -12 "$made/$text.trace" >cut.txt
    expect 0 -o 'CUT OFF: the end is missing' aflame info cut.txt
    expect 0 -n 'CUT OFF' aflame info "$made/$text.trace"
done

# ---- states: each lasts until the next one; without a name it only ends the one before ----
printf '\012\014@dP\001Z\006H\005\272\001\001i\012\014@xP\001Z\006H\005\272\001\001b' >states.pftrace
printf '\012\010@~P\001Z\002H\005\012\011@\200\001P\001Z\002H\005' >>states.pftrace
expect 0 -o 'content     2 slices' aflame info states.pftrace
out_has 'no problems found'
expect 0 -o 'Default Track;i 20' aflame convert -q --folded-unit ns states.pftrace
out_has 'Default Track;b 6'

# ---- more than 512 levels are drawn, and counted ----
for level in $(seq 514); do
    printf '\012\014@dP\001Z\006H\001\272\001\001a'
done >deep.pftrace
printf '\012\014@xP\001Z\006H\001\272\001\001b' >>deep.pftrace
expect 0 -o 'slices are below the 512 levels at which Perfetto stops; drawn (3 times)' aflame info deep.pftrace

# ---- a graph leaves out tracks that belong to no thread, unless they are selected or alone ----
mark='app-7 (7) [000] .... 100.00000%d: tracing_mark_write: %s\n'
printf "$mark" 0 'S|7|load|1' 1 'B|7|work' 3 'E|7' 8 'F|7|load|1' | tee both.txt |
    grep load >alone.txt
expect 0 aflame convert -q both.txt -o both.aflp
for input in both.txt both.aflp; do
    expect 0 aflame render -q --no-script --data none $input -o both.svg
    contains both.svg '1 thread not drawn (wall time): load'
    expect 0 aflame render -q --no-script --data none -t all $input -o both.svg
    check 'the selected track is left out' [ "$(grep -c 'not drawn' both.svg)" -eq 0 ]
done
expect 0 aflame render -q --no-script --data none --view chart both.txt -o both.svg
check 'the chart lacks the track' [ "$(grep -c 'not drawn' both.svg)" -eq 0 ]
expect 0 aflame render -q --no-script --data none alone.txt -o alone.svg
check 'there is nothing to draw' [ "$(grep -c 'not drawn' alone.svg)" -eq 0 ]

# ---- heaps: all released; Java's allocations, which have no releases ----
tables='P\001@\011\252\002%b\012\005\010\001\022\001f\022\004\010\001\020\001\032\004\010\001\020\001'
sample='H\005\022\012\010\001\020@\030@(\002\060\002'
printf "\\012\\071$tables*\\035\\010\\007Z\\013libc.malloc$sample" '\0062' >released.pftrace
printf "\\012=$tables*!\\010\\007Z\\017com.android.art$sample" '\0066' >allocations.pftrace
# a sample of an unknown stack comes first
unknown='\022\012\010\011\020@\030@(\002\060\002'
printf "\\012\\105$tables*)\\010\\007Z\\013libc.malloc$unknown$sample" '\0076' >unknown.pftrace
expect 0 -o 'content     1 sample without a stack, 1 stack with allocations' aflame info unknown.pftrace
expect 0 aflame info released.pftrace
out_has 'everything in these stacks was released before the dump; --event allocated draws it'
out_lacks 'the recording ended immediately'
expect 0 aflame render -q released.pftrace -o released.svg
contains released.svg 'was released before the dump'
expect 0 -o 'libc.malloc;f 64' aflame convert -q --event allocated released.pftrace
expect 0 -o 'stacks of the heap com.android.art do not record releases' aflame info allocations.pftrace
expect 0 -o 'no problems found' -n 'do not record releases' aflame info --event allocated allocations.pftrace
