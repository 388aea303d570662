#!/bin/sh
# join.sh DIRECTORY OUT [graph]
#
# Writes the script of the SVG: the sizes, sentences and categories that it shares with the drawing,
# from ../sizes.h, ../words.h and the model's category.c and waits.c, then the files of script.list, all
# in one function. With "graph", omits the files of charts and comparisons, which are marked "more".
set -eu
cd "$1"
if grep -nE '^#define AF_[A-Z_]* *(\\|/\*.*)?$' ../sizes.h ../words.h | grep -v '_H$'; then
    echo 'join.sh: a value must follow on the line of its #define' >&2
    exit 1
fi
{
    echo "(() => { 'use strict'; const AF = (globalThis.AF ??= {}); AF.SIZES={"
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
                -e '/^ *const AF = (globalThis.AF ??= {});$/d' "$file"
    done <script.list
    echo '})();'
} >"$2.part"
mv "$2.part" "$2"
