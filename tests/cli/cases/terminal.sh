# Output on a terminal: `script` provides one.
aflame render app.trace -o graph.svg
unset CI
TERM=xterm
export TERM

expect 0 script -qec 'aflame render app.trace -o - --format png; echo "status $?"' typed
contains typed 'aflame: cannot write png to a terminal' 'status 2'
expect 0 script -qec 'aflame render app.trace -o - --format pdf; echo "status $?"' typed
contains typed 'status 2'
expect 0 script -qec 'aflame render app.trace -o -; echo "status $?"' typed
contains typed 'status 0'

# progress only after half a second, erased at the end
slow='(sleep 0.7; cat app.trace) | aflame render - -o slow.svg'
expect 0 script -qec "$slow" typed
contains typed 'reading standard input'
check 'progress was not erased' sh -c 'LC_ALL=C grep -q "$(printf "\r\033\\[K")[^r]*$" typed'
opens slow.svg
expect 0 script -qec "$slow -q" typed
omits typed 'reading standard'
expect 0 env CI=1 script -qec "$slow" typed
omits typed 'reading standard'
expect 0 env TERM=dumb script -qec "$slow" typed
omits typed 'reading standard'
# the clock stands still, so half a second never passes
expect 0 env AFLAME_TEST_NO_TIME=1 script -qec \
    "(cat app.trace) | '${AFLAME_INTERPOSED:?the command with orders from the environment}' render - -o fast.svg" typed
omits typed 'reading standard'
opens fast.svg
expect_sh 0 -e '' "$slow"

# a table fits the width and height of the window
expect 0 script -qec 'stty cols 90 rows 20; aflame report app.trace --thread all' typed
check 'a line is wider than the terminal' sh -c '[ $(tr -d "\r" <typed | sed 1d | head -n -1 | wc -L) -le 90 ]'
check 'the table is taller than the terminal' sh -c '[ $(grep -cE " m?s  *[0-9.]+ %" typed) -eq 12 ]'
expect 0 script -qec 'stty cols 60 rows 100; aflame report app.trace' typed
check 'a line is wider than the terminal' sh -c '[ $(tr -d "\r" <typed | sed 1d | head -n -1 | wc -L) -le 60 ]'
check 'the table does not fill the terminal' sh -c '[ $(grep -c " ms " typed) -gt 60 ]'
contains typed '…'
expect 0 script -qec 'stty cols 60 rows 100; COLUMNS=70 aflame report app.trace' typed
check 'COLUMNS has no effect' sh -c '[ $(tr -d "\r" <typed | sed 1d | head -n -1 | LC_ALL=C.UTF-8 wc -L) -eq 70 ]'
expect 0 script -qec 'stty cols 60 rows 100; COLUMNS=70 aflame report app.trace --width 50' typed
check '--width has no effect' sh -c '[ $(tr -d "\r" <typed | sed 1d | head -n -1 | LC_ALL=C.UTF-8 wc -L) -eq 50 ]'
for verb in report 'calls:.' 'diff:app.trace'; do
    expect 0 -n '…' env COLUMNS=50 aflame ${verb%%:*} app.trace $(expr "$verb" : '.*:\(.*\)')
    expect 0 aflame ${verb%%:*} app.trace $(expr "$verb" : '.*:\(.*\)') --width 50
    check "$verb is wider than 50" [ "$(LC_ALL=C.UTF-8 wc -L <"$captured/out")" -le 50 ]
done
# both tables of an overview fit a screen
expect 0 script -qec 'stty cols 90 rows 40; aflame report app.trace' typed
check 'the page is taller than the screen' sh -c '[ $(sed 1d typed | head -n -1 | wc -l) -le 39 ]'
expect 0 script -qec 'aflame convert app.trace --format pprof; echo "status $?"' typed
contains typed 'cannot write pprof to a terminal; give -o FILE.pb.gz' 'status 2'

# raw names could control the terminal
expect 2 script -qec 'aflame report app.trace --records --quirks' typed
contains typed 'unescaped bytes of the file, which are unsafe on a terminal'
expect_sh 0 'aflame report app.trace --records --quirks | cat >piped.txt'

# the text of info, too
cp "$made/overflow.trace" over.trace
for file in app.trace over.trace; do
    for columns in 40 60 70 110; do
        expect 0 script -qec "stty cols $columns rows 50; aflame info $file" typed
        check "$file: a line is longer than $columns" [ "$(tr -d '\r' <"$captured/out" | sed 's/.*typed.*//' | LC_ALL=C.UTF-8 wc -L)" -le $columns ]
    done
done
check 'a wide page is not wider' [ "$(tr -d '\r' <"$captured/out" | LC_ALL=C.UTF-8 wc -L)" -gt 88 ]
