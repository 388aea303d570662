# An interrupted command leaves no files. The second output is a pipe without a reader: opening it
# blocks, while the temporary file of the first exists already.
#
# Where the file system supports it, an output has no name until it is complete; `named` is the
# command without that support.
named="env AFLAME_TEST_NO_TMPFILE=1 ${AFLAME_INTERPOSED:?the command with orders from the environment}"
echo old >old.svg
cp old.svg old.copy
mkfifo stuck.svg

for command in aflame "$named"; do
    expect 130 env --default-signal timeout --preserve-status -s INT 1 $command render app.trace -o old.svg -o stuck.svg
    err_empty
    same old.svg old.copy
    absent '.aflame-*'
done

for signal in TERM:143 HUP:129; do
    env --default-signal $named render app.trace -o old.svg -o stuck.svg &
    worker=$!
    until ls .aflame-* >/dev/null 2>&1 || ! kill -0 $worker 2>/dev/null; do
        pause 'an output without a name'
    done
    check 'no temporary file appeared' ls .aflame-* >/dev/null
    kill -${signal%:*} $worker
    status=0
    wait $worker || status=$?
    check "the status after $signal is $status" [ $status -eq ${signal#*:} ]
    same old.svg old.copy
    absent '.aflame-*'
done

# during a write: the reader of the second output reads a little and waits
aflame render app.trace --scale 4 -o large.png
check 'the output is too small to fill a pipe' [ "$(wc -c <large.png)" -gt 70000 ]
mkfifo slow.png
for signal in INT:130 TERM:143 HUP:129 PIPE:141 XCPU:152; do
    { head -c 100 >/dev/null; touch reading; exec sleep 1000; } <slow.png &
    reader=$!
    env --default-signal $named render app.trace --scale 4 -o old.svg -o new.pdf -o slow.png &
    worker=$!
    until [ -e reading ] || ! kill -0 $worker 2>/dev/null; do
        pause 'the first bytes of the pipe'
    done
    check 'the write did not start' [ -e reading ]
    check 'there is no temporary file' ls .aflame-* >/dev/null
    kill -${signal%:*} $worker
    status=0
    wait $worker || status=$?
    kill $reader
    wait $reader 2>/dev/null || true
    check "the status after $signal is $status" [ $status -eq ${signal#*:} ]
    same old.svg old.copy
    absent new.pdf '.aflame-*'
    rm reading
done

# at any time: all outputs or none
aflame render app.trace -o whole.svg -o whole.pdf
for wait in 01 02 03 05 07 10 15 20 30 40; do
    cp old.copy any.svg
    rm -f any.pdf
    status=0
    command=aflame
    [ ${wait%[05]} = $wait ] || command=$named
    timeout --preserve-status -s TERM 0.$wait $command render app.trace -o any.svg -o any.pdf ||
        status=$?
    absent '.aflame-*'
    case $status in
    0)
        same any.svg whole.svg
        same any.pdf whole.pdf
        ;;
    143)
        # between two renames the first may exist
        [ -e any.pdf ] || cmp -s any.svg whole.svg || same any.svg old.copy
        ;;
    *) check "the status is $status" false ;;
    esac
done

# the reader is gone: no message
expect_sh 0 -e '' '{ aflame render app.trace -o -; echo $? >status; } | head -c 1'
check 'the status after SIGPIPE is wrong' [ "$(cat status)" -eq 141 ]
expect_sh 0 -e '' '{ aflame render app.trace -o other.svg -o -; echo $? >status; } | head -c 1'
absent other.svg '.aflame-*'

# if a parent ignores the signal, the write fails
expect_sh 0 -e '' 'trap "" PIPE; { aflame render app.trace -o -; echo $? >status; } | head -c 1'
check 'the status after EPIPE is wrong' [ "$(cat status)" -eq 5 ]
