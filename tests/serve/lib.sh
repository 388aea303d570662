# The commands of a case of the server, besides those of ../cli/lib.sh.
#
#   start OPTION...     starts a server on a port that the system chooses; `$url` is its address
#   stop                ends it with SIGTERM, which must succeed
#   get STATUS PATH [CURL-OPTION...]     requests a page into `$captured/out`, its head into
#                                        `$captured/err`
#   send FILE [CURL-OPTION...]           uploads a file; `$id` and `$token` come from the JSON
#   field NAME          the value of a member of the JSON in `$captured/out`

server= url= store=

start() {
    checks=$((checks + 1))
    last="start $*"
    rm -f server.out
    "${program:-aflame}" serve --listen 127.0.0.1:0 "$@" >server.out 2>server.err </dev/null &
    server=$!
    # the server prints its address when it is ready, or ends
    until [ -s server.out ] || ! kill -0 "$server" 2>/dev/null; do
        sleep 0.02
    done
    url=$(cat server.out)
    [ -n "$url" ] || {
        cp server.err "$captured/err"
        fail "the server did not start"
    }
}

stop() {
    checks=$((checks + 1))
    status=0
    kill -TERM "$server" && wait "$server" || status=$?
    server=
    [ "$status" -eq 0 ] || fail "the server ended with $status: $(cat server.err)"
}

# The case may fail in between: no server survives it.
trap '[ -z "$server" ] || kill -KILL "$server" 2>/dev/null' EXIT

get() {
    local expected=$1 path=$2 status
    shift 2
    last="get $path $*"
    checks=$((checks + 1))
    status=$(curl -s -S -m 120 -D "$captured/err" -o "$captured/out" -w '%{http_code}' "$@" "$url$path") ||
        fail "curl: $?"
    [ -e "$captured/out" ] || : >"$captured/out"
    [ "$status" = "$expected" ] || fail "status $status, not $expected"
}

field() {
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$captured/out" | head -n 1
}

send() {
    local file=$1
    shift
    get 201 /upload_trace -H 'Accept: application/json' -F "trace_file=@$file" "$@"
    id=$(field id) token=$(field delete_token)
}

# How many blobs the store has, and whether every row has its blobs and every blob its row.
check_store() {
    checks=$((checks + 1))
    sqlite3 "$store/index.sqlite" 'PRAGMA integrity_check' >"$captured/err"
    [ "$(cat "$captured/err")" = ok ] || fail "the index is damaged"
    sqlite3 "$store/index.sqlite" "
        SELECT id || '.upload' FROM trace WHERE state = 0 UNION
        SELECT id || '.aflp' FROM trace WHERE state = 1 UNION
        SELECT id || '.zst' FROM trace WHERE state = 1 AND has_upload UNION
        SELECT id || '.mapping' FROM trace WHERE has_mapping ORDER BY 1" >"$captured/rows"
    ls "$store/blobs" | LC_ALL=C sort >"$captured/blobs"
    LC_ALL=C sort -o "$captured/rows" "$captured/rows"
    cmp -s "$captured/rows" "$captured/blobs" ||
        fail "rows and blobs differ: $(diff "$captured/rows" "$captured/blobs" | head -n 5)"
}
