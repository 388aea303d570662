# Chrome events that do not nest: --other-ends, --overlaps.
cat >ends.json <<'END'
[{"ph":"B","name":"a","pid":1,"tid":1,"ts":0},{"ph":"B","name":"b","pid":1,"tid":1,"ts":2},
{"ph":"E","name":"x","pid":1,"tid":1,"ts":5},{"ph":"E","name":"a","pid":1,"tid":1,"ts":9},
{"ph":"B","name":"c","pid":1,"tid":2,"ts":0},{"ph":"E","name":"x","pid":1,"tid":2,"ts":9}]
END
cat >overlaps.json <<'END'
[{"ph":"M","name":"thread_name","pid":1,"tid":7,"args":{"name":"main"}},
{"ph":"X","name":"a","pid":1,"tid":7,"ts":0,"dur":10,"tts":0,"tdur":4},
{"ph":"X","name":"b","pid":1,"tid":7,"ts":5,"dur":10,"tts":2,"tdur":4},
{"ph":"X","name":"c","pid":1,"tid":7,"ts":6,"dur":3,"tts":3,"tdur":1},
{"ph":"X","name":"d","pid":1,"tid":7,"ts":7,"dur":20,"tts":4,"tdur":4}]
END

# an end without an open slice of that name: closes the innermost, or has no effect
expect 0 aflame convert ends.json -o closed.folded
err_is 'aflame: ends.json: ends name a slice that is not open; treated as the end of the innermost one (2 times)'
printf 'main;a 6\nmain;a;b 3\nThread 2;c 9\n' >expected
same closed.folded expected
expect 0 aflame convert ends.json --other-ends close -o same.folded
same same.folded closed.folded
expect 0 aflame convert ends.json --other-ends ignore -o ignored.folded
err_has 'exits name a method that is not open; ignored (2 times)'
err_lacks 'taken for the end'
printf 'main;a 2\nmain;a;b 7\nThread 2;c 9\n' >expected
same ignored.folded expected
expect 0 -o '"open_at_end": 1' aflame info -q ends.json --other-ends ignore --json
expect 0 -n '"open_at_end": 1' aflame info -q ends.json --json

# overlaps: truncated, or on tracks next to the thread
expect 0 -e 'overlap without nesting' aflame convert overlaps.json -o cut.folded
printf 'main;a 5\nmain;a;b 1\nmain;a;b;c 1\nmain;a;b;c;d 2\nmain;a;b;c 0\n' | grep -v ' 0$' >expected
check 'tracks appear without the option' sh -c "! grep -q overlap cut.folded"
expect 0 -e '' aflame convert overlaps.json --overlaps track -o tracks.folded
printf 'main;a 7\nmain;a;c 3\nmain (overlap);b 10\nmain (overlap 2);d 20\n' >expected
same tracks.folded expected
expect 0 -o 'main (overlap 2)' aflame info overlaps.json --overlaps track
out_has 'no problems found'
expect 0 -o 'main (overlap 2);d 4' aflame convert -q overlaps.json --overlaps track --clock cpu

# single calls match, with any number of threads, and in the picture
expect 0 aflame convert -q overlaps.json --overlaps track --format chrome
check 'the calls are truncated' sh -c "grep -q '\"d\".*\"ts\":7,\"dur\":20' '$captured/out'"
cp "$captured/out" all.json
expect 0 -s all.json aflame convert -q overlaps.json --overlaps track --format chrome --jobs 1
expect 0 aflame convert all.json -o again.folded
sort again.folded >one; sort tracks.folded >other
same one other
expect 0 aflame render -q overlaps.json --overlaps track --view chart -o tracks.svg
opens tracks.svg
contains tracks.svg 'main (overlap)'

# in .aflame too
printf 'overlaps = track\nother-ends = ignore\n' >.aflame
expect 0 aflame convert overlaps.json -o settled.folded
same settled.folded tracks.folded
expect 0 aflame convert -q ends.json -o settled.folded
same settled.folded ignored.folded
rm .aflame

for odd in x '' cutting; do
    expect 2 -e "--overlaps takes one of cut, track, not \"$odd\"" aflame convert overlaps.json --overlaps "$odd"
    expect 2 -e "--other-ends takes one of close, ignore, not \"$odd\"" aflame convert ends.json --other-ends "$odd"
done

# a track has the clocks of its thread
sed 's/^\[/[{"ph":"X","name":"e","pid":1,"tid":8,"ts":0,"dur":10},{"ph":"X","name":"f","pid":1,"tid":8,"ts":5,"dur":10},/' \
    overlaps.json >clocks.json
expect 0 -o '"name": "Thread 8 (overlap)"' aflame info -q clocks.json --overlaps track --json
check 'a track has CPU times that its thread lacks' sh -c \
    "[ \$(grep -c '\"cpu\": [0-9]' '$captured/out') -eq 6 ]"
