# Many clients, many uploads, and one that is slow.
store=store
wrapper='prlimit --nofile=64:' # the server raises this
start --store store --workers 2
port=${url##*:}

# before any client connects, these are the sockets of the server itself
count_sockets() {
    ls -l "/proc/$server/fd" 2>/dev/null | grep -c socket:
}
own=$(count_sockets)

# clients that send, or take an answer, byte by byte
send app.trace
get 200 "/trace/$id/graph.png?width=4000&scale=4"
check "an answer of $(wc -c <"$captured/out") bytes fits into the buffers" [ "$(wc -c <"$captured/out")" -gt 500000 ]
cat >slow.pl <<'END'
use IO::Socket::INET; use Socket;
my ($port, $request, $step, $connected) = @ARGV;
socket(my $server, PF_INET, SOCK_STREAM, 0) or die;
setsockopt($server, SOL_SOCKET, SO_RCVBUF, 4096) or die;
connect($server, pack_sockaddr_in($port, inet_aton('127.0.0.1'))) or die;
$SIG{PIPE} = 'IGNORE';
syswrite($server, $request) or die;
my $byte;
sysread($server, $byte, 1) or die if $step eq 'take';
open(my $file, '>', $connected) or die;
for (;;) {
    $step eq 'take' ? sysread($server, $byte, 1) : syswrite($server, 'a');
    select(undef, undef, undef, 0.2);
}
END
perl slow.pl "$port" $'GET / HTTP/1.1\r\nX: ' send slow.1 &
slow=($!)
perl slow.pl "$port" $'POST /upload_trace HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n' send slow.2 &
slow+=($!)
perl slow.pl "$port" "GET /trace/$id/graph.png?width=4000&scale=4 HTTP/1.1"$'\r\nHost: localhost\r\n\r\n' take slow.3 &
slow+=($!)
for n in 1 2 3; do
    wait_for [ -e slow.$n ]
done

# 64 uploads at once with 2 workers: all are answered
files=$(part_of 64)
for n in $(seq "$files"); do
    { cat app.trace; echo "$n"; } >"many$n.trace"
done
ls many*.trace | xargs -P 64 -I{} curl -s -o /dev/null -w '%{http_code}\n' \
    -H 'Accept: application/json' -F trace_file=@{} "$url/upload_trace" >statuses &
uploads=$!
most=0
while kill -0 "$uploads" 2>/dev/null; do
    now=$(pgrep -c -P "$server" -f '^aflame worker .* read( |$)') # not the one that probes the guards
    [ "$now" -le "$most" ] || most=$now
    pause 'the end of the uploads'
done
wait "$uploads"
check 'not all uploads were answered' [ "$(grep -c 201 statuses)" -eq "$files" ]
check "more workers than allowed: $most" [ "$most" -le 2 ]

# a thousand clients; each request has its own connection, since the server closes idle ones, and a
# busy machine may keep a client from its next request for that long
requests=$(part_of 3000) clients=1000
[ -z "${AFLAME_SANITIZED-}" ] || clients=200
send app.trace
get 200 "/trace/$id/graph.svg"
for path in "/trace/$id" "/trace/$id/graph.svg" /; do
    expect 0 -n 'Non-2xx' -o "Complete requests:      $requests" ab -q -n "$requests" -c "$clients" -s 120 "$url$path"
    check 'requests failed' grep -q '^Failed requests: *0$' "$captured/out"
done
if [ -z "${AFLAME_SANITIZED-}" ]; then
    kilobytes=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$server/status")
    check "$kilobytes kB of memory" [ "$kilobytes" -lt 100000 ]
fi

# a server that is stopped for longer than a client may take does not blame those that wait for it
cat >patient.pl <<'END'
use IO::Socket::INET;
my ($port, $server) = @ARGV;
my @clients = map { IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port") or die } 1 .. 16;
$SIG{PIPE} = 'IGNORE';
sub ask {
    $_->syswrite("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") for @clients;
}
sub answers {
    grep { my $text = ''; 1 while $text !~ /\r\n\r\nok/ && $_->sysread($text, 999, length $text);
           $text =~ m{^HTTP/1.1 200} } @clients;
}
ask();
print scalar answers(), " before\n";
kill 'STOP', $server;
ask();
sleep 11;
kill 'CONT', $server;
print scalar answers(), " after\n";
END
expect 0 -o '16 before' perl patient.pl "$port" "$server"
out_has '16 after'

# all other clients are gone; by now, or soon, the server has disconnected the slow ones
until [ "$(count_sockets)" -le "$own" ]; do
    pause 'the end of the connections'
done
check 'a slow client ended by itself' kill "${slow[@]}"
get 200 /healthz
stop
check_store

# uploads that arrive while the server ends: each is stored or refused, and none keeps it from ending
cat >late.pl <<'END'
use IO::Socket::INET;
my ($port, $server) = @ARGV;
my $form = join "\r\n", '--12345678', 'Content-Disposition: form-data; name="trace_file"; filename="a"',
    '', 'main;a 1', '--12345678--', '';
my $request = join "\r\n", 'POST /upload_trace HTTP/1.1', 'Host: localhost', 'Connection: close',
    'Content-Type: multipart/form-data; boundary=12345678', 'Content-Length: ' . length $form, '', $form;
my @clients = map { IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port") or die } 1 .. 64;
$SIG{PIPE} = 'IGNORE';
select undef, undef, undef, 0.1;
kill TERM => $server;
syswrite $_, $request for @clients;
for (@clients) { 1 while sysread $_, my $bytes, 65536; }
END
for round in 1 2 3 4 5 6 7 8; do
    start --no-store
    expect 0 perl late.pl "${url##*:}" "$server"
    status=0
    wait "$server" || status=$?
    check "the server ended with $status: $(tail -n 1 server.err)" [ "$status" -eq 0 ]
done
