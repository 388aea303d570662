# Files of the store that are missing or damaged, and forms that do not hold what they should.

# a file system that makes no files without a name: those that are not stored leave nothing
interposed=${AFLAME_INTERPOSED:?the command with orders from the environment}
export AFLAME_TEST_NO_TMPFILE=1
program=$interposed start --store store
unset AFLAME_TEST_NO_TMPFILE
send app.trace
get 200 "/trace/$id/graph.svg"
cp "$captured/out" whole.svg
# another thread may be creating a file, which loses its name at once
until [ "$(ls -A store/blobs | sed 's/.*[.]//' | sort | tr '\n' ' ')" = 'aflp zst ' ]; do
    pause 'a store without other files'
done
stop

# a disk that is almost full: no upload takes the space that the index needs for a deletion
export AFLAME_TEST_NO_SPACE=1
program=$interposed start --store full
unset AFLAME_TEST_NO_SPACE
get 507 -o 'the disk of the store is full' /upload_trace -F trace_file=@app.trace
check 'a file is left' [ -z "$(ls full/blobs)" ]
get 404 "/trace/$id"
stop
# a tmpfs without a limit
export AFLAME_TEST_NO_SPACE=2
program=$interposed start --store unlimited
unset AFLAME_TEST_NO_SPACE
send app.trace
stop

# a saved profile or an upload that is damaged or gone; other pictures still work
start --store store
get 200 -s whole.svg "/trace/$id/graph.svg"
mv "store/blobs/$id.aflp" saved.aflp
get 404 "/trace/$id/graph.png?width=700"
get 404 "/trace/$id/profile.aflp"
# a file that cannot be opened now, here for a link to itself, is not gone
ln -s "$id.aflp" "store/blobs/$id.aflp"
get 500 -o 'cannot open a file of the store: Too many levels of symbolic links' "/trace/$id/graph.png?width=699"
rm "store/blobs/$id.aflp"
head -c 300 saved.aflp >"store/blobs/$id.aflp"
get 422 "/trace/$id/graph.png?width=701"
cp saved.aflp "store/blobs/$id.aflp"
get 200 "/trace/$id/graph.png?width=702"
get 200 "/trace/$id/graph.svg?to=100ms"
printf 'not zstd' >"store/blobs/$id.zst"
get 500 "/trace/$id/graph.svg?to=101ms"
rm "store/blobs/$id.zst"
get 404 "/trace/$id/graph.svg?to=102ms"
get 400 "/trace/$id/convert/folded?method=onCreate"

# forms
get 400 -o 'this form takes no files' "/trace/$id" -F trace_file=@app.trace
get 400 /upload_trace -F mapping=@"$data/mapping.txt" -F mapping=@"$data/mapping.txt" -F trace_file=@app.trace
out_has 'the form has too many files'
get 400 -o 'the fields for files are trace_file and mapping' /upload_trace -F screenshot=@app.trace
head -c 300000 /dev/zero | tr '\0' a >long
get 400 -o 'a field of the form is too long' /upload_trace -F 'note=<long' -F trace_file=@app.trace
# fields arrive in parts, some of which end within a character
printf '€%.0s' $(seq 5000) >note
for tags in a aa aaa; do
    get 302 /upload_trace -F "tags=$tags" -F 'note=<note' -F trace_file=@app.trace
done
printf '\377' >note
get 400 -o 'a field of the form is not valid UTF-8' /upload_trace -F 'note=<note' -F trace_file=@app.trace
printf 'main;a 7\n' >other
get 201 -o '"file": "trace"' /upload_trace -H 'Accept: application/json' -F 'trace_file=@other;filename="folder/"'
get 404 -o 'not a link to an upload' /trace/short/graph.svg

# both sides of a comparison have a mapping
head -c 60000 release.trace >cut.trace
send release.trace -F "mapping=@$data/mapping.txt"
before=$id
send cut.trace -F "mapping=@$data/mapping.txt"
expect 0 "$program" diff -q release.trace cut.trace --mapping "$data/mapping.txt" --format csv -o here.csv
get 200 -s here.csv -o com.example.recipes "/diff/$before/$id/report.csv"
stop

# links have the address of the proxy
start --no-store --base-url https://traces.example/sub/
check 'not the address of the proxy' [ "$(cat server.out)" = https://traces.example/sub/ ]
get 302 /upload_trace -F trace_file=@other
id=$(sha256sum <other | cut -d' ' -f1)
out_has "https://traces.example/sub/trace/$id"
err_has "Location: /sub/trace/$id#delete="
wait_until 200 "/trace/$id"
# whether the proxy passes the path on or not
for path in "/trace/$id" "/sub/trace/$id"; do
    get 200 -o '<base href="/sub/">' "$path"
    out_has "<meta property=\"og:image\" content=\"https://traces.example/sub/trace/$id/graph.png\">"
    check 'a link outside of the path' [ "$(grep -c '\(href\|src\|action\)="/' "$captured/out")" = \
        "$(grep -c '<base href="/sub/">' "$captured/out")" ]
done
get 200 /sub
get 200 /sub/
get 404 /subtrace
get 303 /login -d token= -d next=/traces
err_has 'Location: /sub/traces' 'Path=/sub/;'
stop
# a host may have any letters
start --no-store --base-url 'https://bücher.example'
expect 0 -o "https://bücher.example/trace/$id" "$program" send other --to "$url"
stop
for wrong in traces.example https:// 'https://traces.example/?a' 'https://traces.example/a b'; do
    expect 2 "$program" serve --no-store --listen 127.0.0.1:0 --base-url "$wrong"
    err_has "--base-url $wrong: not an address such as https://host/aflame"
done
