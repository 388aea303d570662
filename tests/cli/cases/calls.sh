# Single calls: lists, their options, the picture of one call.

# the numbers match the report
expect 0 -e '' aflame calls app.trace =java.lang.Object.wait --format json
out_has '"name": "java.lang.Object.wait", "calls": 13, "recursive_calls": 1' '"total_wall_ns": 1897'
out_has '"number": 12, "caller": "java.lang.ref.ReferenceQueue.remove", "start_ns": 654935000, "wall_ns": 449'
out_has '"ended": "open"'
check 'the list does not have 13 calls' [ "$(grep -c '"number"' "$captured/out")" = 13 ]
expect 0 -o '"calls": 12, "recursive_calls": 1, "total_calls": 13' aflame report app.trace --format json

# longest first; columns, rows
expect 0 aflame calls app.trace onBindViewHolder --top 3
out_has 'calls of com.example.recipes.list.RecipeAdapter.onBindViewHolder by wall; 14 calls on main'
out_has '     4  608.046 ms  2.04 ms' '... 11 more; --top 0 shows all'
out_lacks ' 637.798 ms'
expect 0 aflame calls app.trace onBindViewHolder --sort start --format csv
check 'the calls are not sorted by start' sh -c "cut -d, -f 5 '$captured/out' | tail -n +2 | sort -nc"
check 'the list does not have one line per call' [ "$(wc -l <"$captured/out")" = 15 ]
expect 0 -n wall aflame calls app.trace onBindViewHolder --clock cpu
out_has 'calls of com.example.recipes.list.RecipeAdapter.onBindViewHolder by CPU; 14 calls on main'
expect 0 aflame calls app.trace onBindViewHolder --sort thread
expect 2 -e 'unknown column "durtion"' aflame calls app.trace onBindViewHolder --sort durtion
expect 0 aflame calls app.trace wait -o calls.html -o calls.json -o calls.csv -o calls.txt
check 'the page is not well-formed XML' xmllint --noout calls.html
present calls.json calls.csv calls.txt
expect 0 -o 'trace,method,number' aflame calls app.trace app.trace =java.lang.Object.wait --format csv
# the columns are those of the table in the manual, for any trace
manual_block aflame-calls.1 'CREATE TABLE calls' >calls.sql || fail 'the manual has no table'
columns=$(sed 's/^CREATE TABLE calls (//; s/ *\(TEXT\|BIGINT\)//g; s/);//' calls.sql | tr -d ' \n')
for trace in app.trace "$made/perfetto_waits.trace" "$made/recursion.trace"; do
    expect 0 aflame calls "$trace" '**' --format csv
    check "the columns of $trace are not those of the manual" \
        [ "$(head -n 1 "$captured/out" | tr -d '\r')" = "$columns" ]
done

# the input's packing and path do not change the list
expect 0 -w all.txt aflame calls app.trace wait --top 0
expect_sh 0 'cat app.trace | aflame calls - wait --top 0'
sed 1d "$captured/out" >piped.txt
check 'the list from a pipe differs' sh -c 'sed 1d all.txt | cmp - piped.txt'
expect 0 -s all.txt aflame calls app.trace wait --top 0 --jobs 1

# steps, in their order; they change which calls remain
expect 0 -o 'by wall; 12 calls' aflame calls app.trace =java.lang.Object.wait --collapse-recursion
expect 0 -o 'by wall; 2 calls on main' aflame calls app.trace =java.lang.Object.wait --thread main
expect 0 aflame calls app.trace =java.lang.Object.wait --root ReferenceQueue.remove --format csv
check 'calls outside the root are listed' [ "$(wc -l <"$captured/out")" = 7 ]
expect 0 aflame calls app.trace onBindViewHolder --ignore TextView.setText --top 1
out_has 'by wall; 14 calls on main' '--ignore TextView.setText left out'
expect 0 aflame calls app.trace onBindViewHolder --from 600ms --to 609ms
out_has '     1  608.046 ms  954' cut
expect 1 -e 'is never called in the selected part' aflame calls app.trace onBindViewHolder --hide onBindViewHolder
expect 1 -e 'is never called in the selected part' aflame calls app.trace onBindViewHolder --thread RenderThread
expect 1 -e 'did you mean' aflame calls app.trace onBindVeiwHolder
expect 2 -e 'aflame report --tree up' aflame calls app.trace onBindViewHolder --invert-callers
expect 2 -e 'aflame report --compensate' aflame calls app.trace onBindViewHolder --compensate
expect 2 -l 1 aflame calls app.trace '/('

# one call
expect 0 aflame calls app.trace onBindViewHolder --around 4 -o four.svg -o four.png -o four.pdf
opens four.svg four.png four.pdf
check 'the picture does not name the call' \
    grep -q 'call 4 of 14 of com.example.recipes.list.RecipeAdapter.onBindViewHolder, 608.046 ms to' \
    four.svg
check 'the picture shows frames outside the call' sh -c '! grep -q "activity.onCreate\|Looper.loop" four.svg'
expect 0 aflame calls app.trace onBindViewHolder --around longest -o longest.svg
same longest.svg four.svg
expect 0 aflame calls app.trace onBindViewHolder --around 4 --fold coil --clock cpu -o folded.svg
contains folded.svg '2 coil frames'
expect 2 -e 'a picture shows one call: give its number in the list, --around N' aflame calls app.trace run -o x.svg
expect 2 -e 'a picture shows one call' aflame calls app.trace run --format png -o x.txt
expect 0 -m 'aflame: app.trace: call 1 drawn as app-call-1.svg' aflame calls app.trace onBindViewHolder --around 1
present app-call-1.svg
expect 1 aflame calls app.trace onBindViewHolder --around 15 -o x.svg
err_is 'aflame: app.trace: there is no call 15; the last one is 14'
for wrong in 0 -1 first ''; do
    expect 2 -e '--around' aflame calls app.trace onBindViewHolder --around "$wrong" -o x.svg
done
expect 2 aflame calls app.trace onBindViewHolder --around 1 --top 3 -o x.svg
expect 2 aflame calls app.trace onBindViewHolder --width 800 --json
expect 2 aflame calls app.trace app.trace onBindViewHolder --around 1 -o x.svg
absent x.svg

# operands
expect 2 -e 'name a trace, or - for standard input, and a method' aflame calls
expect 2 aflame calls app.trace
expect 2 -e 'the method comes after the trace' aflame calls onBindViewHolder app.trace
expect 3 aflame calls missing.trace onBindViewHolder
expect 2 aflame calls app.trace wait --format dmtracedump
expect 2 aflame calls app.trace wait -o app.trace.unknown
expect 5 -e 'cannot write' aflame calls app.trace wait -o /dev/full
head -c 50000 app.trace >cut.trace
expect 0 aflame calls cut.trace wait
expect 4 aflame calls cut.trace wait --strict -o x.txt
absent x.txt

# only what has an end returned
cat >async.json <<'END'
[{"ph":"b","cat":"c","name":"ended","id":1,"ts":0,"pid":1,"tid":1},
 {"ph":"e","cat":"c","name":"ended","id":1,"ts":5,"pid":1,"tid":1},
 {"ph":"b","cat":"c","name":"never","id":2,"ts":10,"pid":1,"tid":1},
 {"ph":"n","cat":"c","name":"last","id":2,"ts":70,"pid":1,"tid":1},
 {"ph":"S","cat":"d","name":"old","id":3,"ts":20,"pid":1,"tid":1},
 {"ph":"X","name":"end","ts":80,"dur":10,"pid":1,"tid":1},
 {"ph":"B","name":"begun","ts":95,"pid":1,"tid":1}]
END
expect 0 aflame calls -q async.json /./ --sort start --format json
for call in 'ended 0 5000 returned' 'never 10000 60000 open' 'old 20000 75000 open' \
    'end 80000 10000 returned' 'begun 95000 0 open'; do
    # shellcheck disable=SC2086
    set -- $call
    line="\"$1\".*\"start_ns\": $2, \"wall_ns\": $3,.*\"ended\": \"$4\""
    check "$call" grep -q "$line" "$captured/out"
done
expect 0 -n '???' aflame report -q async.json --records

# ---- options of other verbs in pictures ----
expect 0 -w wall.txt aflame calls app.trace onBindViewHolder --sort wall
expect 0 -s wall.txt aflame calls app.trace onBindViewHolder --sort time
expect 0 -w start.txt aflame calls app.trace onBindViewHolder --sort start
expect 0 -s start.txt aflame calls app.trace onBindViewHolder --sort first

# several methods are one pattern
expect 2 aflame calls app.trace onCreate onBindViewHolder
err_is "aflame: no file \"onCreate\"; several methods are one pattern: aflame calls app.trace '/onCreate|onBindViewHolder/'"
eval "expect 0 $(sed -n 's/.*pattern: //p' "$captured/err")"
out_has onBindViewHolder
