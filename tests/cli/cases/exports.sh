# Formats of other tools.
cp "$data/sample.trace" app.trace
expect 0 aflame convert --list
err_empty
for word in Inputs v1 v1-streaming v2 long-running Outputs folded chrome speedscope pprof '*.json'; do
    out_has "$word"
done
expect 2 aflame convert --list app.trace
err_is 'aflame: --list takes no trace: the formats are the same for all'
expect_sh 5 'aflame convert --list >/dev/full'

# the longest ending decides; what is called so is packed
expect 0 aflame convert app.trace -o x.json -o x.speedscope.json -o x.json.gz -o X.SPEEDSCOPE.JSON.GZ \
    -o x.folded.gz
err_empty
for format in chrome:x.json speedscope:x.speedscope.json; do
    expect 0 aflame convert app.trace --format ${format%%:*}
    same "$said/out" ${format#*:}
done
expect_sh 0 'gzip -dc x.json.gz'
same "$said/out" x.json
expect_sh 0 'gzip -dc X.SPEEDSCOPE.JSON.GZ'
same "$said/out" x.speedscope.json
expect 0 aflame convert app.trace -o x.folded
expect_sh 0 'gzip -dc x.folded.gz'
same "$said/out" x.folded
expect 0 aflame convert app.trace --format chrome -o other.gz
same other.gz x.json.gz
expect 2 aflame convert app.trace -o x.svg.gz
err_has 'does not end in a known format'
expect 2 aflame render app.trace -o x.svg.gz
err_has 'does not end in a known format'
expect 2 aflame convert app.trace --format speedscop -o y.json
err_has 'did you mean speedscope?'
expect_sh 0 'aflame convert --format chrome - <app.trace'
same "$said/out" x.json
expect 0 aflame convert app.trace --jobs 1 --format chrome
same "$said/out" x.json
expect_sh 5 'aflame convert app.trace --format chrome >/dev/full'
err_has 'No space left'
expect 5 aflame convert app.trace --format speedscope -o /dev/full
err_has 'No space left'

# one clock, or both where there is room
check 'no CPU times' grep -q '"tdur"' x.json
expect 0 aflame convert app.trace --clock cpu --format chrome
out_lacks tdur
differ "$said/out" x.json
expect 0 aflame convert app.trace --clock cpu --format speedscope
differ "$said/out" x.speedscope.json

# threads and a part of the time are chosen of calls too
expect 0 aflame convert app.trace --format chrome --thread RenderThread
check 'other threads' sh -c "! grep -q '\"tid\":9214,\"args\":{\"name\":\"main\"' '$said/out'"
out_has RenderThread
expect 0 aflame convert app.trace --format chrome --from 200ms --to 210ms
check 'calls outside of the part' \
    awk -F'"ts":' '/"ph":"X"/ { split($2, t, ","); if (t[1] < 200000 || t[1] > 210000) exit 1; n++ }
                   END { exit n < 10 }' "$said/out"

# bytes that no terminal gets, packed whatever the name
expect 0 aflame convert app.trace -o x.pprof -o x.pb.gz -o y.pb
same x.pprof x.pb.gz
same y.pb x.pb.gz
expect_sh 0 'gzip -dc x.pprof | protoc --proto_path='"$data"'/../../src --decode=pprof.Profile export/pprof.proto'
out_has 'default_sample_type: 8'
check 'fields without a name' sh -c "! grep -qE '^ *[0-9]+[:{ ]' '$said/out'"
expect_sh 0 'aflame convert app.trace --clock cpu --format pprof | gzip -dc |
    protoc --proto_path='"$data"'/../../src --decode=pprof.Profile export/pprof.proto'
out_has 'default_sample_type: 10'
expect_sh 0 'aflame convert app.trace --clock wait --format pprof | gzip -dc |
    protoc --proto_path='"$data"'/../../src --decode=pprof.Profile export/pprof.proto'
out_has 'default_sample_type: 12'

# what is done to trees only
for step in '--hide Looper' '--fold framework' '--max-depth 3' '--merge-threads all' '--clean'; do
    # shellcheck disable=SC2086
    expect 2 aflame convert app.trace $step -o refused.json
    err_has "chrome tells single calls in order of time, and $step is done to call trees"
    # shellcheck disable=SC2086
    expect 0 aflame convert app.trace $step --format speedscope
    out_has '"type":"sampled"'
    out_lacks '"type":"evented"'
done
expect 2 aflame convert app.trace --clock wait -o refused.json
err_has 'waiting is reckoned of call trees'
expect 0 aflame convert app.trace --clock wait --format speedscope
out_has '"type":"sampled"'
expect 0 aflame convert app.trace --sort name --format chrome
same "$said/out" x.json
absent refused.json '.aflame-*'

# all of it or nothing
expect 2 aflame convert app.trace --hide Looper -o new.folded -o refused.json
absent new.folded refused.json
