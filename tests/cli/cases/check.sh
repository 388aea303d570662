# check: limits, their verdicts in every format, and updating them.
cat >budgets.ini <<'END'
# limits of the start
[start]
thread = main
method = =com.example.recipes.RecipesApp.onCreate
measure = inclusive wall
limit = 10 s

[no sleep]
thread = main
waits = sleep
# at most
limit = 5 ms
END
expect 0 aflame check app.trace --budget budgets.ini
out_has 'ok    start: inclusive wall of =com.example.recipes.RecipesApp.onCreate on main is '
out_has '; the limit is 10.00 s' 'ok    no sleep: waiting for sleep on main is '
err_empty

# ---- limits that are not met, in every format ----
sed 's/10 s/1 ns/' budgets.ini >strict.ini
expect 1 -o 'FAIL  start: ' aflame check app.trace --budget strict.ini
expect 1 aflame check app.trace --budget strict.ini --format github
out_has '::error title=aflame check::start: ' '::notice title=aflame check::no sleep: '
expect 1 -o '"schema": "aflame.check/1"' aflame check app.trace --budget strict.ini --json
out_has '"verdict": "over limit", "value_ns": '
expect 1 aflame check app.trace --budget strict.ini -o verdict.xml
opens_xml() { xmllint --noout "$1"; }
check 'JUnit XML cannot be read' opens_xml verdict.xml
expect 1 aflame check app.trace --budget strict.ini -o v.md
expect 0 -o '| **over limit** | start |' cat v.md

# ---- measures ----
for measure in self inclusive 'self cpu' wait calls mean max 'p95 wall'; do
    limit='10 s'
    [ "$measure" != calls ] || limit=1000
    printf '[x]\nmethod = onBindViewHolder\nmeasure = %s\nlimit = %s\n' "$measure" "$limit" >m.ini
    expect 0 aflame check app.trace --budget m.ini
done
expect 0 aflame calls app.trace onBindViewHolder -o calls.json
p95=$(tr ',' '\n' <calls.json | sed -n 's/.*"p95_wall_ns": \([0-9]*\).*/\1/p')
expect 0 -o "\"value_ns\": ${p95:?}, " aflame check app.trace --budget m.ini --json
expect 0 aflame convert app.trace -o app.aflp
expect 2 -e 'app.aflp: [x] cannot measure p95: ' aflame check app.aflp --budget m.ini

# ---- methods that do not occur ----
printf '[x]\nmethod = nowhere\nlimit = 1 s\n' >missing.ini
expect 1 -o 'FAIL  x: inclusive of nowhere does not occur' aflame check app.trace --budget missing.ini
printf 'optional = true\n' >>missing.ini
expect 0 aflame check app.trace --budget missing.ini

# ---- files that are wrong: the status, the group and a part of the message ----
printf 'main;work 3\n' >samples.folded
while IFS='|' read -r status group message; do
    printf "$group\n" >wrong.ini
    case $group in *work*) input='samples.folded --unit samples' ;; *) input=app.trace ;; esac
    expect "$status" aflame check $input --budget wrong.ini
    [ -z "$message" ] || { err_lines 1 && err_has "aflame: $message"; }
done <<'END'
2|[x]\nmethod = onCreate\nlimit = 1 s\nlimits = 3|wrong.ini: [x] unknown key "limits"; the keys are thread, method, waits, measure, limit, increase, 
2|[x]\nmethod = onCreate\nlimit = soon|wrong.ini: [x] limit
2|[x]\nmethod = onCreate\nlimit = 1 ms\n\n [x] \nmethod = work\nlimit = 1 s|wrong.ini: [x] occurs twice; each budget needs a name of its own
2|[x]\nmethod = onCreate\nlimit = 1 s\nmeasure = median|wrong.ini: [x] measure
2|[x]\nmethod = onCreate\nlimit = 1 s\nwaits = lunch|wrong.ini: [x] waits
2|[x]\nmethod = onCreate\nlimit = 1 s\noptional = yes|wrong.ini: [x] optional
2|[x]\nmethod = onCreate\nlimit = 1 s\nincrease = much|wrong.ini: [x] increase
2|[x]\nthread = main\nlimit = 1 s\nwaits = lock\nmeasure = mean|wrong.ini: [x] measure: must be wait or left out if waits is given, not "m
2|[x]\nthread = main\nlimit = 1 s\nmeasure = max\nwaits = lock|wrong.ini: [x] measure: must be wait or left out if waits is given, not "m
0|[x]\nthread = main\nlimit = 1 s\nwaits = lock\nmeasure = wait|
2|[x]\nmethod = onCreate\nlimit = 80|app.trace: [x] cannot measure inclusive: a time needs a unit, such as 80 ms
2|[x]\nmethod = onCreate\nlimit = 1 s\nincrease = 80|app.trace: [x] cannot measure inclusive: a time needs a unit, such as 80 ms
2|[x]\nmethod = onCreate\nmeasure = calls\nlimit = 1 ms|wrong.ini: [x] limit: takes a number of calls, not a time
2|[x]\nmethod = work\nlimit = 1 ms|samples.folded: [x] cannot measure inclusive: the input has no times, so its limit must be a number
1|[x]\nmethod = work\nlimit = 2|
1|[x]\nmethod = onCreate\nlimit = 0|
2|[x]\nmethod = /on(/\nlimit = 1 s|wrong.ini: [x] method: /on(/ is not a valid regular expression: missing terminating )
2|[x]\nlimit = 1 s|wrong.ini: [x] needs method or waits
2|[x]\nmethod = run|wrong.ini: [x] needs limit or increase
2|no group|wrong.ini: not a valid budget file: 
END
expect 2 aflame check app.trace
expect 3 aflame check app.trace --budget missing-file.ini
err_is 'aflame: missing-file.ini: cannot read: No such file or directory'
expect 3 -m 'aflame: .: cannot read: Is a directory' aflame check app.trace --budget .
expect 2 -e 'is not a budget file' aflame check app.trace --budget /dev/zero

# ---- updating ----
expect 2 -e 'writes the budget file only; leave out -o' \
    aflame check app.trace --budget strict.ini --update-budget -o x.txt
expect 0 aflame check app.trace --budget strict.ini --update-budget
expect 0 aflame check app.trace --budget strict.ini
expect 0 -o '# limits of the start' cat strict.ini
out_has '# at most'

cp budgets.ini linked.ini
chmod 640 linked.ini
ln -s linked.ini link.ini
expect 0 aflame check app.trace --budget link.ini --update-budget
check 'the link is gone' [ -L link.ini ]
check 'the file behind the link is as it was' grep -q '^limit=' linked.ini
check 'the file has another mode' [ "$(stat -c %a linked.ini)" = 640 ]

# ---- runs that cannot be compared ----
printf '[x]\nmethod = a\nlimit = 1 s\n' >runs.ini
printf 'main;a 3\n' >samples.folded
expect 2 aflame check app.trace samples.folded --budget runs.ini
err_is 'aflame: samples.folded: holds samples, but the first run holds times'
expect 2 aflame check app.trace "$made/chrome_cpu_profile.trace" --budget runs.ini
err_has 'holds samples, but the first run holds calls'
expect 2 aflame check app.trace "$made/v2_single_cpu.trace" --budget runs.ini
err_has '[x] cannot measure inclusive: the first run has wall time, this one only CPU time'
expect 2 aflame check "$made/v2_single_cpu.trace" app.trace --budget runs.ini
err_has '[x] cannot measure inclusive: the first run has only CPU time, this one wall time'
printf '[x]\nmethod = /./\nmeasure = inclusive cpu\nlimit = 10000 s\n' >runs.ini
expect 0 aflame check "$made/v2_single_cpu.trace" app.trace --budget runs.ini

# ---- two builds ----
printf '[x]\nmethod = onBindViewHolder\nincrease = 5 %%, at least 1 us\n' >grow.ini
expect 0 -e '?     x: inclusive of onBindViewHolder is ' aflame diff app.trace app.trace --budget grow.ini -o d.json
err_has '; not tested: so few runs do not tell an increase from noise'
expect 0 aflame convert app.trace --time-scale 2 -o slow.aflp
expect 0 -e '?     x: ' aflame diff app.trace slow.aflp --budget grow.ini -o d.json
# one side has no increase: a budget of nothing else tests nothing
expect 2 aflame check app.trace --budget grow.ini
err_is 'aflame: grow.ini: tests nothing: it limits only increases, which need two sides; run aflame diff BEFORE AFTER --budget FILE'
out_empty
{ cat budgets.ini; echo; sed 's/x/y/' grow.ini; } >mixed.ini
expect 0 -o 'ok    start: ' aflame check app.trace --budget mixed.ini
out_has '?     y: ' '; not tested: an increase needs two sides'
expect 0 -o 'skipped="1"' aflame check app.trace --budget mixed.ini --format junit
out_has '<skipped message="y: '
expect 0 -o '"verdict": "not tested"' aflame check app.trace --budget mixed.ini --json
# with a limit, that is tested
sed 's/^increase/limit = 10 s\n&/' grow.ini >both.ini
expect 0 -e 'ok    x: ' aflame diff app.trace slow.aflp --budget both.ini -o d.json
err_has '; not tested: so few runs'
# a budget may let single runs count
printf 'runs = 1\n' >>grow.ini
expect 0 -e 'ok    x: ' aflame diff app.trace app.trace --budget grow.ini -o d.json
expect 1 -e 'FAIL  x: ' aflame diff app.trace slow.aflp --budget grow.ini -o d.json
for wrong in 0 65 x; do
    printf '[x]\nmethod = a\nincrease = 5 %%\nruns = %s\n' $wrong >wrong.ini
    expect 2 -e '[x] runs: takes a number from 1 to 64' aflame diff app.trace slow.aflp --budget wrong.ini
done

# ---- several runs: only a growth beyond their noise counts ----
printf '[x]\nmethod = work\nincrease = 5 %%\n' >runs.ini
compare_runs() { # BEFORE AFTER: lists of values
    rm -f before.*.folded after.*.folded
    for side in before after; do
        [ $side = after ] && values=$2 || values=$1
        number=0
        for value in $values; do
            number=$((number + 1))
            printf 'main;work %s\nmain;rest 500\n' "$value" >$side.$number.folded
        done
    done
    aflame diff -q --unit samples --before 'before.*.folded' --after 'after.*.folded' --budget runs.ini -o runs.json
}
while IFS=: read -r status before after; do
    expect "$status" compare_runs "$before" "$after"
done <<END
1:100 102 98 101:120 121 119 122
0:100 102 98 101:95 130 97 128
0:100 102:120 121
1:100 102 98:120 121 119
0:100 102 98:104 106 105
0:100 102:101 140
0:100 102 98 101:103 104 105 103
END
printf '[x]\nmethod = work\nincrease = 5 %%\nruns = 2\n' >runs.ini
expect 1 compare_runs '100 102' '120 121'
expect 0 compare_runs '100 102' '101 140'
printf '[x]\nthread = nobody\nmethod = work\nlimit = 5\n' >runs.ini
expect 1 aflame check before.1.folded --unit samples --budget runs.ini
printf "[x]\nmethod = work\nmeasure = self cpu\nlimit = 5\n" >runs.ini
expect 2 -e 'the input lacks the clock' aflame check before.1.folded --unit samples --budget runs.ini
printf '[x]\nmethod = work\nmeasure = calls\nlimit = 5\n' >runs.ini
expect 2 -e 'the input holds samples, not calls' aflame check before.1.folded --unit samples --budget runs.ini

# the least difference: an amount, or a percentage of 604 samples
printf 'main;work 100\nmain;rest 500\n' >before.folded
printf 'main;work 104\nmain;rest 500\n' >after.folded
while read -r least judged; do
    expect 0 aflame diff -q --unit samples before.folded after.folded --min-delta $least --format csv
    out_has "work,100,104,100,104,4,,,,,$judged"
done <<END
4 ?
5 noise
0 ?
0% ?
0.001% ?
0.6% ?
0.7% noise
END
expect 0 aflame diff -q --unit samples before.folded after.folded --tree down --min-percent 0.6
out_has '100 samples  104 samples'
expect 0 aflame diff -q --unit samples before.folded after.folded --tree down --min-percent 1
out_lacks '100 samples  104 samples'

for wrong in 101% 0.00001% -1ms ''; do
    expect 2 aflame diff before.folded after.folded --min-delta "$wrong"
    err_has '--min-delta takes a time such as 2ms, a percentage such as 1%, or 0'
done

# ---- waiting within calls of a method; names with the signs of a format ----
printf '[<50%% & `x_y` ~~z~~]\nmethod = =android.os.Looper.loopOnce\nwaits = idle, sleep\nlimit = 1 ns\n' >waits.ini
printf '[none]\nmethod = nowhere\noptional = true\nlimit = 1 s\n' >>waits.ini
expect 1 aflame check app.trace --budget waits.ini --format json
nanoseconds=$(sed -n 's/.*"value_ns": \([0-9]*\).*/\1/p' "$captured/out")
expect 0 -o "android.os.Looper.loopOnce,idle,${nanoseconds:?}," aflame report app.trace --by waits --top 0 --format csv
expect 1 -o '<50%25 & `x_y` ~~z~~' aflame check app.trace --budget waits.ini --format github
expect 1 -o '\<50% & \`x\_y\` \~\~z\~\~' aflame check app.trace --budget waits.ini --format markdown
expect 1 -o 'name="&lt;50% &amp; `x_y` ~~z~~"' aflame check app.trace --budget waits.ini --format junit
out_has '<testcase classname="budget" name="none"><skipped message="none: inclusive of nowhere does not occur, which is allowed"/></testcase>'
expect 0 aflame check app.aflp --budget waits.ini --update-budget
check 'the measured value is not in the file' grep -q '^limit=2[0-9][0-9]ms$' waits.ini
check 'a method that does not occur has a new limit' grep -q '^limit=1 s$' waits.ini

# --update-budget creates the file; without it a missing file is an error
expect 3 aflame check app.trace --budget new.ini
absent new.ini
expect 0 aflame check app.trace --budget new.ini --update-budget
err_is 'aflame: new.ini: is new: it limits the time of main; add a group for each method that matters'
check 'the new file has no limit' grep -qx 'limit=1.22s' new.ini
expect 0 -o 'ok    main: inclusive of ** on main is 1.10 s; the limit is 1.22 s' aflame check app.trace --budget new.ini
expect 3 aflame check app.trace --budget nowhere/new.ini

# an increase on single runs of one build is not tested, so it never fails
printf '[work]\nmethod = =com.example.Work.slow\nincrease = 0 %%\n' >increase.ini
for pair in 'before after' 'after before'; do
    expect 0 aflame diff "$made/compare_${pair% *}.trace" "$made/compare_${pair#* }.trace" \
        --budget increase.ini -o x.txt
    err_has '?     work: ' 'give three of each side, or set runs = 1'
done
