#!/usr/bin/env bash
# portable.sh SOURCE TRACES AFLAME
# The command built with AFLAME_PORTABLE calls nothing that only Linux has, and prints and draws each of TRACES as
# AFLAME does.
set -eu
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
n=0
mkdir "$scratch/theirs" "$scratch/ours"
for trace in "$traces"/*; do
    [ -f "$trace" ] || continue
    for folder in theirs ours; do
        program=$aflame
        [ $folder = theirs ] || program=$build/aflame
        cp "$trace" "$scratch/$folder/trace"
        (
            cd "$scratch/$folder"
            "$program" render trace -o out.svg -o out.png -o out.pdf 2>&1 || echo "exit code $?"
            "$program" convert trace -o out.aflp 2>&1 || echo "exit code $?"
            "$program" report trace 2>&1 || echo "exit code $?"
        ) >"$scratch/$folder/text"
    done
    diff -r "$scratch/theirs" "$scratch/ours" || fail "${trace##*/}"
    rm "$scratch"/theirs/* "$scratch"/ours/*
    n=$((n + 1))
done
[ $n -gt 100 ] || fail "only $n traces"
echo "portable: $n traces"
