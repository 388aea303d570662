# --max-memory: a small file of calls that never return can fill any memory. aflame reads as much
# of it as the limit allows, and reports where it stopped.
shapes=$data/../bench/shapes.js measure=${AFLAME_MEASURE:?the program that measures}
"$shapes" deep "$(part_of 600000)" -o deep.trace
"$shapes" deep 10 -o small.trace
gzip -k deep.trace
check 'the file is not small' [ "$(wc -c <deep.trace.gz)" -lt 6000000 ]

# the size
for wrong in 5 0 -1G 2GB lots 1K; do
    expect 2 -e '--max-memory' aflame info --max-memory=$wrong small.trace
    err_has "such as 500M or 2G, not \"$wrong\""
done
for verb in info report; do
    expect 0 -e '' aflame $verb --max-memory 1G small.trace
done
expect 0 aflame convert --max-memory 1.5g small.trace -o small.folded
expect 0 aflame render -q --max-memory 2000M small.trace -o small.svg
expect 0 -e '' aflame info deep.trace
[ "$(part_of 600000)" -ne 600000 ] || out_has '1,200,000'

# memory stays within 30 % of the limit, plus what the process needs for any trace: 20 % with two workers
# that take turns, more if more of them read at the same moment
anonymous_kb() {
    expect 0 "$measure" --watch aflame "$@"
    anonymous=$(cut -d' ' -f3 "$captured/out")
    check 'the result was not measured' [ "$anonymous" -gt 0 ]
}
limit_mb=$(part_of 48)
for verb in info 'render -o any.svg'; do
    anonymous_kb $verb -q small.trace
    process=$anonymous
    anonymous_kb $verb -q --max-memory ${limit_mb}M deep.trace
    if [ -z "${AFLAME_SANITIZED-}" ]; then
        most=$((process + limit_mb * 1024 * 13 / 10))
        check "$verb: $anonymous kB of anonymous memory, not $most" [ "$anonymous" -le $most ]
    fi
done
opens any.svg

# A node takes at most 120 bytes at the peak, while aflame reads the trace and builds its tree. In
# these traces every path occurs once. With fewer nodes, what the process needs for any large trace has a
# larger share. Sanitizers take memory of their own.
resident_kb() {
    expect 0 "$measure" aflame info -q "$@"
    resident=$(cut -d' ' -f4 "$captured/out")
    check 'the result was not measured' [ "$resident" -gt 0 ]
}
node_takes() { # MOST NODES SHAPE: bytes
    local jobs
    "$shapes" "$3" 10 -o few.nodes
    "$shapes" "$3" "$2" -o many.nodes
    resident_kb few.nodes
    process=$resident
    for jobs in 1 2; do
        resident_kb --jobs $jobs many.nodes
        bytes=$(((resident - process) * 1024 / $2))
        check "$2 of $3, $jobs jobs: $bytes bytes a node, not $1" [ $bytes -gt 0 -a $bytes -le "$1" ]
    done
    rm few.nodes many.nodes
}
if [ -z "${AFLAME_SANITIZED-}" ]; then
    node_takes 120 1200000 distinct-dual
    node_takes 120 1200000 distinct-v2
    node_takes 120 1200000 script-distinct
    node_takes 140 640000 distinct-dual
fi

# a recording of the kernel is sorted in files: four times as many events take no more memory.
# 1,200,000 more events are 67 MB in memory.
"$shapes" perfetto-ftrace "$(part_of 400000)" -o short.pftrace
"$shapes" perfetto-ftrace "$(part_of 1600000)" -o long.pftrace
anonymous_kb info -q --jobs 1 --max-memory 64M short.pftrace
short=$anonymous
anonymous_kb info -q --jobs 1 --max-memory 64M long.pftrace
if [ -z "${AFLAME_SANITIZED-}" ]; then
    check "$anonymous kB of anonymous memory, $short kB for a quarter of the events" \
        [ "$anonymous" -le $((short + 10 * 1024)) ]
fi
rm short.pftrace long.pftrace

# tables of a reader count too: open slices, threads, processes, frames, operations, profiles
table() { # NAME HEAD LINE TAIL: 150,000 lines, & is the number
    { printf '%s' "$2"; seq 1 150000 | sed "s/.*/$3,/"; printf '%s' "$4"; } >"$1.json"
}
speedscope='{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"}]},"profiles":['
table open '[' '{"ph":"B","name":"a","ts":&,"pid":1,"tid":1}' '{}]'
table threads '[' '{"ph":"X","name":"a","ts":&,"dur":1,"pid":1,"tid":&}' '{}]'
table processes '[' '{"ph":"X","name":"a","ts":&,"dur":1,"pid":&,"tid":&}' '{}]'
table async '[' '{"ph":"b","cat":"c","id":"&","name":"a","ts":&,"pid":1,"tid":1}' '{}]'
table frames '{"stackFrames":{' '"&":{"name":"f"}' \
    '"0":{"name":"f"}},"traceEvents":[],"samples":[{"cpu":0,"tid":1,"ts":1,"name":"x","sf":1,"weight":1}]}'
table scopes "$speedscope"'{"type":"evented","name":"p","unit":"microseconds","startValue":0,"endValue":1,"events":[' \
    '{"type":"O","frame":0,"at":&}' '{"type":"O","frame":0,"at":150001}]}]}'
table profiles "$speedscope" \
    '{"type":"sampled","name":"p&","unit":"none","startValue":0,"endValue":1,"samples":[[0]],"weights":[1]}' \
    '{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":1,"samples":[[0]],"weights":[1]}]}'
# twice the limit besides what the process takes: a request beyond that is refused
for table in open threads processes async frames scopes profiles; do
    in_part || continue
    for command in "prlimit --data=$((32 * 1024 * 1024))" env; do
        [ -z "${AFLAME_SANITIZED-}" ] || command=env
        status=0
        $command aflame info -q --jobs 1 --max-memory 8M $table.json >"$captured/out" 2>&1 || status=$?
        check "$table, $command: status $status" [ $status -eq 0 -o $status -eq 4 ]
        out_has '--max-memory'
    done
done

# the tables of other formats: 15,000 names, 15,000 threads, calls 15,000 deep
sed -n '1,15000p' threads.json >threads.part
{ cat threads.part; printf '{}]'; } >threads.json
{ printf '['; seq 1 15000 | sed 's/.*/{"ph":"X","name":"name number &","ts":&,"dur":1,"pid":1,"tid":1},/'; printf '{}]'; } >names.json
{ printf '['; seq 1 15000 | sed 's/.*/{"ph":"B","name":"name &","ts":&,"pid":1,"tid":1},/'; printf '{}]'; } >nested.json
for table in names threads nested; do
    for format in pftrace pb.gz firefox.json gecko.json callgrind aflp; do
        [ $table.$format != nested.pb.gz ] || continue # every sample would name all of its callers
        [ $table.$format != nested.pftrace ] || continue # the format holds 512 nested calls
        in_part || continue
        expect 0 aflame convert -q $table.json -o tables.$format
        for command in "prlimit --data=$((32 * 1024 * 1024))" env; do
            [ -z "${AFLAME_SANITIZED-}" ] || command=env
            status=0
            $command aflame info -q --jobs 1 --max-memory 1M tables.$format >"$captured/out" 2>&1 || status=$?
            check "$table.$format, $command: status $status" [ $status -eq 0 -o $status -eq 4 ]
            out_has '--max-memory'
        done
    done
done

# aflame reads the start of the trace, for any number of jobs and any kind of input
for jobs in 1 2 4; do
    expect 0 aflame info --jobs $jobs --max-memory ${limit_mb}M deep.trace
    out_has 'read in part, up to the limit of --max-memory'
    out_lacks 'CUT OFF'
    out_has 'the call trees reached the limit of --max-memory'
    cp "$captured/out" info.$jobs
    expect 0 aflame render --jobs $jobs --max-memory ${limit_mb}M deep.trace -o deep.$jobs.svg
    err_has 'reading stopped' 'at byte'
    err_lacks 'not enough memory'
done
same info.1 info.2
same info.1 info.4
same deep.1.svg deep.2.svg
same deep.1.svg deep.4.svg
expect 0 -o '"memory-limit"' aflame info --json --max-memory ${limit_mb}M deep.trace
calls=$(grep '"records"' "$captured/out" | head -1 | tr -dc 0-9)
expect_sh 0 "aflame info --json --max-memory ${limit_mb}M - <deep.trace.gz"
check 'the calls from a pipe differ' [ "$(grep '"records"' "$captured/out" | head -1 | tr -dc 0-9)" = "$calls" ]

# the second reading has the same calls
expect 0 aflame calls -q --top 1 --max-memory ${limit_mb}M deep.trace '/./'
expect 0 aflame render -q --view chart --max-memory ${limit_mb}M deep.trace -o chart.svg
opens chart.svg

# --strict, and names that exceed the limit
expect 4 aflame render --strict --max-memory ${limit_mb}M deep.trace -o strict.svg
absent strict.svg
{
    printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":['
    seq 20000 | sed 's/.*/{"name":"frame &"},/'
    printf '{"name":"last"}]},"profiles":[{"type":"sampled","name":"p","unit":"none",'
    printf '"startValue":0,"endValue":1,"samples":[[1]],"weights":[1]}]}'
} >names.speedscope.json
expect 0 aflame info names.speedscope.json
expect 4 aflame info --max-memory 1M names.speedscope.json
err_is 'aflame: names.speedscope.json: the names and frames of the input do not fit into the memory that is allowed; --max-memory SIZE sets another limit'
absent '.aflame-*'

# In any address space aflame does its work, or fails with a message: 127 is the status of the
# loader of libraries.
if [ -z "${AFLAME_SANITIZED-}" ]; then
    refused=0
    for kb in $(seq 9000 1000 24000) $(seq 25000 500 36000) $(seq 40000 4000 60000); do
        status=0
        (ulimit -v $kb && exec aflame render -q --jobs 1 "$data/sample.trace" -o little.svg) 2>"$captured/err" ||
            status=$?
        check "$kb kB: status $status" [ $status -eq 0 -o $status -eq 4 -o $status -eq 127 ]
        [ $status -ne 4 ] || { refused=$((refused + 1)); err_has 'not enough memory'; }
        absent '.aflame-*'
    done
    check 'no size was too little' [ $refused -gt 0 ]
fi
