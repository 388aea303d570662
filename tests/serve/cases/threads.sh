# The system refuses a thread of the server: it starts with fewer, or ends with one line.
program=${AFLAME_INTERPOSED:?the command with orders from the environment}
starts=0 ends=0
for number in 1 2 3 4 5 6 7 8 9 10 11 12; do
    rm -rf "store$number" server.out
    AFLAME_TEST_NO_THREADS=$number "$program" serve --listen 127.0.0.1:0 --workers 2 \
        --store "store$number" >server.out 2>server.err </dev/null &
    server=$!
    await_address
    url=$(cat server.out)
    if [ -n "$url" ]; then
        starts=$((starts + 1))
        stop
    else
        ends=$((ends + 1))
        status=0
        wait "$server" || status=$?
        server=
        check "thread $number: exit $status" [ "$status" -lt 128 ] && [ "$status" -ne 0 ]
        check "thread $number: no single line" [ "$(wc -l <server.err)" -eq 1 ]
    fi
done
check 'no server started' [ "$starts" -gt 0 ]
check 'every server started' [ "$ends" -gt 0 ]

# only the second worker and the second thread for the disk are refused: the server serves
for number in 2 4; do
    export AFLAME_TEST_NO_THREAD=$number
    start --workers 2 --store "one$number"
    unset AFLAME_TEST_NO_THREAD
    send "$data/sample.trace"
    get 200 "/trace/$id"
    stop
done
