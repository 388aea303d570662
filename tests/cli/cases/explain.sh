# aflame explain: its formats and options, and that the commands that it prints work as they are.
mkdir 'a folder'
cp "$data/sample.trace" "a folder/it's.trace"

expect 0 -e '' -o '1. main ' aflame explain app.trace
out_has 'These findings explain '
check 'a line is longer than 80 columns' awk '!/^ *aflame/ && length > 90 { exit 1 }' "$captured/out"
expect 0 -o '"schema": "aflame.explain/1"' aflame explain app.trace --json
check 'the answer is over 4 kB' [ "$(wc -c <"$captured/out")" -le 4096 ]
expect 0 -o '**app.trace**' aflame explain app.trace --markdown
expect 0 aflame explain app.trace -o x.txt -o x.json -o x.md
present x.txt x.json x.md

# every command of the evidence
cat >wall.json <<'END'
[{"name":"android.os.MessageQueue.nativePollOnce","ph":"X","ts":0,"dur":9000000,"pid":1,"tid":1},
{"name":"com.example.Main.run","ph":"X","ts":9000000,"dur":100000,"pid":1,"tid":1}]
END
for trace in app.trace "a folder/it's.trace" wall.json; do
    expect 0 aflame explain "$trace"
    sed -n 's/^     aflame //p' "$captured/out" >commands
    check "no commands for $trace" [ -s commands ]
    while IFS= read -r command; do
        expect_sh 0 "aflame $command"
    done <commands
done

# rules
expect 0 aflame explain app.trace --rule inflation
out_has '1. main spent 189.4 ms of 1.10 s (17.2 %) inflating layouts, in 8 calls'
out_lacks '2. '
expect 0 -o 'nothing stands out' aflame explain app.trace --rule recursion
expect 0 -o 'hot-method     the self time of one method is at least 10 % of its' aflame explain --list-rules
expect 2 -e '--list-rules takes no trace' aflame explain --list-rules app.trace
expect 2 -e 'hot-method' aflame explain app.trace --rule hot-methd
expect 0 -o 'nothing stands out' aflame explain app.trace --rule slow-frame --frame-time 200ms
expect 0 aflame explain app.trace --rule slow-frame --frame-time 100ms
out_has '1 of 11 frames on main took longer than 100.0 ms: 114.4 ms'

# several traces, one of them unreadable
: >empty.trace
expect 3 -e 'empty.trace' aflame explain app.trace empty.trace --json
expect 0 aflame explain app.trace app.trace --json
check 'several traces are not an array' [ "$(head -c 1 "$captured/out")" = '[' ]

# what has no single calls
expect 0 aflame convert app.trace -o app.folded
expect 0 -n 'waited' aflame explain app.folded
expect 0 aflame merge app.trace -o app.aflp
expect 0 -o 'inflating layouts' aflame explain app.aflp

# threads, a part of the trace, steps and pseudonyms
expect 0 -n '1. OkHttp' -o '1. main ' aflame explain app.trace --thread main
expect 2 -e 'main' aflame explain app.trace --thread mian
expect 0 -o ' of 200.0 ms ' aflame explain app.trace --from 200ms --to 400ms
sed -n 's/^     aflame //p' "$captured/out" >commands
grep -q ' --from 200000000ns --to 400000000ns' commands || fail 'commands lack the part of the trace'
while IFS= read -r command; do
    expect_sh 0 "aflame $command"
done <commands
expect 0 -n 'inflating layouts' aflame explain app.trace --hide '/^android[.]view[.]LayoutInflater/'
expect 0 aflame explain app.trace --hide '/(Handler|Looper)[.]dispatch$/'
sed -n 's/^     aflame //p' "$captured/out" >commands
grep -q " --hide '/(Handler|Looper)" commands || fail 'commands lack a step with quotes'
while IFS= read -r command; do
    expect_sh 0 "aflame $command"
done <commands
expect 2 -e 'leave out --invert-callers' aflame explain app.trace --invert-callers
expect 0 -o 'inflating layouts' aflame explain app.trace --redact
out_lacks 'MainActivity.onCreate' 'app.trace'

# JSON of tables has the first rows, and counts the others
expect 0 aflame report -q app.trace --json
check 'report: the rows are not the first 40' [ "$(grep -c '^    {"name":' "$captured/out")" = 40 ]
out_has '"left_out": {"methods": '
expect 0 -n left_out aflame report -q app.trace --json --top 0
expect 0 -o '"left_out"' aflame calls -q app.trace /./ --json
expect 0 -o '"left_out"' aflame diff -q app.trace app.trace --json
check 'a comparison of equal traces is long' [ "$(wc -c <"$captured/out")" -le 20000 ]

# names of files that act on a terminal or look like options, and one that the JSON truncates
odd=$(printf -- '-a\nb\033[1m\377.trace')
cp app.trace "./$odd"
expect 0 -n "$(printf '\033')" aflame explain -- "$odd"
out_has "aflame calls $'./-a\012b\033[1m\377.trace' =android"
check "not quoted for the shell" bash -c "cmp app.trace $(sed -n "/aflame calls/{s/.*calls \(.*\) =android.*/\1/p;q}" "$captured/out")"
long=$(printf %0195d 1).trace
cp app.trace "$long"
expect 0 -o "$(printf %0195d 1).tra…" aflame explain --json "$long"
