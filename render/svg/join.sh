#!/bin/sh
# join.sh DIRECTORY OUT
# The files of script.list as one text, without lines that are only a comment, without indentation and
# empty lines. So no string of the script may go over several lines.
set -eu
cd "$1"
while read -r file; do
    sed -e 's/^ *//' -e '/^\/\//d' -e '/^$/d' "$file"
done <script.list >"$2.part"
mv "$2.part" "$2"
