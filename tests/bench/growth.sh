#!/usr/bin/env bash
# No file makes aflame take time that grows faster than the file.
#   growth.sh AFLAME TOOLS FOLDER
# Writes each shape of shapes.js at one and two times its size, and reads and
# draws it in all ways intended for it. Twice the size may take up to three times as long: caches
# make a large table slower than a small one, but quadratic work takes four times as long, and fails
# if it does so again from two to four times the size. Time is CPU time, the minimum of several runs; a failing
# shape is measured again, so that a busy machine does not matter. From the environment:
#   AFLAME_GROWTH_PERCENT scales the sizes in the list (default 100), except those with a !, which
#                         must be as large as they are
#   AFLAME_GROWTH_SHAPES  only these shapes
#   AFLAME_GROWTH_RUNS    runs of each (default 2)
#   AFLAME_PART           N/K: every Nth shape only (../support/part.h)
set -euo pipefail
export LC_ALL=C

aflame=$1 tools=$2 folder=$3 shapes=$(dirname "$0")/shapes.js
percent=${AFLAME_GROWTH_PERCENT:-100}
wanted=" ${AFLAME_GROWTH_SHAPES:-} "
runs=${AFLAME_GROWTH_RUNS:-2}
part=${AFLAME_PART:-1/0} first=${part#*/} part=${part%/*}
mkdir -p "$folder"
trap 'rm -f "$folder"/grown.*' EXIT
# stops a quadratic run, which then fails
ulimit -t $((60 * (percent / 100 + 1)))

# CPU time of a command in hundredths of a millisecond: time_once AS TRACE
time_once() {
    local command=("$aflame")
    case $1 in
    info) command+=(info -q --json --jobs 1 "$2") ;;
    text) command+=(info -q --jobs 1 "$2") ;;
    explain) command+=(explain -q --json --jobs 1 "$2") ;;
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

# Prints the times; fails if both steps are too large in every attempt.
grows_well() {
    local as=$1 best=(0 0 0) step try
    for ((try = 0; try < 3; try++)); do
        for step in 0 1 2; do
            if ((step == 2 && best[1] <= 3 * best[0])); then
                break 2
            fi
            [ -e "$folder/grown.$step" ] ||
                "$shapes" "$shape" $((size << step)) -o "$folder/grown.$step"
            best[step]=$(least "$as" "$folder/grown.$step" "${best[step]}") || {
                echo "fails"
                return 1
            }
        done
        if ((best[2] <= 3 * best[1])); then
            break
        fi
    done
    awk -v a="${best[0]}" -v b="${best[1]}" -v c="${best[2]}" \
        'BEGIN { printf "%9.2f ms, x %.2f", a / 100, b / a
                 if (c > 0) printf ", x %.2f", c / b
                 print "" }'
    ((try < 3))
}

number=0 checked=0 bad=0
while read -r shape size as; do
    [ "$wanted" = "  " ] || [[ $wanted == *" $shape "* ]] || continue
    number=$((number + 1))
    ((number % part == first % part)) || continue
    [[ $as == !* ]] || size=$((size * percent / 100))
    rm -f "$folder"/grown.*
    for way in ${as#!}; do
        verdict=ok
        line=$(grows_well "$way") || { verdict=BAD; bad=$((bad + 1)); }
        printf '%-4s %-20s %-8s %s\n' "$verdict" "$shape" "$way" "$line"
        checked=$((checked + 1))
    done
done < <("$shapes")
[ "$checked" -gt 0 ] || { echo "growth.sh: no shape was timed" >&2; exit 1; }
[ "$bad" -eq 0 ]
