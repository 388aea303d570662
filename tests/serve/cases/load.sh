# Many clients, many uploads, and one that is slow.
cp "$data/sample.trace" app.trace
store=store
start --store store --workers 2
port=${url##*:}

# sends a byte now and then, until the server has enough of it
(
    exec 5<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET / HTTP/1.1\r\nX: ' >&5
    while printf a >&5 && ! read -r -t 0.5 -u 5 line; do
        [ -n "${line-x}" ] || break
    done
) 2>/dev/null &
slow=$!

# 64 uploads at once with 2 workers: all are answered
for n in $(seq 64); do
    { cat app.trace; echo "$n"; } >"many$n.trace"
done
ls many*.trace | xargs -P 64 -I{} curl -s -o /dev/null -w '%{http_code}\n' \
    -H 'Accept: application/json' -F trace_file=@{} "$url/upload_trace" >statuses &
uploads=$!
most=0
while kill -0 "$uploads" 2>/dev/null; do
    now=$(pgrep -c -P "$server")
    [ "$now" -le "$most" ] || most=$now
    sleep 0.05
done
wait "$uploads"
check 'not all uploads were answered' [ "$(grep -c 201 statuses)" -eq 64 ]
check "more workers than allowed: $most" [ "$most" -le 2 ]

# a thousand clients
send app.trace
get 200 "/trace/$id/graph.svg"
for path in "/trace/$id" "/trace/$id/graph.svg" /; do
    expect 0 ab -q -k -n 3000 -c 1000 -s 120 "$url$path"
    out_lacks 'Non-2xx'
    out_has 'Complete requests:      3000'
    check 'requests failed' grep -q '^Failed requests: *0$' "$captured/out"
done
if [ -z "${AFLAME_SANITIZED-}" ]; then
    kilobytes=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$server/status")
    check "$kilobytes kB of memory" [ "$kilobytes" -lt 100000 ]
fi

last='the slow client'
wait "$slow"
get 200 /healthz
stop
check_store
