# Every option changes the output, or is refused with exit 2 and a message: none is ignored.
cp "$data/sample.trace" app.trace
LC_ALL=C sed "$(cat "$data/release.sed")" app.trace >release.trace
cp "$data/mapping.txt" mapping.txt
cp "$made/perf_simpleperf.trace" perf.data

made_for=
# changes VERB OUTPUT 'OPERANDS AND OPTIONS' OPTION...
changes() {
    verb=$1 output=$2 base=$3
    shift 3
    [ "$verb$output$base" = "$made_for" ] || expect 0 aflame $verb -q $base -o "without-$output"
    made_for=$verb$output$base
    expect 0 aflame $verb -q $base "$@" -o "with-$output"
    differ "without-$output" "with-$output"
}

# refused 'VERB OPERANDS AND OPTIONS' OPTION: the message starts with the option
refused() {
    expect 2 aflame $1 $2
    err_lines 1
    err_has "--$(printf '%s' "${2#--}" | sed 's/ .*//') "
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
    refused "render app.trace -o x.$format" '--mark onCreate'
done
changes render a.png app.trace --scale 1
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
done
refused 'report app.trace --tree up' '--sort calls'
refused 'report app.trace --tree down' --invert-callers

# ---- single calls ----
for format in txt json csv html; do
    for option in '--sort start' '--top 3' '--clock cpu' '--names short'; do
        changes calls a.$format 'app.trace onBindViewHolder' $option
    done
    for option in '--title X' '--width 700' '--scale 1' '--theme dark' --inverted '--data none' \
        --no-script --static --full-depth --system-fonts '--min-width 20'; do
        refused "calls app.trace onBindViewHolder -o x.$format" "$option"
    done
done
for option in '--sort start' '--top 3'; do
    refused 'calls app.trace onBindViewHolder --around 1 -o x.svg' "$option"
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
refused 'convert --list' '--clock cpu'

# ---- input formats ----
for option in '--unit us' '--event cycles' '--symfs .' '--kallsyms mapping.txt' \
    '--other-ends ignore' '--overlaps track' --show-art-frames; do
    for verb in info report convert; do
        expect 2 aflame $verb app.trace $option
        err_has "app.trace: ${option%% *} has no effect on an input in the format v1, only on: "
        err_lines 1
    done
done
changes report a.txt perf.data --unit samples
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
expect 0 aflame convert app.trace -o x.folded
err_empty
