# Every verb works with fewer threads, down to none: thread number N is refused, and then that one
# and all after it. The output has the bytes of a run that gets all of them.
interposed=${AFLAME_INTERPOSED:?the command with orders from the environment}
shapes=$data/../bench/shapes.js
sed 's/dual/wall/' app.trace >other.trace
gzip -c app.trace >app.trace.gz
aflame convert -q app.trace -o saved.aflp
printf '[start]\nmeasure = inclusive wall\nmethod = onCreate\nlimit = 10 s\n' >budget.ini

# refuse_each OUTPUT ARGUMENTS...
refuse_each() {
    local output=$1 number order
    shift
    rm -f usual.* "found.$output"
    expect 0 "$interposed" "$@" -j4 -q -o "usual.$output"
    for order in NO_THREAD NO_THREADS; do
        for number in 1 2 3 5; do
            in_part || continue
            expect 0 env AFLAME_TEST_$order=$number "$interposed" "$@" -j4 -q -o "found.$output"
            same "found.$output" "usual.$output"
            rm -f "found.$output"
        done
    done
}
for output in svg png pdf; do
    refuse_each $output render app.trace.gz
done
refuse_each svg render app.trace --view chart
refuse_each svg render saved.aflp
for output in html json; do
    refuse_each $output report app.trace.gz
done
refuse_each json calls app.trace onCreate --format json
for output in folded aflp speedscope.json pb.gz pftrace; do
    refuse_each $output convert app.trace
done
for output in txt svg html; do
    refuse_each $output diff app.trace other.trace
done
refuse_each aflp merge app.trace other.trace
refuse_each json check app.trace --budget budget.ini

# long enough to be read, unpacked, drawn and compressed by several threads
"$shapes" paths 45000 -o paths.trace
gzip -1 -k paths.trace
refuse_each png render paths.trace
refuse_each pdf render paths.trace.gz
refuse_each html report paths.trace.gz
refuse_each aflp convert paths.trace.gz

expect 0 -w usual.info aflame info app.trace.gz --json
for number in 1 2; do
    expect 0 -s usual.info env AFLAME_TEST_NO_THREADS=$number "$interposed" info app.trace.gz --json
done

# the largest id
printf '[{"ph":"X","pid":1,"tid":9223372036854775807,"name":"a","ts":0,"dur":3000}]' >largest.json
expect 0 aflame render -q largest.json -o largest.svg
contains largest.svg 'data-thread="9223372036854775807"'
