#!/usr/bin/env bash
# Prints the figures of the server: time of an upload, requests and memory with a thousand clients,
# 64 uploads at once, lists of 10,000 traces, time until it is ready.
#   serve.sh AFLAME FOLDER
# The trace, of 4,100,000 records or AFLAME_BENCH_SIZES, and the store go to FOLDER. Clients and server share the processors.
set -euo pipefail
export LC_ALL=C

aflame=$1 folder=$2
records=${AFLAME_BENCH_SIZES:-4100000}
mkdir -p "$folder"
folder=$(realpath "$folder")/serve
rm -rf "$folder"
mkdir "$folder"
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT

now_ms() {
    echo $(($(date +%s%N) / 1000000))
}

start() {
    rm -f "$folder/url"
    "$aflame" serve --listen 127.0.0.1:0 --store "$folder/store" > "$folder/url" &
    server=$!
    local tries=0
    until [ -s "$folder/url" ]; do
        sleep 0.001
        tries=$((tries + 1))
        if ! kill -0 "$server" || [ $tries -gt 100000 ]; then
            echo 'serve.sh: the server did not print its address' >&2
            exit 1
        fi
    done
    url=$(cat "$folder/url")
}

stop() {
    kill "$server"
    wait "$server"
    server=
}

upload() { # FILE
    curl -sf -H 'Accept: application/json' -F "trace_file=@$1" "$url/upload_trace" |
        sed -n 's/^ *"id": "\(.*\)",$/\1/p'
}

peak_kb() {
    sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$server/status"
}

"$(dirname "$0")/generate.js" --records "$records" -o "$folder/trace" > /dev/null
begin=$(now_ms)
start
echo "ready after $(($(now_ms) - begin)) ms"

begin=$(now_ms)
"$aflame" info -q "$folder/trace" > /dev/null
info_ms=$(($(now_ms) - begin))
begin=$(now_ms)
id=$(upload "$folder/trace")
curl -sf -o /dev/null "$url/trace/$id"
echo "$(($(stat -c %s "$folder/trace") / 1000000)) MB from upload to page: $(($(now_ms) - begin)) ms;" \
    "aflame info: $info_ms ms; the server's peak: $(peak_kb) kB"

curl -sf -o /dev/null "$url/trace/$id/graph.png"
ulimit -n 4000
for path in "trace/$id" "trace/$id/graph.png"; do
    ab -q -k -n 20000 -c 1000 "$url/$path" > "$folder/ab"
    printf '%s by 1000 clients: %s requests/s\n' "${path##*/}" \
        "$(sed -n 's/^Requests per second: *\([0-9]*\).*/\1/p' "$folder/ab")"
done
echo "the server's peak: $(peak_kb) kB"

head -c 3000000 "$folder/trace" > "$folder/part"
for n in $(seq 64); do
    { cat "$folder/part"; echo "$n"; } > "$folder/part$n"
done
begin=$(now_ms)
for n in $(seq 64); do
    upload "$folder/part$n" > "$folder/answer$n" &
    clients[n]=$!
done
wait "${clients[@]}"
echo "64 uploads of 3 MB at once: $(($(now_ms) - begin)) ms, $(cat "$folder"/answer* | wc -l) answered," \
    "the server's peak: $(peak_kb) kB"
stop

sqlite3 "$folder/store/index.sqlite" "
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO trace(id, content, old_id, state, created, used, size, stored, has_upload,
                      has_mapping, file_name, app, name, note, tags, problem, delete_hash)
    SELECT printf('%064x', i), printf('%064x', i), printf('%032X', i), 1, 1700000000 + i, 0, i, i,
           0, 0, 'file' || i, 'com.example.app' || i % 100, 'name' || i, '', 'tag' || i % 7, '', ''
    FROM n"
start
for path in traces '/traces?q=app42+tag3' '/api/v1/traces?limit=1000'; do
    printf '10,000 traces, %s: %s s\n' "/${path#/}" \
        "$(curl -sf -o /dev/null -w '%{time_total}' "$url/${path#/}")"
done
stop
