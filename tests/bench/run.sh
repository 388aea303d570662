#!/usr/bin/env bash
# Times the command.
#   run.sh AFLAME TOOLS FOLDER
# TOOLS contains measure; traces and outputs go to FOLDER. From the environment:
#   AFLAME_BENCH_SIZES  numbers of records (default "100000 4100000 20000000 76000000")
#   AFLAME_BENCH_RUNS   runs of each command (default 7; from 20 million records on 3)
#   AFLAME_BENCH_TRACE  more options for generate.js, such as "--threads 1"
# The commands take turns, so that a disturbance of the machine affects all of them; the least times
# count. Memory is anonymous memory, without file mappings. Up to 4,100,000 records, comparisons with
# a second trace and saved profiles are timed too.
set -euo pipefail
export LC_ALL=C

aflame=$1 tools=$2 folder=$3 generate=$(dirname "$0")/generate.js
sizes=${AFLAME_BENCH_SIZES:-100000 4100000 20000000 76000000}
read -ra trace_options <<< "${AFLAME_BENCH_TRACE:-}"
mkdir -p "$folder"
trap 'rm -f "$folder"/bench.*' EXIT
t=$folder/bench.trace other=$folder/bench.other out=$folder/bench.out saved=$folder/bench.aflp

# Outputs are small compared with the trace.
has_space() {
    local need_kb=$(($1 * 32 / 1024 + 65536)) free_kb
    free_kb=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
    ((free_kb > need_kb)) || {
        echo "$1 records: skipped, needs $((need_kb / 1024)) MB of disk, $((free_kb / 1024)) MB are free"
        return 1
    }
}

# Lines of a name and the words of a command, after a tab.
list_commands() {
    local method name jobs
    method=$("$aflame" report -q --sort calls --top 1 --format csv "$t" | sed -n '2s/,.*//p')
    for name in '1 core' 'all cores'; do
        jobs=
        [ "$name" = 'all cores' ] || jobs='--jobs 1'
        printf '%s, %s\t%s\n' "render x.svg" "$name" "render $jobs $t -o $out.svg" \
            "render x.png" "$name" "render $jobs $t -o $out.png" \
            "render x.pdf" "$name" "render $jobs $t -o $out.pdf" \
            convert "$name" "convert $jobs $t -o $out.folded" info "$name" "info $jobs $t" \
            calls "$name" "calls $jobs $t =$method"
    done
    printf '%s\t%s\n' 'convert --invert-callers' "convert --invert-callers $t -o $out.folded"
    [ -e "$other" ] || return 0
    "$aflame" convert -q "$t" -o "$saved"
    "$aflame" convert -q "$other" -o "$saved.aflp"
    printf '[a]\nmethod = %s\nlimit = 1000 s\noptional = true\n' "=$method" > "$folder/bench.ini"
    printf '%s\t%s\n' 'diff of traces, table' "diff $t $other -o $out.txt" \
        'diff of traces, SVG' "diff $t $other -o $out.svg" \
        'diff of saved profiles' "diff $saved $saved.aflp -o $out.txt" \
        'check of a saved profile' "check $saved --budget $folder/bench.ini -o $out.txt" \
        'info of a saved profile' "info $saved"
}

# Lines of a name, elapsed ms, CPU ms, kB; the last round measures memory only.
time_commands() {
    local round name words
    for ((round = 0; round <= $1; round++)); do
        while IFS=$'\t' read -r name words; do
            # shellcheck disable=SC2046,SC2086
            printf '%s\t%s\n' "$name" "$("$tools/measure" $( ((round < $1)) || echo --watch) \
                "$aflame" $words -q 2> /dev/null | sed "s/^/$((round < $1)) /")"
        done < "$folder/bench.commands"
    done
}

print_table() {
    awk -F '\t' -v records="$1" '
        { split($2, v, " ") }
        !($1 in ms) { name[++n] = $1; ms[$1] = v[2]; cpu[$1] = v[3] }
        v[1] == 0 { kb[$1] = v[4]; next }
        v[2] < ms[$1] { ms[$1] = v[2] }
        v[3] < cpu[$1] { cpu[$1] = v[3] }
        END {
            printf "%-26s %9s %9s %9s %9s %9s\n", "", "ms", "cpu ms", "x render", "ns/record", "memory"
            for (i = 1; i <= n; i++)
                printf "%-26s %9.1f %9.1f %9.2f %9.1f %6.1f MB\n", name[i], ms[name[i]],
                       cpu[name[i]], cpu[name[i]] / cpu[name[1]], ms[name[i]] * 1e6 / records,
                       kb[name[i]] / 1024
        }'
}

echo "$("$aflame" --version), $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg)"
for size in $sizes; do
    has_space "$size" || continue
    runs=${AFLAME_BENCH_RUNS:-$((size < 20000000 ? 7 : 3))}
    rm -f "$folder"/bench.*
    printf '\n%s; %d runs\n' \
        "$("$generate" --records "$size" "${trace_options[@]}" -o "$t" | sed 's/^.*: //')" "$runs"
    ((size > 4100000)) || "$generate" --records "$size" --seed 2 -o "$other" > /dev/null
    list_commands > "$folder/bench.commands"
    time_commands "$runs" | print_table "$size"
done
