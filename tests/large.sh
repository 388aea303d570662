#!/bin/sh
# large.sh AFLAME TOOLS
# Traces of 1.6 to 2 GB take less than 200 MB of anonymous memory, as a graph and as a chart. TOOLS
# holds measure.
set -eu
aflame=$(realpath "$1") tools=$(realpath "$2")
folder=$(mktemp -d "$tools/large.XXXXXX")
trap 'rm -rf "$folder"' EXIT
for shape in perfetto-events perfetto-ftrace systrace; do
    case $shape in
    perfetto-events) size=46000000 ;;
    perfetto-ftrace) size=46000000 ;;
    systrace) size=24000000 ;;
    esac
    "$(dirname "$0")/bench/shapes.js" $shape $size -o "$folder/trace"
    bytes=$(wc -c <"$folder/trace")
    if [ "$bytes" -lt 1600000000 ]; then
        echo "large.sh: $shape has only $bytes bytes" >&2
        exit 1
    fi
    for view in graph chart; do
        kilobytes=$("$tools/measure" --watch "$aflame" render -q --view $view "$folder/trace" \
            -o "$folder/graph.svg" | cut -d' ' -f3)
        echo "$shape, $view: $bytes bytes, $kilobytes kB of anonymous memory"
        if [ "$kilobytes" -le 0 ] || [ "$kilobytes" -gt 200000 ]; then
            echo "large.sh: $shape takes $kilobytes kB for a $view, not at most 200,000" >&2
            exit 1
        fi
    done
    rm "$folder/trace" "$folder/graph.svg"
done
