#!/bin/sh
# exports_random.sh CHECK_EXPORTS RANDOM_TRACE COUNT
# COUNT random traces come back from every format that aflame writes and reads. AFLAME_PART=N/K takes
# every Nth of them.
set -eu
check=$1 random_trace=$2 count=$3
part=${AFLAME_PART:-1/0}
unset AFLAME_PART
every=${part%/*}
seed=$((${part#*/} % every + 1))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046
"$random_trace" "$work" $(seq "$seed" "$every" "$count")
for format in callgrind chrome firefox folded gecko perfetto pprof spall speedscope; do
    "$check" "$format-again" "$work" || exit 1
done
