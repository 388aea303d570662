#!/bin/sh
# pipes.sh PRINT_TREE GOLDEN_TREES TRACES
# A trace gives the same tree through a pipe, which supports neither mmap nor seeking.
set -eu
print_tree=$1
golden=$2
n=0 read=0 part=${AFLAME_PART-1/0} # support/part.h
for trace in "$3"/*.trace; do
    name=$(basename "$trace" .trace)
    # its other file is next to it, which a pipe does not have
    [ "$name" = stream_sec ] && continue
    n=$((n + 1))
    [ $((n % ${part%/*})) -eq $((${part#*/} % ${part%/*})) ] || continue
    cat "$trace" | "$print_tree" - | diff -u "$golden/$name.txt" -
    read=$((read + 1))
done
echo "$read of $n traces"
[ "$n" -gt 50 ]
