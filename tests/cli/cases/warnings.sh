# Problems of a trace: one line per kind, and a failure under --strict.
copy_sample overflow.trace 's/^data-file-overflow=false$/data-file-overflow=true/'
head -c $(($(wc -c <"$data/sample.trace") - 5)) "$data/sample.trace" >cut.trace

expect 0 -e 'aflame: overflow.trace: the recording buffer overflowed' aflame render overflow.trace -o x.svg
err_has 'the time after the last record is not counted'
err_lines 2
opens x.svg
expect 0 aflame render cut.trace -o x.svg
err_has 'aflame: cut.trace: the last record is incomplete; dropped' '(at byte '
expect 0 -e '' aflame render -q cut.trace -o x.svg
expect 0 -e 'folded files cannot hold this, so it is left out: that the buffer overflowed' aflame convert overflow.trace
err_lines 3

rm x.svg
expect 4 -e 'the recording buffer overflowed' aflame render --strict overflow.trace -o x.svg
err_has '2 kinds of warnings under --strict: nothing was written'
absent x.svg '.aflame-*'
expect 4 -e 'the recording buffer overflowed' aflame render --strict -q overflow.trace -o x.svg
expect 4 -o '' aflame convert --strict overflow.trace
expect 4 -o 'OVERFLOWED' aflame info --strict overflow.trace
err_is 'aflame: overflow.trace: 2 kinds of warnings under --strict'
expect 0 -e '' aflame render --strict app.trace -o x.svg
expect 0 -e '' aflame info --strict app.trace

# the worst exit code of several counts
expect 4 aflame info --strict app.trace overflow.trace missing.trace
expect 3 aflame info app.trace missing.trace

# too damaged to draw
copy_sample damaged.trace 's/^\*end$/*ent/'
expect 4 -l 1 aflame render damaged.trace -o y.svg
absent y.svg

# every report of a comparison carries the warnings of its inputs
overflow=${AFLAME_MADE:?}/overflow.trace
for format in text html markdown svg; do
    expect 0 aflame diff "$overflow" "$data/sample.trace" --format $format -o d.$format
    check "the $format of a comparison has no warning" \
        grep -q 'warning about before: the recording buffer overflowed' d.$format
    err_has 'the recording buffer overflowed'
done
expect 0 -o '"before": {"inputs": ["' aflame diff "$data/sample.trace" "$overflow" --json
check 'the JSON has no warning of the second side' \
    grep -q '"after": {.*"warnings": \[{"id": "overflow", "count": 1, ' "$captured/out"
expect 0 -e 'the recording buffer overflowed' aflame diff "$overflow" "$data/sample.trace" --format csv

# a message stays short, whatever it quotes
long_thread() {
    printf '[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"%s' "$1"
    head -c 100000 /dev/zero | tr '\0' x
    printf '"}},{"ph":"B","pid":1,"tid":1,"ts":1,"name":"a"},{"ph":"E","pid":1,"tid":1,"ts":2}]'
}
long_thread b >before.json
long_thread a >after.json
expect 2 -e 'no thread in common ("bxxx' aflame diff before.json after.json
err_has '…'
check 'the message is long' [ "$(wc -c <"$captured/err")" -lt 9000 ]

# ends without a begin: their slices began before the recording, unless an end closed another slice
printf '[{"pid":0,"tid":0,"ph":"B","name":"a","ts":0},{"pid":0,"tid":0,"ph":"E","name":"a","ts":1},
{"pid":0,"tid":0,"ph":"E","name":"b","ts":2}]\n' >lone.json
expect 0 -o '  - 1 slice began before the recording; left out' aflame info lone.json
sed 's/"ts":2}/&,{"pid":0,"tid":0,"ph":"E","name":"c","ts":3}/' lone.json >two.json
expect 0 -o '  - 2 slices began before the recording; left out' aflame info two.json
sed 's/"ph":"E","name":"a","ts":1/"ph":"E","name":"x","ts":1/' lone.json >other.json
expect 0 -n 'before the recording' -o '  - 1 end has no begin; left out' aflame info other.json
