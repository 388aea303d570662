# The faults of the server that this one replaces.
start --store store --max-upload 1M
store=store

# 1 the limit in the message is the limit that applies; 2 a refusal is an error
head -c 1048576 /dev/zero >limit
get 422 /upload_trace -H 'Accept: application/json' -F trace_file=@limit
printf x >>limit
get 413 -o 'larger than the limit of this server, 1M (--max-upload)' /upload_trace -F trace_file=@limit
head -c 5000000 /dev/zero >large
for ((i = 0; i < 20; i++)); do
    get 413 /upload_trace -F trace_file=@large -H 'Expect:'
done
get 415 /upload_trace --data-binary @limit -H 'Content-Type: application/octet-stream' -H 'Expect:'
get 421 /upload_trace -F trace_file=@large -H 'Host: elsewhere.example' -H 'Expect:'
get 413 /upload_trace -F trace_file=@large -H 'Transfer-Encoding: chunked' -H 'Expect:'
out_has 'larger than the limit of this server, 1M (--max-upload)'
get 413 /upload_trace -F trace_file=@app.trace -F trace_file=@limit

# 3 temporary files are gone, also those of a client that left in the middle
(
    exec 5<>"/dev/tcp/127.0.0.1/${url##*:}"
    printf 'POST /upload_trace HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n' >&5
    printf 'Content-Type: multipart/form-data; boundary=bound\r\n\r\n--bound\r\n' >&5
    printf 'Content-Disposition: form-data; name="trace_file"; filename="x"\r\n\r\n' >&5
    head -c 80000 /dev/zero >&5
    # the server has a file for it, without a name
    until ls -l "/proc/$server/fd" | grep -q '#[0-9]* (deleted)\|/[^/]*\.new-'; do
        pause 'a file without a name in the store'
    done
)
get 200 /healthz
until ! ls -l "/proc/$server/fd" | grep -q '#[0-9]* (deleted)\|/[^/]*\.new-'; do
    pause 'the end of the files without a name'
done
check 'files are left' [ "$(count_blobs)" -eq 0 ]
[ -n "$postgresql" ] || check 'files are left' [ -z "$(ls -A store/blobs)" ]

# 4 names that are scripts
printf z >script
get 422 /upload_trace -H 'Accept: application/json' -F 'trace_file=@script;filename="../<script>alert(1)</script>/x<script>"'
id=$(field id)
get 422 -n '<script>alert' -o 'x&lt;script&gt;' "/trace/$id"

# 7 an empty upload
: >empty
get 400 -o 'empty is empty' /upload_trace -F trace_file=@empty
get 400 -o 'no file in the field trace_file' /upload_trace -F other=1
get 400 /upload_trace -F other=@app.trace
get 400 /upload_trace -F 'trace_file=;filename='

# 8 two files in one form
get 200 /upload_trace -F trace_file=@app.trace -F "trace_file=@$data/real/local-art11__sampling.trace"
check 'not two links' [ "$(grep -c '<li><a href="trace/' "$captured/out")" -eq 2 ]

# 9 wrong content types
get 415 /upload_trace --data-binary @app.trace -H 'Content-Type: application/octet-stream'
get 415 /upload_trace -d '{}' -H 'Content-Type: application/json'
get 400 /upload_trace -d trace_file=
get 400 /upload_trace --data-binary @app.trace -H 'Content-Type: multipart/form-data; boundary=none'
get 400 /upload_trace -X POST
get 415 /upload_trace --data-binary @app.trace -H 'Content-Type: text/plain' -H 'Expect: 100-continue'
# a form without its end, and one with a damaged boundary
printf -- '--bound\r\nContent-Disposition: form-data; name="trace_file"; filename="x"\r\n\r\nmain;a 7\n' >form
get 400 /upload_trace --data-binary @form -H 'Content-Type: multipart/form-data; boundary=bound'
out_has 'the form is incomplete'
printf -- '--bound-\r\n' >form
get 400 /upload_trace --data-binary @form -H 'Content-Type: multipart/form-data; boundary=bound'
out_has 'the form is damaged'

# 10 a page that never ends: what cannot be read, or does not exist, says so at once
head -c 3000 app.trace >cut.trace
printf 'not a trace at all' >text
get 302 /upload_trace -F trace_file=@text
id=$(sed 's/.*trace.//' "$captured/out")
get 422 "/trace/$id/graph.svg"
get 422 "/trace/$id"
err_lacks Refresh
out_has 'not a method trace'
get 200 "/api/v1/traces/$id"
[ "$(field state)" = refused ] || fail 'another state'
out_has 'not a method trace'
get 404 "/trace/$(printf %064d 0)"
# it is tried again when it comes again
get 422 /upload_trace -H 'Accept: application/json' -F trace_file=@text

# 11 records of unlisted threads, 12 clocks of all kinds, 13 streaming traces
for name in no_threads unknown_dalvik dropped version2_wall v2_single_cpu record10 record20 \
    global_clock stream_dual stream_single stream_killed stream_wrap v2c v2d v2e dalvik_exited; do
    send "$AFLAME_MADE/$name.trace"
    get 200 "/trace/$id"
    get 200 "/trace/$id/graph.svg"
    cp "$captured/out" graph.svg
    opens graph.svg
    get 200 "/trace/$id/report.json"
done

# 14 thread names with slashes
cat >slash.fix <<'END'
format v1 version=3 header=32 record=14
set clock=dual elapsed-time-usec=100 vm=art pid=7 num-method-calls=%records
thread 7 "main"
thread 8 "../pool/1?x=#<b>"
method 0x10 com.example.Main run ()V Main.java
7 enter 0x10 0/0
7 exit  0x10 +4/+6
8 enter 0x10 0/0
8 exit  0x10 +40/+60
END
expect 0 "$data/../support/make_trace.js" slash.fix .
send slash.trace
get 200 -o "<a href=\"trace/$id?thread=8\">../pool/1?x=#&lt;b&gt;</a>" "/trace/$id"
get 200 "/trace/$id/8.svg"
cp "$captured/out" slash.svg
opens slash.svg
get 200 "/trace/$id/graph.png?thread=../pool/1%3fx=%23%3cb%3e"
stop
check_store
# 5 a worker that dies: the case sandbox; 6 a restart in the middle: the case store
