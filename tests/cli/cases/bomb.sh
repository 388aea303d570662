# Gzip bombs: a file of 180 kB that unpacks to 10 GB of records needs no more memory than any
# other, and can be interrupted.
shapes=$data/../bench/shapes.js measure=${AFLAME_MEASURE:?the program that measures}
"$shapes" bomb 10240 -o bomb.trace
"$shapes" bomb "$(part_of 100)" -o small.trace
check 'the bomb is larger than 1 MB' [ "$(wc -c <bomb.trace)" -lt 1000000 ]
echo old >old.svg
cp old.svg old.copy

# reading all of it
most_kb=$((64 * 1024))
[ -z "${AFLAME_SANITIZED-}" ] || most_kb=$((512 * 1024)) # they hold freed memory back
measured() {
    expect 0 "$measure" --watch "$@"
    anonymous=$(cut -d' ' -f3 "$captured/out")
    check "$anonymous kB of anonymous memory" [ "$anonymous" -lt $most_kb ]
    check 'the memory was not measured' [ "$anonymous" -gt 0 ]
}
for jobs in 1 4; do
    measured aflame info -q --jobs $jobs small.trace
    measured aflame render -q --jobs $jobs small.trace -o small.svg
    measured sh -c "aflame render -q --jobs $jobs - -o piped.svg <small.trace"
    # not in a temporary file either
    measured env TMPDIR=/nonexistent aflame info -q --jobs $jobs small.trace
done
opens small.svg
expect 0 aflame info small.trace
[ "$(part_of 100)" -ne 100 ] || out_has '10,485,800'

# the CPU time in ms that a process has used
used() {
    awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(($12 + $13) * 1000 / hz) }' "/proc/$1/stat"
}

# the CPU time in ms of all processes that ended; `times` works in this shell only
sum_ended() {
    times >"$captured/times"
    ended_ms=$(awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/)
        print int((t[1] * 60 + t[2] + t[3] * 60 + t[4]) * 1000) }' "$captured/times")
}

# interrupting it: within a second of its own CPU time, however busy the machine is
stopped() {
    signal=$1 expected=$2
    shift 2
    sum_ended
    before_ms=$ended_ms
    "$@" >"$captured/out" 2>"$captured/err" &
    worker=$!
    sleep 0.4
    used_ms=$(used $worker)
    kill -"$signal" $worker
    status=0
    wait $worker || status=$?
    sum_ended
    took_ms=$((ended_ms - before_ms - used_ms))
    last="$* and $signal"
    check "the status is $status" [ $status -eq "$expected" ]
    check "it took $took_ms ms to stop" [ $took_ms -lt 1000 ]
    err_empty
    same old.svg old.copy
    absent '.aflame-*'
}
for jobs in 1 4; do
    stopped INT 130 env --default-signal=INT aflame render --jobs $jobs bomb.trace -o old.svg
    stopped TERM 143 sh -c "exec aflame render --jobs $jobs - -o old.svg <bomb.trace"
    stopped TERM 143 aflame info --jobs $jobs bomb.trace
done
