# Folded stacks.
expect 0 -o '' -e '' aflame convert app.trace -o app.folded
present app.folded
check 'a line is not a stack with a number' \
    sh -c '! LC_ALL=C grep -Eqv "^[^;]+(;[^;]+)+ [1-9][0-9]*$" app.folded'
check 'a stack occurs twice' sh -c '[ -z "$(sed "s/ [0-9]*$//" app.folded | sort | uniq -d)" ]'
expect 0 -s app.folded aflame convert app.trace
expect 0 -s app.folded aflame convert app.trace -o -
expect 0 aflame convert app.trace --format folded -o stacks.txt
same stacks.txt app.folded
expect 0 -s app.folded aflame convert app.trace --clock wall --jobs 1
expect 0 -w cpu.folded aflame convert app.trace --clock cpu
differ cpu.folded app.folded
expect 0 -o 'main;' aflame convert app.trace --thread main
check 'stacks of another thread are written' sh -c "! grep -qv '^main;' '$captured/out'"
grep '^main;' app.folded >main.folded
same "$captured/out" main.folded
# the order is that of the profile, not of the selection
expect 0 -w two.folded aflame convert app.trace -t RenderThread -t main -t main
expect 0 -s two.folded aflame convert app.trace -t main -t RenderThread
expect 0 -s app.folded aflame convert app.trace --thread all

# a file with one clock: 1,000 us in run, of which 250 in a method with a semicolon
{
    printf '*version\n2\ndata-file-overflow=false\nclock=wall\nelapsed-time-usec=1500\nvm=art\n'
    printf '*threads\n1\tmain\n*methods\n0x10\tcom.x.A\trun\t()V\tA.java\n'
    printf '0x20\tcom.x.A\ta;b\t()V\tA.java\n*end\n'
    printf 'SLOW\002\000\040\000\000\000\000\000\000\000\000\000'
    printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
    printf '\001\000\020\000\000\000\000\000\000\000'
    printf '\001\000\040\000\000\000\144\000\000\000'
    printf '\001\000\041\000\000\000\136\001\000\000'
    printf '\001\000\021\000\000\000\350\003\000\000'
} >wall.trace
printf 'main;com.x.A.run 750\nmain;com.x.A.run;com.x.A.a:b 250\n' >wall.folded
expect 0 -e '' -s wall.folded aflame convert wall.trace
expect 0 -s wall.folded aflame convert wall.trace --clock wall
expect 2 aflame convert wall.trace --clock cpu -o x.folded
err_is 'aflame: wall.trace: the trace has no CPU times, only wall times'
expect 2 -e 'no CPU times' aflame render wall.trace --clock cpu -o x.svg
for verb in 'convert wall.trace -o x.folded' 'render wall.trace -o x.svg' 'report wall.trace'; do
    # shellcheck disable=SC2086
    expect 2 -m 'aflame: wall.trace: waiting needs both clocks; the trace has no CPU times' aflame $verb --clock wait
    out_empty
done
expect 0 -o '"clock": "wall"' aflame info --json wall.trace
out_has '"elapsed_us": 1500'
absent x.folded x.svg '.aflame-*'

# times below a microsecond
printf '[{"ph":"X","name":"f","pid":1,"tid":1,"ts":0,"dur":1.75}]' >short.json
expect 0 aflame convert short.json
err_is 'aflame: short.json: rounding down to whole microseconds loses 42.9 % of the time (750 ns); --folded-unit ns avoids this'
expect 0 -e '' -o 'f 1750' aflame convert short.json --folded-unit ns
expect 2 -e 'folded stacks count us or ns, not "ms"' aflame convert short.json --folded-unit ms
expect 2 aflame convert short.json --folded-unit ns -o x.speedscope.json
