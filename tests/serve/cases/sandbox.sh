# Workers that were taken over. Each attempt ends in a page that says what happened, and the server
# goes on.
program=$(dirname "$program")/aflame_misbehaving
start --store store --worker-memory 256M --workers 2
check 'a guard is missing here' [ ! -s server.err ]

# attempt NAME PATTERN: the content differs, since known content is not read again
attempt() {
    printf 'upload %s\n' "$1" >"$1"
    get 422 /upload_trace -H 'Accept: application/json' -F "trace_file=@$1"
    check "the answer lacks: $2" grep -qE "$2" "$captured/out"
    out_lacks escaped
    id=$(field id)
    get 422 "/trace/$id"
    check "the page lacks: $2" grep -qE "$2" "$captured/out"
}

attempt open-file 'cannot open a file: Operation not permitted'
attempt make-file 'cannot make a file: Operation not permitted'
attempt look 'cannot look at a file: Operation not permitted'
attempt socket 'cannot open a socket: Operation not permitted'
attempt start-process 'cannot start a process: Operation not permitted'
attempt kill 'cannot kill the server: Operation not permitted'
attempt write-much 'its output is larger than the server allows'
attempt write-facts 'its description of the trace is larger than the server allows'
attempt crash 'it crashed'
[ -n "${AFLAME_SANITIZED-}" ] || attempt take-memory 'cannot take 4 GB: Cannot allocate memory'

# the server goes on
send app.trace
get 200 "/trace/$id/graph.svg"
cp "$captured/out" guarded.svg
while pgrep -P "$server" >/dev/null; do # the server may still look for its guards
    pause 'the end of all workers'
done

# facts that attack the page
printf x >lie
get 201 /upload_trace -H 'Accept: application/json' -F trace_file=@lie
id=$(field id)
get 200 -o '&lt;svg onload=alert(1)&gt;' "/trace/$id"
out_lacks '<svg onload' '<script>alert' '<b>bold' '<img'
stop
start --store store --worker-time 1
# on a busy machine the time passes before the worker has used it
attempt spin 'it (exceeded its limit of time|took too long) \(--worker-time\)'
attempt sleep 'it took too long \(--worker-time\)'
attempt close 'it took too long \(--worker-time\)'
stop
absent made-by-a-worker

# a system without one of the guards, or without both: the server reports that and works
for missing in landlock seccomp 'landlock seccomp'; do
    wrapper="${AFLAME_REFUSE:?} $missing --"
    start --store "without ${missing// /}"
    wrapper=
    for guard in $missing; do
        case $guard in
            landlock) line='cannot set up Landlock' ;;
            seccomp) line='cannot set up the filter of system calls (seccomp)' ;;
        esac
        wait_for grep -qF "aflame: $line; workers run without it" server.err
    done
    check 'other messages' [ "$(wc -l <server.err)" -eq "$(wc -w <<<"$missing")" ]
    # the others guard
    case $missing in
        landlock) attempt open-file 'cannot open a file: Operation not permitted' ;;
        seccomp) attempt open-file 'cannot open a file: Permission denied' ;;
    esac
    send app.trace
    get 200 "/trace/$id"
    get 200 -s guarded.svg "/trace/$id/graph.svg"
    stop
done

# a worker checks its words itself, whatever the server has checked before
work() {
    local status=$1
    shift
    expect_sh "$status" "exec \"$AFLAME_REFUSE\" landlock seccomp -- \"$program\" worker $* <app.trace 3</dev/null 4>facts"
}
for words in '' '1' '1 2 3 name render' '0 4000000000 9 name render --' 'x 4000000000 9 name render --' \
    '$PPID 0 9 name render --' '$PPID 4000000000 0 name render --' '$PPID 4000000000 9 name paint --'; do
    work 2 "$words"
    err_is 'aflame: aflame serve starts the worker; do not start it yourself'
done
worker='$PPID 4000000000 9'
work 0 "$worker probe probe --"
out_has Landlock 'the filter of system calls (seccomp)'
out_lacks limits
work 2 "$worker app.trace render widht=900 -- --output=- -- -"
err_is 'aflame: widht is not an option of this picture or table; did you mean width?'
work 2 "$worker app.trace render output=/tmp/x -- --output=- -- -"
err_is 'aflame: output is an option that is not allowed in a query'
work 2 "$worker app.trace render view=callgraph -- --output=- -- -"
err_has 'view=callgraph needs a module, which a server does not load'
# a flag is on unless its value is "false" or "0"
"$program" render -q app.trace --static -o static.svg
"$program" render -q app.trace -o moving.svg
for flag in static static=1; do
    work 0 "$worker app.trace render $flag -- --format=svg --output=- -- -"
    same "$captured/out" static.svg
done
for flag in static=0 static=false; do
    work 0 "$worker app.trace render $flag -- --format=svg --output=- -- -"
    same "$captured/out" moving.svg
done
# a buffer that filled up is a warning among the facts of a reading
cp "$made/overflow.trace" app.trace
work 0 "$worker app.trace read -- 1"
check 'other warnings' [ "$(sed -n 's/^warnings=//p' facts)" -eq 2 ]
check 'no overflow' grep -q '^warning0=the recording buffer overflowed: ' facts
check 'no early end' grep -q '^warning1=the recording ended before the trace did; ' facts
work 5 "$worker app.trace read -- 1 >/dev/full"
err_is 'aflame: cannot write'

# a worker dies with its server
start --no-store --worker-time 60
printf y >sleep
get 302 /upload_trace -F trace_file=@sleep
catch
kill -KILL "$server"
wait "$server" 2>/dev/null
server=
while kill -0 "$worker" 2>/dev/null; do # the time limit of the test ends a worker that outlives it
    pause 'the end of the worker'
done
