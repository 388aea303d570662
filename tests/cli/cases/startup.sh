# The start of an app: its phases, from methods and from slices.

# ---- methods: every phase, with the times of its calls ----
expect 0 aflame report -q --startup app.trace --format json
row() {
    out_has "    {\"phase\": $1"
}
row '"bindApplication", "start_ns": 0, "duration_ns": 263004000, "share": 49.6452, "app_ns": 18823000, "name": "android.app.ActivityThread.handleBindApplication"}'
row '"content providers", "start_ns": 46541000, "duration_ns": 72144000, "share": 13.6181, "app_ns": 0,'
row '"slowest provider", "start_ns": 46721000, "duration_ns": 40455000, "share": 7.6364, "app_ns": 0, "name": "androidx.startup.InitializationProvider.onCreate"}'
row '"Application.onCreate", "start_ns": 122841000, "duration_ns": 131498000,'
row '"creating the activity", "start_ns": 263863000, "duration_ns": 184987000,'
row '"resuming it", "start_ns": 449175000, "duration_ns": 32220000,'
row '"first frame", "start_ns": 482081000, "duration_ns": 47686000,'
check 'not 7 phases' test "$(grep -c '^    {"phase"' "$captured/out")" -eq 7
for method in =android.app.ActivityThread.handleBindApplication \
    =android.app.ActivityThread.handleLaunchActivity; do
    expect 0 aflame calls -q app.trace "$method" --format json
    out_has '"wall_ns": '"$(test "$method" = =android.app.ActivityThread.handleBindApplication &&
        echo 263004000 || echo 184987000)"
done
expect 0 aflame report -q --startup app.trace
out_has 'startup; 529.8 ms from bindApplication to the end of the first frame, on main'
out_has '  bindApplication        263.0 ms  49.6 %  18.8 ms  android.app.ActivityThread.handleBindApplication'
expect 0 -o 'bindApplication,0,263004000,49.6452,18823000,' aflame report -q --startup app.trace --top 1 --format csv
out_lacks 'first frame'

# ---- the picture has a bar and a sentence for each ----
expect 0 aflame render -q --startup app.trace -o start.png
expect 0 aflame render -q --startup app.trace -o start.svg -o start.pdf
opens start.svg start.png start.pdf
for text in bindApplication '263.0 ms · 49.6 %' 'InitializationProvider.onCreate · 40.5 ms · 7.6 %' \
    'first frame' '47.7 ms · 9.0 %'; do
    check "not in the picture: $text" grep -qF -- ">$text<" start.svg
done
check 'not 7 bars, two of which begin with time of the app' test \
    "$(sed 's/<[g/]/\n&/g' start.svg | sed -n '/<g id="startup"/,/<g id="foot"/p' | grep -c '^<g>')" -eq 7

# ---- slices: the launch is one of the system; a warm start and another thread do not count ----
slice() {
    printf '%16s-%-5d (%5d) [000] .... %s: tracing_mark_write: %s\n' "$1" "$2" "$3" "$4" "$5"
}
{
    echo '# tracer: nop'
    slice system 50 50 1.000000 'S|50|launching: com.example.app|0'
    slice app 101 100 1.050000 'B|100|activityStart'
    slice app 101 100 1.060000 'E|100'
    slice app 100 100 1.100000 'B|100|bindApplication'
    slice app 100 100 1.300000 'E|100'
    slice app 100 100 1.310000 'B|100|Choreographer#doFrame 1'
    slice app 100 100 1.320000 'E|100'
    slice app 100 100 1.350000 'B|100|activityStart'
    slice app 100 100 1.360000 'B|100|performCreate:com.example.app.Main'
    slice app 100 100 1.450000 'E|100'
    slice app 100 100 1.500000 'E|100'
    slice app 100 100 1.500000 'B|100|activityResume'
    slice app 100 100 1.550000 'E|100'
    slice app 100 100 1.600000 'B|100|Choreographer#doFrame 2'
    slice app 100 100 1.700000 'E|100'
    slice system 50 50 1.710000 'F|50|launching: com.example.app|0'
    slice app 100 100 1.800000 'B|100|Choreographer#doFrame 3'
    slice app 100 100 1.900000 'E|100'
} >slices.systrace
expect 0 aflame report -q --startup slices.systrace --process 100 --format csv
out_has 'bindApplication,0,200000000,33.3333,' 'creating the activity,250000000,150000000,25.0000,'
out_has 'resuming it,400000000,50000000,8.3333,' 'first frame,500000000,100000000,16.6667,'
out_lacks 'launch'
expect 0 aflame report -q --startup slices.systrace --process all --format csv
out_has 'launch,0,710000000,100.0000,,launching: com.example.app'
out_has 'bindApplication,100000000,200000000,28.1690,'

# ---- what has no start, or is not for phases ----
expect 1 aflame report --startup "$made/basic.trace"
err_has 'no app starts in this trace: neither bindApplication nor the creation of an activity was recorded'
expect 2 -e 'the phases of a start need single calls' aflame report --startup "$made/folded.trace"
expect 2 aflame render --startup app.trace --view chart -o none.svg
err_is 'aflame: --frames and --startup are pictures of their own; leave out --view and --sheet'
expect 2 -m 'aflame: give --frames or --startup, not both' aflame render --startup --frames app.trace -o none.svg
expect 2 aflame report --startup app.trace --sort length
err_is 'aflame: --startup lists phases in order of time; leave out --sort'
expect 2 aflame report --startup app.trace --hide load
err_is 'aflame: --startup shows phases as recorded; leave out options that reshape'
expect 2 aflame report --startup app.trace --by threads
expect 2 aflame render --startup app.trace --min-width 4 -o none.svg
err_has 'has no effect with --view callgraph and --startup, which have no frames'
expect 2 aflame report --startup app.trace --redact
absent none.svg
