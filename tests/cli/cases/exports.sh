# Exports for other tools.
expect 0 -e '' aflame convert --list
for word in Inputs v1 v1-streaming v2 long-running Outputs folded speedscope chrome perfetto pprof firefox gecko callgrind '*.json'; do
    out_has "$word"
done
expect 2 -m 'aflame: --list takes no trace: the formats are the same for all' aflame convert --list app.trace
expect_sh 5 'aflame convert --list >/dev/full'

# the longest extension decides; .gz compresses
expect 0 aflame convert app.trace -o x.json -o x.speedscope.json -o x.json.gz -o X.SPEEDSCOPE.JSON.GZ \
    -o x.folded.gz
err_empty
for format in chrome:x.json speedscope:x.speedscope.json; do
    expect 0 -s ${format#*:} aflame convert app.trace --format ${format%%:*}
done
expect_sh 0 -s x.json 'gzip -dc x.json.gz'
expect_sh 0 -s x.speedscope.json 'gzip -dc X.SPEEDSCOPE.JSON.GZ'
expect 0 aflame convert app.trace -o x.folded
expect_sh 0 -s x.folded 'gzip -dc x.folded.gz'
expect 0 aflame convert app.trace --format chrome -o other.gz
same other.gz x.json.gz
expect 2 -e 'does not end in a known format' aflame convert app.trace -o x.svg.gz
expect 2 -e 'does not end in a known format' aflame render app.trace -o x.svg.gz
expect 2 -e 'did you mean speedscope?' aflame convert app.trace --format speedscop -o y.json
expect_sh 0 -s x.json 'aflame convert --format chrome - <app.trace'
expect 0 -s x.json aflame convert app.trace --jobs 1 --format chrome
expect_sh 5 -e 'No space left' 'aflame convert app.trace --format chrome >/dev/full'
expect 5 -e 'No space left' aflame convert app.trace --format speedscope -o /dev/full

# one clock, or both if the format supports it
contains x.json '"tdur"'
expect 0 -n tdur aflame convert app.trace --clock cpu --format chrome
differ "$captured/out" x.json
expect 0 aflame convert app.trace --clock cpu --format speedscope
differ "$captured/out" x.speedscope.json

# calls can be selected by thread and time range too
expect 0 aflame convert app.trace --format chrome --thread RenderThread
check 'other threads are written' sh -c "! grep -q '\"tid\":9214,\"args\":{\"name\":\"main\"' '$captured/out'"
out_has RenderThread
expect 0 aflame convert app.trace --format chrome --from 200ms --to 210ms
check 'calls outside the part are written' \
    awk -F'"ts":' '/"ph":"X"/ { split($2, t, ","); if (t[1] < 200000 || t[1] > 210000) exit 1; n++ }
                   END { exit n < 10 }' "$captured/out"

# the name that KCachegrind expects
expect 0 aflame convert app.trace -o callgrind.out.7
expect 0 -s callgrind.out.7 -o 'events: wall_ns cpu_ns' aflame convert app.trace --format callgrind
out_has 'fn=(400) [thread main]'
expect 0 aflame convert app.trace --format callgrind --clock cpu --thread main
out_has 'events: cpu_ns wall_ns' 'summary: 674294000 1104512000'
expect 0 -o 'events: wait_ns wall_ns cpu_ns' aflame convert app.trace --format callgrind --clock wait

# binary output never goes to a terminal, and is compressed under any name
expect 0 aflame convert app.trace -o x.pprof -o x.pb.gz -o y.pb
same x.pprof x.pb.gz
same y.pb x.pb.gz
for clock in wall:9 cpu:11 wait:13; do
    expect_sh 0 -o "default_sample_type: ${clock#*:}" "aflame convert app.trace --clock ${clock%:*} --format pprof |
        gzip -dc | protoc --proto_path=\"$data/../../src\" --decode=af.pprof.Profile export/pprof.proto"
done
check 'fields have no name' sh -c "! grep -qE '^ *[0-9]+[:{ ]' '$captured/out'"

expect 2 aflame convert app.trace --remove-gaps x --format gecko
err_is 'aflame: --remove-gaps takes a whole number from 0 up, not "x"'

# step options that need call trees
for step in '--hide Looper' '--fold framework' '--max-depth 3' '--merge-threads all' '--clean'; do
    # shellcheck disable=SC2086
    expect 2 aflame convert app.trace $step -o refused.spall
    err_has "spall needs single calls, but $step works on call trees only"
    # shellcheck disable=SC2086
    expect 0 -o '"type":"sampled"' -n '"type":"evented"' aflame convert app.trace $step --format speedscope
done
expect 2 -e 'waiting is computed for call trees only' aflame convert app.trace --clock wait -o refused.spall
expect 0 -o '"type":"sampled"' aflame convert app.trace --clock wait --format speedscope
expect 2 aflame convert app.trace --sort name --format chrome
err_is 'aflame: --sort has no effect on a format with single calls'
absent refused.spall '.aflame-*'

# all outputs or none
expect 2 aflame convert app.trace --hide Looper -o new.folded -o refused.spall
absent new.folded refused.spall

# protoc decodes messages with the public numbers of fields by the descriptions from which their writers are made
decode() {
    protoc --proto_path="$data/../../src" "--decode=af.$1" "export/${1%.*}.proto"
}
{
    cat "$made/pprof.trace"
    printf '\120\350\007\140\001'
} | decode pprof.Profile >by_number.txt
decode perfetto.Trace <"$made/perfetto_events.trace" >>by_number.txt
for line in 'location_id: 2' 'value: 5000' 'str: 8' 'num: 5' 'function_id: 70' 'line: 12' 'system_name: 13' 'filename: 12' \
    'start_line: 12' 'string_table: "a comment"' 'comment: 15' 'time_nanos: 1700000000000000000' 'duration_nanos: 1000' \
    'period: 1' 'default_sample_type: 3' 'sequence_flags: 1' 'process_name: "com.example.app"' 'thread_name: "worker"' \
    'tid: 41' 'uuid: 102' 'parent_uuid: 100' 'type: TYPE_SLICE_BEGIN' 'type: TYPE_SLICE_END' 'type: TYPE_INSTANT' \
    'type: TYPE_COUNTER' 'name_iid: 2' 'category_iids: 1' 'track_uuid: 102' 'name: "measure"' 'timestamp: 2500'; do
    check "$line is missing" grep -qE "^ *$line\$" by_number.txt
done
expect 0 aflame convert app.trace -o x.pftrace -o x.gecko.json -o x.firefox.json
contains x.gecko.json '"interval": 0.05,'
decode perfetto.Trace <x.pftrace >x.txt
contains x.txt TYPE_SLICE_BEGIN
check 'fields have no name' sh -c "! grep -qE '^ *[0-9]+[:{ ]' x.txt"

# stacks in a Perfetto or Chrome trace: recorded samples have their times, trees have none
expect 0 aflame convert app.trace --hide Looper -o stacks.json
err_is 'aflame: app.trace: the stacks have no recorded times; the Chrome trace shows them one after the other
aflame: app.trace: the Chrome trace holds samples, which ui.perfetto.dev does not show; a Perfetto trace (.pftrace) holds them too'
contains stacks.json '"otherData":{"writer":"aflame","weightUnit":"us"},"traceEvents":['
expect 0 aflame convert app.trace --hide Looper -o stacks.pftrace
err_is 'aflame: app.trace: the stacks have no recorded times; the Perfetto trace shows them one after the other'
decode perfetto.Trace <stacks.pftrace >stacks.txt
for line in 'name: "wall time"' 'unit: UNIT_TIME_NS' 'stack_sample {' 'primary_weight: '; do
    check "$line is missing" grep -qF "$line" stacks.txt
done
check 'fields have no name' sh -c "! grep -qE '^ *[0-9]+[:{ ]' stacks.txt"
expect 0 -e '' aflame convert "$made/perf_linux.trace" -o recorded.pftrace
expect 0 -e 'samples, which ui.perfetto.dev does not show' aflame convert "$made/perf_linux.trace" -o recorded.json
for file in "$made/perf_linux.trace" recorded.pftrace recorded.json; do
    expect_sh 0 "aflame info --json $file | grep -E '\"(unit|records|total|first_us|last_us)\"'"
    cp "$captured/out" "$(basename $file).facts"
done
same perf_linux.trace.facts recorded.pftrace.facts
same perf_linux.trace.facts recorded.json.facts
check 'the last sample differs' [ "$(tail -n 2 recorded.json)" = \
    '{"name":"cycles:P","ts":2,"pid":5,"tid":5,"sf":"6","weight":30}
]}' ]
contains recorded.pftrace.facts '"last_us": 2,'
awk 'BEGIN { for (i = 0; i < 600; i++) printf "%sf%d", i ? ";" : "", i; print " 2.5" }' >deep.folded
expect 0 aflame convert -q deep.folded -o deep.pftrace -o deep.json
decode perfetto.Trace <deep.pftrace >deep.txt
for line in 'unit_str: "1/1000 samples"' 'primary_weight: 2500' 'str: "f599"'; do
    check "$line is missing" grep -qF "$line" deep.txt
done
for file in deep.pftrace deep.json; do
    expect 0 aflame convert -q $file -o deep_again.folded
    same deep.folded deep_again.folded
done

# zero-length calls keep their position: at the end of their caller, before a longer sibling,
# inside another zero-length call, above a call that starts at the same time
cat >short.json <<'END'
[{"name":"a","ph":"B","pid":1,"tid":1,"ts":0},{"name":"first","ph":"B","pid":1,"tid":1,"ts":0},
{"ph":"E","pid":1,"tid":1,"ts":0},{"name":"b","ph":"B","pid":1,"tid":1,"ts":0},
{"name":"in b","ph":"B","pid":1,"tid":1,"ts":0},{"ph":"E","pid":1,"tid":1,"ts":0},
{"name":"c","ph":"B","pid":1,"tid":1,"ts":0},{"ph":"E","pid":1,"tid":1,"ts":5},
{"name":"last","ph":"B","pid":1,"tid":1,"ts":5},{"name":"deep","ph":"B","pid":1,"tid":1,"ts":5},
{"ph":"E","pid":1,"tid":1,"ts":5},{"ph":"E","pid":1,"tid":1,"ts":5},{"ph":"E","pid":1,"tid":1,"ts":5},
{"name":"then","ph":"B","pid":1,"tid":1,"ts":5},{"ph":"E","pid":1,"tid":1,"ts":5},
{"ph":"E","pid":1,"tid":1,"ts":5},{"name":"next","ph":"B","pid":1,"tid":1,"ts":5},
{"ph":"E","pid":1,"tid":1,"ts":8}]
END
for format in chrome spall speedscope; do
    expect 0 aflame convert short.json --format $format -o short.$format
    for file in short.json short.$format; do
        expect_sh 0 "aflame report $file --tree down --top 0 --min-percent 0 --format csv >$file.csv"
    done
    same short.json.csv short.$format.csv
done
check 'the position of a zero-length call is missing' grep -q '"name":"deep".*"dur":0,.*"depth":4,"order":1}' short.chrome
check 'a call has an unnecessary position' sh -c "! grep '\"name\":\"a\"' short.chrome | grep -q depth"

# Spall holds 255 bytes of a name, which end with a whole letter
printf '[{"ph":"X","pid":1,"tid":1,"name":"%s","ts":0,"dur":5}]' "$(printf 'ä%.0s' $(seq 200))" >umlauts.json
expect 0 aflame convert umlauts.json -o umlauts.spall
expect 0 -o ";$(printf 'ä%.0s' $(seq 127)) 5" aflame convert -q umlauts.spall

# Perfetto supports 512 nested calls: deeper calls have neither begin nor end
for n in 512 513; do
    awk -v n=$n 'BEGIN { print "["
        for (i = 0; i < n; i++)
            printf "{\"ph\":\"X\",\"name\":\"f%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},\n", i, i, 2 * (n - i) }' \
        >deep$n.json
    expect 0 aflame convert deep$n.json -o deep$n.pftrace -o deep$n.gz.json
done
err_is "aflame: deep513.json: perfetto files hold at most 512 nested calls; deeper ones were left out, and their time counts as their caller's"
contains deep513.pftrace f511
expect 0 -e '' aflame convert -q deep513.json -o quiet.pftrace
same quiet.pftrace deep513.pftrace
expect 0 -e '' aflame convert deep512.json -o deep512.pftrace

# 200,000 nested calls come back whole, although their samples have 40 billion frames
expect 0 aflame convert "$made/deep.trace" -o deep.firefox.json -o deep.callgrind
for file in deep.firefox.json deep.callgrind; do
    expect 0 -e '' -o 'a.A.down,399999000,100.0000,399999000,' aflame report $file --format csv
    expect 0 -o '"max_depth": 200000' aflame info --json $file
done

# stacks in comments of callgrind files: without them, or if the costs were changed, the costs are divided
expect 0 aflame convert app.trace -o app.callgrind
expect 0 -e '' aflame convert app.callgrind -o whole.folded
same whole.folded x.folded
sed '/^#=end/d' app.callgrind >cut.callgrind
awk '/^fn=/ && !done { done = 1; print; getline; $2 = $2 + 1000; print; next } { print }' app.callgrind >changed.callgrind
sed 's/^#=2 /#=9 /' app.callgrind >odd.callgrind
cat app.callgrind cut.callgrind >half.callgrind
for file in cut changed odd half; do
    expect 0 -e 'callgrind does not store stacks' aflame convert $file.callgrind -o $file.folded
done
expect_sh 0 'cat app.callgrind app.callgrind >twice.callgrind'
expect 0 -e '' aflame convert twice.callgrind -o twice.folded
expect_sh 0 "awk '{ \$NF *= 2; print }' x.folded >doubled.folded"
same twice.folded doubled.folded

# What a format cannot hold is reported in one line, and in the file if the format has a place for it;
# what it can hold comes back; without the feature in the input nothing is said. Each line: the format,
# what it cannot hold, and the text that a file has before the sentence (- = the format has no place).
cat >features <<'END'
clock v2_single_cpu that times are CPU time
sampling sampled that the calls come from samples
overflow overflow that the buffer overflowed
counters chrome_counters counters
instants chrome_instants instants
tracks chrome_tracks that asynchronous tracks are no threads
groups chrome_groups categories of the input
marked chrome_marked instants, categories of the input
mixed chrome_mixed categories of the input
details chrome_details arguments, flows, objects and markers
later chrome_mixed categories that slices of one name have later
none basic nothing
END
cat >formats <<'END'
folded - overflow counters instants tracks groups marked mixed
speedscope "leftOut":" counters instants tracks groups marked mixed
chrome "leftOut":" details later
perfetto - details later
pprof left\040out:\040 overflow counters instants tracks groups marked mixed
firefox "leftOut":" overflow counters instants tracks groups marked mixed
gecko "leftOut":\040" overflow counters instants tracks groups marked mixed
callgrind desc:\040Left\040out:\040 overflow counters instants tracks groups marked mixed
dot left_out=" overflow counters instants tracks groups marked mixed
spall - sampling overflow counters instants tracks groups marked mixed
aflp - details later
END
sed -i '/ mixed$/s/$/ details/' formats
event='{"ph":"X","pid":1,"tid":1,"name":"work","ts":0,"dur":100'
printf '[%s},\n{"ph":"C","pid":1,"tid":1,"name":"heap","ts":7,"args":{"used":12.5}}]\n' "$event" >chrome_counters.trace
printf '[%s},\n{"ph":"i","s":"t","pid":1,"tid":1,"name":"vsync","ts":9}]\n' "$event" >chrome_instants.trace
printf '[%s},\n{"ph":"b","cat":"","id":1,"name":"load","pid":1,"tid":1,"ts":3},
{"ph":"e","cat":"","id":1,"name":"load","pid":1,"tid":1,"ts":5}]\n' "$event" >chrome_tracks.trace
printf '[%s,"cat":"net"}]\n' "$event" >chrome_groups.trace
printf '[%s},\n{"ph":"i","s":"t","pid":1,"tid":1,"name":"vsync","cat":"gfx","ts":9}]\n' "$event" >chrome_marked.trace
printf '[%s,"cat":"net"},\n%s,"cat":"disk"}]\n' "$event" "$event" >chrome_mixed.trace
printf '[%s,"args":{"n":1}},\n%s}]\n' "$event" "$event" >chrome_details.trace
for file in v2_single_cpu sampled overflow basic; do
    cp "$made/$file.trace" .
done
rows=0
while read -r format before losses; do
    while read -r feature file words; do
        rows=$((rows + 1)) output=lost_$feature.$format
        if [ $format-$feature = spall-clock ]; then
            expect 2 -e "spall files cannot state $words" aflame convert $file.trace --format $format -o $output
            continue
        fi
        expect 0 aflame convert $file.trace --format $format -o $output
        reason="$format files cannot hold this, so it is left out"
        case $feature in details | later) reason='aflame does not export this' ;; esac
        sed -i "/$reason/!d" "$captured/err" # warnings about the input
        case " $losses " in
        *" $feature "*)
            err_is "aflame: $file.trace: $reason: $words"
            [ "$before" = - ] || {
                text=$(printf "$before")
                cp $output plain
                [ $format != pprof ] || gzip -dc <$output >plain
                check "$output lacks the sentence" grep -aqF "$text$words" plain
            }
            ;;
        *) err_empty ;;
        esac
    done <features
done <formats
check 'the table has other formats than convert writes' [ "$(cut -d' ' -f1 formats | tr '\n' ' ')" = \
    "$(aflame convert --list | sed -n '/^Outputs/,$s/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')" ]
check 'rows are missing' [ $rows -eq 132 ]
# what is stated comes back
for format in chrome perfetto speedscope; do
    for fact in 'sampling:recorded    samples' overflow:OVERFLOWED 'clock:thread CPU only'; do
        expect 0 -o "${fact#*:}" aflame info lost_${fact%%:*}.$format
    done
done
for format in chrome perfetto; do
    expect 0 aflame convert lost_tracks.$format --format chrome
    check "the track is a thread after $format" grep -q '"name":"load",.*"ph":"b","ts":3' "$captured/out"
done
expect 2 -e 'spall files cannot state that times are CPU time' aflame convert "$made/v2_single_cpu.trace" -o cpu.spall
absent cpu.spall
expect 2 -e 'use --clock wall' aflame convert app.trace --clock cpu -o cpu.spall
# categories of aflame are none of the input, also when its own files are read again
expect 0 aflame convert app.trace -o own.json
expect 0 -e '' aflame convert own.json -o own.folded
# markers of Firefox, in both of its formats; aflame writes none
for file in x.gecko.json x.firefox.json; do
    expect 0 -n 'details that aflame does not read' aflame info $file
    sed 's/"markers": {"data": \[\]/"markers": {"data": [[0, 1, null, 0, 1], [0, 2, null, 0, 1]]/
         s/"markers":{[^}]*}/"markers":{"name":[0,0],"length":2}/' $file >marked.json
    expect 0 -o 'details that aflame does not read' aflame info marked.json
done
# all categories of an event, also of instants, counters and names that tell what they are
cat >cats.json <<'END'
[{"ph":"X","pid":1,"tid":1,"name":"java.lang.Thread.run","cat":"net","ts":0,"dur":1000},
{"ph":"X","pid":1,"tid":1,"name":"V8::parse","cat":"disabled-by-default-v8,devtools","ts":0,"dur":900},
{"ph":"X","pid":1,"tid":1,"name":"GC::mark","cat":"kernel","ts":1,"dur":800},
{"ph":"X","pid":1,"tid":1,"name":"none","ts":2,"dur":9},
{"ph":"i","s":"t","pid":1,"tid":1,"name":"vsync","cat":"gfx,io","ts":9},
{"ph":"i","s":"p","pid":1,"tid":1,"name":"trim","cat":"mem","ts":9},
{"ph":"C","pid":1,"tid":1,"name":"heap","cat":"mem","ts":7,"args":{"used":12.5}},
{"ph":"b","cat":"asy","id":1,"name":"load","pid":1,"tid":1,"ts":3},
{"ph":"n","cat":"asy","id":1,"name":"hit","pid":1,"tid":1,"ts":4},
{"ph":"e","cat":"asy","id":1,"name":"load","pid":1,"tid":1,"ts":5}]
END
list_categories()
{
    sed -n 's/.*"name":"\([^"]*\)","cat":"\([^"]*\)","ph":"\([^"]*\)".*/\1 \2 \3/p' "$1" | grep -v ',aflame ' |
        sort
}
cat >categories.txt <<'END'
GC::mark kernel X
V8::parse disabled-by-default-v8,devtools X
heap mem C
hit asy n
java.lang.Thread.run net X
load asy b
load asy e
trim mem i
vsync gfx,io i
END
expect 0 -e '' aflame convert cats.json -o cats.pftrace -o cats2.json
expect 0 -e '' aflame convert cats.pftrace -o cats3.json
expect 0 -e '' aflame convert cats3.json -o cats4.json
for n in 2 3 4; do
    list_categories cats$n.json >found.txt
    same found.txt categories.txt
    check "aflame's own category is missing from cats$n.json" grep -q '"none","cat":"[^"]*,aflame"' cats$n.json
done
expect 0 aflame convert cats.json --max-depth 2 -o stacks.json
expect 0 -o '  v8' aflame report --by categories stacks.json
expect 0 aflame convert cats.json --max-depth 2 -o stacks.pftrace
err_has 'perfetto files cannot hold this, so it is left out: counters, instants, that asynchronous tracks are no threads, categories of the input'
# asynchronous slices and their instants stay what they are, nested and overlapping ones too
cat >async.json <<'END'
[{"ph":"X","pid":1,"tid":1,"name":"work","ts":0,"dur":100},
{"ph":"b","cat":"net","id":1,"name":"load","pid":1,"tid":1,"ts":3},
{"ph":"b","cat":"net","id":1,"name":"dns","pid":1,"tid":1,"ts":4},
{"ph":"n","cat":"net","id":1,"name":"hit","pid":1,"tid":1,"ts":4},
{"ph":"b","cat":"net","id":2,"name":"load","pid":1,"tid":1,"ts":4},
{"ph":"e","cat":"net","id":1,"name":"dns","pid":1,"tid":1,"ts":5},
{"ph":"b","cat":"net","id":2,"name":"zero","pid":1,"tid":1,"ts":5},
{"ph":"e","cat":"net","id":2,"name":"zero","pid":1,"tid":1,"ts":5},
{"ph":"e","cat":"net","id":1,"name":"load","pid":1,"tid":1,"ts":6},
{"ph":"e","cat":"net","id":2,"name":"load","pid":1,"tid":1,"ts":9}]
END
expect 0 -e '' aflame convert async.json -o again.json
for phase in X:1 b:4 e:4 n:1; do
    check "the file has not ${phase#*:} times ${phase%:*}" [ "$(grep -c "\"ph\":\"${phase%:*}\"" again.json)" = "${phase#*:}" ]
done
check 'the two loads share an id' [ "$(sed -n 's/.*"load".*"b".*"id":"\([0-9]*\)".*/\1/p' again.json | sort -u | wc -l)" = 2 ]
for file in async again; do
    expect_sh 0 "aflame info --json $file.json | sed 's/$file.json//' >$file.info"
    expect 0 aflame convert -q $file.json -o $file.folded
done
same async.info again.info
same async.folded again.folded
expect 0 aflame convert again.json -o third.json
same again.json third.json
# their series are in order of time, not of the file
list_markers()
{
    sed -n '/"marks"/,/^  \]/p' "$captured/out" | tr -d '\n ' | sed 's/^"marks":\[//; s/\],*$//; s/},*/}\n/g' | sort
}
expect 0 -e '' aflame convert "$made/chrome_markers.trace" -o markers.json
expect 0 aflame info --json "$made/chrome_markers.trace"
list_markers >before.txt
expect 0 aflame info --json markers.json
list_markers >after.txt
same before.txt after.txt
check 'the input has no markers' test -s before.txt
expect 0 -e '' aflame convert "$made/chrome_markers.trace" -o markers.pftrace
expect 0 aflame info --json markers.pftrace
list_markers >perfetto.txt
same before.txt perfetto.txt
# not next to stacks
expect 0 aflame convert "$made/chrome_markers.trace" --max-depth 1 -o stacks.pftrace
err_has 'perfetto files cannot hold this, so it is left out: counters, instants'
expect 0 -e 'counters, instants' aflame convert "$made/chrome_markers.trace" -o markers.spall

# a call at 0 and one in 2026: aflame reads what it wrote
printf '[{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":3000},{"ph":"X","pid":1,"tid":1,"name":"b",
    "ts":1767225600000000,"dur":5000}]' >decades.json
for export in decades.speedscope.json decades.firefox.json decades.pftrace decades.aflp; do
    expect 0 aflame convert -q decades.json -o $export
    expect 0 -o '100 % = 8.00 ms' aflame report $export
done
