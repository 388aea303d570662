#!/bin/sh
# join.sh DIRECTORY OUT [graph]
#
# Writes the script of the SVG: the sizes, sentences and categories that it shares with the drawing,
# from ../sizes.h, ../words.h and the model's category.c and waits.c, then the files of script.list, all
# in one function. Frequent globals, methods and clocks get names that can be shortened, or numbers. With
# "graph", omits the files of charts and comparisons, which are marked "more".
set -eu
cd "$1"
if grep -nE '^#define AF_[A-Z_]* *(\\|/\*.*)?$' ../sizes.h ../words.h | grep -v '_H$'; then
    echo 'join.sh: a value must follow on the line of its #define' >&2
    exit 1
fi
# x.setAttribute() becomes x[name]() with a variable for the name
methods='setAttribute getAttribute addEventListener getBoundingClientRect'
calls=
for method in $methods; do
    calls="$calls;s/?\\.$method(/?.[CALL_$method](/g;s/\\.$method(/[CALL_$method](/g"
done
# the clocks become their numbers
clocks=$(sed -n 's/^ *AF\.\([A-Z]*\) = \([0-9]\);.*/s|\\<AF\\.\1\\>|\2|g/p' tree.js)
{
    echo "(() => { 'use strict'; const AF = (globalThis.AF ??= {}); const {"
    for global in Math Array String Float64Array Uint32Array Uint8Array document window; do
        echo "$global: GLOBAL_$global,"
    done
    echo '} = globalThis;'
    for method in $methods; do
        echo "const CALL_$method = '$method';"
    done
    echo 'AF.SIZES={'
    sed -n -e 's|^#define AF_\([A-Z_]*\)_C  *\([0-9]*\).*|\1:\2/100,|p' -e t \
        -e 's|^#define AF_\([A-Z_]*\)  *\([0-9][0-9]*\).*|\1:\2,|p' ../sizes.h
    echo '};AF.SAY={'
    sed -n -e 's|^#define AF_SAY_\([A-Z_]*\)  *\(".*", ".*"\)$|\1:[\2],|p' -e t \
        -e 's|^#define AF_SAY_\([A-Z_]*\)  *\(".*"\)$|\1:\2,|p' ../words.h
    echo '};AF.CATEGORIES=['
    sed -n 's|^ *\[AF_CATEGORY_[A-Z]*\] = \("[^"]*",\)$|\1|p' ../../src/model/category.c
    echo '];AF.WAITS=['
    sed -n 's|^ *\[AF_WAITS_[A-Z]*\] = \("[^"]*",\)$|\1|p' ../../src/model/waits.c
    echo '];'
    while read -r file kind; do
        [ "$kind" = more ] && [ "${3:-}" = graph ] ||
            sed -e 's/^(() => {$/{/' -e 's/^})();$/}/' -e "/^ *'use strict';$/d" \
                -e '/^ *const AF = (globalThis.AF ??= {});$/d' \
                -e "/AF\.[A-Z]* = [0-9];/b" -e "$clocks" -e "$calls" "$file"
    done <script.list
    echo '})();'
} >"$2.part"
mv "$2.part" "$2"
