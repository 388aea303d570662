# What ends the command on the way leaves nothing behind. The second output is a pipe that nobody
# reads: opening it takes forever, while the first has its temporary file already.
cp "$data/sample.trace" app.trace
echo old >old.svg
cp old.svg old.copy
mkfifo stuck.svg

expect 130 timeout --preserve-status -s INT 1 aflame render app.trace -o old.svg -o stuck.svg
err_empty
same old.svg old.copy
absent '.aflame-*'

for signal in TERM:143 HUP:129; do
    aflame render app.trace -o old.svg -o stuck.svg &
    worker=$!
    tries=0
    until ls .aflame-* >/dev/null 2>&1 || [ $tries -eq 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    check 'no temporary file appeared' [ $tries -lt 200 ]
    kill -${signal%:*} $worker
    status=0
    wait $worker || status=$?
    check "status $status after $signal" [ $status -eq ${signal#*:} ]
    same old.svg old.copy
    absent '.aflame-*'
done

# nobody reads any more: no message
expect_sh 0 '{ aflame render app.trace -o -; echo $? >status; } | head -c 1'
err_empty
check 'status after SIGPIPE' [ "$(cat status)" -eq 141 ]
expect_sh 0 '{ aflame render app.trace -o other.svg -o -; echo $? >status; } | head -c 1'
err_empty
absent other.svg '.aflame-*'

# and where a parent ignores the signal, the error of the write
expect_sh 0 'trap "" PIPE; { aflame render app.trace -o -; echo $? >status; } | head -c 1'
err_empty
check 'status after EPIPE' [ "$(cat status)" -eq 5 ]
