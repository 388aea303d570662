# The commands of a case of the server, besides those of ../cli/lib.sh.
#
#   start OPTION...     starts a server, by the words of `$wrapper`, on a port that the system
#                       chooses; `$url` is its address, also with --base-url.
#                       --store NAME is a folder or, under AFLAME_POSTGRESQL, a database
#   stop                ends it with SIGTERM, which must succeed
#   get STATUS [-o TEXT]... PATH [CURL-OPTION...]  requests a page into `$captured/out`, its head
#                       into `$captured/err`; -o, -e, -n and -s are those of expect
#   send FILE [CURL-OPTION...]           uploads a file; `$id` and `$token` come from the JSON
#   field NAME          the value of a member of the JSON in `$captured/out`
#   catch [SERVER,...]  waits until a worker of a server reads an upload; its process is `$worker`
#   go_on               lets a worker of aflame_misbehaving behave that waits for that
#   wait_until STATUS PATH [CURL-OPTION...]            requests a page until it has this status

server= url= store=

start() {
    local word before= options=()
    checks=$((checks + 1))
    last="start $*"
    for word; do
        [ "$before" != --store ] || [ -z "$postgresql" ] ||
            word=$(database "case_${PWD##*/}_$word")
        options+=("$word")
        before=$word
    done
    rm -f server.out
    ${wrapper-} "$program" serve --listen 127.0.0.1:0 "${options[@]}" >server.out 2>server.err </dev/null &
    server=$!
    await_address
    # before the address of a proxy, it prints its own on standard error
    url=$(sed -n 's/.* listening on //p' server.err)
    [ -n "$url" ] || url=$(cat server.out)
    [ -n "$url" ] || {
        cp server.err "$captured/err"
        fail "the server did not start"
    }
}

# The server prints its address when it is ready, or ends.
await_address() {
    until [ -s server.out ] || ! kill -0 "$server" 2>/dev/null; do
        pause 'the address of the server'
    done
}

stop() {
    checks=$((checks + 1))
    status=0
    kill -TERM "$server" && wait "$server" || status=$?
    server=
    [ "$status" -eq 0 ] || fail "the server ended with $status: $(cat server.err)"
}

# The case may fail in between: no server and no client survives it.
trap 'kill -KILL $(jobs -rp; jobs -sp) 2>/dev/null' EXIT

get() {
    local expected=$1 path status
    shift
    take_wanted "$@"
    shift $taken
    path=$1
    shift
    last="get $path $*"
    checks=$((checks + 1))
    status=$(curl -s -S -m 300 -D "$captured/err" -o "$captured/out" -w '%{http_code}' "$@" "$url$path") ||
        fail "curl: $?"
    [ -e "$captured/out" ] || : >"$captured/out"
    [ "$status" = "$expected" ] || fail "status $status, not $expected"
    check_wanted
}

field() {
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$captured/out" | head -n 1
}

catch() {
    # after its start a server also runs a worker that only probes its guards
    until worker=$(pgrep -o -P "${1-$server}" -f '^aflame worker .* read( |$)'); do
        pause 'a worker'
    done
}

go_on() {
    local caught=0
    # before the worker expects the signal, it would end by it
    while [ -e "/proc/$worker" ] && [ $((0x${caught:-0} >> 9 & 1)) -eq 0 ]; do
        pause 'a worker that expects the signal'
        caught=$(sed -n 's/^SigCgt:[[:blank:]]*//p' "/proc/$worker/status" 2>/dev/null)
    done
    while kill -USR1 "$worker" 2>/dev/null; do
        pause 'the end of the worker'
    done
}

wait_until() {
    until [ "$(curl -s -m 300 -o "$captured/out" -w '%{http_code}' "$url$2" "${@:3}")" = "$1" ]; do
        pause "status $1 of $2"
    done
}

send() {
    local file=$1
    shift
    get 201 /upload_trace -H 'Accept: application/json' -F "trace_file=@$file" "$@"
    id=$(field id) token=$(field delete_token)
}

# query SQL: the rows of the index of `$store`
query() {
    if [ -n "$postgresql" ]; then
        ask "case_${PWD##*/}_$store" "$1"
    else
        sqlite3 "$store/index.sqlite" "$1"
    fi
}

# The names of all blobs of `$store`; a blob in pieces counts only if they are complete.
list_blobs() {
    if [ -n "$postgresql" ]; then
        query "SELECT trace || (ARRAY['.upload', '.zst', '.aflp', '.mapping'])[blob + 1] FROM piece
            GROUP BY trace, blob
            HAVING max(n) + 1 = count(*) AND sum((octet_length(bytes) < 1048576)::int) = 1 AND
                (array_agg(octet_length(bytes) ORDER BY n DESC))[1] < 1048576"
    else
        ls "$store/blobs"
    fi | LC_ALL=C sort
}

count_blobs() {
    list_blobs | wc -l
}

# Whether every row has its blobs, every blob has its row, and the sizes are right.
check_store() {
    checks=$((checks + 1))
    if [ -z "$postgresql" ]; then
        query 'PRAGMA integrity_check' >"$captured/err"
        [ "$(cat "$captured/err")" = ok ] || fail "the index is damaged"
        [ "$(query 'SELECT coalesce(sum(stored), 0) FROM trace')" = \
            "$(find "$store/blobs" -type f -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }')" ] ||
            fail 'wrong sizes'
    else
        [ -z "$(query 'SELECT id FROM trace WHERE stored <> coalesce((SELECT
            sum(octet_length(bytes)) FROM piece WHERE trace = id), 0)')" ] || fail 'wrong sizes'
        [ "$(query 'SELECT count(*) FROM (SELECT DISTINCT trace, blob FROM piece) AS b')" = "$(count_blobs)" ] ||
            fail 'incomplete blobs'
    fi
    query "SELECT id || '.upload' FROM trace WHERE state = 0 UNION
        SELECT id || '.aflp' FROM trace WHERE state = 1 UNION
        SELECT id || '.zst' FROM trace WHERE state = 1 AND has_upload = 1 UNION
        SELECT id || '.mapping' FROM trace WHERE has_mapping = 1" | LC_ALL=C sort >"$captured/rows"
    list_blobs >"$captured/blobs"
    cmp -s "$captured/rows" "$captured/blobs" ||
        fail "rows and blobs differ: $(diff "$captured/rows" "$captured/blobs" | head -n 5)"
}
