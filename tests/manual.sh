#!/bin/sh
# manual.sh MANDOC FOLDER
# The manual pages are correct mdoc and contain the generated lists; the unit tests that they name exist.
set -eu
mandoc=$1 folder=$2
pages=0
for page in "$folder"/*.[0-9]; do
    "$mandoc" -T lint -W warning "$page"
    ! grep -n '^@\|@VERSION@\|%FORMATS%' "$page"
    pages=$((pages + 1))
done
[ "$pages" -ge 9 ]
for suite in $(sed -n 's/^\.Li unit\.\([a-z_]*\).*/\1/p' "$folder"/*.[0-9]); do
    [ -e "$(dirname "$0")/unit/test_$suite.c" ] || { echo "the manual names unit.$suite, which is no test" >&2; exit 1; }
done
