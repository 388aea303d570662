#!/bin/sh
# exports_random.sh RANDOM_TRACE COUNT COMMAND...
# COMMAND, exports.js, finds the numbers of COUNT random traces in every format that aflame writes and reads.
# AFLAME_PART=N/K takes every Nth of them.
set -eu
random_trace=$1 count=$2
shift 2
part=${AFLAME_PART:-1/0}
unset AFLAME_PART
every=${part%/*}
seed=$((${part#*/} % every + 1))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046
"$random_trace" "$work" $(seq "$seed" "$every" "$count")
"$@" "$work"
