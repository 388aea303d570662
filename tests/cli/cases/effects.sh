# Every option changes the output, or is refused with exit 2 and a message: none is ignored.
cp "$data/sample.trace" app.trace
LC_ALL=C sed "$(cat "$data/release.sed")" app.trace >release.trace
cp "$data/mapping.txt" mapping.txt
cp "$made/perf_simpleperf.trace" perf.data
cp "$made/compare_before.trace" before.trace
cp "$made/compare_after.trace" after.trace
# a path that is deeper than a picture draws by default
for side in before after; do
    awk -v end=$side 'BEGIN {
        line = "main;root"
        for (i = 0; i < 150; i++) line = line ";f" i
        print line " " (end == "after" ? 3 : 2)
        print "main;root;broad 100000"
    }' >deep_$side.folded
done

made_for=
# changes VERB OUTPUT 'OPERANDS AND OPTIONS' OPTION...
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
    expect 2 aflame $1 $2
    err_lines 1
    err_has "--$(printf '%s' "${2#--}" | sed 's/[ =].*//') "
    out_empty
}

# ---- pictures ----
for format in svg png pdf; do
    for option in '--title X' '--width 700' '--theme dark' '--inverted' '--min-width 20' \
        '--full-depth' '--clock cpu' '--names short' '--focus onCreate' '--sort name' \
        '--thread RenderThread' '--from 100ms'; do
        changes render a.$format app.trace $option
    done
    for option in '--title X' '--width 700' '--theme dark' '--min-width 20' '--clock cpu' \
        '--names short' '--mark onCreate' '--thread RenderThread' '--from 100ms'; do
        changes render c.$format 'app.trace --view chart' $option
    done
    for option in --inverted '--focus onCreate' '--sort name' --clean; do
        refused "render app.trace --view chart -o x.$format" "$option"
    done
    for option in '--title X' '--width 700' '--theme dark' '--min-width 20' '--full-depth' \
        '--clock cpu' '--from 100ms'; do
        changes render w.$format 'app.trace --view sandwich --method =android.os.Looper.loop' \
            $option
    done
    for option in '--thread main' '--names short'; do
        changes render w.$format 'app.trace --view sandwich --method onCreate' $option
    done
    changes render w.$format 'app.trace --view sandwich --method =android.widget.TextView.setText' --focus onBindViewHolder
    refused "render app.trace --view sandwich --method onCreate -o x.$format" --inverted
    refused "render app.trace -o x.$format" '--view sandwich'
    # in a build with Graphviz
    if [ -e "$(dirname "$(readlink -f "$(command -v aflame)")")/aflame-graphviz.so" ]; then
        for option in '--title X' '--theme dark' '--clock cpu' '--focus onCreate' \
            '--thread RenderThread' '--from 100ms' '--top 5' '--min-percent 9'; do
            changes render g.$format 'app.trace --view callgraph' $option
        done
    fi
    for option in --inverted '--width 700' '--min-width 20' --full-depth; do
        refused "render app.trace --view callgraph -o x.$format" "$option"
    done
    refused "render app.trace -o x.$format" '--top 5'
    refused "render app.trace -o x.$format" '--min-percent 9'
    refused "render app.trace -o x.$format" '--method onCreate'
    refused "render app.trace -o x.$format" '--mark onCreate'
done
changes render a.png app.trace --scale 1
changes render a.png app.trace --max-bytes 50K
changes render a.svg app.trace --for slide
changes render s.pdf 'app.trace --sheet' --for slack
changes diff s.svg 'before.trace after.trace' --sheet
for option in '--title X' '--width 700' '--theme dark' --inverted '--min-width 20' --normalize; do
    changes diff s.png 'before.trace after.trace --sheet' $option
done
for option in --no-script --static; do
    changes render a.svg app.trace $option
    refused 'render app.trace -o x.png -o x.pdf' "$option"
done
for format in svg png pdf; do
    changes render a.$format app.trace --data none
    changes render a.$format 'app.trace --view chart' --data none
done
changes render a.svg 'app.trace --no-script' --data none
changes render a.svg 'app.trace --static' --data none
refused 'render app.trace -o x.svg -o x.pdf' '--scale 1'
refused 'render --csp-hash' '--width 700'
refused 'render --csp-hash' '--output x.svg'

# ---- the same option twice: the first one would have no effect ----
for words in 'render app.trace -o x.svg --sort name --sort time' 'report app.trace --sort self --sort calls' \
    'convert app.trace --sort name --focus main --sort time' 'render app.trace --width 500 --width=600'; do
    refused "${words% --*}" "--${words##* --}"
done
changes render r.svg app.trace --focus onCreate --hide Looper --hide Handler

# ---- call graphs ----
for option in '--clock cpu' '--focus onCreate' '--thread main' '--top 5' '--min-percent 9'; do
    changes convert g.dot app.trace $option
done
refused 'convert app.trace -o x.folded' '--top 5'
refused 'convert app.trace -o x.folded' '--min-percent 9'

# ---- reports ----
for format in txt json csv html; do
    for option in '--by classes' '--method onCreate' '--tree up' '--invert-callers' '--sort calls' \
        '--top 3' '--clock wall' '--names short' '--focus onCreate' '--from 100ms'; do
        changes report a.$format 'app.trace --thread main' $option
    done
    changes report t.$format 'app.trace --tree down' --min-percent 3
    changes report m.$format release.trace --mapping mapping.txt
    refused "report app.trace -o x.$format" '--min-percent 3'
    refused "report app.trace -o x.$format" --quirks
done
changes report a.html app.trace --data none
refused 'report app.trace -o x.txt -o x.json -o x.csv' '--data full'
for way in '--format dmtracedump' --records; do
    for option in '--by classes' '--method onCreate' '--tree up' '--invert-callers' '--sort calls' \
        '--top 3' '--names short' '--focus onCreate' '--mapping mapping.txt' --keep-synthetic; do
        refused "report app.trace $way" "$option"
    done
    for option in '--clock wall' '--thread main' --quirks; do
        changes report a.txt "app.trace $way" $option
    done
    changes report a.txt "app.trace --clock wall $way" --time-scale 2
done
refused 'report app.trace --tree up' '--sort calls'
refused 'report app.trace --tree down' --invert-callers

# ---- names that differ in numbers ----
printf 'main;job #1;load 5\nmain;job #2;load 6\n' >numbered.folded
for format in svg png pdf; do
    changes render n.$format numbered.folded --merge-numbers
done
changes convert n.folded numbered.folded --merge-numbers
expect 0 aflame convert -q numbered.folded --merge-numbers -o merged.folded
check 'merged names add up' grep -q '^main;job ##;load 11$' merged.folded
for way in '--by methods' '--tree down'; do
    changes report n.txt "numbered.folded $way" --merge-numbers
done
refused 'render app.trace --view chart -o x.svg' --merge-numbers

# ---- single calls ----
for format in txt json csv html; do
    for option in '--sort start' '--top 3' '--clock cpu' '--names short'; do
        changes calls a.$format 'app.trace onBindViewHolder' $option
    done
    for option in '--title X' '--scale 1' '--theme dark' --inverted '--data none' \
        --no-script --static --full-depth --system-fonts '--min-width 20'; do
        refused "calls app.trace onBindViewHolder -o x.$format" "$option"
    done
done
changes calls a.txt 'app.trace onBindViewHolder' --width 60
changes report a.txt app.trace --width 60
changes diff d.txt 'before.trace after.trace' --width 60
for format in json csv html; do
    refused "calls app.trace onBindViewHolder -o x.$format" '--width 60'
    refused "report app.trace -o x.$format" '--width 60'
done
refused 'info app.trace --json' '--width 60'
for option in '--sort start' '--top 3'; do
    refused 'calls app.trace onBindViewHolder --around 1 -o x.svg' "$option"
done

# ---- comparisons ----
cat >budget.ini <<'END'
[start]
thread = main
method = =com.example.App.onCreate
measure = inclusive wall
limit = 1 s
END
pair='before.trace after.trace'
for option in '--title X' '--width 700' '--theme dark' --inverted '--min-width 60' '--clock cpu' \
    '--focus slow' '--hide slow' '--thread main' '--from 20ms' --exact-names '--min-delta 20ms' \
    --normalize --no-script --static '--data none'; do
    changes diff d.svg "$pair" $option
done
changes diff d.svg 'deep_before.folded deep_after.folded' --full-depth
for format in png pdf; do
    changes diff d.$format "$pair" --title X
    changes diff d.$format "$pair" --hide slow
    for option in --no-script --static --paths '--by classes'; do
        refused "diff $pair -o x.$format" "$option"
    done
    changes diff d.$format "$pair" --data none
done
changes diff d.png "$pair" --scale 1
refused "diff $pair -o x.svg" '--scale 1'
for option in '--clock cpu' '--focus slow' '--hide slow' '--thread main' '--from 20ms' \
    '--by classes' '--method slow' '--top 3' '--min-delta 20ms' --normalize --paths --exact-names \
    '--tree down' '--tree up'; do
    changes diff d.json "$pair" $option
done
for format in svg png pdf; do
    for option in '--title X' '--width 700' '--theme dark' '--min-width 60' '--clock cpu' \
        '--thread main' '--from 20ms' '--align Work.slow' '--data none'; do
        changes diff c.$format "$pair --view chart" $option
    done
    for option in --inverted --normalize --exact-names '--min-delta 20ms' --no-script \
        '--budget budget.ini'; do
        refused "diff $pair --view chart -o x.$format" "$option"
    done
    refused "diff $pair -o x.$format" '--align Work.slow'
done
refused "diff $pair -o x.txt" '--view chart'
for format in txt csv html md folded; do
    changes diff d.$format "$pair" --focus slow
    for option in '--title X' --no-script; do
        refused "diff $pair -o x.$format" "$option"
    done
done
changes diff d.html "$pair" --data none
for format in txt csv md folded; do
    refused "diff $pair -o x.$format" '--data none'
done
expect 0 aflame diff -q $pair -o both.svg
changes report s.txt both.svg --side before
changes render s.svg both.svg --side before
for words in info 'render -o s.svg' report 'convert -o s.aflp' 'merge -o s.aflp'; do
    expect 2 aflame $words before.trace --side before
    err_has 'this file holds one recording; only pictures'
done
for format in txt csv html md; do
    changes diff d.$format "$pair" --by classes
    changes diff d.$format "$pair" --min-delta 20ms
done
for option in --paths '--by classes' '--method slow' '--tree up' '--top 3'; do
    refused "diff $pair -o x.folded" "$option"
done
changes diff d.txt "$pair --tree down" --min-percent 20
refused "diff $pair" '--min-percent 3'
refused "diff $pair -o x.json" --raw-csv
changes diff d.txt 'app.trace release.trace --thread main' --mapping-after mapping.txt
changes diff d.txt 'release.trace app.trace --thread main' --mapping-before mapping.txt

# ---- limits ----
for format in txt json xml md; do
    changes check v.$format 'after.trace --budget budget.ini' --ignore slow
done
expect 2 -e '--thread' aflame check after.trace --budget budget.ini --thread main
err_lines 1

# ---- sums ----
for format in aflp folded pb.gz; do
    for option in '--thread main' '--hide slow' '--from 20ms'; do
        changes merge s.$format "$pair" $option
    done
done

# ---- other tools' formats ----
for format in folded pb.gz callgrind; do
    changes convert a.$format 'app.trace --thread main' --clock cpu
    changes convert a.$format 'app.trace --thread main' --sort name
done
for format in speedscope.json json pftrace firefox.json gecko.json spall; do
    refused "convert app.trace -o x.$format" '--sort name'
done
changes convert a.speedscope.json 'app.trace --hide Looper' --sort name
refused 'convert app.trace' '--remove-gaps 3'
refused 'convert app.trace -o x.json' --any-size
# wall times are scaled, and where both clocks are written that shows
for words in 'report app.trace' 'report app.trace -o x.csv' 'convert app.trace -o x.spall' 'diff app.trace app.trace'; do
    refused "$words --clock cpu" '--time-scale 2'
done
for way in 'render a.svg' 'report a.html' 'convert a.pb.gz' 'convert a.callgrind'; do
    changes ${way% *} ${way#* } 'app.trace --clock cpu' --time-scale 2
done
refused 'convert --list' '--clock cpu'

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
expect 0 aflame info app.zip
cp "$captured/out" best.txt
expect 0 aflame info app.zip --entry old.trace
differ best.txt "$captured/out"
expect 2 -e '--entry' aflame info app.trace --entry old.trace
changes report a.txt perf.data --unit samples
refused_on() { # INPUT REASON OPTION
    for verb in info report convert; do
        expect 2 aflame $verb $1 $3
        err_is "aflame: ${1%% *}: ${3%% *} $2"
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
        expect 2 aflame report $input --symfs $folder
        err_is "aflame: --symfs: $folder is not a folder"
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
