#!/bin/sh
# join.sh DIRECTORY OUT [graph]
#
# Writes the script of the SVG: the sizes, sentences and categories that it shares with the drawing,
# from ../sizes.h, ../words.h and the model's category.c and waits.c, then the files of script.list
# without comments, indentation and empty lines. With "graph", omits those of charts and comparisons,
# which are marked "more". So no string of the script may span several lines.
set -eu
cd "$1"
if grep -nE '^#define AF_[A-Z_]* *(\\|/\*.*)?$' ../sizes.h ../words.h | grep -v '_H$'; then
    echo 'join.sh: a value must follow on the line of its #define' >&2
    exit 1
fi
{
    echo '(globalThis.AF ??= {}).SIZES={'
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
            sed -e 's/^ *//' -e '/^\/\//d' -e '/^$/d' -e 's| *// [^'\''`"]*$||' "$file"
    done <script.list
} >"$2.part"
mv "$2.part" "$2"
