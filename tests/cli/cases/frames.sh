# Frames: how late, whose fault, and what filled them.
cp "$made/perfetto_frames.trace" frames.pftrace
row() {
    out_has "    {\"fault\": $1"
}

# ---- frame timelines: worst first; other processes, expectations and display frames are no rows ----
expect 0 aflame report -q --frames frames.pftrace --format json
check 'not 9 frames' test "$(grep -c '^    {"fault"' "$captured/out")" -eq 9
check 'not the worst first' test "$(grep -n -m1 '"token": 8' "$captured/out" | cut -d: -f1)" \
    -lt "$(grep -n -m1 '"token": 7' "$captured/out" | cut -d: -f1)"
row '"app", "late_ns": 16000000, "duration_ns": 32600000, "start_ns": 15600000, "token": 8, "process_id": 100, "present": "late", "jank": ["app deadline missed"], "layer": "app/Main#1", "top": [{"name": "DrawFrames 8", "thread": "RenderThread", "self_ns": 16000000}, {"name": "measure", "thread": "main", "self_ns": 12000000}, {"name": "Choreographer#doFrame 8", "thread": "main", "self_ns": 2000000}]}'
# its other layer has its own end, and the first of the two expectations
row '"app", "late_ns": 10800000, "duration_ns": 27400000, "start_ns": 15600000, "token": 8, "process_id": 100, "present": "late", "jank": ["app deadline missed", "buffer stuffing"], "layer": "app/Dialog#2"'
# no slice has the token: by time, also of a slice that continues after the frame
row '"stuffing", "late_ns": 9200000, "duration_ns": 25000000, "start_ns": 33000000, "token": 9, "process_id": 100, "present": "late", "jank": ["buffer stuffing"], "layer": "app/Main#1", "top": [{"name": "DrawFrames 8", "thread": "RenderThread", "self_ns": 14000000}, {"name": "flush", "thread": "main", "self_ns": 10000000}, {"name": "load", "thread": "main", "self_ns": 10000000}]}'
# in time, and before the first call
row '"none", "late_ns": 0, "duration_ns": 15000000, "start_ns": -1000000, "token": 7, "process_id": 100, "present": "on time", "jank": []'
row '"other", "late_ns": 0, "duration_ns": 10000000, "start_ns": 58000000, "token": 11'
# without an expectation or an end nobody knows how late it is
row '"dropped", "duration_ns": 1000000, "start_ns": 59000000, "token": 10, "process_id": 100, "present": "dropped", "jank": []'
row '"app", "duration_ns": 26000000, "start_ns": 62000000, "token": 12'
row '"none", "duration_ns": 25000000, "start_ns": 63000000, "token": 13'
row '"none", "duration_ns": 2000000, "start_ns": 64000000, "token": 14'
expect 0 aflame report -q --frames frames.pftrace
out_has 'frames by late; 9 frames of process 100, 3 late; 3 without fault; 3 by the app; 1 by others;'
out_has '  app       16.0 ms  32.6 ms  15.600 ms      8  late     RenderThread: DrawFrames 8 16.0 ms'
out_has '  none            0  15.0 ms  -1.000 ms      7  on time  RenderThread: DrawFrames 7 5.00 ms'
expect 0 aflame report -q --frames frames.pftrace --sort start --top 1 --format csv
out_has 'none,0,15000000,-1000000,7,100,on time,,app/Main#1,"RenderThread: DrawFrames 7 5.00 ms, measure 3.00 ms, Choreographer#doFrame 7 2.50 ms"'
expect 0 aflame report -q --frames frames.pftrace -o frames.html
check 'the page is not well-formed XML' xmllint --noout frames.html
contains frames.html '<td class="t">RenderThread: DrawFrames 8 16.0 ms, measure 12.0 ms'
expect 0 -o 'app       72.4 ms  89.0 ms' aflame report -q --frames frames.pftrace --process all
expect 0 aflame report -q --frames frames.pftrace --from 60ms --to 62ms --format json
row '"other", "late_ns": 0, "duration_ns": 10000000, "start_ns": 58000000, "token": 11, "process_id": 100, "present": "on time", "jank": ["SurfaceFlinger scheduling", "prediction error"], "layer": "app/Main#1", "top": [{"name": "load", "thread": "main", "self_ns": 2000000}]}'
out_lacks '"token": 9'

# ---- the late frames against the good ones: tokens 8 and 9 against 7, each in the time of its
# slices, or of the frame where another one does not have it: (14 + 20) / 2 and 16 / 2 ms ----
expect 0 aflame render -q --frames frames.pftrace -o late.png
expect 0 aflame render -q --frames frames.pftrace -o late.svg -o late.pdf
opens late.svg late.png late.pdf
contains late.svg 'before: 1 good frame, 11.0 ms for each frame (2 threads)'
contains late.svg 'after: 2 late frames, 25.0 ms for each frame (2 threads)'
contains late.svg 'difference: +14.0 ms (2.3x) of wall time' 'main: 5.00 ms more in load; it is new'
# slices of doFrame are one, whatever their tokens
contains late.svg 'main: 3.00 ms more in measure, on behalf of Choreographer#doFrame #'
expect 0 aflame render -q --frames frames.pftrace --thread main -o late.svg
contains late.svg 'before: 1 good frame, 6.00 ms for each frame (1 thread)'
contains late.svg 'after: 2 late frames, 17.0 ms for each frame (1 thread)'
expect 0 aflame render -q --frames "$made/doframe.trace" -o late.svg
contains late.svg 'before: 1 good frame, 16.7 ms for each frame (1 thread)'
contains late.svg 'after: 1 late frame, 36.7 ms for each frame (1 thread)'
contains late.svg 'main: 30.0 ms more in com.example.App.layout, called by android.view.Choreographer.doFrame; it is new'
expect 1 aflame render --frames "$made/doframe.trace" --frame-time 8.3ms -o none.svg
err_is "aflame: $made/doframe.trace: nothing to compare: no frame is in time"
absent none.svg
expect 2 aflame render --frames frames.pftrace --view chart -o none.svg
err_is 'aflame: --frames and --startup are pictures of their own; leave out --view and --sheet'
expect 2 aflame render --frames frames.pftrace --hide measure -o none.svg
expect 2 -m 'aflame: --frame-time needs --frames' aflame render frames.pftrace --frame-time 8ms -o none.svg

# ---- the chart has a track of expected and one of actual frames ----
expect 0 aflame render -q --view chart --no-script --data none frames.pftrace -o chart.svg
opens chart.svg
check 'not the frames of the process' test "$(grep -o '<text[^>]*>[^<]*</text>' chart.svg |
    sed 's/<[^>]*>//g' | grep -A4 '^Frames$' | tr '\n' '/')" = \
    'Frames/5 expected (above)/3 without fault/3 late by the app/1 late by the system/'
contains chart.svg '32.6 ms, 16.0 ms late, late by the app'
expect 0 aflame render -q --view chart --no-script --data none frames.pftrace --thread 200 --process all -o chart.svg
check 'a frame of a process without tracks' test "$(grep -c '3 late by the app' chart.svg)" -eq 0
expect 0 aflame render -q --view chart frames.pftrace -o chart.svg -o chart.png -o chart.pdf
opens chart.svg chart.png chart.pdf

# ---- the rule about late frames believes frame timelines ----
expect 0 aflame explain --rule slow-frame frames.pftrace --json
out_has "2 of 9 frames were late by the app's fault, the worst by 16.0 ms, 10.8 ms; DrawFrames 8 took longest in 2 of them"
out_has '"aflame report frames.pftrace --frames"'

# ---- damage ----
expect 0 -o 'frames      10: 5 late, 4 by the app, 1 by others, 1 by stuffing, 1 dropped' aflame info frames.pftrace
out_has 'events of frame timelines lack a field or have an impossible time; dropped (5 times,'
out_has 'frames ended that have no begin; dropped (at byte'
out_has 'frames have no end; they last until the end of the trace (2 times,'
expect_sh 0 "aflame info --json frames.pftrace | tr -d ' \n'"
out_has '"frames":{"all":10,"late":5,"none":3,"app":4,"other":1,"stuffing":1,"dropped":1}'

# ---- calls of doFrame, in traces without frame timelines ----
expect 0 aflame report -q --frames "$made/doframe.trace" --format json
row '"app", "late_ns": 20000000, "duration_ns": 36700000, "start_ns": 0, "process_id": 7, "jank": [], "top": [{"name": "com.example.App.layout", "thread": "main", "self_ns": 30000000}, {"name": "com.example.App.draw", "thread": "main", "self_ns": 4000000}, {"name": "android.view.Choreographer.doFrame", "thread": "main", "self_ns": 2700000}]}'
row '"none", "late_ns": 0, "duration_ns": 16700000, "start_ns": 50000000, "process_id": 7'
check 'not 2 frames' test "$(grep -c '^    {"fault"' "$captured/out")" -eq 2
expect 0 aflame report -q --frames "$made/doframe.trace" --frame-time 8.3ms
out_has 'frames by late; 2 frames of process 7, 2 late: calls of doFrame over 8.300 ms'
out_has '  app    8.40 ms  16.7 ms  50.000 ms  android.view.Choreographer.doFrame 16.7 ms'
# RenderThread works on the frames whose tokens its slices have
{
    printf '# tracer: nop\n#\n'
    mark() {
        printf '%16s-%d (7) [000] ...1 100.%06d: tracing_mark_write: %s\n' "$2" "$3" "$1" "$4"
    }
    mark 10000 example.app 7 'B|7|Choreographer#doFrame 21'
    mark 18000 RenderThread 9 'B|7|DrawFrames 21'
    mark 20000 example.app 7 E
    mark 22000 RenderThread 9 E
    mark 30000 example.app 7 'B|7|Choreographer#doFrame 22'
    mark 55000 RenderThread 9 'B|7|DrawFrames 22'
    mark 60000 example.app 7 E
    mark 67000 RenderThread 9 E
} >tokens.txt
expect 0 aflame report -q --frames tokens.txt --format json
row '"app", "late_ns": 13300000, "duration_ns": 30000000, "start_ns": 20000000, "token": 22, "process_id": 7, "jank": [], "top": [{"name": "Choreographer#doFrame 22", "thread": "main", "self_ns": 30000000}, {"name": "DrawFrames 22", "thread": "RenderThread", "self_ns": 12000000}]}'
expect 0 aflame render -q --frames tokens.txt -o late.svg
contains late.svg 'before: 1 good frame, 14.0 ms for each frame (2 threads)'
contains late.svg 'after: 1 late frame, 42.0 ms for each frame (2 threads)'

# ---- what has no frames ----
expect 1 aflame report --frames "$made/basic.trace"
err_is "aflame: $made/basic.trace: no frames: neither frame timelines nor calls of Choreographer.doFrame"
expect 2 -e 'frames without frame timelines need single calls' aflame report --frames "$made/folded.trace"
expect 0 aflame convert -q frames.pftrace -o saved.aflp
expect 0 -e 'aflame does not export this: frame timelines' aflame convert frames.pftrace -o lost.aflp
expect 2 aflame report --frames saved.aflp
err_has 'frames without frame timelines need single calls: a saved profile has none'
expect 2 -m 'aflame: --frame-time needs --frames' aflame report frames.pftrace --frame-time 8ms
expect 2 aflame report frames.pftrace --frames --frame-time -8ms
err_is 'aflame: --frame-time takes a time above 0, such as 16.7ms'
expect 2 aflame report frames.pftrace --frames --by threads
err_is 'aflame: --by has no effect with --frames and --startup, which have tables of their own'
expect 2 aflame report frames.pftrace --frames --hide measure
err_is 'aflame: --frames shows frames as recorded; leave out options that reshape'
expect 2 aflame report frames.pftrace --frames --format dmtracedump
expect 2 -e 'unknown column "self"' aflame report frames.pftrace --frames --sort self
expect 2 aflame report frames.pftrace --frames --redact
err_has '--frames shows or needs original names; leave it out when you use --redact'
