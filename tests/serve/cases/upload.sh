# Uploads and what becomes of them.
start --store store

# a form, as curl sends it: the body is the link
get 302 /upload_trace -F trace_file=@app.trace
link=$(cat "$captured/out")
id=${link##*/}
check 'the link is not an ID' [ "$(sha256sum <app.trace | cut -d' ' -f1)" = "$id" ]
check 'the link is not an address of the server' [ "${link%%/trace/*}" = "$url" ]
err_has "Location: /trace/$id#delete="

# the content is known: the same link, and no second token
send app.trace
check 'another ID' [ "${link##*/}" = "$id" ]
check 'a second token' [ -z "$token" ]
out_has "\"url\": \"$link\""

# the page waits until the trace has been read
get 200 "/trace/$id/graph.svg"
cp "$captured/out" graph.svg
get 200 "/trace/$id"
out_has com.example.recipes "aflame render &#39;app.trace&#39; -o graph.svg" RenderThread
out_has "<iframe title=\"flame graph\" src=\"trace/$id/graph.svg\">"
out_lacks 'class="warnings"'
# numbers and shares are those of the graph
share=$(grep -o '[0-9.]* % of all threads' graph.svg | head -n 1)
check 'the graph has no share' [ -n "$share" ]
out_has ">main</a></td><td>${share% of all threads}</td>"
# old links: MD5 in upper case
get 200 -s graph.svg "/trace/$(md5sum <app.trace | cut -c1-32 | tr a-f A-F)/graph.svg"
get 404 "/trace/$(md5sum <app.trace | cut -c1-32)/graph.svg"

# the pictures are those of the command
"$program" render -q app.trace -o here.svg -o here.png -o here.pdf
opens graph.svg
for format in png pdf; do
    get 200 "/trace/$id/graph.$format"
    mv "$captured/out" graph.$format
    opens graph.$format
done
same graph.png here.png
get 200 "/trace/$id/9214.svg?clock=cpu"
"$program" render -q app.trace --thread 9214 --clock cpu -o here.svg
check 'a thread differs' [ "$(sed 's/data-aflame-profile="[^"]*"//' "$captured/out" | grep -c '<rect')" = \
    "$(sed 's/data-aflame-profile="[^"]*"//' here.svg | grep -c '<rect')" ]

# tables, calls, conversions, the saved profile
get 200 "/trace/$id/report.json"
"$program" report -q app.trace -o here.json
same "$captured/out" here.json
get 200 "/trace/$id/report.csv?by=classes&top=3"
"$program" report -q app.trace --by classes --top 3 -o here.csv
same "$captured/out" here.csv
get 200 "/trace/$id/report.html"
get 200 "/trace/$id/calls.json?method=onCreate"
"$program" calls -q app.trace onCreate -o here.json
same "$captured/out" here.json
for format in folded chrome callgrind; do
    get 200 "/trace/$id/convert/$format"
    "$program" convert -q app.trace --format $format -o here.out
    same "$captured/out" here.out
done
get 200 "/trace/$id/profile.aflp"
mv "$captured/out" app.aflp
expect 0 "$program" info app.aflp
# which makes the same picture, byte for byte
mkdir saved
cp app.aflp saved/app.trace
(cd saved && "$program" render -q app.trace -o here.png)
same graph.png saved/here.png
get 200 "/trace/$id/graph.svg?view=chart&from=100ms&to=300ms"
get 400 "/trace/$id/graph.svg?view=callgraph"
grep -q 'needs a module, which a server does not load' "$captured/out" || fail 'no reason is given'
get 404 "/trace/$id/convert/nothing"
get 404 "/trace/$id/nothing.svg"
get 404 "/trace/$id/graph"
get 404 /nothing

# the command on a page draws the picture of the page
draws_same() {
    local command
    get 200 "$1"
    command=$(sed -n 's|^<div class="command"><code>aflame \(.*\)</code>.*|\1|p' "$captured/out" |
        sed "s/&#39;/'/g; s/&amp;/\&/g; s/&quot;/\"/g")
    check 'the page has no command' [ -n "$command" ]
    mkdir same
    cp app.trace same
    cd same
    expect 0 eval '"$program"' "$command -q"
    cd ..
    get 200 -s same/graph.svg "${1%%\?*}/graph.svg?${1#*\?}"
    rm -r same
}
for query in '' 'thread=main&clock=cpu' view=chart 'from=100ms&to=300ms' 'focus=onCreate&theme=dark'; do
    draws_same "/trace/$id?$query"
done

# pictures at once
get 200 '/upload_trace?format=png' -F trace_file=@app.trace
mv "$captured/out" at-once.png
same at-once.png graph.png
printf 'main;exe 1\n' >exe
get 400 -o 'format must be svg, png or pdf' '/upload_trace?format=exe' -F trace_file=@exe
get 404 "/trace/$(sha256sum <exe | cut -d' ' -f1)" # a request that is refused stores nothing

# several files, and a pair
cp "$data/real/local-art11__deep.trace" deep.trace
cp "$made/pair.key" "$made/pair.data" .
get 201 /upload_trace -H 'Accept: application/json' -F trace_file=@app.trace \
    -F trace_file=@pair.data -F trace_file=@deep.trace -F trace_file=@pair.key
check 'not three uploads' [ "$(grep -c '"id"' "$captured/out")" -eq 3 ]
out_has '"file": "pair"'
cat pair.key pair.data >joined
pair=$(sha256sum <joined | cut -d' ' -f1)
get 200 "/trace/$pair/convert/folded"
"$program" convert -q pair.key -o here.folded
same "$captured/out" here.folded
get 200 -o "<a href=\"trace/$id\">app.trace</a>" /upload_trace -F trace_file=@app.trace -F trace_file=@deep.trace

# the same, if every byte comes alone
cat >slowly.pl <<'END'
use IO::Socket::INET; use Socket;
my ($port) = @ARGV;
my $body = "--bound\r\nContent-Disposition: form-data; name=\"trace_file\"; filename=\"one\"\r\n\r\nmain;a 7\n"
    . "\r\n--bound\r\nContent-Disposition: form-data; name=\"trace_file\"; filename=\"two\"\r\n\r\nmain;b 7\n"
    . "\r\n--bound--\r\n";
my $server = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port") or die;
setsockopt($server, IPPROTO_TCP, TCP_NODELAY, 1);
my $began = time;
syswrite($server, "POST /upload_trace HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nConnection: close\r\n"
    . "Content-Type: multipart/form-data; boundary=bound\r\nContent-Length: " . length($body) . "\r\n\r\n");
for my $byte (split //, $body) {
    syswrite($server, $byte);
    # on a busy machine, the last ones come together: the server would end a slow connection
    select(undef, undef, undef, 0.001) if time - $began < 3;
}
print while <$server>;
END
expect 0 -o 'HTTP/1.1 201' perl slowly.pl "${url##*:}"
for content in 'main;a 7' 'main;b 7'; do
    out_has "\"id\": \"$(printf '%s\n' "$content" | sha256sum | cut -d' ' -f1)\""
done
check 'not two uploads' [ "$(grep -c '"id"' "$captured/out")" -eq 2 ]

# the list compares several runs with several, or one with the previous of its app
get 200 -o "<input type=\"checkbox\" name=\"before\" value=\"$id\" aria-label=\"before\">" /traces
get 303 -e "Location: /diff/$id,$pair/$pair,$id" "/diff?before=$id&before=$pair&after=$pair&after=$id"
get 200 "/diff/$id,$pair/$pair,$id"
out_has "aflame diff --before &#39;app.trace&#39; --before &#39;pair&#39; --after &#39;pair&#39; --after &#39;app.trace&#39; -o graph.svg"


get 200 "/diff/$id,$pair/$pair,$id/report.json"
check 'not two runs of each side' [ "$(grep -o '"runs": 2' "$captured/out" | wc -l)" -eq 2 ]
get 400 "/diff/$id,$id,$id,$id,$id,$id,$id,$id,$id/$pair"
get 404 "/diff/$id,/$pair"
# uploads of one second, also of one form, keep their order
for n in 1 2 3 4 5 6; do
    { cat app.trace; seq $n; } >later$n.trace
done
first=$id
get 201 /upload_trace -H 'Accept: application/json' -F trace_file=@later1.trace -F trace_file=@later2.trace -F trace_file=@later3.trace
for n in 1 2 3; do
    curl -s -F trace_file=@later$((n + 3)).trace "$url/upload_trace" >"$captured/out"
done
before=$first
for n in 1 2 3 4 5 6; do
    id=$(sha256sum <later$n.trace | cut -d' ' -f1)
    get 303 -e "Location: /diff/$before/$id" "/diff?before=previous&after=$id"
    before=$id
done
get 404 "/diff?before=previous&after=$pair"
id=$first

# a comparison
get 303 -e "Location: /diff/$id/$pair" "/diff?before=$url/trace/$id?x=1&after=$pair"
get 200 -o "aflame diff &#39;app.trace&#39; &#39;pair&#39; -o graph.svg" "/diff/$id/$pair"
get 200 "/diff/$id/$pair/report.json"
get 200 "/diff/$id/$pair/graph.svg"
# the queries of a page go on to its tables and to the command
get 200 -o "\"diff/$id/$pair/report.html?clock=wall\"" "/diff/$id/$pair?clock=wall"
out_has "aflame diff &#39;app.trace&#39; &#39;pair&#39; --clock=wall -o graph.svg"
get 200 -o "\"trace/$id/report.json?clock=cpu\"" "/trace/$id?clock=cpu&width=900"
out_has "aflame render &#39;app.trace&#39; --clock=cpu --width=900 -o graph.svg"
# flags have no value in a command
get 200 -o "aflame render &#39;app.trace&#39; --inverted --full-depth -o graph.svg" \
    "/trace/$id?inverted=1&full-depth&static=0&no-script=false"
printf 'main;a 1\n' >-o
get 201 /upload_trace -H 'Accept: application/json' -F 'trace_file=@./-o;filename="-o"'
get 200 -o "aflame render &#39;./-o&#39; -o graph.svg" "/trace/$(field id)"
get 400 "/diff/$id/$pair/graph.svg?before=/etc/passwd"
get 404 -o 'a comparison has graph.svg, ' "/diff/$id/$pair/calls.json"

# a mapping is applied when something is drawn
send release.trace -F "mapping=@$data/mapping.txt"
get 200 "/trace/$id/convert/folded"
"$program" convert -q release.trace --mapping "$data/mapping.txt" -o here.folded
same "$captured/out" here.folded
out_has com.example.recipes
get 200 -o "aflame render &#39;release.trace&#39; --mapping mapping.txt -o graph.svg" "/trace/$id"
get 200 "/trace/$id/graph.svg?view=chart"
get 200 "/diff/$pair/$id"
out_has "aflame diff &#39;pair&#39; &#39;release.trace&#39; --mapping-after mapping.txt -o graph.svg"
get 200 "/trace/$pair/convert/folded"
get 200 "/diff/$id/$pair/report.json"

# edits, search and deletion need the token
get 403 "/trace/$id" -d action=edit -d name=Mine
get 401 "/trace/$id" -d action=edit -d name=Mine -d "delete_token=${token}0"
get 400 -o 'action must be edit or delete' "/trace/$id" -d action=sell -d "delete_token=$token"
get 303 "/trace/$id" -d action=edit -d name=Mine -d 'tags=cold start' -d "delete_token=$token"
get 200 -o '>Mine</a>' '/traces?q=cold+mine'
get 200 -n '>Mine</a>' '/traces?q=cold+other'
get 200 "/api/v1/traces/$id"
get 200 -o '>Mine</a>' "/traces?q=$(field created | cut -c 1-10)"
get 200 "/api/v1/traces/$id" -d note=Hello -H "Authorization: Bearer $token"
out_has '"note": "Hello"' '"state": "ready"'
get 403 "/api/v1/traces/$id" -X DELETE
get 204 "/api/v1/traces/$id" -X DELETE -H "Authorization: Bearer $token"
get 404 "/trace/$id"
get 404 "/trace/$id/graph.svg"
get 200 -o '"found": 12' /api/v1/traces
get 400 -o 'limit takes a number up to 1000' '/api/v1/traces?limit=many'
get 400 -o 'limit takes a number up to 1000' '/api/v1/traces?limit=1001'
get 404 -o 'not the ID of an upload' /api/v1/traces/nothing
get 200 -e 'Content-Type: application/schema+json' /api/v1/schema.json
check 'the schema is no schema' perl -MJSON::PP -0777 -ne \
    '$s = decode_json($_); exit !($s->{q($schema)} && ref $s->{q($defs)} eq q(HASH))' "$captured/out"
get 200 /healthz
get 200 -o 'aflame_store_traces 12' /metrics

# a page links to CSV files in which no name is a formula
printf 'main;=1+1 5\n' >formula.folded
send formula.folded
for query in '' '?sort=name'; do
    get 200 "/trace/$id$query"
    link=$(sed -n 's/.*href="\([^"]*report.csv[^"]*\)".*/\1/p' "$captured/out" | sed 's/&amp;/\&/g')
    get 200 "/$link"
    grep -q "^'=1+1," "$captured/out" || fail "a formula is in $link"
done
stop
store=store
check_store

# a mapping that comes later applies to a trace without one, and replaces none
start --store later
cp "$data/mapping.txt" mapping.txt
sed 's/com.example.recipes/com.example.changed/' mapping.txt >other.txt
expect 0 "$program" convert -q release.trace -o plain.folded
expect 0 "$program" convert -q release.trace --mapping mapping.txt -o mapped.folded
send release.trace
get 200 -s plain.folded "/trace/$id/convert/folded"
for turn in 1 2; do
    first=$id
    send release.trace -F mapping=@mapping.txt
    check 'another trace' [ "$id" = "$first" ]
    get 200 -s mapped.folded "/trace/$id/convert/folded"
    get 200 -o 'names restored with the uploaded mapping' "/trace/$id"
done
get 409 /upload_trace -H 'Accept: application/json' -F trace_file=@release.trace -F mapping=@other.txt
out_has "the server has this trace with another mapping: delete the upload /trace/$id to replace it"
stop
store=later
check_store

# without uploads: what needs single calls is not offered
start --store other --no-uploads
send app.trace
get 200 -n 'value="chart"' "/trace/$id"
get 200 "/trace/$id/graph.svg"
for path in 'graph.svg?view=chart' 'graph.svg?from=1ms' 'calls.json?method=onCreate' convert/chrome; do
    get 404 -o 'no longer has the upload' "/trace/$id/$path"
done
stop
store=other
check_store
# sides that cannot be compared: the page is the error of the command
start --no-store
cp "$made/v2_single_cpu.trace" "$made/chrome_rests.trace" "$made/sampled.trace" .
send v2_single_cpu.trace
after=$id
for file in chrome_rests.trace sampled.trace; do
    expect 2 "$program" diff $file v2_single_cpu.trace
    reason=$(sed -n '$s/^aflame: //p' "$captured/err")
    send $file
    get 400 "/diff/$id/$after"
    out_has "$reason" "<nav>"
    get 400 "/diff/$id/$after/graph.svg"
done
stop
start --no-store --private-links
send app.trace
check 'the link follows from the content' [ "${#id}" -eq 32 ]
get 200 "/trace/$id/graph.svg"
get 404 "/trace/$(sha256sum <app.trace | cut -d' ' -f1)"
# the main thread is the first of the table, as of the graph, also if it is not the busiest
cat >busy.json <<'END'
[{"ph": "X", "name": "busy", "pid": 1, "tid": 2, "ts": 0, "dur": 900},
 {"ph": "X", "name": "calm", "pid": 1, "tid": 1, "ts": 0, "dur": 1},
 {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "main"}}]
END
send busy.json
get 200 "/trace/$id"
check 'main is not the first thread' \
    [ "$(grep -o '?thread=[^"]*">[^<]*</a>' "$captured/out" | head -n 1 | cut -d'>' -f2)" = 'main</a' ]
stop
absent data
