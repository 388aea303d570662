#!/usr/bin/env bash
# Nothing that a file can ask for takes time that grows faster than the file.
#   growth.sh AFLAME TOOLS FOLDER
# Each shape of TOOLS/shapes and TOOLS/inputs is written in a size, twice and four times as large, and read and drawn
# in all ways that are meant for it. Twice the size may take up to three times as long: caches make
# a large table slower than a small one, but what grows with the square takes four times as long,
# and fails if it does so at both steps. Time is CPU time, the least of several runs; a shape that
# fails is timed again, so that a busy machine does not matter. From the environment:
#   AFLAME_GROWTH_FACTOR  sizes are those of the list times this (default 1), but for those that have
#                         a ! and are large already
#   AFLAME_GROWTH_SHAPES  only these shapes
#   AFLAME_GROWTH_RUNS    runs of each (default 2)
set -euo pipefail
export LC_ALL=C

aflame=$1 tools=$2 folder=$3
factor=${AFLAME_GROWTH_FACTOR:-1}
wanted=" ${AFLAME_GROWTH_SHAPES:-} "
runs=${AFLAME_GROWTH_RUNS:-2}
mkdir -p "$folder"
trap 'rm -f "$folder"/grown.*' EXIT
# what is quadratic after all is stopped; it fails then
ulimit -t $((60 * (factor + 1)))

# CPU time of a command in hundredths of a millisecond: time_once AS TRACE
time_once() {
    local command=("$aflame")
    case $1 in
    info) command+=(info -q --json --jobs 1 "$2") ;;
    text) command+=(info -q --jobs 1 "$2") ;;
    convert) command+=(convert -q --jobs 1 "$2" -o "$folder/grown.folded") ;;
    all) command+=(render -q --jobs 1 --thread all "$2" -o "$folder/grown.pdf") ;;
    *) command+=(render -q --jobs 1 "$2" -o "$folder/grown.$1") ;;
    esac
    "$tools/measure" "${command[@]}" | awk '{ printf "%.0f", $2 * 100 }'
}

least() {
    local best=$3 run now
    for ((run = 0; run < runs; run++)); do
        now=$(time_once "$1" "$2") || return 1
        ((best > 0 && best < now)) || best=$now
    done
    echo "$best"
}

# Prints the three times; fails if both steps are too large in every try.
grows_well() {
    local as=$1 best=(0 0 0) step try
    for ((try = 0; try < 3; try++)); do
        for step in 0 1 2; do
            best[step]=$(least "$as" "$folder/grown.$step" "${best[step]}") || {
                echo "does not end well"
                return 1
            }
        done
        if ((best[1] <= 3 * best[0] || best[2] <= 3 * best[1])); then
            break
        fi
    done
    awk -v a="${best[0]}" -v b="${best[1]}" -v c="${best[2]}" \
        'BEGIN { printf "%9.2f ms, x %.2f, x %.2f\n", a / 100, b / a, c / b }'
    ((try < 3))
}

checked=0 bad=0
while read -r writer shape size as; do
    [ "$wanted" = "  " ] || [[ $wanted == *" $shape "* ]] || continue
    times=$factor
    [[ $as != !* ]] || times=1
    for step in 0 1 2; do
        "$tools/$writer" "$shape" $((size * times << step)) -o "$folder/grown.$step"
    done
    for way in ${as#!}; do
        verdict=ok
        line=$(grows_well "$way") || { verdict=BAD; bad=$((bad + 1)); }
        printf '%-4s %-20s %-8s %s\n' "$verdict" "$shape" "$way" "$line"
        checked=$((checked + 1))
    done
done < <(for writer in shapes inputs; do "$tools/$writer" | sed "s/^/$writer /"; done)
[ "$checked" -gt 0 ] || { echo "growth.sh: nothing was timed" >&2; exit 1; }
[ "$bad" -eq 0 ]
