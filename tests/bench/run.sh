#!/usr/bin/env bash
# Times the command, and dmtracedump if it is installed.
#   run.sh AFLAME TOOLS FOLDER
# TOOLS contains generate and measure; traces and outputs go to FOLDER. From the environment:
#   AFLAME_BENCH_SIZES  numbers of records (default "100000 4100000 20000000 76000000")
#   AFLAME_BENCH_RUNS   runs of each command (default 7; from 20 million records on 3)
#   AFLAME_BENCH_TRACE  more options for generate, such as "--threads 1"
# The commands take turns, so that a disturbance of the machine affects all of them. Memory is anonymous memory, without file mappings.
set -euo pipefail
export LC_ALL=C

aflame=$1 tools=$2 folder=$3
sizes=${AFLAME_BENCH_SIZES:-100000 4100000 20000000 76000000}
read -ra trace_options <<< "${AFLAME_BENCH_TRACE:-}"
mkdir -p "$folder"

die() {
    echo "bench: $*" >&2
    exit 1
}

# Outputs are small compared with the trace; dmtracedump writes none.
has_space() {
    local need_kb=$(($1 * 16 / 1024 + 65536))
    local free_kb
    free_kb=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
    ((free_kb > need_kb)) || {
        echo "$1 records: skipped, needs $((need_kb / 1024)) MB of disk, $((free_kb / 1024)) MB are free"
        return 1
    }
}

names=()
declare -A commands # their words end in tabs
add() {
    names+=("$1")
    commands[$1]=$(printf '%s\t' "${@:2}")
}

list_commands() {
    local trace=$1 records=$2 out=$folder/out jobs option method
    method=$("$aflame" report -q --sort calls --top 1 --format csv "$trace" | sed -n '2s/,.*//p')
    names=()
    for jobs in 1 all; do
        option=()
        [ $jobs = all ] || option=(--jobs 1)
        add "render -o x.svg, jobs $jobs" "$aflame" render -q "${option[@]}" "$trace" -o "$out.svg"
        add "render -o x.png, jobs $jobs" "$aflame" render -q "${option[@]}" "$trace" -o "$out.png"
        add "render -o x.pdf, jobs $jobs" "$aflame" render -q "${option[@]}" "$trace" -o "$out.pdf"
        add "convert, jobs $jobs" "$aflame" convert -q "${option[@]}" "$trace" -o "$out.folded"
        add "info, jobs $jobs" "$aflame" info -q "${option[@]}" "$trace"
        add "calls, jobs $jobs" "$aflame" calls -q "${option[@]}" "$trace" "=$method"
    done
    add "convert --invert-callers" "$aflame" convert -q --invert-callers "$trace" -o "$out.folded"
    if ((records <= 4100000)) && command -v dmtracedump > /dev/null; then
        add "dmtracedump" dmtracedump "$trace"
    fi
}

time_commands() {
    local runs=$1 round name words watch=()
    rm -f "$folder"/times
    for ((round = 0; round <= runs; round++)); do
        # the last round measures memory only
        [ "$round" -lt "$runs" ] || watch=(--watch)
        for name in "${names[@]}"; do
            IFS=$'	' read -ra words <<< "${commands[$name]}"
            printf '%s	%s	%s
' "$name" "${#watch[@]}" \
                "$("$tools/measure" "${watch[@]}" "${words[@]}")" >> "$folder/times"
        done
    done
}

print_table() {
    awk -F '\t' -v records="$1" '
        !($1 in n) { order[++rows] = $1; n[$1] = 0 }
        { split($3, v, " ") }
        $2 == 0 { n[$1]++; ms[$1, n[$1]] = v[1]; if (n[$1] == 1 || v[2] < cpu[$1]) cpu[$1] = v[2] }
        $2 == 1 { memory[$1] = v[3] }
        function sort(name,    i, j, t) {
            for (i = 2; i <= n[name]; i++)
                for (j = i; j > 1 && ms[name, j - 1] > ms[name, j]; j--) {
                    t = ms[name, j]; ms[name, j] = ms[name, j - 1]; ms[name, j - 1] = t
                }
        }
        END {
            printf "%-26s %9s %9s %9s %9s %9s\n", "", "least ms", "median", "cpu ms", "ns/record",
                   "memory"
            for (r = 1; r <= rows; r++) {
                name = order[r]
                sort(name)
                least = ms[name, 1]
                printf "%-26s %9.1f %9.1f %9.1f %9.1f %6.1f MB\n", name, least,
                       ms[name, int((n[name] + 1) / 2)], cpu[name], least * 1e6 / records,
                       memory[name] / 1024
            }
        }' "$folder/times"
}

# Listing the calls of the most frequent method takes at most twice the time of info: aflame reads
# the
# trace a second time.
print_calls() {
    awk -F '\t' '
        $2 == 0 { split($3, v, " "); if (!($1 in least) || v[1] < least[$1]) least[$1] = v[1] }
        END {
            for (jobs = 0; jobs < 2; jobs++) {
                name = jobs == 0 ? "1" : "all"
                printf "calls, jobs %s: %.2f x info\n", name,
                       least["calls, jobs " name] / least["info, jobs " name]
            }
        }' "$folder/times"
}

bench() {
    local records=$1 runs=${AFLAME_BENCH_RUNS:-$(($1 < 20000000 ? 7 : 3))} trace=$folder/trace
    trap 'rm -f "$folder"/trace "$folder"/out.*' EXIT
    "$tools/generate" --records "$records" "${trace_options[@]}" -o "$trace" \
        > "$folder/made"
    printf '\n%s; %d runs\n' "$(sed "s|^$trace: ||" "$folder/made")" "$runs"
    list_commands "$trace" "$records"
    time_commands "$runs"
    print_table "$records"
    print_calls
    rm -f "$trace" "$folder"/out.*
}

print_machine() {
    local model
    model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
    echo "$("$aflame" --version), $(nproc) processors${model:+ ($model)}, load $(cut -d ' ' -f 1 /proc/loadavg)"
    command -v dmtracedump > /dev/null || echo "dmtracedump is not installed: no comparison"
}

print_machine
for size in $sizes; do
    if has_space "$size"; then
        bench "$size"
    fi
done
