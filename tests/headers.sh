#!/bin/sh
# headers.sh INCLUDE CC CXX; a compiler may be several words (ccache gcc)
# Every public header compiles alone, twice in a row, as C11 and as C++17, without a warning and without
# the headers of GLib, which may come before or after. Its first comment explains the concept and has an
# example of about five lines, which compiles too.
set -eu
include=$1 cc=$2 cxx=$3
glib=$(pkg-config --cflags glib-2.0 | sed 's/-I/-isystem /g')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
strict="-Wall -Wextra -Wpedantic -Werror -fsyntax-only"

complain() {
    echo "$1" >&2
    exit 1
}

# The lines of the first comment that are indented by five columns, up to the next one that is not.
# An example that defines a function stands alone; any other becomes the body of function NUMBER.
take_example() { # HEADER NUMBER
    awk '/\*\// { exit } /^ \*     / { print substr($0, 8); found = 1; next }
         /^ \*$/ { if (found) exit; next } found { exit }' "$1" >"$scratch/example"
    lines=$(grep -c . "$scratch/example" || true)
    [ "$lines" -ge 3 ] && [ "$lines" -le 12 ] || complain "$1: an example of $lines lines"
    printf '#line 1 "the example of %s"\n' "$(basename "$1")"
    if grep -q '^[a-z].*)$' "$scratch/example" || grep -q '^AF_API' "$scratch/example"; then
        sed 's/^bool /static bool /' "$scratch/example"
    else
        printf 'void example_%u(const af_profile *profile, af_write_func write, void *user);' "$2"
        printf 'void example_%u(const af_profile *profile, af_write_func write, void *user) {' "$2"
        printf 'GError *error = NULL;\n'
        cat "$scratch/example"
        printf '(void)profile; (void)write; (void)user; (void)error;\n}\n'
    fi
}

n=0
printf '#include <stdio.h>\n#include <stdlib.h>\n#include <aflame/aflame.h>\n' >"$scratch/examples.c"
for header in "$include"/aflame/*.h; do
    name=aflame/$(basename "$header")
    printf '#include <%s>\n#include <%s>\nint aflame_header_alone;\n' "$name" "$name" >"$scratch/alone.c"
    cp "$scratch/alone.c" "$scratch/alone.cc"
    $cc -std=c11 $strict -I "$include" "$scratch/alone.c"
    $cxx -std=c++17 $strict -I "$include" "$scratch/alone.cc"
    head -n 1 "$header" | grep -q '^/\* [A-Za-z].*[.:,]' || head -n 3 "$header" | grep -q '\.' || complain "$name: opens with no paragraph"
    n=$((n + 1))
    take_example "$header" "$n" >>"$scratch/examples.c"
done
$cc -std=c11 $strict -Wno-unused-function -I "$include" "$scratch/examples.c"

printf '#include <glib.h>\n#include <aflame/aflame.h>\nint aflame_header_last;\n' >"$scratch/last.c"
printf '#include <aflame/aflame.h>\n#include <glib.h>\nint aflame_header_first;\n' >"$scratch/first.c"
for order in first last; do
    cp "$scratch/$order.c" "$scratch/$order.cc"
    $cc -std=c11 $strict -I "$include" $glib "$scratch/$order.c"
    $cxx -std=c++17 $strict -I "$include" $glib "$scratch/$order.cc"
done

# Every structure that starts with its size has a macro for C and a function for C++, which agree.
{
    printf '#include <assert.h>\n#include <string.h>\n#include <aflame/aflame.h>\nint main(void)\n{\n'
    cat "$include"/aflame/*.h | tr '\n' ' ' | grep -oE '\{ +size_t size;[^}]*\} af_[a-z_]+;' |
        sed 's/.*} //; s/;//' | while read -r type; do
        macro=$(echo "$type" | tr a-z A-Z)_INIT
        printf '{ static %s a = %s, b; %s_init(&b);\n' "$type" "$macro" "$type"
        printf 'assert(a.size == sizeof a && memcmp(&a, &b, sizeof a) == 0); }\n'
    done
    printf 'return 0;\n}\n'
} >"$scratch/sizes.c"
sized=$(grep -c _init "$scratch/sizes.c")
$cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I "$include" "$scratch/sizes.c" -o "$scratch/sizes"
"$scratch/sizes"
sed '/= AF_/s/ a = [^,]*,//; /assert(a/s/assert(.*;/assert(b.size == sizeof b);/' "$scratch/sizes.c" >"$scratch/sizes.cc"
$cxx -std=c++17 -Wall -Wextra -Wpedantic -Werror -I "$include" "$scratch/sizes.cc" -o "$scratch/sizes"
"$scratch/sizes"
echo "$n headers, $sized structures with a size"
[ "$n" -gt 10 ] && [ "$sized" -ge 11 ]
