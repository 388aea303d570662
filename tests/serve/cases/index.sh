# Two servers and one folder; an index that does not belong to the blobs; the end of a server while
# requests wait.
program=$(dirname "$program")/aflame_misbehaving
{ cat app.trace; echo 2; } >other.trace
{ cat app.trace; echo 3; } >wait
store=store

# a second server changes nothing, even if what it finds looks like the rest of an interrupted run
start --store store
send app.trace -F "mapping=@$data/mapping.txt"
first=$id
send other.trace
second=$id
echo x >"store/blobs/$(printf %064d 0).upload"
ls -l store/blobs >before
expect 5 -m "aflame: store: in use by process $server" "$program" serve --listen 127.0.0.1:0 --store store
expect 5 "$program" serve --listen 127.0.0.1:0 --store store --rebuild-index
err_is "aflame: store: in use by process $server"
expect 2 -e 'Address already in use' "$program" serve --listen "${url#http://}" --store store
expect 2 "$program" serve --listen "${url#http://}" --store elsewhere
check 'a server that could not start made a store' [ ! -e elsewhere ]
ls -l store/blobs >after
same before after

# SIGTERM twice: requests that wait for a worker are answered, and what they uploaded stays
curl -s -m 300 -o waiting -w '%{http_code}' -H 'Accept: application/json' -F trace_file=@wait \
    "$url/upload_trace" >waiting.status &
client=$!
catch
third=$(query 'SELECT id FROM trace WHERE state = 0')
kill -TERM "$server"
while curl -s -m 20 -o /dev/null "$url/healthz" || refused=$?; [ -z "${refused-}" ]; do
    pause 'the end of the open port'
done
check 'a new client was kept waiting' [ "$refused" -ne 28 ] # its time is over
stop
wait "$client"
check 'the waiting request was not answered' [ "$(cat waiting.status)" = 503 ]
check 'the reason is missing' grep -q 'the server is shutting down' waiting

# the start removes what was not acknowledged, and reads what was
start --store store
check 'the rest of an interrupted run is left' [ ! -e "store/blobs/$(printf %064d 0).upload" ]
catch
go_on
wait_until 200 "/trace/$third"
for id in "$first" "$second"; do
    get 200 "/trace/$id/report.json"
    cp "$captured/out" "$id.json"
done
check 'the index has no version' [ "$(query 'PRAGMA user_version')" = 2 ]
stop
check_store

# an index of version 1, which has seconds
query 'SELECT id, created / 1000000 FROM trace ORDER BY id' >before
query 'UPDATE trace SET created = created / 1000000; PRAGMA user_version = 1' >"$captured/out"
start --store store
stop
query 'SELECT id, created / 1000000 FROM trace ORDER BY id' >after
same before after
check 'the index has the old version' [ "$(query 'PRAGMA user_version')" = 2 ]

# an index of a later version
cp store/index.sqlite kept.sqlite
query 'PRAGMA user_version = 3' >"$captured/out"
expect 5 "$program" serve --listen 127.0.0.1:0 --store store
err_is 'aflame: store: the index has version 3, and this aflame supports up to version 2'
cp kept.sqlite store/index.sqlite

# a missing, an empty and an old index: nothing is deleted
ls -l store/blobs >before
query "DELETE FROM trace WHERE id = '$second'" >"$captured/out"
expect 5 "$program" serve --listen 127.0.0.1:0 --store store
err_is "aflame: store: the index does not list the blob $second: restore index.sqlite, or start once with --rebuild-index"
for index in missing empty; do
    rm -f store/index.sqlite*
    [ "$index" = missing ] || : >store/index.sqlite
    expect 5 "$program" serve --listen 127.0.0.1:0 --store store
    err_is 'aflame: store: the index is missing or empty, but there are blobs of 3 uploads: restore index.sqlite, or start once with --rebuild-index'
done
ls -l store/blobs >after
same before after

# the index from the blobs, one of which is damaged
echo damaged >"store/blobs/$third.aflp"
start --store store --rebuild-index
wait_for grep -q 'uploads added to the index: 2; damaged and renamed to [*].damaged: 1' server.err
for id in "$first" "$second"; do
    get 200 -s "$id.json" "/trace/$id/report.json"
    get 200 "/trace/$id/graph.svg?view=chart"
    get 200 "/trace/$(md5sum "$([ "$id" = "$first" ] && echo app.trace || echo other.trace)" |
        cut -c 1-32 | tr a-f A-F)"
done
get 404 "/trace/$third"
check 'the damaged blob is gone' [ -e "store/blobs/$third.aflp.damaged" ]
check 'the mapping is forgotten' [ "$(query 'SELECT sum(has_mapping) FROM trace')" = 1 ]
get 201 -n delete_token /upload_trace -H 'Accept: application/json' -F trace_file=@app.trace
stop
rm store/blobs/*.damaged
check_store
expect 2 -e '--rebuild-index needs a store in a folder' "$program" serve --no-store --rebuild-index
