#!/bin/sh
# library_example.sh PAGE CC CXX FLAGS INCLUDE LIBRARY BEFORE AFTER [PYTHON]
# The programs in libaflame.3 compile without a warning and run. Those in C and Python print the five
# methods with the most self time in order; that in C++ compares.
set -eu
page=$1 cc=$2 cxx=$3 flags=$4 include=$5 library=$6 trace=$7 after=$8
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
take() { # FILE
    awk -v file="$1" '/^\.\\"/ && $2 == "FILE" && $3 == file { found = 1; next } found && /^\.Ed/ { exit }
        found && !/^\./' "$page" | sed 's/^\\&//; s/\\e/\\/g' >"$scratch/$1"
    [ -s "$scratch/$1" ] || { echo "$page has no $1" >&2; exit 1; }
}
build() { # COMPILER FILE
    take "$2"
    $1 -Wall -Wextra -Wpedantic -Werror $flags -I "$include" "$scratch/$2" -o "$scratch/${2%.*}" \
        -L "$(dirname "$library")" -laflame -Wl,-rpath,"$(dirname "$library")"
}
check_top() {
    cat "$scratch/output"
    [ "$(wc -l <"$scratch/output")" -eq 5 ] || { echo "expected five lines" >&2; exit 1; }
    for method in java.lang.Object.wait sun.misc.Unsafe.park; do
        grep -qF "$method" "$scratch/output" || { echo "$method is missing" >&2; exit 1; }
    done
}
fails() {
    if "$@" >"$scratch/output" 2>"$scratch/error"; then
        echo "$* succeeds with a missing file" >&2
        exit 1
    fi
    [ -s "$scratch/error" ]
}

build "$cc -std=c11" top.c
"$scratch/top" "$trace" >"$scratch/output"
check_top
fails "$scratch/top" /nonexistent

# Python cannot load a library with sanitizers, and those of a C++ compiler may be others
[ -n "${9-}" ] || exit 0
build "$cxx -std=c++17" compare.cc
"$scratch/compare" "$trace" "$after" >"$scratch/output"
grep -q '^pictures: [0-9]\{6,\} bytes, folded stacks: [0-9]\{5,\} bytes$' "$scratch/output"
grep -q '^difference: ' "$scratch/output"
fails "$scratch/compare" "$trace" /nonexistent

take top.py
cd "$scratch"
export LD_LIBRARY_PATH="$(dirname "$library")"
"$9" top.py "$trace" >"$scratch/output"
check_top
pngcheck -q top.png
fails "$9" top.py /nonexistent
