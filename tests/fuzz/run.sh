#!/bin/sh
# run.sh SECONDS [TARGET...]
# Builds the fuzz targets with clang and lets libFuzzer generate inputs for each for SECONDS, after the
# inputs of its corpus and the fixtures. Prints the number of inputs and the findings. The corpus
# grows in build/asan/corpus, the findings go to build/asan/found. AFLAME_FUZZ_BUILD replaces
# build/asan. With CI set libFuzzer always starts with the same random seed, and each target with
# another tenth of the fixtures, so that the time is left for new inputs.
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

# the readers start from the generated fixtures
seeds=$build/seeds
rm -rf "$seeds"
mkdir -p "$seeds" "$build/found"
(cd "$seeds" && mkdir 0 1 2 3 4 5 6 7 8 9)
find "$build/tests/data" -type f -size -128k | LC_ALL=C sort | {
    n=0
    while read -r file; do
        cp "$file" "$seeds/$((n % 10))"
        n=$((n + 1))
    done
}

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:intercept_tls_get_addr=0

# Fuzzes one target and prints the result; fails if it found a defect.
fuzz() { # NUMBER NAME
    fixtures=$seeds name=$2
    [ -z "${CI-}" ] || fixtures=$seeds/$(($1 % 10))
    corpus=$build/corpus/$name
    log=$build/$name.log
    mkdir -p "$corpus"
    dict=
    if [ -f "$here/dict/$name.dict" ]; then
        dict=-dict=$here/dict/$name.dict
    fi
    before=$(find "$build/found" -name "$name-*" | wc -l)
    bad=0
    # shellcheck disable=SC2086
    if ! AFLAME_FUZZ_TARGET=$name "$build/tests/fuzz/generate_inputs" -max_total_time="$seconds" -timeout=60 \
        -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$build/found/$name-" ${CI:+-seed=1} $dict \
        "$corpus" "$fixtures" "$here/corpus/$name" >"$log" 2>&1; then
        bad=1
        tail -n 40 "$log"
    fi
    after=$(find "$build/found" -name "$name-*" | wc -l)
    tries=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$name: ${tries:-?} executions, $((after - before)) new findings"
    return $bad
}

names=
for folder in "$here"/corpus/*; do
    name=$(basename "$folder")
    case " ${*:-$name} " in *" $name "*) names="$names $name" ;; esac
done
if [ -z "$names" ]; then
    echo "unknown target" >&2
    exit 2
fi

# Runs as many targets in parallel as there are processors.
workers=$(nproc)
work() {
    failed=0 at=0
    for name in $names; do
        if [ $((at % workers)) -eq "$1" ]; then
            fuzz "$at" "$name" || failed=1
        fi
        at=$((at + 1))
    done
    return $failed
}
running=
for number in $(seq 0 $((workers - 1))); do
    work "$number" &
    running="$running $!"
done
failed=0
for job in $running; do
    wait "$job" || failed=1
done
exit $failed
