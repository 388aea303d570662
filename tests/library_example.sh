#!/bin/sh
# library_example.sh SOURCE CC CXX FLAGS LIBRARY BEFORE AFTER [PYTHON]
# The program in libaflame.3 and those in src/cli/manual/examples compile without a warning and without the headers
# of GLib, and print what the command prints. With a missing file each fails with a message.
set -eu
source=$1 cc=$2 cxx=$3 flags=$4 library=$5 trace=$6 after=$7 python=${8-}
examples=$source/src/cli/manual/examples
aflame=$(dirname "$library")/aflame
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LD_LIBRARY_PATH="$(dirname "$library")"
cd "$scratch"

complain() {
    echo "$*" >&2
    exit 1
}
build() { # COMPILER FILE [FLAGS OF OTHER LIBRARIES]
    $1 -Wall -Wextra -Wpedantic -Werror $flags -I "$source/include" "$2" -o "$(basename "$2" | tr . _)" \
        "$library" ${3-}
}
run() { # PROGRAM ARGUMENTS...
    name=$(basename "$1")
    "$@" >output
    ran="$ran $name"
}
# With a missing file instead of the first one.
fails() { # PROGRAM ARGUMENTS...
    if "$@" >output 2>error; then
        complain "$* succeeds with a missing file"
    fi
    [ -s error ] && ! grep -q Traceback error || complain "$*: no message"
}
has() { # NUMBER PATTERN
    [ "$(grep -cE "$2" output)" -eq "$1" ] || { cat output; complain "$name: expected $1 lines with $2"; }
}
check_top() {
    has 5 '^ +[0-9]+\.[0-9]{3} ms  [a-z].*\.[a-zA-Z]+$'
    has 1 ' 1897.702 ms  java.lang.Object.wait$'
    has 1 ' 1564.615 ms  sun.misc.Unsafe.park$'
}
ran=

awk '/^\.\\" FILE top.c$/ { found = 1; next } found && /^\.Ed/ { exit } found && !/^\./' \
    "$source/src/cli/manual/libaflame.3.in" | sed 's/^\\&//; s/\\e/\\/g' >top.c
for file in top.c "$examples"/*.c; do
    needs=
    ! grep -q '^#include <cairo.h>' "$file" || needs=$(pkg-config --cflags --libs cairo)
    build "$cc -std=c11" "$file" "$needs"
done
run ./top_c "$trace"
check_top
run ./read_c "$trace"
has 1 '^v1, com.example.recipes, with CPU times$'
has 11 '^ +[0-9]+\.[0-9]{3} ms  '
run ./tree_c "$trace"
has 1 '^  1104.512 ms  main$'
has 1 '^   131.490 ms                        com.example.recipes.RecipesApp.onCreate$'
run ./draw_c "$trace" draw.png
run ./canvas_c "$trace" canvas_c.png
pngcheck -q draw.png canvas_c.png
run ./compare_c "$trace" "$after"
has 10 '^ +[-+][0-9]+\.[0-9]{3} ms  [a-z]'
run ./convert_c "$trace" folded
"$aflame" convert -q --thread main --hide 'java.util.**' "$trace" -o expected.folded
cmp output expected.folded
for program in *_c; do
    fails ./"$program" /nonexistent "$after"
done

# Python cannot load a library with sanitizers, and those of a C++ compiler may be others
if [ -n "$python" ]; then
    for file in "$examples"/*.cc; do
        build "$cxx -std=c++17" "$file"
    done
    run ./compare_cc "$trace" "$after"
    has 1 '^pictures: [0-9]{6,} bytes, folded stacks: [0-9]{5,} bytes$'
    has 1 '^difference: '
    run ./canvas_cc "$trace"
    has 12 '^\['
    has 1 '\[handleMessage'
    cp "$examples"/*.py .
    run "$python" top.py "$trace"
    check_top
    run "$python" canvas.py "$trace" canvas_py.png
    pngcheck -q top.png canvas_py.png
    run "$python" compare.py "$trace" "$after"
    has 1 "^$("$aflame" convert -q "$after" --format folded -o - | wc -l) stacks$"
    has 1 '^difference: '
    for program in ./compare_cc ./canvas_cc; do
        fails "$program" /nonexistent "$after"
    done
    for program in *.py; do
        fails "$python" "$program" /nonexistent "$after"
    done
    [ "$(echo "$ran" | wc -w)" -eq $(($(ls "$examples" | wc -l) + 1)) ] || complain "an example did not run"
fi
