#!/bin/sh
# pipes.sh PRINT_TREE GOLDEN_TREES TRACES
# A trace gives the same tree when it comes through a pipe, which can be neither mapped nor sought.
set -eu
print_tree=$1
golden=$2
n=0
for trace in "$3"/*.trace; do
    name=$(basename "$trace" .trace)
    # its other file lies beside it, and a pipe has no beside
    [ "$name" = stream_sec ] && continue
    cat "$trace" | "$print_tree" - | diff -u "$golden/$name.txt" -
    n=$((n + 1))
done
echo "$n traces"
[ "$n" -gt 50 ]
