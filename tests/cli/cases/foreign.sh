# Traces from other tools: absent data is omitted, present data works as in Android traces.
cp "$made/spall_v3.trace" spall_v3.trace
cat >marks.json <<'END'
[{"ph":"X","name":"work","pid":1,"tid":1,"ts":100,"dur":100},
{"ph":"i","name":"vsync","pid":1,"tid":1,"ts":110},{"ph":"I","name":"vsync","pid":1,"tid":1,"ts":120},
{"ph":"C","name":"heap","pid":1,"ts":100,"args":{"used":1024,"free":10.25}},
{"ph":"C","name":"fps","pid":1,"ts":120,"args":{"value":59.94}}
END
cat >object.json <<'END'
{"traceEvents":[
{"ph":"X","name":"one","pid":10,"tid":7,"ts":"1000.5","dur":"2.25","tts":500,"tdur":2},
{"ph":"B","name":"three","pid":20,"tid":8,"ts":2000,"tts":100},
{"ph":"E","pid":20,"tid":8,"ts":2010,"tts":103.5},
{"ph":"X","name":"four","pid":20,"tid":7,"ts":2100,"dur":5,"tts":1,"tdur":1},
{"ph":"M","name":"process_name","pid":20,"args":{"name":"Renderer"}},
{"ph":"M","name":"process_name","pid":10,"args":{"name":"Browser"}},
{"ph":"M","name":"process_sort_index","pid":20,"args":{"sort_index":-1}},
{"ph":"M","name":"thread_name","pid":20,"tid":7,"args":{"name":"Main"}}]}
END
cat >async.json <<'END'
[{"ph":"b","cat":"net","id":1,"name":"load","pid":1,"tid":1,"ts":0},
{"ph":"b","cat":"net","id":1,"name":"parse","pid":1,"tid":1,"ts":20},
{"ph":"e","cat":"net","id":1,"name":"parse","pid":1,"tid":1,"ts":40},
{"ph":"e","cat":"net","id":1,"name":"load","pid":1,"tid":1,"ts":100}]
END

# no fields that only Android writes
for file in spall_v3.trace marks.json; do
    expect 0 -e '' aflame info $file
    for word in runtime buffer elapsed listed 'not recorded' cpu; do
        out_lacks "$word"
    done
    expect 0 aflame info --json $file
    for key in vm overflow elapsed_us dropped wraps lifted_threads unknown_method_ids exited_ cpu; do
        out_lacks "\"$key\""
    done
done
expect 0 -o 'Spall trace, version 3' aflame info spall_v3.trace
out_has 'process     app (4)' 'UI'
expect 0 -o 'instants    2 with 1 name' aflame info marks.json
out_has 'counters    3 values of 3 counters'
expect 0 -o '"container": "chrome-json"' aflame info --json marks.json
out_has '"name": "heap: used"' '"name": "fps"'

# processes: in titles, in lists, in selections
expect 0 -o 'Renderer (20), Browser (10)' aflame info object.json
out_has 'Renderer: Main'
expect_sh 0 -o 'Renderer: Main;four 5' -n 'Browser' 'aflame convert -q object.json --thread "Renderer: Main" -o -'
expect_sh 0 -o 'Renderer: Main;four 5' 'aflame convert -q object.json --thread 7 -o -'
out_has 'Browser: Thread 7;one 2'
expect_sh 0 -o 'Renderer: Thread 8;three 3' 'aflame convert -q object.json --clock cpu -o -'

# numbers beyond 32 bits are preserved; a missing id is 0
cat >numbers.json <<'END'
[{"ph":"X","name":"far","pid":1,"tid":99999999999,"ts":0,"dur":1},
{"ph":"X","name":"lone","pid":9,"ts":0,"dur":2},{"ph":"X","name":"none","ts":0,"dur":3}]
END
expect_sh 0 -o 'process 1: Thread 99999999999;far 1' 'aflame convert -q numbers.json -o -'
out_has 'process 9: Thread 0;lone 2' 'process 0: main;none 3'

# a missing clock
expect 2 aflame convert marks.json --clock cpu -o x.folded
absent x.folded

# single calls, a part, a pipe, gzip
expect 0 -o '250 ns' aflame calls spall_v3.trace io
expect_sh 0 -o 'Renderer: Main;four 3' 'aflame convert -q object.json --thread "Renderer: Main" --from 1101us -o -'
expect_sh 0 -o 'load (async);load;parse 20' 'gzip -c async.json | aflame convert -q - -o -'
expect 0 aflame render -q async.json spall_v3.trace
present async.svg spall_v3.svg
opens async.svg spall_v3.svg

# damage
head -c 200 object.json >cut.json
expect 4 -e 'the file is truncated' aflame render --strict cut.json -o x.svg
absent x.svg
printf '{"spans":[1,2,3]}' >other.json
expect 3 -m 'aflame: other.json: this is JSON, but not a list of trace events' aflame info other.json
printf '\r\360\255\013\0\0\0\0\11\0\0\0\0\0\0\0' >nine.spall
head -c 16 /dev/zero >>nine.spall
expect 3 -e "unknown version 9 of Spall's format" aflame info nine.spall

# an exported file can be read again
expect 0 aflame convert -q spall_v3.trace -o back.json
expect_sh 0 'aflame convert -q spall_v3.trace -o one.folded && aflame convert -q back.json -o two.folded'
same one.folded two.folded

# an unknown record type ends a Spall file, which counts as truncated
expect 0 -o '"truncated": true' aflame info --json "$made/spall_unknown_record.trace"

# the main thread of several processes: the one with the id of its process, or with Chrome's name
# for it
cat >firsts.json <<'END'
[{"ph":"X","name":"a","pid":10,"tid":3,"ts":0,"dur":50},{"ph":"X","name":"b","pid":20,"tid":20,"ts":0,"dur":1},
{"ph":"M","name":"thread_name","pid":10,"tid":7,"args":{"name":"CrBrowserMain"}}]
END
expect_sh 0 -n ';a ' -o 'process 20: main;b 1' 'aflame convert -q firsts.json --thread main -o -'
sed 's/"b","pid":20,"tid":20/"b","pid":10,"tid":7/' firsts.json >named.json
expect_sh 0 -n ';a ' -o 'CrBrowserMain;b 1' 'aflame convert -q named.json --thread main -o -'

# invalid time units: 0, negative, infinite, not a number
cp "$made/spall_v1.trace" unit.spall
for unit in '\000\000' '\360\277' '\360\177' '\370\177'; do
    printf "\\0\\0\\0\\0\\0\\0$unit" | dd of=unit.spall bs=1 seek=16 conv=notrunc 2>/dev/null
    expect 4 -m 'aflame: unit.spall: damaged: the time unit in the header is invalid' aflame info unit.spall
done

# a profile without weight gives an empty picture, and a message
printf 'a;b 0\nc 0.0\n' >zero.folded
expect 0 aflame render zero.folded -o zero.svg
err_is 'aflame: zero.folded: everything recorded adds up to 0: there is nothing to draw'
expect 0 aflame convert zero.folded -o none.folded
err_is 'aflame: zero.folded: everything recorded adds up to 0: there is nothing to draw'
check 'stacks without weight are listed' test ! -s none.folded
expect 0 -o 'everything recorded adds up to 0: there is nothing to draw' -n 'no problems found' aflame info zero.folded
expect 4 aflame render --strict zero.folded -o strict.svg
printf 'a;b 0\nc 1\n' >one.folded
expect 0 -n 'adds up' aflame info one.folded

# annotations of folded stacks are not part of names, and are written again with the stacks
printf 'a;f_[k] 2\na;g_[j];h_[i] 3\n9\n' >notes.txt
expect_sh 0 'aflame convert -o - --format folded - <notes.txt'
for line in 'a;f_[k] 2' 'a;g_[j];h_[i] 3' '[root] 9'; do
    out_has "$line"
done

# folded stacks are recognised by content, with or without a few control characters
expect_sh 0 -o 'folded stacks' "printf 'main;r\\001n 5\\n' | aflame info -"
# stacks of one frame need a name that says what they are
printf 'sleep 1000\nswapper 20\n' >single.txt
expect 3 aflame info single.txt
cp single.txt single.folded
expect 0 -o 'folded stacks' aflame info single.folded

# a thread with the id of its process is main, also if nothing but the kernel's name of it is known;
# those of several processes stay apart, in pools too
{
    printf '# tracer: nop\n#\n#           TASK-PID    TGID   CPU#  |||||   TIMESTAMP  FUNCTION\n'
    for line in '100 (  100) 0 B|100|one' '100 (  100) 1 E|100' '200 (  200) 2 B|200|two' \
        '200 (  200) 3 E|200' '201 (  200) 4 B|200|three' '201 (  200) 5 E|200'; do
        set -- $line
        printf '           app%s-%s   (  %s) [000] .... 10.00%s000: tracing_mark_write: %s\n' \
            "$1" "$1" "${3%)}" "$4" "$5"
    done
} >mains.systrace
for option in '' '--merge-threads all'; do
    expect_sh 0 "aflame convert -q mains.systrace --process all $option -o - | sort"
    out_has 'app100: main;one 1000' 'app200: main;two 1000'
done
expect_sh 0 -o 'app200: app201;three 1000' 'aflame convert -q mains.systrace --process all -o -'
expect_sh 0 -o 'main;two 1000' -n three 'aflame convert -q mains.systrace --process app200 --thread main -o -'
expect 0 aflame diff -q mains.systrace mains.systrace --process all --format csv --by threads
out_has 'app100: main' 'app200: main'
