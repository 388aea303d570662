# Every option changes the output, or is refused with exit 2 and a message: none is ignored.
cp "$data/mapping.txt" mapping.txt
cp "$made/perf_simpleperf.trace" perf.data
# a path that is deeper than a picture draws by default
for side in before after; do
    awk -v end=$side 'BEGIN {
        line = "main;root"
        for (i = 0; i < 150; i++) line = line ";f" i
        print line " " (end == "after" ? 3 : 2)
        print "main;root;broad 100000"
    }' >deep_$side.folded
done

# changes VERB OUTPUT 'OPERANDS AND OPTIONS' OPTION...
made_for=
changes() {
    in_part || return 0
    verb=$1 output=$2 base=$3
    shift 3
    [ "$verb$output$base" = "$made_for" ] || expect 0 aflame $verb -q $base -o "without-$output"
    made_for=$verb$output$base
    expect 0 aflame $verb -q $base "$@" -o "with-$output"
    differ "without-$output" "with-$output"
}

# refused 'VERB OPERANDS AND OPTIONS' OPTION: the message starts with the option
refused() {
    in_part || return 0
    start=${2%%[ =]*}
    expect 2 -e "$start " -o '' -l 1 aflame $1 $2
}

cat >budget.ini <<'END'
[start]
thread = main
method = =com.example.App.onCreate
measure = inclusive wall
limit = 1 s
END
printf 'main;job #1;load 5\nmain;job #2;load 6\n' >numbered.folded
graphviz=$(dirname "$(readlink -f "$(command -v aflame)")")/aflame-graphviz.so

# Each row: whether the options change the output or are refused, the verb, the formats of the output
# (- = none is named), operands and other options, and after each colon one of the options.
while read kind verb formats row; do
    for format in $(echo "$formats" | tr , ' '); do
        base=${row%% : *} rest="${row#* : } : "
        case $kind$base in changes*callgraph) [ -e "$graphviz" ] || continue ;; esac
        while [ -n "$rest" ]; do
            option=${rest%% : *} rest=${rest#* : }
            case $kind$format in
            changes*) changes $verb x.$format "$base" $option ;;
            refused-) refused "$verb $base" "$option" ;;
            refused*) refused "$verb $base -o x.$format" "$option" ;;
            esac
        done
    done
done <<'END'
changes render svg,png,pdf app.trace : --title X : --width 700 : --theme dark : --inverted : --min-width 20 \
    : --full-depth : --clock cpu : --names short : --focus onCreate : --sort name : --thread RenderThread \
    : --from 100ms : --data none
refused render svg,png,pdf app.trace : --view sandwich : --top 5 : --min-percent 9 : --method onCreate : --mark onCreate
changes render svg,png,pdf app.trace --view chart : --title X : --width 700 : --theme dark : --min-width 20 \
    : --clock cpu : --names short : --mark onCreate : --thread RenderThread : --from 100ms : --data none
refused render svg,png,pdf app.trace --view chart : --inverted : --focus onCreate : --sort name : --clean
refused render svg app.trace --view chart : --merge-numbers
changes render svg,png,pdf app.trace --view sandwich --method =android.os.Looper.loop : --title X : --width 700 \
    : --theme dark : --min-width 20 : --full-depth : --clock cpu : --from 100ms
changes render svg,png,pdf app.trace --view sandwich --method onCreate : --thread main : --names short
changes render svg,png,pdf app.trace --view sandwich --method =android.widget.TextView.setText : --focus onBindViewHolder
refused render svg,png,pdf app.trace --view sandwich --method onCreate : --inverted
changes render svg,png,pdf app.trace --view callgraph : --title X : --theme dark : --clock cpu : --focus onCreate \
    : --thread RenderThread : --from 100ms : --top 5 : --min-percent 9
refused render svg,png,pdf app.trace --view callgraph : --inverted : --width 700 : --min-width 20 : --full-depth
changes render png app.trace : --scale 1 : --max-bytes 50K
changes render svg app.trace : --for slide : --no-script : --static : --clock wait : --thread all
refused render png app.trace -o x.pdf : --no-script : --static
changes render svg app.trace --no-script : --data none
changes render svg app.trace --static : --data none
refused render svg app.trace -o x.pdf : --scale 1
refused render - --csp-hash : --width 700 : --output x.svg
changes render pdf app.trace --sheet : --for slack
changes diff svg before.trace after.trace : --sheet
changes diff png before.trace after.trace --sheet : --title X : --width 700 : --theme dark : --inverted \
    : --min-width 20 : --normalize
changes render svg,png,pdf numbered.folded : --merge-numbers
changes convert folded numbered.folded : --merge-numbers
changes report txt numbered.folded --by methods : --merge-numbers
changes report txt numbered.folded --tree down : --merge-numbers
refused render svg app.trace --sort name : --sort time
refused report - app.trace --sort self : --sort calls
refused convert - app.trace --sort name --focus main : --sort time
refused render svg app.trace --width 500 : --width=600
changes render svg app.trace --focus onCreate --hide Looper : --hide Handler
changes convert dot app.trace : --clock cpu : --focus onCreate : --thread main : --top 5 : --min-percent 9
refused convert folded app.trace : --top 5 : --min-percent 9
changes report txt,json,csv,html app.trace --thread main : --by classes : --method onCreate : --tree up \
    : --invert-callers : --sort calls : --top 3 : --clock wall : --names short : --focus onCreate : --from 100ms
changes report txt,json,csv,html app.trace --tree down : --min-percent 3
changes report txt,json,csv,html release.trace : --mapping mapping.txt
refused report txt,json,csv,html app.trace : --min-percent 3 : --quirks
changes report html app.trace : --data none
refused report txt app.trace -o x.json -o x.csv : --data full
refused report - app.trace --format dmtracedump : --by classes : --method onCreate : --tree up : --invert-callers \
    : --sort calls : --top 3 : --names short : --focus onCreate : --mapping mapping.txt : --keep-synthetic
refused report - app.trace --records : --by classes : --method onCreate : --tree up : --invert-callers \
    : --sort calls : --top 3 : --names short : --focus onCreate : --mapping mapping.txt : --keep-synthetic
changes report txt app.trace --format dmtracedump : --clock wall : --thread main : --quirks
changes report txt app.trace --records : --clock wall : --thread main : --quirks
changes report txt app.trace --clock wall --format dmtracedump : --time-scale 2
changes report txt app.trace --clock wall --records : --time-scale 2
refused report - app.trace --tree up : --sort calls
refused report - app.trace --tree down : --invert-callers
changes calls txt,json,csv,html app.trace onBindViewHolder : --sort start : --top 3 : --clock cpu : --names short
refused calls txt,json,csv,html app.trace onBindViewHolder : --title X : --scale 1 : --theme dark : --inverted \
    : --data none : --no-script : --static : --full-depth : --system-fonts : --min-width 20
changes calls txt app.trace onBindViewHolder : --width 60
changes report txt app.trace : --width 60
changes diff txt before.trace after.trace : --width 60
refused calls json,csv,html app.trace onBindViewHolder : --width 60
refused report json,csv,html app.trace : --width 60
refused info - app.trace --json : --width 60
refused calls svg app.trace onBindViewHolder --around 1 : --sort start : --top 3
changes diff svg before.trace after.trace : --title X : --width 700 : --theme dark : --inverted : --min-width 60 \
    : --clock cpu : --focus slow : --hide slow : --thread main : --from 20ms : --exact-names : --min-delta 20ms \
    : --normalize : --no-script : --static : --data none
changes diff svg deep_before.folded deep_after.folded : --full-depth
changes diff png,pdf before.trace after.trace : --title X : --hide slow : --data none
refused diff png,pdf before.trace after.trace : --no-script : --static : --paths : --by classes
changes diff png before.trace after.trace : --scale 1
refused diff svg before.trace after.trace : --scale 1
changes diff json before.trace after.trace : --clock cpu : --focus slow : --hide slow : --thread main : --from 20ms \
    : --by classes : --method slow : --top 3 : --min-delta 20ms : --normalize : --paths : --exact-names : --tree down \
    : --tree up
changes diff svg,png,pdf before.trace after.trace --view chart : --title X : --width 700 : --theme dark \
    : --min-width 60 : --clock cpu : --thread main : --from 20ms : --align Work.slow : --data none
refused diff svg,png,pdf before.trace after.trace --view chart : --inverted : --normalize : --exact-names \
    : --min-delta 20ms : --no-script : --budget budget.ini
refused diff svg,png,pdf before.trace after.trace : --align Work.slow
refused diff txt before.trace after.trace : --view chart
changes diff txt,csv,html,md,folded before.trace after.trace : --focus slow
refused diff txt,csv,html,md,folded before.trace after.trace : --title X : --no-script
changes diff html before.trace after.trace : --data none
refused diff txt,csv,md,folded before.trace after.trace : --data none
changes diff txt,csv,html,md before.trace after.trace : --by classes : --min-delta 20ms
refused diff folded before.trace after.trace : --paths : --by classes : --method slow : --tree up : --top 3
changes diff txt before.trace after.trace --tree down : --min-percent 20
refused diff - before.trace after.trace : --min-percent 3
refused diff json before.trace after.trace : --raw-csv
changes diff txt app.trace release.trace --thread main : --mapping-after mapping.txt
changes diff txt release.trace app.trace --thread main : --mapping-before mapping.txt
changes check txt,json,xml,md after.trace --budget budget.ini : --ignore slow
changes merge aflp,folded,pb.gz before.trace after.trace : --thread main : --hide slow : --from 20ms
changes convert folded,pb.gz,callgrind app.trace --thread main : --clock cpu : --sort name
refused convert speedscope.json,json,pftrace,firefox.json,gecko.json,spall app.trace : --sort name
changes convert speedscope.json app.trace --hide Looper : --sort name
refused convert - app.trace : --remove-gaps 3
refused convert json app.trace : --any-size
refused convert - --list : --clock cpu
refused report - app.trace --clock cpu : --time-scale 2
refused report csv app.trace --clock cpu : --time-scale 2
refused convert spall app.trace --clock cpu : --time-scale 2
refused diff - app.trace app.trace --clock cpu : --time-scale 2
changes render svg app.trace --clock cpu : --time-scale 2
changes report html app.trace --clock cpu : --time-scale 2
changes convert pb.gz,callgrind app.trace --clock cpu : --time-scale 2
END

expect 0 aflame convert -q numbered.folded --merge-numbers -o merged.folded
check 'merged names add up' grep -q '^main;job ##;load 11$' merged.folded
expect 0 aflame diff -q before.trace after.trace -o both.svg
changes report s.txt both.svg --side before
changes render s.svg both.svg --side before
for words in info 'render -o s.svg' report 'convert -o s.aflp' 'merge -o s.aflp'; do
    expect 2 -e 'this file holds one recording; only pictures' aflame $words before.trace --side before
done
expect 2 -e '--thread' -l 1 aflame check after.trace --budget budget.ini --thread main

# ---- input formats ----
for option in '--unit us' '--event cycles' '--symfs .' '--kallsyms mapping.txt' \
    '--other-ends ignore' '--overlaps track' --show-art-frames '--source heap' '--process app' '--dump 1'; do
    for verb in info report convert; do
        expect 2 aflame $verb app.trace $option
        err_has "app.trace: ${option%% *} has no effect on an input in the format v1, only on: "
        err_lines 1
    done
done
for kind in samples heap javaheap ftrace; do
    cat "$made/perfetto_$kind.trace"
done >kinds.pftrace
changes diff d.txt 'kinds.pftrace kinds.pftrace --source heap --event allocated' --dump-before 1
changes diff d.svg 'kinds.pftrace kinds.pftrace --source heap --event allocated --dump-before 2' \
    --dump-after 1
for way in 'report x.txt' 'convert x.folded' 'render x.svg'; do
    changes ${way% *} ${way#* } kinds.pftrace --source heap
    changes ${way% *} ${way#* } "$made/perfetto_processes.trace" --process quiet
    changes ${way% *} ${way#* } "$made/perf_processes.trace" --pid other
    changes ${way% *} ${way#* } 'kinds.pftrace --source heap --event allocated' --dump 1
    changes ${way% *} ${way#* } 'kinds.pftrace --source heap --event allocated' --dump 1ns
    changes ${way% *} ${way#* } 'kinds.pftrace --source heap --event allocated' --from 0ns
done
cp "$made/zip.trace" app.zip
expect 0 -w best.txt aflame info app.zip
expect 0 aflame info app.zip --entry old.trace
differ best.txt "$captured/out"
expect 2 -e '--entry' aflame info app.trace --entry old.trace
changes report a.txt perf.data --unit samples
refused_on() { # INPUT REASON OPTION
    for verb in info report convert; do
        expect 2 -m "aflame: ${1%% *}: ${3%% *} $2" aflame $verb $1 $3
    done
}
for kind in samples heap javaheap ftrace; do
    cp "$made/perfetto_$kind.trace" $kind.pftrace
    for unit in ns x; do
        refused_on $kind.pftrace 'has no effect: what is drawn has a unit of its own' "--unit $unit"
    done
done
refused_on perf.data 'has no effect: what is drawn has a unit of its own' '--unit ns'
for kind in heap javaheap ftrace; do
    refused_on $kind.pftrace 'has no effect: what is drawn has a unit of its own' '--unit samples'
done
for kind in samples heap javaheap; do
    refused_on $kind.pftrace 'has no effect: no calls are drawn' '--overlaps track'
    expect 2 aflame report $kind.pftrace --time-scale 2
    err_is "aflame: $kind.pftrace: the input holds samples; only times of calls can be scaled"
done
for kind in javaheap ftrace; do
    refused_on $kind.pftrace 'has no effect: no stacks of native code are drawn' '--symfs .'
done
for input in perf.data samples.pftrace ftrace.pftrace app.trace; do
    for folder in nowhere mapping.txt; do
        expect 2 -m "aflame: --symfs: $folder is not a folder" aflame report $input --symfs $folder
    done
done
changes report a.txt perf.data --show-art-frames
for option in '--other-ends ignore' '--overlaps track'; do
    expect 2 aflame report perf.data $option
done

# ---- options in the project file for other verbs are not refused ----
printf '%s\n' 'scale = 1' 'mark = onCreate' 'inverted = true' 'min-percent = 3' 'quirks = true' \
    'overlaps = track' >.aflame
expect 0 aflame render app.trace -o x.svg
expect 0 aflame render app.trace --view chart -o x.png
expect 0 aflame report app.trace -o x.txt
expect 0 aflame calls app.trace onBindViewHolder -o x.csv
expect 0 -e '' aflame convert app.trace -o x.folded
