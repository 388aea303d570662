# diff: two sides and their differences, in every format; sides that cannot be compared.
# event THREAD NAME BEGIN LENGTH, in us
event() {
    printf '{"ph":"X","pid":1,"tid":%s,"name":"%s","ts":%s,"dur":%s},\n' "$@"
}
# recording LOAD DRAW THREAD COMPARE LAST: calls on main and on a thread of a pool
recording() {
    printf '[{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},\n'
    printf '{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"%s"}},\n' "$3"
    event 1 a.A.run 0 $(($1 + $2 + 100))
    event 1 a.B.load 0 "$1"
    event 1 a.C.draw "$1" "$2"
    event 1 "$4" 5000 50
    event 1 $5
    event 2 a.W.work 0 300
    printf '{"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":0}}]\n'
}
recording 1000 500 pool-1-thread-2 'a.A$1.compare' 'a.D.old 6000 200' >before.json
recording 1600 500 pool-1-thread-5 'a.A$2.compare' 'a.E.add 6000 250' >after.json

# counted values have their unit once
printf 'a;b 40\na;c 5\n' >before.folded
printf 'a;b 20\na;c 30\n' >after.folded
expect 0 -o 'difference: +5 samples (+11.1 %)' -n 'of samples' aflame diff before.folded after.folded
out_has '20 samples fewer in b, on behalf of a'

# ---- the table ----
expect 0 -o 'before: before.json, 2.15 ms (2 threads, 1 run)' aflame diff before.json after.json
out_has 'difference: +650 µs (+30.2 %)'
out_has 'one run each: differences may be noise; three of each side tell facts, four tell times. ? marks'
out_has 'main: perhaps 600 µs more in a.B.load, on behalf of a.A.run'
out_has 'main: perhaps 250 µs more in a.E.add; only in after'
out_has 'main: perhaps 200 µs less in a.D.old; only in before'
out_has '  1.00 ms  1.60 ms  +600 µs  +60.0 %      1  1.00 ms → 1.60 ms  ?      a.B.load'
out_has '        -   250 µs  +250 µs           0 → 1         - → 250 µs  ?      a.E.add'
out_has '   200 µs        -  -200 µs           1 → 0         200 µs → -  ?      a.D.old'
for word in slower changed ' new' ' gone' '  fact' 'it is new'; do
    out_lacks "$word"
done
err_empty

# ---- numbers that a compiler or a run assigns ----
expect 0 -o '"schema": "aflame.diff/1"' aflame diff before.json after.json --json
out_has '{"name": "a.A$#.compare", "self_before_ns": 50000, "self_after_ns": 50000, "inclusive_before_ns": 50000, "inclusive_after_ns": 50000, "calls_before": 1, "calls_after": 1, "by_calls_ns": 0, "by_mean_ns": 0, "status": "same"}'
out_has '{"name": "pool-#-thread-#", "before_ns": 300000, "after_ns": 300000, "common_ns": 300000, "grown_ns": 0, "shrunk_ns": 0, "status": "same"}'
out_has '{"name": "main", "before_ns": 1850000, "after_ns": 2500000, "common_ns": 1650000, "grown_ns": 850000, "shrunk_ns": 200000, "status": "?"}'
expect 0 aflame diff before.json after.json --json --exact-names
out_has '"name": "a.A$1.compare", "self_before_ns": 50000, "self_after_ns": 0'
out_has '"name": "pool-1-thread-2", "before_ns": 300000, "after_ns": 0'

# a lambda in an anonymous class has two such numbers; a class with two candidates stays apart
printf 'main;a.A$1.lambda$x$3 5\nmain;a.B$1.run 5\nmain;a.B$2.run 6\n' >before.folded
printf 'main;a.A$2.lambda$x$4 7\nmain;a.B$3.run 5\n' >after.folded
expect 0 aflame diff before.folded after.folded --json
out_has '"name": "a.A$#.lambda$x$#", "self_before_samples": 5, "self_after_samples": 7'
out_has '"name": "a.B$1.run", "self_before_samples": 5, "self_after_samples": 0'
out_has '"name": "a.B$3.run", "self_before_samples": 0, "self_after_samples": 5'

# a new anonymous class renumbers the others: they pair by their content, not by their names
classes() { # pairs of a number and a callee
    echo '['
    while [ $# -gt 0 ]; do
        event 1 "a.P\$$1.run" "$1"000 100
        event 1 "a.Q.$2" "$1"010 50
        shift 2
    done
    printf '{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}}]\n'
}
classes 1 load 2 save >before_classes.json
classes 1 log 2 load 3 save >after_classes.json
expect 0 aflame diff before_classes.json after_classes.json --json
out_has '"name": "a.P$1→2.run", "self_before_ns": 50000, "self_after_ns": 50000'
out_has '"name": "a.P$2→3.run", "self_before_ns": 50000, "self_after_ns": 50000'
out_has '"name": "a.P$1.run", "self_before_ns": 0, "self_after_ns": 50000'
out_lacks '"name": "a.P$3.run"'
expect 0 -o 'a.P$2→1' aflame diff after_classes.json before_classes.json --by classes
expect 0 aflame diff before_classes.json after_classes.json --json --exact-names
out_has '"name": "a.P$3.run", "self_before_ns": 0'
# one pair is named as others are; a class that is gone is not the new one of its name
classes 1 load 2 save >before_classes.json
classes 1 log 2 load >after_classes.json
expect 0 aflame diff before_classes.json after_classes.json --json
out_has '"name": "a.P$#.run", "self_before_ns": 50000, "self_after_ns": 50000'
out_has '"name": "a.P$1.run", "self_before_ns": 0, "self_after_ns": 50000'
out_has '"name": "a.P$2.run", "self_before_ns": 50000, "self_after_ns": 0'
# classes of one content keep their names
classes 1 load 2 load >before_classes.json
classes 1 load 2 load 3 load >after_classes.json
expect 0 aflame diff before_classes.json after_classes.json --json
out_has '"name": "a.P$1.run", "self_before_ns": 50000, "self_after_ns": 50000'
out_has '"name": "a.P$3.run", "self_before_ns": 0, "self_after_ns": 50000'

# ---- equal inputs, swapped sides ----
expect 0 aflame diff before.json before.json --json --paths
out_lacks '"status": "changed"' '"status": "?"' '"status": "noise"' '"grown_ns": 1'
expect 0 -n 'perhaps' -o 'nothing changed: both sides are equal' aflame diff before.json before.json
check 'the sides swap' sh -c "aflame diff -q after.json before.json --json |
    sed 's/before_ns/x_ns/g;s/after_ns/before_ns/g;s/x_ns/after_ns/g' | grep -c '\"grown_ns\": 200000, \"shrunk_ns\": 850000' >count && test \$(cat count) = 1"

# ---- formats ----
expect 0 aflame diff before.json after.json -o d.txt -o d.json -o d.csv -o d.md -o d.folded
present d.txt d.json d.csv d.md d.folded
expect 0 -o 'main;a.A.run;a.B.load 1000 1600' cat d.folded
out_has 'main;a.D.old 200 0' 'pool-#-thread-#;a.W.work 300 300'
expect 0 -o 'name,self_before_ns,self_after_ns,inclusive_before_ns,inclusive_after_ns,delta_ns,' cat d.csv
out_has 'a.B.load,1000000,1600000,1000000,1600000,600000,1,1,0,600000,?,,,,,'
expect 0 -o '| `a.B.load` | 1.00 ms | 1.60 ms | +600 µs | +60.0 % | 1 | ? |  |' cat d.md
check 'Markdown fits into a comment' test "$(wc -c <d.md)" -lt 60000

# ---- options ----
expect 0 -o 'a.B' aflame diff before.json after.json --by classes --by packages --by threads
out_has 'pool-#-thread-#'
expect 0 -o 'callers of a.A.run' aflame diff before.json after.json --method =a.A.run
out_has 'callees of a.A.run'
expect 1 -e 'did you mean "a.B.load"?' aflame diff before.json after.json --method a.B.laod
expect 0 -o 'a.B.load' aflame diff before.json after.json --tree down --tree up
out_has 'self time and its callers'
expect 0 -n '"status": "?"' aflame diff before.json after.json --min-delta 1ms --json
expect 0 -o '"runs": 1, "total_ns": 280000' aflame diff before.json after.json --normalize --json
printf 'main;a.A.run 3\nmain;a.A.run;a.B.load 5\nmain;a.A.run;a.C.save 7\n' >once.folded
printf 'main;a.A.run 6\nmain;a.A.run;a.B.load 10\nmain;a.A.run;a.C.save 14\n' >twice.folded
expect 0 -o 'all;main;a.A.run 6 6' aflame diff once.folded twice.folded --normalize --format folded
out_has 'all;main;a.A.run;a.B.load 10 10' 'all;main;a.A.run;a.C.save 14 14'
expect 0 aflame diff once.folded twice.folded --normalize
out_has 'give three or more of each side. ? marks differences of at'
expect 0 -n a.D.old aflame diff before.json after.json --focus a.B --json
expect 0 -n a.W.work aflame diff before.json after.json --thread main --json
expect 2 -e 'did you mean "main"?' aflame diff before.json after.json --thread mian

# ---- several runs ----
mkdir old new
for i in 1 2 3 4; do
    recording 100$i 5$i$i pool-1-thread-2 a.A.compare "a.D.old 6000 200" >old/$i.json
    recording 160$i 5$i$i pool-1-thread-2 a.A.compare "a.D.old 6000 200" >new/$i.json
done
expect 0 aflame diff --before old --after new
out_has '4 and 4 runs: changed means p <= 0.05 for the whole table and at least' '0.029  a.B.load'
expect 0 -o '"runs_before_ns": [' aflame diff --before old --after 'new/*.json' --json
out_has '"name": "a.B.load", "self_before_ns": 1002500, "self_after_ns": 1602500'
out_has '"status": "changed", "p": 0.028571, "low_ns": '
expect 0 aflame diff --before old/1.json --before old/2.json --after new/1.json \
    --after new/2.json
out_has '2 and 2 runs: differences may be noise; three of each side tell facts, four tell times'
out_has 'perhaps 600 µs more in a.B.load'
expect 2 -m 'aflame: none/*.json: no file matches' aflame diff --before 'none/*.json' --after new
expect 2 aflame diff --before old
expect 2 aflame diff before.json
err_is 'aflame: before.json: this file holds one recording; only pictures and HTML pages of aflame diff hold both sides of a comparison'
expect 2 -e 'name two sides' aflame diff before.json after.json before.json

# ---- facts need no test; below three runs nothing is called changed ----
rm -r old new
mkdir old new slow
for i in 1 2 3 4; do
    recording $((1000 + i)) $((500 + i * i)) pool-1-thread-2 a.A.compare 'a.D.old 6000 200' >old/$i.json
    recording $((1600 + i)) $((500 + i * i * 2)) pool-1-thread-2 a.A.compare 'a.E.add 6000 250' |
        sed 's/^\(.*"name":"a.C.draw","ts":\)[0-9]*.*/&\n\17000,"dur":240},/' >new/$i.json
    # a machine with two speeds
    [ $((i % 2)) = 0 ] && speeds='1.5 1' || speeds='1 1.5'
    for side in old new; do
        expect 0 aflame convert -q $side/$i.json --time-scale ${speeds%% *} -o slow/$side.$i.aflp
        speeds=${speeds#* }
    done
done
runs() { # COUNT FOLDER/ SEPARATOR EXTENSION: the options for so many runs a side
    for i in $(seq "$1"); do
        echo "--before $2old$3$i.$4 --after $2new$3$i.$4"
    done
}
expect 0 aflame diff $(runs 3 '' / json)
out_has '3 and 3 runs: changed means a gap between the ranges of the sides that is as wide as the'
out_has 'slower' 'fact  a.C.draw' 'fact  a.E.add' '; it is new'
out_lacks '?'
expect 0 -o '"name": "a.E.add", ' aflame diff $(runs 3 '' / json) --json
out_has '"by_mean_ns": 0, "status": "new", "fact": true, "low_ns": ' '"name": "a.C.draw", '
out_has '"status": "changed", "fact": true, "low_ns": '
out_lacks '"p": '
expect 0 -o ',new,fact,' aflame diff $(runs 4 slow/ . aflp) --format csv
out_has ',gone,fact,'
check 'times of a machine with two speeds differ beyond noise' \
    [ "$(grep -c ',changed,0' "$captured/out")" = 0 ]
expect 0 -n 'more in a.B.load' -o ' more in a.E.add; it is new' aflame diff $(runs 4 slow/ . aflp)
expect 0 aflame diff $(runs 4 slow/ . aflp) -o facts.svg
expect 0 -o ', new, a fact&#10;' cat facts.svg
expect 0 aflame diff $(runs 2 '' / json) --json
out_lacks '"p": ' '"fact"' '"status": "changed"'
expect 0 -n '"status": "changed"' -o '"status": "?"' aflame diff --before old --after new/1.json --json
expect 0 -o 'nothing changed beyond noise' aflame diff --before old --after 'old/[1-3].json'
# groups and callers follow their methods
expect 0 aflame diff $(runs 4 slow/ . aflp) --by classes --method a.B.load --format csv
check 'a class changed and its methods did not' [ "$(grep -c '^classes,,a.B,.*,noise,' "$captured/out")" = 1 ]
check 'a class is not new' [ "$(grep -c '^classes,,a.E,.*,new,' "$captured/out")" = 1 ]
check 'a caller changed and the method did not' [ "$(grep -c '^callers,a.B.load,a.A.run,.*,noise,' "$captured/out")" = 1 ]

# ---- a thread that waits longer for another one is no cause ----
waiting() { # DECODE WAIT
    printf '[{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},\n'
    printf '{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"worker"}},\n'
    event 1 java.lang.Object.wait 0 "$2"
    event 2 a.Decoder.decode 0 "$1"
    printf '{"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":0}}]\n'
}
waiting 1000 1500 >wait1.json
waiting 3000 3500 >wait2.json
waiting 1000 3500 >wait3.json
expect 0 -o 'worker: perhaps 2.00 ms more in a.Decoder.decode' aflame diff wait1.json wait2.json
out_lacks 'more in java.lang.Object.wait'
expect 0 -o 'main: perhaps 2.00 ms more in java.lang.Object.wait' aflame diff wait1.json wait3.json

# ---- what cannot be compared ----
printf "main;a.A.run 5\n" >counts.folded
expect 2 aflame diff before.json counts.folded
err_is "aflame: before holds times, after samples: compare inputs with the same unit"
expect 2 aflame diff before.json counts.folded --unit us
err_is "aflame: before holds calls, after samples: compare recordings of the same kind"
printf "%s\n" "{\"traceEvents\":[{\"ph\":\"M\",\"pid\":1,\"tid\":9,\"name\":\"thread_name\",\"args\":{\"name\":\"other\"}}," "{\"ph\":\"X\",\"pid\":1,\"tid\":9,\"name\":\"a\",\"ts\":0,\"dur\":5}]}" >other.json
expect 2 aflame diff before.json other.json
err_is 'aflame: before and after have no thread in common ("main" and "other", for example)'
echo '{"traceEvents":[{"ph":"M","ts":0,"pid":1,"tid":1,"name":"process_name","args":{"name":"x"}}]}' >empty.json
expect 2 -m 'aflame: after has no thread to compare: empty.json holds none' aflame diff before.json empty.json
expect 2 aflame diff empty.json before.json -o empty.svg
err_is 'aflame: before has no thread to compare: empty.json holds none'
absent empty.svg
expect 0 aflame diff before.json empty.json --view chart -o empty.svg
err_is 'aflame: empty.json: the file holds no calls, slices or samples to draw'
rm empty.svg
expect 0 aflame diff --before before.json --before empty.json --after after.json
err_is 'aflame: empty.json: the file holds no calls, slices or samples to draw'
expect 2 -m 'aflame: before and after have no clock in common' aflame diff before.json "$made/v2_single_cpu.trace"
expect 2 aflame diff "$made/v2_single_cpu.trace" before.json -o clocks.svg
err_is 'aflame: before and after have no clock in common'
absent clocks.svg
expect 2 -m 'aflame: before and after do not both have CPU times' aflame diff before.json after.json --clock cpu
expect 3 aflame diff before.json missing.trace
expect 2 -e 'would overwrite' aflame diff before.json after.json -o before.json

# ---- pictures ----
expect 0 aflame diff before.json after.json -o d.svg -o d.png -o d.pdf --title Release
present d.svg d.png d.pdf
check 'the SVG is XML' xmllint --noout d.svg
check 'the PNG is whole' pngcheck -q d.png
expect 0 -o 'data-view="diff"' cat d.svg
out_has '<title>Release</title>'
out_has 'before: 1.000 ms, self 1.000 ms, 1 call&#10;after: 1.600 ms, self 1.600 ms, 1 call&#10;+600 µs (+60.0 %), uncertain&#10;grown 0.600 ms, shrunk 0.000 ms'
out_has '>a.B.load +600 µs (+60.0 %)?<'
out_has 'before: 0.200 ms, self 0.200 ms, 1 call&#10;after: none&#10;-200 µs, uncertain'
out_has '>a.E.add +250 µs?<' '1 thread unchanged: pool-#-thread-# (300 µs)'
expect 0 -o 'difference: +650 µs (+30.2 %)' pdftotext d.pdf -
expect 0 aflame diff "$made/compare_before.trace" "$made/compare_after.trace" -o pages.pdf
expect_sh 0 -o 'page 1 of' 'pdftotext pages.pdf - | grep -o "page [0-9]* of [0-9]*" | sort -u | head -n 1'
expect 0 aflame diff before.json before.json --static --theme dark --inverted -o same.svg
expect 2 aflame diff before.json after.json --width 500 --json
err_is 'aflame: --width needs an output that is text or a picture'
expect 2 -e '--top needs an output with tables' aflame diff before.json after.json --top 5 -o d.png
expect 2 -e 'width' aflame diff before.json after.json -o d.svg --width 5

# 200,000 paths that one side has, side by side and below each other
paths=$(part_of 200000)
awk -v n="$paths" 'BEGIN { for (i = 0; i < n; i++) print "main;a.R.run;a.C" i % 9 ".m" i, 100 + i % 7 }' >wide.folded
awk -v n="$paths" 'BEGIN { printf "main"; for (i = 0; i < n; i++) printf ";a.D.m%d", i; print " 5000" }' >deep.folded
echo 'main;a.R.run 5000' >few.folded
expect 0 aflame diff few.folded wide.folded -q --full-depth -o wide.svg -o wide.png -o wide.pdf
present wide.svg wide.png wide.pdf
check 'the SVG is XML' xmllint --noout wide.svg
expect 0 aflame diff deep.folded few.folded -q -o deep.svg -o deep.png
check 'the SVG is XML' xmllint --noout deep.svg
# ---- a page has every table, and names that are text ----
expect 0 aflame diff before.json after.json -o page.html
check 'the page is not well-formed XML' xmllint --noout page.html
check 'a table is missing' sh -c '[ $(sed -n "/<nav>/,/<.nav>/p" page.html | grep -c "href=.#table-") -eq 7 ]'
check 'the new method is missing' grep -q 'a.<wbr/>E.<wbr/>add</a></td><td></td><td title="0.25[0]* ms">250' page.html
check 'the difference is missing' grep -q '<td title="0.6[0]* ms">+600' page.html
# ---- an option must have an effect on one of the inputs ----
expect 2 aflame diff before.json after.json --symfs .
err_is 'aflame: --symfs has no effect on the format of any input, only on: perf-data, perfetto'
expect 0 -e '' aflame diff before.json after.json --other-ends ignore

# ---- the page links methods to their callers and callees ----
expect 0 aflame diff before.json after.json -o linked.html
links=$(sed -n 's/.*<td class="n"><a href="#\(table-[0-9]*\)">a.<wbr\/>B.<wbr\/>load<.*/\1/p' linked.html | sort -u)
check 'a.B.load has one target' test "$(echo "$links" | grep -c table-)" = 1
expect 0 grep "<section id=\"$links\"><h2>callers of a.B.load" linked.html
expect 0 -n '>callers of a.C.draw' -o 'callees of a.A.run' cat linked.html
check 'every link has its target' sh -c "grep -o 'href=\"#table-[0-9]*\"' linked.html | sort -u |
    sed 's/href=\"#/id=\"/' >targets; while read -r target; do grep -q \"\$target\" linked.html || exit 1; done <targets"
expect 0 aflame diff before.json after.json --by classes -o classes.html
expect 0 -n 'callers of' cat classes.html

# ---- the names of all paths of deep stacks do not fit into memory ----
for count in 1 2; do
    printf 'main%s %s\n' "$(seq -f ';f%.0f' 0 39999 | tr -d '\n')" $count >deep$count.folded
done
expect 2 aflame diff deep1.folded deep2.folded --paths --top 0 --json
err_has 'the names of all paths would take 4 GB; --top lists fewer'
out_empty
expect 0 aflame diff deep1.folded deep2.folded --paths --top 3

# ---- the second input is read while the first is ----
expect 0 aflame convert -q "$data/sample.trace" -o ahead.aflp
expect 0 aflame diff -q "$data/sample.trace" ahead.aflp -o two.json --jobs 2
expect 0 aflame diff -q "$data/sample.trace" ahead.aflp -o one.json --jobs 1
same one.json two.json
head -c 500 ahead.aflp >cut.aflp
expect 4 -l 1 -e 'cut.aflp: ' aflame diff ahead.aflp cut.aflp
expect 4 -l 1 aflame diff cut.aflp ahead.aflp

# ---- few rows, and names with the signs of Markdown ----
printf 'main;a 10\nmain;b|c 20\nmain;d`e 5\nmain;k;l 50\nmain;m 3\n' >one.folded
printf 'main;a 40\nmain;b|c 10\nmain;d`e 25\nmain;k;n 50\nmain;m 9\n' >two.folded
expect 0 aflame diff one.folded two.folded --format markdown --top 0
out_has '| `b\|c` | 20 samples | 10 samples | -10 samples | -50.0 % |'
out_has '| `d e` | 5 samples | 25 samples | +20 samples | 5.0x |'
# of the 8 methods main, a, b|c, d`e, k, l, m and n
expect 0 -o '<p>6 more rows; --top 0 shows all</p>' aflame diff one.folded two.folded --format html --top 2
# in main 106 samples came and 60 went
expect_sh 0 'aflame diff one.folded two.folded --tree down --top 2 | sed -n "/^calls from the top/,\$s/.*  ?  *//p"'
check 'other paths' [ "$(tr '\n' ' ' <"$captured/out")" = 'all main ' ]
expect_sh 0 'aflame diff one.folded two.folded --tree up --top 1 | sed -n "/^self time and/,\$p"'
out_has '50 samples  +50 samples  ?      n'

# rows shown and rows left out are all rows
for way in down up; do
    for top in 0 1 2 4; do
        expect 0 aflame diff one.folded two.folded --tree $way --top $top --format csv
        rows=$(($(wc -l <"$captured/out") - 1))
        [ $top -gt 0 ] || all=$rows
        expect_sh 0 "aflame diff one.folded two.folded --tree $way --top $top |
            sed -n 's/^  ... \([0-9]*\) more; --top 0 shows all\$/\1/p' | tail -n 1"
        more=$(cat "$captured/out")
        check "$way: $top rows, $((all - rows)) more" [ "${more:-0}" = $((all - rows)) ]
    done
    check "$way: more than 4 rows" [ $all -gt 4 ]
done

# ---- one total, several runs ----
printf 'main;work 100\nmain;rest 500\n' >one.1.folded
printf 'main;work 120\nmain;rest 480\n' >one.2.folded
printf 'main;work 400\nmain;rest 800\n' >two.1.folded
printf 'main;work 420\nmain;rest 780\n' >two.2.folded
several='--before one.1.folded --before one.2.folded --after two.1.folded --after two.2.folded'
expect 0 aflame diff -q --unit samples --normalize $several --format csv
out_has 'rest,980,790,980,790,-190,,,,,?,,-220,-160,960 1000,780 800'
out_has 'work,220,410,220,410,190,,,,,?,,160,220,240 200,420 400'

# ---- runs of one side hold the same ----
expect 2 aflame diff -q --unit samples --before one.1.folded --before "$data/sample.trace" --after two.1.folded
err_has 'sample.trace: holds times, but one.1.folded holds samples'
expect 2 aflame diff -q --unit samples --before "$data/sample.trace" --before one.1.folded --after two.1.folded
err_has 'one.1.folded: holds samples, but '

# ---- the 2,000 paths with most time are tested, however many there are ----
for run in 1 2 3 4 5 6 7 8; do
    seq 1 2500 | awk -v run=$run '{
        print "main;a" $1 % 50 ";m" $1, 10000 + $1 * 3 + run * 7 + $1 * run % 13 + (run > 4 ? $1 * 9 : 0)
    }' >paths.$run.folded
done
expect 0 aflame diff -q --unit samples --min-delta 1 --before 'paths.[1-4].folded' \
    --after 'paths.[5-8].folded' --paths --top 0 --format json -o paths.json
sed -n '/"paths"/,$p' paths.json >listed
check 'another number of tested paths' [ "$(grep -c '"p"' listed)" -eq 2000 ]
check 'a path is missing' [ "$(grep -c '"path":' listed)" -ge 2551 ]
check 'a short path is tested, a long one is not' sh -c "grep '\"p\"' listed | grep -q 'm2500\"' &&
    ! grep '\"p\"' listed | grep -q ';m1\"'"

# ---- saved profiles are read without the times of calls only if nothing needs them ----
{
    printf '[\n'
    event 1 a.R.step 0 100
    event 1 a.R.step 200 300
    printf '{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}}]\n'
} >steps.json
expect 0 aflame convert -q steps.json -o steps.aflp
printf '[longest]\nmethod = a.R.step\nmeasure = max wall\nlimit = 250 us\n' >longest.ini
expect 1 aflame diff -q steps.aflp steps.aflp --budget longest.ini
expect 0 aflame diff -q steps.aflp steps.aflp -o steps.svg
expect 0 aflame report -q steps.aflp --json -o steps.report
expect 0 aflame report -q steps.svg --json -o carried.report
for report in steps carried; do
    sed -n '/"methods"/,$p' $report.report >$report.methods
done
contains steps.methods a.R.step
check 'a picture of a comparison lost the times of calls' cmp steps.methods carried.methods

# ---- 20 runs a side, one by one and merged; swapping the sides changes no p ----
awk 'BEGIN { for (run = 1; run <= 20; run++) for (side = 0; side < 2; side++) for (i = 1; i <= 12; i++)
    print "main;a.R.m" i, 1000 * i + run * 7919 * (i + side) % 31 + (side && i == 3 ? 200 : 0) \
        >(side ? "twenty.after." : "twenty.before.") run ".folded" }'
for side in before after; do
    expect 0 aflame merge -q --unit us "twenty.$side.*.folded" -o "twenty.$side.aflp"
done
twenty() { # BEFORE AFTER: statuses and p of the methods
    aflame diff -q --unit us --min-delta 1us --before "$1" --after "$2" --json |
        sed -n '/"methods"/,$s/.*"name": "\(a[^"]*\)".*"status": "\([^"]*\)", "p": \([0-9.]*\),.*/\1 \2 \3/p' | sort
}
twenty 'twenty.before.*.folded' 'twenty.after.*.folded' >single
twenty twenty.before.aflp twenty.after.aflp >merged
twenty 'twenty.after.*.folded' 'twenty.before.*.folded' >swapped
check 'methods are missing' [ "$(wc -l <single)" = 12 ]
check 'the changed method' grep -q '^a.R.m3 changed 0.0002$' single
check 'one method changed' [ "$(grep -c ' changed ' single)" = 1 ]
same single merged
same single swapped

# ---- a damaged saved profile ----
head -c 200 twenty.before.aflp >damaged.aflp
printf '[x]\nmethod = m3\nlimit = 1 s\n' >damaged.ini
expect 4 -l 1 aflame diff damaged.aflp twenty.after.aflp
expect 4 -l 1 aflame diff twenty.before.aflp damaged.aflp -o damaged.svg
absent damaged.svg
expect 4 -l 1 aflame check damaged.aflp --budget damaged.ini
