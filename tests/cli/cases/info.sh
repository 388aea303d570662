# aflame info.
copy_sample overflow.trace 's/^data-file-overflow=false$/data-file-overflow=true/'

expect 0 -e '' aflame info app.trace
for text in 'Android method trace V1' 'runtime     ART' 'com.example.recipes' 'wall and thread CPU' \
    'every call' 'records     8,445' 'did not overflow' 'complete' 'main' 'RenderThread' \
    'no problems found'; do
    out_has "$text"
done
out_lacks "$(printf '\033')"
expect 0 -o 'OVERFLOWED' aflame info overflow.trace
out_has 'larger buffer'
out_lacks 'no problems found'
expect_sh 0 -o 'standard input' 'aflame info - <app.trace'
expect 0 -o 'did not overflow' aflame info app.trace overflow.trace
out_has 'OVERFLOWED'

expect 0 -e '' aflame info --json app.trace
for text in '"input": "app.trace"' '"container": "v1"' '"version": 3' '"clock": "dual"' \
    '"vm": "art"' '"overflow": false' '"records": 8445' '"sampled": false' \
    '"interval_us": null' '"repaired": null' '"truncated": false' '"warnings": []'; do
    out_has "$text"
done
check 'the output is not one JSON object' sh -c "[ \"\$(head -c 1 '$captured/out')\" = '{' ] && \
    [ \"\$(tail -n 1 '$captured/out')\" = '}' ]"
cp "$captured/out" one.json
expect 0 -o '"overflow": true' aflame info --json overflow.trace --jobs 1
out_has '"id": "overflow"'
expect 0 aflame info --json app.trace overflow.trace
check 'the output is not a JSON array' sh -c "[ \"\$(head -n 1 '$captured/out')\" = '[' ] && \
    [ \"\$(tail -n 1 '$captured/out')\" = ']' ]"
check 'an object in the array differs from the single one' \
    sh -c "sed -n 's/^  //p' '$captured/out' | head -n \$((\$(wc -l <one.json) - 1)) >part && \
        head -n -1 one.json | cmp -s - part"
expect 3 -o '"overflow": true' aflame info --json missing.trace overflow.trace
check 'the output is not a JSON array' sh -c "[ \"\$(tail -n 1 '$captured/out')\" = ']' ]"
expect 3 -o '' aflame info --json missing.trace

# ---- recordings that count allocations ----
sed 's/^vm=art$/vm=art\nalloc-count=60\nalloc-size=940\ngc-count=2/' app.trace >allocations.trace
expect 0 aflame info --json allocations.trace
for text in '"allocations": 60,' '"allocated_bytes": 940,' '"collections": 2,'; do
    out_has "$text"
done
expect 0 -n '"collections"' aflame info --json app.trace
