#!/usr/bin/env bash
# portable.sh SOURCE TRACES AFLAME
# The command built with AFLAME_PORTABLE calls nothing that only Linux has, and prints and draws each of TRACES as
# AFLAME does.
set -eu
. "$(dirname "$0")/same_outputs.sh"
source=$1 traces=$2 aflame=$3 build=$1/build/portable
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "portable: $*" >&2
    exit 1
}

{
    cmake --preset release -S "$source" -B "$build" -DAFLAME_PORTABLE=ON -DAFLAME_WERROR=ON
    cmake --build "$build" --target aflame_command
} >"$scratch/log" || { tail -n 40 "$scratch/log" >&2; fail 'no program'; }
nm -u "$build/libaflame.a" "$build/aflame" 2>/dev/null | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' | sort -u >"$scratch/names"
[ "$(wc -l <"$scratch/names")" -gt 100 ] || fail 'too few names'
! grep -xE 'eventfd.*|epoll_.*|signalfd|prctl|syscall|mremap|madvise|mallopt|sbrk|gettid|sched_.*|pthread_.*_np|statx|memfd_.*' \
    "$scratch/names" || fail 'these names are of Linux'
same_outputs "$aflame" "$build/aflame" "$traces"
