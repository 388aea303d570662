# Waiting is wall minus CPU time of what is shown. In this trace the CPU clock is coarse: of single
# nodes the differences, limited to 0, add up to more.
cp "$data/real/local-art11__deep.trace" deep.trace

# "WALL CPU WAIT" of the threads, ns; the options and files are those of report
read_times() {
    aflame report -q "$@" --by threads --format csv | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 { wall += $at["inclusive_wall_ns"]; cpu += $at["inclusive_cpu_ns"]; wait += $at["inclusive_wait_ns"] }
        END { print wall, cpu, wait }'
}
is_time() { # WHAT EXPECTED ACTUAL
    check "$1: $3, not $2" test "$2" = "$3"
}

# ---- no step and no file changes it ----

whole='26482000 14145000 12337000'
is_time 'the trace' "$whole" "$(read_times deep.trace)"
for option in --max-depth=3 --max-depth=50 '--fold=java.**' '--hide=Main.rec' --collapse-recursion \
    --sort=name --sort=time; do
    is_time "$option" "$whole" "$(read_times deep.trace "$option")"
done
expect 0 aflame convert -q deep.trace -o deep.aflp
expect 0 aflame render -q deep.trace -o deep.svg
expect 0 aflame render -q deep.trace --clock wait -o wait.svg
for file in deep.aflp deep.svg wait.svg; do
    is_time "$file" "$whole" "$(read_times "$file")"
done

# ---- the parts of the trace have the differences of their sums ----

add() { # the three numbers of both parts
    echo "$1 $2" | awk '{ print $1 + $4, $2 + $5, $1 + $4 - $2 - $5 }'
}
for at in 27ms 30ms 40ms 53ms; do
    first=$(read_times deep.trace --to "$at") second=$(read_times deep.trace --from "$at")
    is_time "both sides of $at" "$whole" "$(add "$first" "$second")"
    for part in "$first" "$second"; do
        is_time "$at: $part" "${part##* }" "$(echo "$part" | awk '{ print ($1 > $2 ? $1 - $2 : 0) }')"
    done
done

# ---- everything that shows it ----

expect 0 -o '100 % = 26.5 ms wall, 14.1 ms CPU, 12.3 ms waiting of 1 thread' aflame report -q deep.trace
expect 0 aflame report -q deep.trace --by methods --format csv --top 0
check 'a wait is not wall minus cpu time' awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 { for (j = 1; j <= 2; j++) {
        what = j == 1 ? "self" : "inclusive"
        wait = $at[what "_wall_ns"] - $at[what "_cpu_ns"]
        if ($at[what "_wait_ns"] != (wait > 0 ? wait : 0)) exit 1 } }' "$captured/out"
expect 0 aflame convert -q deep.trace --clock wait -o wait.callgrind
check 'callgrind has another sum' grep -qx 'summary: 12337000 26482000 14145000' wait.callgrind
expect 0 -o '100 % = 12.3 ms of' aflame report -q wait.callgrind
expect 0 aflame convert -q deep.trace --clock wait --format folded
check 'folded stacks have another sum' awk '{ sum += $NF } END { exit sum < 12300 || sum > 12337 }' \
    "$captured/out"
printf '[main]\nmethod = =Main.main\nmeasure = wait\nlimit = 12.4 ms\n[all]\nwaits = other\nlimit = 12.4 ms\n' >wait.ini
expect 0 aflame check deep.trace --budget wait.ini
expect 0 -o '"runs": 1, "total_ns": 12337000' aflame diff -q deep.trace deep.aflp --clock wait --format json
contains wait.svg 'Thread main, 12.3 ms waiting'

# ---- bytes do not wait ----

printf 'main;android.os.MessageQueue.next 5\nmain;java.lang.Thread.sleep 2\n' >stacks.folded
expect 0 -o 'idle,5,' aflame report -q stacks.folded --by categories --format csv
out_has 'blocked,2,'
expect 0 aflame report -q stacks.folded --unit bytes --by categories --format csv
out_has 'Android framework,5,' 'Java runtime,2,'

# ---- a thread of the Binder pool waits for work, its callers wait for it ----

pool='android::IPCThreadState::getAndExecuteCommand()'
caller='android::IPCThreadState::waitForResponse(android::Parcel*, int*)'
driver='android::IPCThreadState::talkWithDriver(bool)'
printf '%s\n' "main;$caller;$driver 3" "Binder;$pool;$driver;ioctl 5" "Binder;$pool;$driver 4" \
    'Worker;pthread_cond_wait 2' >stacks.folded
expect 0 -o 'idle,4,' aflame report -q stacks.folded --by categories --format csv
out_has 'blocked,5,'

# ---- the callers in the trace decide what is idle, whatever steps move them ----

event() { # THREAD BEGIN LENGTH CPU_BEGIN CPU_LENGTH METHOD
    printf '{"ph":"X","pid":1,"tid":%s,"ts":%s,"dur":%s,"tts":%s,"tdur":%s,"name":"%s"},\n' "$@"
}
{
    echo '{"traceEvents":['
    for thread in 1:main 2:pool-1-thread-1 3:ReferenceQueueDaemon; do
        printf '{"ph":"M","pid":1,"tid":%s,"name":"thread_name","args":{"name":"%s"}},\n' \
            "${thread%%:*}" "${thread#*:}"
    done
    event 1 0 4000 0 4000 com.example.shop.Main.run
    event 1 4000 1000 4000 0 android.os.MessageQueue.nativePollOnce
    event 2 0 10000 0 2000 com.example.shop.Pool.run
    event 2 0 7000 0 1000 java.util.concurrent.ThreadPoolExecutor.getTask
    event 2 1000 6000 1000 0 sun.misc.Unsafe.park
    event 2 7000 2000 1000 0 java.util.concurrent.FutureTask.get
    event 2 7000 2000 1000 0 sun.misc.Unsafe.park
    event 3 0 8000 0 0 java.lang.Object.wait
    echo '{}]}'
} >pool.json
cp pool.json other.json

for option in --thread=all --hide=getTask --fold=com.example.** --within=park; do
    expect 0 aflame report -q pool.json "$option" --by waits --format csv
    check "$option: another idle or blocked sum" awk -F, -v option="$option" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 { sum[$at["waits_for"]] += $at["self_wait_ns"] }
        END { exit sum["idle"] != (option == "--within=park" ? 6000000 : 15000000) ||
                   sum["lock"] != 2000000 || sum["Object.wait"] > 0 }' "$captured/out"
    expect 0 aflame report -q pool.json "$option" --by categories --format csv
    check "$option: idle time is blocked" grep -q '^blocked,2000000,' "$captured/out"
    expect 0 aflame convert -q pool.json "$option" --format dot
    check "$option: a method has two boxes" \
        test "$(grep -c 'label="sun.misc.Unsafe.park' "$captured/out")" = 1
    expect 0 aflame report -q pool.json "$option" --method park --format csv
    check "$option: a method has two tables" \
        test "$(grep -c ',method,sun.misc.Unsafe.park' "$captured/out")" = 1
    expect 0 aflame diff -q pool.json other.json "$option" --by waits --format csv
    check "$option: another sum in a comparison" awk -F, -v option="$option" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 { sum[$at["name"]] += $at["self_after_ns"] }
        END { exit sum["idle"] != (option == "--within=park" ? 6000000 : 15000000) ||
                   sum["lock"] != 2000000 || sum["Object.wait"] > 0 }' "$captured/out"
    expect 0 aflame diff -q pool.json other.json "$option" --by categories --format csv
    check "$option: idle time is blocked in a comparison" \
        grep -q '^blocked,2000000,2000000,' "$captured/out"
    expect 0 aflame convert -q pool.json "$option" -o saved.aflp
    expect 0 -w direct.csv aflame report -q pool.json "$option" --by waits --format csv
    expect 0 aflame report -q saved.aflp --by waits --format csv
    same direct.csv "$captured/out"
done
sed '/Object.wait/s/"dur":8000/"dur":7000/' pool.json >shorter.json
expect 0 aflame diff -q pool.json shorter.json -o compared.svg
check 'idle time is blocked in the picture of a comparison' \
    grep -q '>idle -1.00 ms</text>' compared.svg
