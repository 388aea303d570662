# --from and --to: a part of a trace, with every verb.

expect 0 aflame info app.trace --from 200ms --to 400ms
out_has '  part        200 ms to 400 ms of 1.10 s; everything below is about this part'
out_has 'still running at the end of the part' 'calls begun before: 16'
err_empty
expect 0 -n '  part ' aflame info app.trace
expect 0 -o '"from": 200000000' aflame info --json app.trace --from 200ms --to 400ms
out_has '"to": 400000000'
expect 0 aflame render app.trace --from 200ms --to 0.4s -o part.svg -o part.png -o part.pdf
opens part.svg part.png part.pdf
contains part.svg '200 ms to 400 ms of 1.10 s'
expect 0 -o '200 ms to 400 ms of 1.10 s; 100 % =' aflame report app.trace --from 200ms --to 400ms --thread main

# two parts add up to the whole, in both clocks; sums are in whole microseconds, and each stack may
# lose one if the CPU time at the cut has a fraction
cat >compare.awk <<'END'
{ us = $NF; sub(/ [0-9]*$/, "") }
FILENAME == "whole.folded" { whole[$0] = us; n++ }
FILENAME != "whole.folded" { parts[$0] += us }
END {
    for (s in whole) { d = whole[s] - parts[s]; if (d < 0 || d > most) bad = 1 }
    for (s in parts) if (!(s in whole)) bad = 1
    exit bad || n < 100
}
END
for clock in wall cpu; do
    aflame convert app.trace --clock $clock -o whole.folded
    aflame convert app.trace --clock $clock --to 412345us -o begin.folded
    aflame convert app.trace --clock $clock --from 412345us -o rest.folded
    check "the parts do not add up to the whole in $clock time" awk -v most=$([ $clock = cpu ] && echo 1 || echo 0) \
        -f compare.awk whole.folded begin.folded rest.folded
done

# relative to the end, up to the end, everything
expect 0 -w all.folded aflame convert app.trace
expect 0 -s all.folded aflame convert app.trace --from 0
expect 0 -s all.folded aflame convert app.trace --to 2min
expect 0 -s all.folded aflame convert app.trace --from -5s
expect 0 -w tail.folded aflame convert app.trace --from 604512us
differ tail.folded all.folded
expect 0 -s tail.folded aflame convert app.trace --from -500ms
expect 0 -s tail.folded aflame convert app.trace --from=-500ms

# independent of packing and input kind
gzip -c app.trace >app.trace.gz
expect 0 -s tail.folded aflame convert app.trace.gz --from -500ms
expect_sh 0 -s tail.folded 'aflame convert - --from -500ms <app.trace'
expect_sh 0 -s tail.folded 'cat app.trace | aflame convert - --from -500ms'
expect_sh 0 -s tail.folded 'cat app.trace.gz | aflame convert - --from -500ms'
expect 0 -s tail.folded aflame convert app.trace --from -500ms --jobs 1
end=$(LC_ALL=C grep -abo '^\*end$' app.trace | cut -d: -f1)
head -c $((end + 5)) app.trace >old.key
tail -c +$((end + 6)) app.trace >old.data
expect 0 -s tail.folded aflame convert old.key --from -500ms
expect 0 -s tail.folded aflame convert old.data old.key --from -500ms

# invalid ranges
expect 2 aflame convert app.trace --from 5s -o x.folded
err_is 'aflame: app.trace: the trace ends at 1.10 s, before the selected part begins (5.00 s)'
expect 2 aflame convert app.trace --from 1s --to 500ms -o x.folded
err_is 'aflame: app.trace: the part must end (500.0 ms) after it starts (1.00 s)'
expect 2 -e 'after it starts' aflame convert app.trace --from 1s --to 1s -o x.folded
expect 2 -e '--from: ' aflame info app.trace --from soon
expect 2 -e '--to: ' aflame info app.trace --to 3
{
    printf '*version\n2\ndata-file-overflow=false\nclock=thread-cpu\nelapsed-time-usec=1500\n'
    printf '*threads\n1\tmain\n*methods\n0x10\tcom.x.A\trun\t()V\tA.java\n*end\n'
    printf 'SLOW\002\000\040\000\000\000\000\000\000\000\000\000'
    printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
    printf '\001\000\020\000\000\000\000\000\000\000'
    printf '\001\000\021\000\000\000\350\003\000\000'
} >cpu.trace
expect 2 aflame info cpu.trace --from 1ms
err_is 'aflame: cpu.trace: the trace has no wall times, so no part of it can be selected by time'
# a part without activity: one call from 0 to 1 ms in a trace of 1.5 ms
sed 's/thread-cpu/wall/' cpu.trace >wall.trace
expect 1 -e 'no call runs in the selected part' aflame convert wall.trace --from 1200us -o x.folded
expect 0 aflame convert wall.trace --from 900us
check 'the part does not last a tenth of a millisecond' grep -q 'com.x.A.run 100$' "$captured/out"
absent x.folded '.aflame-*'

# reports name the part in every format
expect 0 aflame report --from 10ms --to 30ms --format json "$data/sample.trace"
out_has '"part": "10 ms to 30 ms of 1.10 s", "wall_ns": 20000000,'
