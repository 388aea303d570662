# What was acknowledged survives SIGKILL at any moment; AFLAME_KILLS is the number of kills.
kills=${AFLAME_KILLS-$(part_of 4)}
store=store

# Different content of about the same size.
make_trace() {
    { cat app.trace; printf 'trailing %s' "$1"; } >"$2"
}

# Uploads and deletes until the server is gone; what it acknowledged is in `acknowledged` and
# `deleted`.
use_server() {
    for n in $(seq 1000); do
        make_trace "$1.$n" busy.trace
        answer=$(curl -s -m 300 -H 'Accept: application/json' -F trace_file=@busy.trace "$url/upload_trace") || return 0
        id=$(printf '%s\n' "$answer" | sed -n 's/.*"id": "\([0-9a-f]*\)".*/\1/p')
        token=$(printf '%s\n' "$answer" | sed -n 's/.*"delete_token": "\([0-9a-f]*\)".*/\1/p')
        [ -n "$id" ] || return 0
        : >busy
        if [ $((n % 3)) -eq 0 ]; then
            # a deletion without an answer may have happened
            status=$(curl -s -m 300 -o /dev/null -w '%{http_code}' -X DELETE -H "Authorization: Bearer $token" "$url/api/v1/traces/$id") || return 0
            [ "$status" != 204 ] || echo "$id" >>deleted
        else
            echo "$id" >>acknowledged
        fi
    done
}

# statuses FILE PATH: the distinct statuses of the traces in the file
statuses() {
    sed "s|.*|url = \"$url/trace/&$2\"|" "$1" | curl -s -m 300 -w '%{stderr}%{http_code}\n' -K - 2>&1 >/dev/null |
        sort -u
}

# Whether all that was acknowledged is there, and all that was deleted or has expired is not.
check_acknowledged() {
    checks=$((checks + 1))
    until curl -s "$url/metrics" | grep -q '^aflame_jobs 0$' &&
        [ "$(query 'SELECT count(*) FROM trace WHERE created = 1')" -eq 0 ]; do
        pause 'the end of all jobs'
    done
    check_store
    [ ! -s acknowledged ] || [ "$(statuses acknowledged /profile.aflp)" = 200 ] || fail "an upload is lost"
    [ ! -s deleted ] || [ "$(statuses deleted '')" = 404 ] || fail "a deletion is lost"
}

# The claims of a dead server last half a minute; here that time has passed.
kill_server() {
    kill -KILL "$server"
    wait "$server" 2>/dev/null
    [ -z "$postgresql" ] || query 'UPDATE trace SET claimed_until = now()' >"$captured/err"
}

# Kills come while a client uploads and deletes, or while old uploads expire, at any moment.
: >acknowledged
: >deleted
RANDOM=1
start --store store --expire 1h
for kill_number in $(seq "$kills"); do
    rm -f busy
    use_server "$kill_number" &
    client=$!
    until [ -e busy ] || ! kill -0 "$client" 2>/dev/null; do
        pause 'the first upload'
    done
    sleep "0.$(printf %03d $((RANDOM % 700)))"
    kill_server
    wait "$client"
    if [ $((kill_number % 2)) -eq 0 ]; then
        # the older half expires when the server starts
        half=$(($(wc -l <acknowledged) / 2))
        head -n "$half" acknowledged >>deleted
        query "UPDATE trace SET created = 1 WHERE id IN ($(head -n "$half" acknowledged | sed "s/.*/'&'/" | paste -sd ,))" >/dev/null
        sed -i "1,${half}d" acknowledged
        start --store store --expire 1h
        sleep "0.$(printf %03d $((RANDOM % 50)))"
        kill_server
    fi
    start --store store --expire 1h
    check_acknowledged
done
check 'nothing was acknowledged' [ -s acknowledged ]
check 'nothing expired' [ -s deleted ]
stop

# files that belong to nothing disappear at the next start
if [ -z "$postgresql" ]; then
    echo x >store/blobs/$(printf %064d 0).upload
    echo x >store/blobs/.new-0123
    start --store store
    stop
    check_store
fi

# an index that is damaged: no file is deleted that may belong to an upload
if [ -z "$postgresql" ]; then
    cp -r store damaged
    dd if=/dev/zero of=damaged/index.sqlite bs=4096 seek=1 count=100 conv=notrunc 2>"$captured/err"
    expect 5 "$program" serve --listen 127.0.0.1:0 --store damaged
    err_has 'damaged: the index of the store: database disk image is malformed'
    check 'files are gone' [ "$(ls damaged/blobs | cksum)" = "$(ls store/blobs | cksum)" ]
    rm -rf damaged/blobs
    expect 5 "$program" serve --listen 127.0.0.1:0 --store damaged
    # damaged while the server runs
    cp store/index.sqlite damaged/index.sqlite
    start --store damaged
    dd if=/dev/zero of=damaged/index.sqlite bs=4096 seek=1 count=100 conv=notrunc 2>"$captured/err"
    get 500 /healthz
    get 500 /traces
    get 500 -o 'database disk image is malformed' /upload_trace -F trace_file=@app.trace
    rm -rf damaged
    stop
fi

# a restart in the middle of reading: the upload is read by the next server
start --store store
make_trace restart restart.trace
get 302 /upload_trace -F trace_file=@restart.trace
id=$(sed 's/.*trace.//' "$captured/out")
kill_server
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
out_has 'cannot read this upload now and will try again: '
get 503 /upload_trace -H 'Accept: application/json' -F trace_file=@later.trace
get 200 "/api/v1/traces/$id"
out_has '"state": "waiting"' '"error": "the server cannot read this upload now and will try again: '
prlimit --pid "$server" --nofile=1024:
wait_until 200 "/trace/$id"
stop
check_store

# whatever number of descriptors is left, no upload is refused for it
start --store store
get 200 /healthz
open_before=$(ls "/proc/$server/fd" | wc -l)
few=()
for spare in $(seq 4 14); do
    make_trace "few $spare" few.trace
    prlimit --pid "$server" --nofile="$((open_before + spare)):"
    get 302 /upload_trace -F trace_file=@few.trace
    few+=("$(sed 's/.*trace.//' "$captured/out")")
    until [ "$(curl -s -o "$captured/out" "$url/api/v1/traces/${few[-1]}" && field state)" != waiting ] ||
        grep -q 'will try again' "$captured/out"; do
        pause 'the end of the first reading'
    done
    prlimit --pid "$server" --nofile=1024:
done
for id in "${few[@]}"; do
    wait_until 200 "/trace/$id"
done
stop
check_store

# expiry and the limit of the store really delete
query 'UPDATE trace SET created = created - 3600000000' >"$captured/err"
start --store store --expire 1h
while [ "$(count_blobs)" -gt 0 ]; do
    pause 'the end of the expired uploads'
done
get 404 "/trace/$id"
stop
check_store
start --store store --max-store 1M
for n in $(seq 12); do
    make_trace "big $n" big.trace
    send big.trace
    ids+=("$id")
    [ "$n" -gt 1 ] || query 'UPDATE trace SET used = 1' >"$captured/err"
done
check 'the store is too large' [ "$(query 'SELECT sum(stored) <= 1048576 FROM trace' | tr t 1)" = 1 ]
get 200 "/trace/$id"
get 404 "/trace/${ids[0]}"
head -c 1048577 /dev/zero >full
get 507 -o 'limited to 1M' /upload_trace -F trace_file=@full
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

# known content needs no space, also if its link is not made from it
perl -e 'srand 1; printf "main;%08x%08x%08x%08x 1\n", map rand 2**32, 1 .. 4 for 1 .. 20000' >random
start --store private --private-links --max-store 1M
head -n 8000 random >first
send first
first=$id
tail -n 11000 random >second
send second
second=$id
get 201 /upload_trace -H 'Accept: application/json' -F trace_file=@second
check 'the link is another' [ "$(field id)" = "$second" ]
get 200 "/trace/$first"
stop
