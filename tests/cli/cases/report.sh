# Reports: tables of calls and times.

# ---- output files and formats ----

expect 0 -e '' -o 'app.trace' aflame report app.trace
out_has '6.43 s wall, 1.33 s CPU, 5.10 s waiting of 11 threads' ' more; --top 0 shows all'
out_lacks '…'
cp "$captured/out" app.txt
expect 0 -o '' -e '' aflame report app.trace -o r.txt -o r.json -o r.csv
same r.txt app.txt
expect 0 -s r.json aflame report app.trace --format json
expect 0 -s r.csv aflame report app.trace --jobs 1 --format csv -o -
expect 2 -e 'the name does not end in a known format; name the file *.txt or' aflame report app.trace -o r.xyz
expect 2 aflame report app.trace --format jsn
err_is 'aflame: --format takes one of text, json, csv, html, dmtracedump, not "jsn"; did you mean json?'
expect 2 aflame report app.trace --format jsn --by classes
err_is 'aflame: --format takes one of text, json, csv, html, dmtracedump, not "jsn"; did you mean json?'
# on a terminal, which the output does not go to
expect_sh 2 -o '--no-script needs an output that is an SVG' -n terminal \
    'script -qec "aflame render app.trace --format png -o t.png --no-script" /dev/null'
expect 5 -e '/dev/full: cannot write' aflame report app.trace -o /dev/full
expect_sh 5 -e 'standard output: cannot write' 'aflame report app.trace >/dev/full'
expect 5 aflame report app.trace -o nowhere/r.csv
expect 2 -e 'would overwrite the input' aflame report app.trace -o app.trace --format csv
absent '.aflame-*'

# ---- main first, and idle threads in one line ----

out_has_line() {
    check "there is no line $*" grep -qxF -e "$*" "$captured/out"
}
expect 0 aflame report app.trace --top 3
out_has_line 'methods of main by self wall; 100 % = 1.10 s wall, 674.3 ms CPU, 430.2 ms waiting'
out_has_line '  idle, waiting for work: 266.3 ms wall, 911 µs CPU, 265.4 ms waiting; --by methods lists it'
out_has_line 'methods of the other threads by self wall; 100 % = 5.33 s wall, 656.4 ms CPU, 4.67 s waiting'
out_has_line '  idle, waiting for work: 4.26 s wall, 136.7 ms CPU, 4.12 s waiting; --by methods lists it'
out_lacks 'nativePollOnce' 'Unsafe.park'
check 'main is not first' sh -c "sed -n 7p '$captured/out' | grep -q ' 80.6 ms .* 1  java.lang.Object.wait$'"
for all in '--by methods' '--thread all'; do
    expect 0 aflame report app.trace $all --top 3
    out_has_line 'methods by self wall'
    out_has 'sun.misc.Unsafe.park'
    out_lacks 'idle, waiting'
done
# nothing is lost: what the parts show adds up to the table of all threads
expect 0 aflame report app.trace --top 0 --clock cpu
calls_of() {
    awk -v name="$1" '$NF == name { sum += $(NF - 3) } END { print sum + 0 }' "$2"
}
cp "$captured/out" parts.txt
expect 0 aflame report app.trace --top 0 --clock cpu --by methods
for method in java.lang.String.charAt java.util.HashMap.hash java.util.ArrayList.add; do
    check "$method differs" [ "$(calls_of $method parts.txt)" = "$(calls_of $method "$captured/out")" ]
done
# without main: the busiest thread
{
    printf '[{"ph":"X","name":"a","pid":1,"tid":2,"ts":0,"dur":5},'
    printf '{"ph":"X","name":"b","pid":1,"tid":3,"ts":0,"dur":90},'
    printf '{"ph":"X","name":"(idle)","pid":1,"tid":4,"ts":0,"dur":900}]'
} >threads.json
expect 0 aflame report threads.json
out_has_line 'methods of Thread 3 by self wall; 100 % = 90 µs wall'
out_has_line '  idle, waiting for work: 900 µs wall; --by methods lists it'

# ---- columns and rows ----

# a name that a table shortened is a pattern
expect 0 aflame report app.trace --thread main --width 60
check 'a line is wider than 60 columns' sh -c "[ \$(LC_ALL=C.UTF-8 wc -L <'$captured/out') -le 60 ]"
out_has '…'
grep -o '[^ ]*…[^ ]*$' "$captured/out" | sort -u >short.txt
check 'few names are shortened' sh -c '[ $(wc -l <short.txt) -gt 10 ]'
while read -r name; do
    expect 0 aflame report app.trace --thread main --method "$name" --top 1
    expect 0 aflame report app.trace --focus "$name" --top 1
done <short.txt
expect 0 -o 'of 1 of 11 threads' aflame report app.trace --thread 'Rend…read' --top 1
expect 2 -m 'aflame: --width takes a number from 40 to 100000, not "39"' aflame report app.trace --width 39
expect 2 -m 'aflame: --width needs an output that is text or a picture' aflame report app.trace --width 60 --json

expect 2 -m 'aflame: app.trace: unknown column "slef"; did you mean self?' aflame report app.trace --sort slef
out_empty
expect 2 -e 'choose one of name, self, inclusive, calls,' aflame report app.trace --sort colour
expect 2 -m 'aflame: --top takes a whole number from 0 up, not "many"' aflame report app.trace --top many
expect 2 -e 'did you mean methods?' aflame report app.trace --by metods
expect 0 -n 'more;' aflame report app.trace --top 0
check 'methods are missing' sh -c "[ \"\$(wc -l <'$captured/out')\" -gt 390 ]"
expect 0 aflame report app.trace --sort calls --top 3 --format csv
check 'the rows are not sorted by calls' sh -c "awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if (\$i == \"calls\") c = i }
    NR > 1 { print \$c }' '$captured/out' >calls && [ \$(wc -l <calls) -eq 3 ] && sort -rnc calls"
check 'there are not three rows' sh -c "[ \"\$(wc -l <'$captured/out')\" -eq 4 ]"
expect 0 -o 'java.lang.Object.wait' aflame report app.trace --sort self-wall --top 1
expect 0 aflame report app.trace --clock wall
out_lacks cpu 'waiting  calls'
expect 2 -e 'did you mean "main"?' aflame report app.trace --thread mian
expect 0 -o 'of 1 of 11 threads' aflame report app.trace --thread main
expect 0 -o '  Looper.loop' -n 'android' aflame report app.trace --clock cpu --names short --sort inclusive --top 5

# ---- groups ----

for table in threads classes packages categories sources; do
    expect 0 -e '' -w $table.txt aflame report app.trace --by $table --top 0
    expect 0 aflame report app.trace --by $table --format csv
    check "$table: the number of lines differs" sh -c \
        "[ \$(wc -l <'$captured/out') -eq \$((\$(wc -l <$table.txt) - 5)) ]"
done
check 'a thread is missing' grep -q '^  RenderThread  *9241 ' threads.txt
check 'a class is missing' grep -q ' android.graphics.BitmapFactory$' classes.txt
check 'a package is missing' grep -q ' androidx.palette.graphics$' packages.txt
check 'a category is missing' grep -q ' Android framework$' categories.txt
check 'a source is missing' grep -q ' android/graphics/BitmapFactory.java$' sources.txt
expect 0 -o '  "threads": [' aflame report app.trace --by threads --by classes --format json
out_has '  "classes": ['
expect 0 aflame report app.trace --by threads --by classes --format csv
out_has 'table,name,id,inclusive_wall_ns' 'threads,main,9214,' 'classes,android.view.View,,'
expect 0 aflame report app.trace --by threads --sort first
check 'the rows are not sorted by time' sh -c "sed -n '7p' '$captured/out' | grep -q '^  main '"

# ---- callers and callees ----

expect 0 aflame report app.trace --method QUANTIZEpixels
out_has 'callers and callees of androidx.palette.graphics.ColorCutQuantizer.quantizePixels by'
out_has ' callers' ' (self)'
expect 0 -o '4 more methods; --top 0 shows all' aflame report app.trace --method '**.onCreate' --top 2
expect 0 aflame report app.trace --method '**.onCreate' -m '=android.app.Activity.performCreate' \
    --format csv
check 'there are not six methods and one' sh -c "[ \$(cut -d, -f2 '$captured/out' | grep -c '^method$') -eq 7 ]"
expect 1 aflame report app.trace --method performCraete
err_is 'aflame: app.trace: no method matches "performCraete"; did you mean "performCreate"?'
expect 2 -e 'app.trace: ' aflame report app.trace --method '/(/'
expect 1 -e 'no selected thread calls' aflame report app.trace --method onCreate --thread RenderThread

# ---- trees ----

expect 0 -o 'without branches of less than 0.5 %' aflame report app.trace --clock cpu --tree down
out_has ' main' '├─'
expect 0 aflame report app.trace --clock cpu --tree up --min-percent 12
check 'smaller branches are shown' sh -c "[ \$(grep -c '162.1 ms' '$captured/out') -eq 11 ]"
out_lacks 58.9
expect 0 -o '"tree_down": [' aflame report app.trace --tree down --tree up --format json
out_has '"tree_up": ['
expect 2 -e '--tree takes one of down, up' aflame report app.trace --tree sideways
expect 2 -e '--sort has no effect on --tree alone' aflame report app.trace --tree up --sort calls
expect 2 -e '--min-percent takes a number from 0 to 100' aflame report app.trace --tree up --min-percent 101

# ---- an HTML page ----

expect 0 aflame report app.trace -o app.html
xml() { xmllint --noout "$1"; }
check 'the page is not well-formed XML' xml app.html
expect 0 aflame report app.trace --top 7 -o seven.html
check 'there are not seven blocks' sh -c '[ $(grep -c "<section class=.block[^s]" seven.html) -eq 7 ]'
contains seven.html '392 more methods; --top 0 shows all'
expect 0 aflame report app.trace --by threads -o threads.html
check 'there are sections other than threads' sh -c '[ $(grep -c "<section" threads.html) -eq 1 ]'
expect_sh 5 'aflame report app.trace --format html >/dev/full'

# however many methods a trace has, its page stays below 1 MB
awk 'BEGIN {
    for (i = 0; i < 30000; i++) {
        printf "main;com.example.screen%d.Screen.render;", i % 50
        printf "com.example.screen%d.List%d.bind;com.example.data.Row%d.parse %d\n", i % 50, i % 700, i % 9000, i + 1
    }
}' >many.folded
expect 0 aflame report -q many.folded -o many.html
check 'the page takes over 1 MB' sh -c '[ $(wc -c <many.html) -lt 1000000 ]'
expect 0 aflame report -q many.folded --top 0 -o all.html
check 'a page with all methods is not larger' sh -c '[ $(wc -c <all.html) -gt 1000000 ]'

# ---- several inputs ----

cp app.trace second.trace
expect 0 aflame report app.trace second.trace --format csv --top 2
check 'the header does not have the column of the trace' sh -c "head -n 1 '$captured/out' | grep -q '^trace,name,'"
out_has 'second.trace,java.lang.Object.wait'
expect 0 aflame report app.trace second.trace --format json --top 2
check 'the output is not a JSON array' sh -c "[ \"\$(head -n 1 '$captured/out')\" = '[' ] && \
    [ \"\$(tail -n 1 '$captured/out')\" = ']' ]"
expect 0 aflame report app.trace second.trace --top 3 -o both.html
check 'the page is not well-formed XML' xml both.html
check 'an id occurs twice' sh -c '[ -z "$(grep -o " id=\"[^\"]*\"" both.html | sort | uniq -d)" ]'
expect 3 -e 'missing.trace: cannot open' -s app.txt aflame report missing.trace app.trace
expect 3 aflame report missing.trace -o none.txt
absent none.txt

# ---- waits ----
expect 0 aflame report app.trace --by waits --top 3
out_has 'Object.wait  164.1 ms  3.2 %  okhttp3.internal.http2.Http2Stream.takeHeaders'
expect 0 -o 'java.net.Socket.connect,network,71' aflame report app.trace --by waits --thread OkHttp --format csv
expect 0 aflame convert app.trace --clock cpu --thread main -o cpu.folded
expect 2 aflame report cpu.folded --by waits
err_is 'aflame: cpu.folded: the clock cannot be selected: the input counts samples'

# ---- inverted: --invert-callers is --tree up ----
expect 0 -w up.txt aflame report app.trace --thread main --tree up
expect 0 -s up.txt aflame report app.trace --thread main --invert-callers
expect 0 -s up.txt aflame report app.trace --thread main --tree up --invert-callers
for tables in '--by threads' '--by methods --by threads' '--method onCreate' '--hide Looper'; do
    expect 0 -w up.txt aflame report app.trace $tables --tree up
    expect 0 -s up.txt aflame report app.trace $tables --invert-callers
    expect 0 -s up.txt aflame report app.trace --invert-callers $tables
done
expect 2 aflame report app.trace --tree down --invert-callers
err_is 'aflame: --invert-callers is --tree up and contradicts --tree down; to get both trees, give --tree down --tree up'
expect 2 aflame report app.trace --invert-callers --format dmtracedump
err_has '--invert-callers has no effect on the records of the file'

# formulas
printf '[{"ph":"X","name":"=1+1","pid":1,"tid":1,"ts":0,"dur":30}]' >formula.json
expect 0 -o "'=1+1,30000" aflame report formula.json --format csv
expect 0 -n "'=" -o "=1+1,30000" aflame report formula.json --format csv --raw-csv
expect 2 aflame report formula.json --raw-csv
expect 0 -o "'=1+1,30000" aflame diff formula.json formula.json --format csv
expect 0 -n "'=" aflame diff formula.json formula.json --format csv --raw-csv

# the time after the last record of a full buffer
expect 0 -o '(994 µs)' aflame report -q "$made/overflow.trace"
expect 0 -o '(994 µs)' aflame report -q --format html "$made/overflow.trace"
expect 0 -o '"unrecorded_ns": 994000' aflame report -q --format json "$made/overflow.trace"
expect 0 -n 'unrecorded_ns' aflame report -q --format json "$data/sample.trace"

# ---- names that differ in a blank only have targets of their own ----
printf 'main;x y 3\nmain;x_y 4\nmain;x_y;x y 5\n' >blank.folded
expect_sh 0 'aflame report blank.folded --format html | grep -o "id=\"method-[^\"]*" | sort'
check 'other targets' [ "$(tr '\n' ' ' <"$captured/out")" = 'id="method-main id="method-x_y id="method-x_y~2 ' ]
