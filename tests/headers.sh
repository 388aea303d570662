#!/bin/sh
# headers.sh INCLUDE CC CXX; a compiler may be several words (ccache gcc)
# Every public header compiles alone, twice in a row, as C11 and as C++17, without a warning.
set -eu
include=$1 cc=$2 cxx=$3
glib=$(pkg-config --cflags gio-2.0 | sed 's/-I/-isystem /g')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
n=0
for header in "$include"/aflame/*.h; do
    name=aflame/$(basename "$header")
    printf '#include <%s>\n#include <%s>\nint aflame_header_alone;\n' "$name" "$name" >"$scratch/alone.c"
    cp "$scratch/alone.c" "$scratch/alone.cc"
    $cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$include" $glib "$scratch/alone.c"
    $cxx -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$include" $glib "$scratch/alone.cc"
    n=$((n + 1))
done
echo "$n headers"
[ "$n" -gt 5 ]
