# Several servers, one store: only with PostgreSQL.
program=$(dirname "$program")/aflame_misbehaving
store=store
{ cat app.trace; echo 1; } >other.trace

# the servers: `url1` and `url2`
start --store store
url1=$url server1=$server
mv server.err server1.err
start --store store
url2=$url server2=$server

# what one of them reads, all of them have; the request waits until it has been read
url=$url1
get 302 /upload_trace -F trace_file=@app.trace
id=$(sed 's/.*trace.//' "$captured/out")
url=$url2
get 200 "/trace/$id/graph.svg"
cp "$captured/out" two.svg
url=$url1
get 200 -s two.svg "/trace/$id/graph.svg"
get 201 -n delete_token /upload_trace -H 'Accept: application/json' -F trace_file=@app.trace

# many uploads to both at once, eight of the same file: each is read once. The lock makes both servers
# add the first ones at the same moment.
for same in $(seq 8); do
    { cat app.trace; echo "many $same"; } >many.trace
    query 'BEGIN; LOCK TABLE trace IN SHARE MODE; SELECT pg_sleep(0.5); COMMIT' >"$captured/err" &
    for n in $(seq 8); do
        [ $((n % 2)) -eq 0 ] && url=$url1 || url=$url2
        curl -s -S -m 300 -o /dev/null -w '%{http_code}\n' -H 'Accept: application/json' \
            -F trace_file=@many.trace "$url/upload_trace" &
    done
    wait $(jobs -p | grep -v -x -e "$server1" -e "$server2")
done >statuses 2>&1
check "not all uploads were answered: $(grep -v 201 statuses | paste -sd ' ')" [ "$(grep -c 201 statuses)" -eq 64 ]
check 'a file has two rows' [ "$(query 'SELECT count(*) FROM trace')" -eq 9 ]
# workers: each server has drawn one picture, and both have read nine uploads
for url in "$url1" "$url2"; do
    get 200 /metrics
    sed -n 's/^aflame_workers_total //p' "$captured/out"
done >workers
check "$(paste -sd ' ' workers) workers" [ "$(awk '{ n += $1 } END { print n }' workers)" -eq 11 ]

# a server that dies in the middle: the other one reads the upload. Its claim is made to end now.
url=$url1
kill -STOP "$server2"
query "INSERT INTO trace SELECT '$(printf %064d 7)', 'content', '', 0, created, used, bytes, bytes, 1,
    0, file_name, '', '', '', '', '', '', '', 'a dead server', now() + interval '1 hour' FROM trace,
    (SELECT sum(octet_length(bytes)) AS bytes FROM piece WHERE trace = '$id' AND blob = 2) AS upload
    WHERE id = '$id'" >"$captured/err"
query "INSERT INTO piece SELECT '$(printf %064d 7)', 0, n, bytes FROM piece WHERE trace = '$id' AND blob = 2" >"$captured/err"
get 202 -o 'The server is reading this upload' "/trace/$(printf %064d 7)"
query "UPDATE trace SET claimed_until = now() WHERE owner = 'a dead server'" >"$captured/err"
get 200 "/trace/$(printf %064d 7)/graph.svg"
check 'the claim is left' [ -z "$(query "SELECT owner FROM trace WHERE owner <> ''")" ]
kill -CONT "$server2"

# a known file that another server is still reading: the answer waits for it
known=$(sha256sum many.trace | cut -c1-64)
query "DELETE FROM piece WHERE trace = '$known' AND blob = 1" >"$captured/err"
query "UPDATE piece SET blob = 0 WHERE trace = '$known' AND blob = 2" >"$captured/err"
query "UPDATE trace SET state = 0, stored = size, owner = 'a dead server',
    claimed_until = now() + interval '1 hour' WHERE id = '$known'" >"$captured/err"
curl -s -S -m 300 -o known.json -H 'Accept: application/json' -F trace_file=@many.trace "$url/upload_trace" &
waiting=$!
sleep 1
absent known.json
query "UPDATE trace SET claimed_until = now() WHERE owner = 'a dead server'" >"$captured/err"
check 'the answer failed' wait "$waiting"
check 'the answer has another link' grep -q "\"id\": \"$known\"" known.json

# Uploads a trace of its own to the first server and catches the worker that reads it.
upload_and_catch() { # NAME
    cp app.trace wait
    echo "$1" >>wait
    url=$url1
    get 302 /upload_trace -F trace_file=@wait
    id=$(sed 's/.*trace.//' "$captured/out")
    catch "$server1"
}

# a server that was silent for too long, but is not dead: both read the upload, and the first result stays
upload_and_catch twice
first=$worker
query "UPDATE trace SET owner = 'a dead server', claimed_until = now() WHERE id = '$id'" >"$captured/err"
url=$url2
get 202 "/trace/$id"
catch "$server2"
go_on
wait_until 200 "/trace/$id"
worker=$first
go_on
url=$url1
get 200 "/trace/$id/profile.aflp" # waits for the second result
check 'wrong sizes after two results' [ -z "$(query "SELECT id FROM trace WHERE stored <>
    (SELECT sum(octet_length(bytes)) FROM piece WHERE trace = id)")" ]

# a server whose disk is full leaves the upload to the other one
upload_and_catch left
url=$url2
get 202 "/trace/$id"
prlimit --pid "$server1" --fsize=64:
go_on
catch "$server2"
go_on
wait_until 200 "/trace/$id"
prlimit --pid "$server1" --fsize=unlimited:

# what one deletes, the other no longer has
send other.trace
url=$url2
get 200 "/trace/$id"
get 204 "/api/v1/traces/$id" -X DELETE -H "Authorization: Bearer $token"
url=$url1
get 404 "/trace/$id"
get 404 "/trace/$id/graph.svg"

# a database that ends and comes back: requests fail meanwhile, and only then; what a worker reads
# at that time is read again, by one of them
cp app.trace wait
echo wait >>wait
get 302 /upload_trace -F trace_file=@wait
id=$(sed 's/.*trace.//' "$captured/out")
catch "$server1,$server2"
halt_postgresql fast
get 503 -o 'the database of this server is unavailable' -n "$postgresql" "/trace/$id"
get 503 /upload_trace -F trace_file=@other.trace
go_on
wait_for grep -q "$id: the server cannot read this upload now and will try again: the database of this server is unavailable" server1.err server.err
run_postgresql
get 200 "/trace/$(printf %064d 7)"
get 201 /upload_trace -H 'Accept: application/json' -F trace_file=@other.trace
catch "$server1,$server2"
go_on
wait_until 200 "/trace/$id"

for server in "$server1" "$server2"; do
    kill -TERM "$server"
    check 'the server ended with an error' wait "$server"
done
server=
check_store

# a database that cannot be used
expect 5 "$program" serve --store "postgresql://nobody@/none?host=$postgresql"
err_has 'PostgreSQL: connection to server on socket'
"$AFLAME_POSTGRESQL/createdb" -h "$postgresql" -U aflame -T template0 -E LATIN1 --locale=C latin
expect 5 "$program" serve --store "postgresql://aflame@/latin?host=$postgresql"
err_is 'aflame: PostgreSQL: the encoding of the database is LATIN1, not UTF8'

# tables of version 1, which have seconds, and of a later version
start --store later
send app.trace
stop
later=case_${PWD##*/}_later
ask "$later" 'SELECT created / 1000000 FROM trace' >before
ask "$later" "UPDATE trace SET created = created / 1000000; COMMENT ON TABLE trace IS 'aflame store 1'" >"$captured/out"
start --store later
stop
ask "$later" 'SELECT created / 1000000 FROM trace' >after
same before after
ask "case_${PWD##*/}_later" "COMMENT ON TABLE trace IS 'aflame store 3'" >"$captured/out"
expect 5 "$program" serve --store "postgresql://aflame@/case_${PWD##*/}_later?host=$postgresql"
err_is 'aflame: PostgreSQL: the tables have version 3, and this aflame supports up to version 2'
