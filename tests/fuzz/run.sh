#!/bin/sh
# run.sh SECONDS [TARGET...]
# Builds the fuzz targets with clang and lets libFuzzer generate inputs for each for SECONDS, after the
# inputs of its corpus and the fixtures. Prints the number of inputs and, at the end, the findings. The
# corpus grows in build/asan/corpus, the inputs of findings go to build/asan/found. AFLAME_FUZZ_BUILD
# replaces build/asan.
set -eu
seconds=${1:?usage: run.sh SECONDS [TARGET...]}
shift
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
top=$(CDPATH= cd -- "$here/../.." && pwd)
build=${AFLAME_FUZZ_BUILD:-$top/build/asan}
[ -e "$build/build.ninja" ] || (cd "$top" && cmake --preset asan -B "$build") >/dev/null
# with large pages, as in the preset
GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432 \
    cmake --build "$build" --target fuzz >/dev/null
mkdir -p "$build/seeds" "$build/found"
findings=$build/fuzz-findings.txt
: >"$findings"
for name; do
    [ -d "$here/corpus/$name" ] || {
        echo "unknown target $name" >&2
        exit 2
    }
done

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:intercept_tls_get_addr=0

# Writes the inputs that a target starts with, separated by commas.
list_seeds() { # NAME
    {
        find "$here/corpus/$1" -type f
        find "$build/tests/data" -type f -size -128k
    } | LC_ALL=C sort | paste -s -d , - | tr -d '\n' >"$build/seeds/$1"
}

# Fuzzes one target and prints the result; fails if it found a defect.
fuzz() { # NAME
    name=$1
    log=$build/$name.log
    mkdir -p "$build/corpus/$name"
    list_seeds "$name"
    set -- -seed_inputs="@$build/seeds/$name" -artifact_prefix="$build/found/$name-" \
        -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 -max_total_time="$seconds" -timeout=60
    [ ! -f "$here/dict/$name.dict" ] || set -- "$@" -dict="$here/dict/$name.dict"
    bad=0
    if ! AFLAME_FUZZ_TARGET=$name "$build/tests/fuzz/generate_inputs" "$@" "$build/corpus/$name" \
        >"$log" 2>&1; then
        bad=1
        tail -n 40 "$log"
        reason=$(grep -m 1 ': broken: ' "$log" || grep -m 1 '^SUMMARY' "$log" || echo 'it ended')
        printf '%s: %s\n' "$name" "$reason" >>"$findings" # a promise may contain '\0'
    fi
    tries=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    units=$(sed -n 's/^stat::new_units_added: *//p' "$log")
    echo "$name: ${tries:-?} executions, ${units:-?} new units, $bad findings"
    return $bad
}

# Runs as many targets in parallel as there are processors.
workers=$(nproc)
work() { # WORKER TARGET...
    failed=0 at=0 mine=$1
    shift
    for folder in "$here"/corpus/*; do
        name=$(basename "$folder")
        case " ${*:-$name} " in
        *" $name "*) [ $((at % workers)) -ne "$mine" ] || fuzz "$name" || failed=1 ;;
        esac
        at=$((at + 1))
    done
    return $failed
}
running=
for number in $(seq 0 $((workers - 1))); do
    work "$number" "$@" &
    running="$running $!"
done
failed=0
for job in $running; do
    wait "$job" || failed=1
done
cat "$findings"
exit $failed
