#!/bin/sh
# manual.sh MANDOC FOLDER
# The manual pages are correct mdoc and contain the generated lists.
set -eu
mandoc=$1 folder=$2
pages=0
for page in "$folder"/*.[0-9]; do
    "$mandoc" -T lint -W warning "$page"
    ! grep -n '^@\|@VERSION@\|%FORMATS%' "$page"
    pages=$((pages + 1))
done
[ "$pages" -ge 9 ]
