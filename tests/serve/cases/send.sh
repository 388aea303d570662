# aflame send, and a socket that systemd passes.
cp "$data/real/local-art11__deep.trace" deep.trace
printf 'secret\n' >token
printf '[ci]\nsha256 = %s\nmay = upload\n' "$(printf %s secret | sha256sum | cut -d' ' -f1)" >tokens.ini
start --store store --tokens tokens.ini --listen 0.0.0.0:0
url=http://127.0.0.1:${url##*:}
id=$(sha256sum <app.trace | cut -d' ' -f1)

expect 0 "$program" send app.trace deep.trace --to "$url/" --token token
check 'not two links' [ "$(grep -c "^$url/trace/" "$captured/out")" -eq 2 ]
out_has "$url/trace/$id"
err_empty
expect 0 -o "/trace/$id" "$program" send app.trace --to "${url#http://}" --token token
last='send -'
"$program" send - --to "$url" --token token <app.trace >"$captured/out" || fail "send - failed"
out_has "/trace/$id"
expect 0 "$program" send release.trace --mapping "$data/mapping.txt" --to "$url" --token token
get 200 -o com.example.recipes "/trace/$(sed 's/.*trace.//' "$captured/out")/convert/folded"

# a folder means the recordings in it: no pictures, exports, texts or subfolders
mkdir -p folder/below
{ cat app.trace; echo one; } >folder/a.trace
{ cat app.trace; echo two; } >folder/b.trace
{ cat app.trace; echo three; } >folder/below/c.trace
printf 'main;hand;made 5\n' >folder/hand.folded
printf 'no trace\n' >folder/notes.txt
"$program" render -q folder/a.trace -o folder/a.svg -o folder/a.png || fail 'no pictures'
"$program" convert -q folder/a.trace -o folder/a.folded -o folder/a.json || fail 'no exports'
expect 0 "$program" send folder --to "$url" --token token
for file in folder/a.trace folder/b.trace folder/hand.folded; do
    echo "$url/trace/$(sha256sum <$file | cut -d' ' -f1)"
done >expected
check 'other files than the recordings of the folder are sent' cmp expected "$captured/out"

# each link is printed at once, whatever happens to other files; delete tokens are kept
export XDG_STATE_HOME=$PWD/state
{ cat app.trace; echo 1; } >first.trace
{ cat app.trace; echo 2; } >second.trace
printf 'no trace' >text
expect 3 "$program" send first.trace missing.trace text second.trace --to "$url" --token token \
    --name 'My <name>' --note 'A note' --tags 'one two'
check 'not two links' [ "$(grep -c "^$url/trace/" "$captured/out")" -eq 2 ]
err_has 'missing.trace: cannot open this file' 'text: this is text, not a method trace'
link=$(head -n 1 "$captured/out") other=$(tail -n 1 "$captured/out")
get 200 "${link#"$url"}"
out_has '<h1>My &lt;name&gt;</h1>' 'A note' 'one two'
check 'others can read the tokens' [ "$(stat -c %a state/aflame/delete-tokens)" = 600 ]
expect 0 "$program" send --delete "$link"
get 404 "${link#"$url"}"
get 200 "${other#"$url"}"
expect 5 -e "$link: the server has no upload with this link (status 404)" "$program" send --delete "$link"
expect 3 -e 'no delete token for this link in ' "$program" send --delete "$url/trace/$id"
expect 5 -e '(status 403)' "$program" send --delete "$other" --token token
expect 2 "$program" send --delete "$link" app.trace
# --open opens the page with the delete token, which the browser then keeps
mkdir bin
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >opened.new\nmv opened.new opened\n' >bin/xdg-open
chmod +x bin/xdg-open
{ cat app.trace; echo 3; } >third.trace
expect 0 env PATH="$PWD/bin:$PATH" "$program" send third.trace --to "$url" --token token --open
link=$(cat "$captured/out")
wait_for [ -e opened ]
check "another page is opened: $(cat opened)" grep -qx "$link#delete=[0-9a-f]\{32\}" opened
check 'another token is kept' grep -qF "$(sed 's/.*#delete=//' opened)" state/aflame/delete-tokens

# more files than a form may have
many=()
for n in $(seq 70); do
    echo "main;many $n" >"many$n.folded"
    many+=("many$n.folded")
done
expect 0 "$program" send "${many[@]}" --to "$url" --token token
check 'not 70 links' [ "$(grep -c "^$url/trace/" "$captured/out")" -eq 70 ]

# a terminal shows how much has been sent to a server that takes long, and erases it at the end
kill -STOP "$server"
env -u CI TERM=xterm script -qefc "'$program' send app.trace --to $url --token token" typed >/dev/null </dev/null &
sending=$!
wait_for grep -qs 'sending to http.* %' typed
kill -CONT "$server"
wait "$sending" || fail 'send failed'
check 'progress was not erased' sh -c 'LC_ALL=C grep -q "$(printf "\r\033\\[K")http" typed'
check 'no link' grep -q "/trace/$id" typed

# what goes wrong
expect 5 -e 'uploads need a token (status 401)' "$program" send app.trace --to "$url"
printf 'no trace' >text
expect 3 -e 'text: this is text, not a method trace' "$program" send text --to "$url" --token token
expect 3 -e 'missing.trace: cannot open this file' "$program" send missing.trace --to "$url" --token token
expect 3 -m 'aflame: missing: No such file or directory' "$program" send app.trace --to "$url" --token missing
expect 5 -e 'uploads need a token (status 401)' "$program" send app.trace --to "$url" --token /dev/zero
expect 2 "$program" send --to "$url"
expect 5 "$program" send app.trace --to file:///etc/passwd
stop
expect 5 -e 'onnect' "$program" send app.trace --to http://127.0.0.1:1 # where nobody listens

# a server whose answer is not a link: it controls neither the terminal nor the file of tokens
cat >liar.pl <<'END'
use IO::Socket::INET;
$| = 1;
my $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die;
print $socket->sockport, "\n";
my $client = $socket->accept;
sysread $client, my $bytes, 65536;
print $client "HTTP/1.1 201 Created\r\nAflame-Delete-Token: 1\r\nContent-Length: 14\r\n\r\nhttp://a/\e[2Jb";
shutdown $client, 1;
1 while sysread $client, $bytes, 65536;
END
perl liar.pl >port &
wait_for [ -s port ]
expect 5 -e '(status 201)' "$program" send app.trace --to "127.0.0.1:$(cat port)"
check 'the terminal is controlled' sh -c "! LC_ALL=C grep -q '$(printf '\033')' '$captured/out' '$captured/err'"
check 'a token is kept' sh -c '! grep -qF http://a/ state/aflame/delete-tokens'

# everything else works without the module, and without the libraries that only the module needs
mkdir alone broken
cp "$program" alone/aflame
expect 0 alone/aflame info app.trace
for verb in serve 'send app.trace'; do
    expect 2 -e 'the server is not available: aflame-serve.so is missing' alone/aflame $verb
done
for library in libcurl.so.4 libmicrohttpd.so.12 libpq.so.5 libseccomp.so.2 libsqlite3.so.0; do
    : >"broken/$library"
done
expect 0 env LD_LIBRARY_PATH="$PWD/broken" "$program" info app.trace
for verb in 'serve --no-store' 'send app.trace'; do
    expect 2 -e 'cannot load the server: ' env LD_LIBRARY_PATH="$PWD/broken" "$program" $verb
done

# socket activation: descriptor 3 listens already
cat >activate.pl <<'END'
use IO::Socket::INET; use POSIX ();
BEGIN { $^F = 99; } # descriptors that the program inherits
my $socket = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1') or die;
POSIX::dup2($socket->fileno, 3) >= 0 or die;
@ENV{'LISTEN_PID', 'LISTEN_FDS'} = ($$, 1);
exec @ARGV;
END
rm -f server.out
perl activate.pl "$program" serve --no-store --listen 203.0.113.1:1 >server.out 2>server.err &
server=$!
await_address
url=$(cat server.out)
get 200 /healthz
stop

