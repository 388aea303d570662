# What strangers may not do.
start --store store --allow-host known.example --base-url https://traces.example/
check 'not the address of the proxy' [ "$(cat server.out)" = https://traces.example/ ]
get 200 / -H 'Host: traces.example'
stop
start --store store --allow-host known.example

# names of the server: a foreign name that leads here could read it
get 421 / -H 'Host: evil.example'
get 421 / -H 'Host: 127.0.0.1.evil.example'
get 421 / -H 'Host:'
get 200 / -H 'Host: known.example:81'
get 200 / -H 'Host: [::1]:81'
get 200 / -H 'Host: LOCALHOST'
get 200 / -H "Host: $(uname -n)"

# posts from pages of others
host=${url#http://}
get 403 /upload_trace -F trace_file=@app.trace -H 'Origin: http://evil.example'
get 403 /upload_trace -F trace_file=@app.trace -H 'Origin: null'
get 403 /upload_trace -F trace_file=@app.trace -H 'Origin: null' -H 'Sec-Fetch-Site: none'
get 302 /upload_trace -F trace_file=@app.trace -H 'Origin: null' -H 'Sec-Fetch-Site: same-origin'
get 403 /upload_trace -F trace_file=@app.trace -H 'Origin: http://evil.example' -H 'Sec-Fetch-Site: same-origin'
# browsers that send Sec-Fetch-Site never send a referrer, others only to this server
get 200 -e 'Referrer-Policy: no-referrer' / -H 'Sec-Fetch-Site: none'
get 200 -e 'Referrer-Policy: same-origin' /
get 403 /upload_trace -F trace_file=@app.trace -H 'Sec-Fetch-Site: cross-site'
get 302 /upload_trace -F trace_file=@app.trace -H "Origin: http://$host" -H 'Sec-Fetch-Site: same-origin'
id=$(sed 's/.*trace.//' "$captured/out")

# headers: pages allow their own script and style only, pictures are in a sandbox
for path in / "/trace/$id/graph.svg" "/trace/$id/report.html" "/trace/$id/convert/folded" /nothing; do
    get "$(curl -s -o /dev/null -w '%{http_code}' "$url$path")" "$path"
    err_has "Content-Security-Policy: default-src 'none'" 'X-Content-Type-Options: nosniff'
    err_has 'Referrer-Policy: ' 'frame-ancestors'
    err_lacks Set-Cookie Access-Control-Allow-Origin
done
get 200 -e "frame-ancestors 'none'" "/trace/$id"
err_lacks unsafe
script=$(awk '/<script>/ { sub(/.*<script>/, ""); on = 1 } on { if (sub(/<\/script>.*/, "")) { printf "%s", $0; exit } print }' "$captured/out" |
    openssl dgst -sha256 -binary | base64)
err_has "'sha256-$script'"
get 200 -e 'sandbox allow-scripts' "/trace/$id/graph.svg"
err_lacks allow-same-origin
err_has "$("$program" render --csp-hash | head -n 1)" "$("$program" render --csp-hash | tail -n 1)"

# queries: only options that select, reshape or draw
for query in output=x -o=x mapping=/etc/passwd jobs=9 max-memory=9G preset=x help=1 no-config=1 \
    symfs=/ kallsyms=/etc/passwd before=x budget=/etc/passwd redact-key=/tmp/x nothing=1 ''=1 -=-; do
    get 400 "/trace/$id/graph.svg?$query"
    get 400 "/trace/$id?$query"
done
get 400 "/trace/$id/graph.svg?focus=(a%2B&focus=/(/"
get 400 "/trace/$id/graph.svg?thread=nosuch"
get 400 "/trace/$id/graph.svg?focus=%ff"
get 404 "/trace/../../etc/passwd" --path-as-is
get 404 "/trace/$id/..%2f..%2f..%2fetc%2fpasswd"
get 400 "/trace/$id/calls.json?method="
get 200 "/trace/$id/calls.json?method=onCreate&sort=self"
get 404 "/trace/$id/calls.json?method=--output"
# wrong methods
get 405 "/trace/$id" -X PUT
get 405 / -X DELETE
get 405 /healthz -d x=1

# HEAD, ETag, ranges, compression
get 200 "/trace/$id/graph.svg"
cp "$captured/out" graph.svg
etag=$(sed -n 's/^ETag: \(".*"\).*/\1/p' "$captured/err")
get 304 "/trace/$id/graph.svg" -H "If-None-Match: $etag"
get 200 "/trace/$id/graph.svg" -H 'If-None-Match: "other"'
get 200 -e "Content-Length: $(wc -c <graph.svg)" "/trace/$id/graph.svg" --head
get 206 "/trace/$id/graph.svg" -r 10-19
check 'another range' [ "$(cat "$captured/out")" = "$(tail -c +11 graph.svg | head -c 10)" ]
get 206 "/trace/$id/graph.svg" -r -5
check 'another end' [ "$(tail -c 5 graph.svg | cksum)" = "$(cksum <"$captured/out")" ]
get 416 "/trace/$id/graph.svg" -r 999999999-
get 200 -e 'Content-Encoding: gzip' "/trace/$id/graph.svg" -H 'Accept-Encoding: gzip'
gzip -dc <"$captured/out" >unpacked
same unpacked graph.svg
packed=$(sed -n 's/^ETag: \(".*"\).*/\1/p' "$captured/err")
check 'two encodings have the same ETag' [ "$packed" != "$etag" ]
get 304 "/trace/$id/graph.svg" -H 'Accept-Encoding: gzip' -H "If-None-Match: $packed"
get 200 "/trace/$id/graph.svg" -H 'Accept-Encoding: gzip' -H "If-None-Match: $etag"
for refused in 'gzip;q=0' 'gzip; q=0.0, *' 'identity' '*;q=0'; do
    get 200 "/trace/$id/graph.svg" -H "Accept-Encoding: $refused"
    err_lacks 'Content-Encoding'
done

# names that are scripts
evil='<script>alert(1)</script>"'"'"'&.trace'
cp app.trace evil.trace
printf '%s' ' ' >>evil.trace
get 201 /upload_trace -H 'Accept: application/json' \
    -F 'trace_file=@evil.trace;filename="<script>alert(1)<svg onload=x>"'
id=$(field id) token=$(field delete_token)
get 303 "/trace/$id" -d action=edit --data-urlencode "name=$evil" --data-urlencode "note=$evil" \
    --data-urlencode "tags=$evil" -d "delete_token=$token"
get 200 /healthz
for path in "/trace/$id" / "/traces?q=%3Cscript%3Ealert(9)%3C" "/diff/$id/$id"; do
    get 200 "$path"
    out_lacks '<script>alert' '<svg onload'
    check 'a value left its quotes' sh -c '! grep -q "value=\"[^\"]*<" "$1"' - "$captured/out"
done
get 200 -n '<script>alert' "/trace/$id/graph.svg"
cp "$captured/out" evil.svg
opens evil.svg
get 200 "/trace/$id/profile.aflp"
err_lacks '<'
# what turns a line around, or is not seen, is shown as its number
get 303 "/trace/$id" -d action=edit --data-urlencode "name=$(printf 'a\342\200\256b\342\200\250c')" \
    -d "delete_token=$token"
get 200 "/trace/$id"
check 'a hidden character' sh -c '! LC_ALL=C grep -q "$(printf "\342\200[\256\250]")" "$1"' - "$captured/out"
get 404 -n '<script>alert' '/<script>alert(1)</script>'
stop

# tokens: needed where others can connect
printf '[ci]\nsha256 = %s\nmay = upload\n[team]\nsha256 = %s\nmay = list;delete\n' \
    "$(printf %s secret | sha256sum | cut -d' ' -f1)" \
    "$(printf %s other | sha256sum | cut -d' ' -f1)" >tokens.ini
start --listen 0.0.0.0:0 --store store --tokens tokens.ini
url=http://127.0.0.1:${url##*:}
get 401 -e 'WWW-Authenticate: Bearer' /upload_trace -F trace_file=@app.trace
get 401 /upload_trace -F trace_file=@app.trace -F token=other
get 401 /upload_trace -F trace_file=@app.trace -F token=
get 302 /upload_trace -F trace_file=@app.trace -F token=secret
get 302 /upload_trace -F trace_file=@app.trace -H 'Authorization: Bearer secret'
get 401 /traces
get 401 /api/v1/traces -H 'Authorization: Bearer secret'
get 200 /api/v1/traces -H 'Authorization: Bearer other'
get 200 -n 'Recent uploads' /
wait_until 200 "/trace/$id"
# SIGHUP reads the file again; a wrong file changes nothing
sed -i 's/may = upload/may = list/' tokens.ini
kill -HUP "$server"
wait_until 200 /traces -H 'Authorization: Bearer secret'
get 401 /upload_trace -F trace_file=@app.trace -F token=secret
get 200 /traces -H 'Authorization: Bearer secret'
get 204 "/api/v1/traces/$id" -X DELETE -H 'Authorization: Bearer other'
# the same in the form of the page
sed -i 's/may = list$/may = upload/' tokens.ini
kill -HUP "$server"
wait_until 302 /upload_trace -F trace_file=@app.trace -F token=secret
id=$(sha256sum <app.trace | cut -d' ' -f1)
get 200 "/trace/$id/report.json"
get 403 "/trace/$id" -d action=delete -d delete_token=secret
get 303 "/trace/$id" -d action=delete -d delete_token=other
get 404 "/trace/$id"
stop
# clients without a token cannot fill the disk, neither can many uploads at once
# on this machine too, unless that is trusted; a wrong token is an error everywhere
start --no-store --tokens tokens.ini
get 401 /upload_trace -F trace_file=@app.trace
get 401 /traces
get 302 /upload_trace -F trace_file=@app.trace -F token=secret
stop
start --no-store --tokens tokens.ini --trust-loopback
get 302 /upload_trace -F trace_file=@app.trace
get 200 /traces
get 401 -o 'this token is wrong' /traces -H 'Authorization: Bearer wrong'
get 401 /upload_trace -F trace_file=@app.trace -F token=wrong
for path in / "/trace/$id" "/trace/$id/graph.svg" /healthz; do
    get 401 -o 'this token is wrong' "$path" -H 'Authorization: Bearer wrong'
done
stop

# a browser logs in once
start --no-store --tokens tokens.ini
get 401 -o 'action="login"' /traces
get 401 /login -d token=wrong
err_lacks 'Set-Cookie'
get 303 /login -d token=other -d next=/traces -c jar
err_has 'Location: /traces' 'HttpOnly; SameSite=Strict'
get 200 /traces -b jar
get 303 -e 'Location: /' /login -d token=other -d next=//evil.example
err_lacks 'evil'
get 403 /login -d token=other -H 'Origin: http://evil.example'
get 303 /login -d token= -b jar -c jar
get 401 /traces -b jar
stop

start --listen 0.0.0.0:0 --no-store --tokens tokens.ini --max-upload 1M --max-store 2M
url=http://127.0.0.1:${url##*:}
head -c 700000 /dev/zero >zeros
hold() { # COUNT: connections that stay in the middle of a file
    for ((i = 0; i < $1; i++)); do
        exec {fd}<>"/dev/tcp/127.0.0.1/${url##*:}"
        printf 'POST /upload_trace HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\nContent-Type: multipart/form-data; boundary=bound\r\n%s\r\n--bound\r\nContent-Disposition: form-data; name="trace_file"; filename="x"\r\n\r\n' "$2" >&$fd
        cat zeros >&$fd
        held+=($fd)
    done
}
# a connection that is silent for half a minute would end
stay() {
    for fd in "${held[@]}"; do
        (printf 0 >&$fd) 2>/dev/null
    done
}
let_go() {
    for fd in "${held[@]}"; do
        exec {fd}>&-
    done
    held=()
}
held=()
hold 1 ''
until [ "$(curl -s -o "$captured/out" -w '%{http_code}' "$url/upload_trace" -F trace_file=@zeros)" = 401 ] &&
    grep -q 'too many uploads without a token' "$captured/out"; do
    stay
    pause 'status 401'
done
get 422 /upload_trace -H 'Accept: application/json' -F token=secret -F trace_file=@zeros
let_go
hold 3 "Authorization: Bearer secret"$'\r\n'
until [ "$(curl -s -o "$captured/out" -w '%{http_code}' "$url/upload_trace" -F token=secret -F trace_file=@zeros)" = 507 ]; do
    stay
    pause 'status 507'
done
out_has 'limited to 2M'
let_go
wait_until 302 /upload_trace -F token=secret -F trace_file=@zeros
stop
# websites may read conversions only if they are named
start --no-store --allow-viewer https://profiler.firefox.com --allow-viewer https://www.speedscope.app
send app.trace
for origin in https://profiler.firefox.com https://www.speedscope.app; do
    get 200 "/trace/$id/convert/speedscope" -H "Origin: $origin"
    err_has "Access-Control-Allow-Origin: $origin" 'Vary: Origin'
    for path in "/trace/$id/report.json" "/trace/$id" "/api/v1/traces/$id" "/trace/$id/graph.svg"; do
        get 200 "$path" -H "Origin: $origin"
        err_lacks Access-Control
    done
done
get 200 "/trace/$id/convert/firefox" -H 'Origin: https://evil.example'
err_lacks Access-Control
get 200 "/trace/$id/convert/firefox"
err_lacks Access-Control
get 200 "/trace/$id"
port=${url##*:}
out_has "<a rel=\"noreferrer\" href=\"https://profiler.firefox.com/from-url/http%3A%2F%2F127.0.0.1%3A$port%2Ftrace%2F$id%2Fconvert%2Ffirefox\">Open in the Firefox Profiler</a>"
out_has "https://www.speedscope.app/#profileURL=http%3A%2F%2F127.0.0.1%3A$port%2Ftrace%2F$id%2Fconvert%2Fspeedscope\">Open in speedscope</a>"
stop
start --listen 0.0.0.0:0 --no-store --open-uploads --list
url=http://127.0.0.1:${url##*:}
get 302 /upload_trace -F trace_file=@app.trace
get 200 -n '>newer<' /traces
get 200 -o '<a href="traces?q=a%26b&amp;offset=0">newer</a>' '/traces?offset=50&q=a%26b'
get 400 -o 'offset must be a number' '/traces?offset=-1'
get 400 -o 'choose uploads for both sides' '/diff?before=here&after=there'
get 204 /favicon.ico
stop
# IPv6, and the desktop's program for links
mkdir bin
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >opened.new\nmv opened.new opened\n' >bin/xdg-open
chmod +x bin/xdg-open
wrapper="env PATH=$PWD/bin:$PATH"
start --listen '[::1]:0' --no-store --open
case $url in 'http://[::1]:'[0-9]*) ;; *) fail "another address: $url" ;; esac
get 302 /upload_trace -g -F trace_file=@app.trace
wait_for [ -e opened ]
check 'another page is opened' [ "$(cat opened)" = "$url" ]
stop
wrapper="env PATH=/nowhere"
start --listen 127.0.0.1:0 --no-store --open
wait_for grep -q 'xdg-open' server.err
stop
wrapper=
for wrong in '[x]\nmay = list\n' '[x]\nsha256 = 12\n' "[x]\nsha256 = $(printf %064d 0)\nmay = fly\n" 'x'; do
    printf "$wrong" >wrong.ini
    expect 2 -e wrong.ini "$program" serve --no-store --listen 127.0.0.1:0 --tokens wrong.ini
done
expect 2 "$program" serve --no-store --tokens missing.ini
expect 2 "$program" serve --no-store --listen nothing
expect 2 "$program" serve --no-store --listen 127.0.0.1:99999999
expect 2 -e 'cannot listen: ' "$program" serve --no-store --listen '[::nobody]:0'
expect 2 "$program" serve --no-store --listen 192.0.2.1:0
err_has '192.0.2.1:0: cannot listen: Cannot assign requested address'
expect 2 "$program" serve app.trace
expect 2 "$program" serve --expire soon
expect 2 "$program" worker

# the log: a line for each upload, refusal and failure; --access-log one for each request
start --no-store --access-log
send app.trace
get 302 /upload_trace -F trace_file=@app.trace
printf '%s\n' 'no trace' >$'new\tline'
get 422 /upload_trace -H 'Accept: application/json' -F $'trace_file=@new\tline'
get 403 /upload_trace -H 'Origin: http://other.example' -F trace_file=@app.trace
get 404 /nothing
get 400 "/trace/$id/graph.svg?thread=nosuch"
stop
cp server.err log
size=$(wc -c <app.trace)
for line in "uploaded app.trace, $size bytes: trace $id" "uploaded app.trace, $size bytes: trace $id, known already" \
    'cannot read new line, trace [0-9a-f]*: this is text, not a method trace' \
    'refused POST /upload_trace from 127.0.0.1 with status 403: a page of another website sent this request' \
    'cannot make svg of app.trace: app.trace: no thread with records has the name or id "nosuch"' \
    '127.0.0.1 GET /nothing 404 [0-9]* bytes [0-9.]* ms'; do
    check "not one line in the log: $line" \
        [ "$(grep -cE "^aflame: [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z $line\$" log)" -eq 1 ]
done
check 'not a line for each request' [ "$(grep -c ' bytes [0-9.]* ms$' log)" -eq 6 ]
# under systemd with priorities, if the stream is that of the journal
cat >journal.sh <<'END'
JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr) exec "$@"
END
wrapper='sh journal.sh' start --no-store --quiet
send app.trace
get 422 /upload_trace -H 'Accept: application/json' -F $'trace_file=@new\tline'
stop
check 'no priority' grep -q '^<4>cannot read new line, ' server.err
check 'other lines' [ "$(wc -l <server.err)" -eq "$(grep -c '^<4>' server.err)" ]
wrapper='sh journal.sh' start --no-store --access-log
send app.trace
get 403 /upload_trace -H 'Origin: http://other.example' -F trace_file=@app.trace
stop
for line in '<6>uploaded app.trace, ' '<5>refused POST /upload_trace ' '<6>127.0.0.1 POST /upload_trace 201 '; do
    check "not one line in the journal: $line" [ "$(grep -c "^$line" server.err)" -eq 1 ]
done
check 'a line without a priority' [ "$(grep -vc '^<[3-6]>[^<]' server.err)" -eq 0 ]

# pictures, and only these, may be shown elsewhere with --embed
for option in '' --embed; do
    start --no-store $option
    send app.trace
    for path in /graph.svg /graph.png /report.json ''; do
        get 200 "/trace/$id$path"
        case $option$path in
        --embed/graph*) err_has 'Cross-Origin-Resource-Policy: cross-origin' ;;
        *) err_has 'Cross-Origin-Resource-Policy: same-origin' ;;
        esac
    done
    stop
done
