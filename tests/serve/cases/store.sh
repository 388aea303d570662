# What was acknowledged survives SIGKILL at any moment; AFLAME_KILLS is the number of kills.
kills=${AFLAME_KILLS-4}
store=store
cp "$data/sample.trace" app.trace

# Different content of about the same size.
make_trace() {
    { cat app.trace; printf 'trailing %s' "$1"; } >"$2"
}

# Uploads and deletes until the server is gone; what it acknowledged is in `acknowledged` and
# `deleted`.
use_server() {
    for n in $(seq 1000); do
        make_trace "$1.$n" busy.trace
        answer=$(curl -s -m 20 -H 'Accept: application/json' -F trace_file=@busy.trace "$url/upload_trace") || return 0
        id=$(printf '%s\n' "$answer" | sed -n 's/.*"id": "\([0-9a-f]*\)".*/\1/p')
        token=$(printf '%s\n' "$answer" | sed -n 's/.*"delete_token": "\([0-9a-f]*\)".*/\1/p')
        [ -n "$id" ] || return 0
        : >busy
        if [ $((n % 3)) -eq 0 ]; then
            # a deletion without an answer may have happened
            sed -i "/$id/d" acknowledged
            status=$(curl -s -m 20 -o /dev/null -w '%{http_code}' -X DELETE -H "Authorization: Bearer $token" "$url/api/v1/traces/$id") || return 0
            [ "$status" != 204 ] || echo "$id" >>deleted
        else
            echo "$id" >>acknowledged
        fi
    done
}

: >acknowledged
: >deleted
start --store store
for kill_number in $(seq "$kills"); do
    rm -f busy
    use_server "$kill_number" &
    client=$!
    # a different moment in each round, after the first upload
    until [ -e busy ] || ! kill -0 "$client" 2>/dev/null; do
        sleep 0.02
    done
    sleep "0.$(( (kill_number * 37) % 90 + 10 ))"
    kill -KILL "$server"
    wait "$server" 2>/dev/null
    wait "$client"
    start --store store
    while read -r id; do
        get 200 "/trace/$id/profile.aflp"
    done <acknowledged
    while read -r id; do
        get 404 "/trace/$id"
    done <deleted
done
check 'nothing was acknowledged' [ -s acknowledged ]
send app.trace
# also the uploads that nobody waited for have been read by now
until ! curl -s "$url/metrics" | grep -q '^aflame_jobs [1-9]'; do
    sleep 0.05
done
stop
check_store

# files that belong to nothing disappear at the next start
if [ -z "$postgresql" ]; then
    echo x >store/blobs/$(printf %064d 0).aflp
    echo x >store/blobs/.new-0123
    start --store store
    stop
    check_store
fi

# a restart in the middle of reading: the upload is read by the next server
start --store store
make_trace restart restart.trace
get 302 /upload_trace -F trace_file=@restart.trace
id=$(sed 's/.*trace.//' "$captured/out")
kill -KILL "$server"
wait "$server" 2>/dev/null
start --store store
get 200 "/trace/$id/graph.svg"
stop
check_store

# no worker can start, since the system refuses descriptors: the upload is kept and read later
start --store store
get 200 /healthz
prlimit --pid "$server" --nofile="$(($(ls "/proc/$server/fd" | wc -l) + 4)):"
make_trace later later.trace
get 302 /upload_trace -F trace_file=@later.trace
id=$(sed 's/.*trace.//' "$captured/out")
wait_until 503 "/trace/$id"
out_has 'cannot read this upload now, and tries again: cannot start a worker'
get 503 /upload_trace -H 'Accept: application/json' -F trace_file=@later.trace
prlimit --pid "$server" --nofile=1024:
wait_until 200 "/trace/$id"
stop
check_store

# expiry and the limit of the store really delete
start --store store --expire 1s
while [ "$(count_blobs)" -gt 0 ]; do
    sleep 0.1
done
get 404 "/trace/$id"
stop
check_store
start --store store --max-store 1M
for n in $(seq 16); do
    make_trace "big $n" big.trace
    send big.trace
done
while [ "$(count_blobs)" -ge 32 ]; do
    sleep 0.1
done
get 200 "/trace/$id"
stop
check_store

# a full disk: 507, and the store is as before
before=$(list_blobs | cksum)
make_trace full full.trace
(
    ulimit -f 64 # of 1 KB: less than an upload
    start --store store
    get 507 /upload_trace -F trace_file=@full.trace
    get 200 "/trace/$id"
    stop
    [ "$failures" -eq 0 ]
) || failures=$((failures + 1))
check_store
check 'the store has other blobs' [ "$(list_blobs | cksum)" = "$before" ]
start --store store
get 302 /upload_trace -F trace_file=@full.trace
stop
