#!/bin/sh
# library_example.sh PAGE CC FLAGS INCLUDE LIBRARY TRACE
# The C program in libaflame.3 compiles without a warning, runs, and prints the five methods with
# the most self time in order.
set -eu
page=$1 cc=$2 flags=$3 include=$4 library=$5 trace=$6
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sed -n '/^\.\\" FILE top\.c$/,/^\.Ed$/p' "$page" | sed '/^\./d; s/^\\&//; s/\\e/\\/g' \
    >"$scratch/example.c"
[ -s "$scratch/example.c" ] || { echo "$page has no C example" >&2; exit 1; }
glib=$(pkg-config --cflags glib-2.0 | sed 's/-I/-isystem /g')
$cc -std=c11 -Wall -Wextra -Wpedantic -Werror $flags -I "$include" $glib "$scratch/example.c" \
    -o "$scratch/example" -L "$(dirname "$library")" -laflame \
    -Wl,-rpath,"$(dirname "$library")" $(pkg-config --libs glib-2.0)
"$scratch/example" "$trace" >"$scratch/output"
cat "$scratch/output"
[ "$(wc -l <"$scratch/output")" -eq 5 ] || { echo "expected five lines" >&2; exit 1; }
for method in java.lang.Object.wait sun.misc.Unsafe.park; do
    grep -qF "$method" "$scratch/output" || { echo "$method is missing" >&2; exit 1; }
done
if "$scratch/example" /nonexistent >/dev/null 2>"$scratch/error"; then
    echo "the example succeeds with a missing file" >&2
    exit 1
fi
[ -s "$scratch/error" ]
