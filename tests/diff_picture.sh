#!/bin/sh
# diff_picture.sh AFLAME BEFORE AFTER...: recomputes the widths of all frames and of their parts in the
# picture of `aflame diff`, for pairs of inputs, and of the first one and itself without some methods, from
# the folded stacks of both sides, for the five threads of both sides that have most stacks.
set -eu
export LC_ALL=C
aflame=$(realpath "$1")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The frames of a thread as "ROW X0 X1 COMMON GROWN SHRUNK NAME" in order of rows. Edges of parts lie
# inside, so only rectangles as high as a frame count.
list_frames() {
    awk -v RS='<g><title>' 'function number(text, key) {
            return substr(text, index(text, key "=\"") + length(key) + 2) + 0
        }
        NR > 1 && !/^[0-9,]+ frames? too narrow/ {
            name = $0
            sub(/\n.*/, "", name)
            gsub(/&lt;/, "<", name)
            gsub(/&gt;/, ">", name)
            gsub(/&amp;/, "\\&", name)
            n = split($0, rects, "<rect class=\"")
            split("0 0 0", part, " ")
            x0 = -1
            for (i = 2; i <= n; i++) {
                class = substr(rects[i], 1, index(rects[i], "\"") - 1)
                if (number(rects[i], " height") != 17) {
                    continue
                }
                x = number(rects[i], " x")
                width = number(rects[i], " width")
                x0 = x0 < 0 ? x : x0
                x1 = x + width
                y = number(rects[i], " y")
                part[class ~ /^[GW]$/ ? 2 : class ~ /^h?[SK]$/ ? 3 : 1] += width
            }
            printf "%d %.2f %.2f %.2f %.2f %.2f %s\n", 5000 - y / 18, x0 - 16, x1 - 16, part[1], part[2],
                part[3], name
        }' "$1" | sort -s -n -k1,1 -k2,2 | awk 'NR == 1 { first = $1 } { $1 = $1 - first + 1; print }'
}

# Without the id that tells threads of one name apart: these are compared as one group.
list_threads() {
    for side in before after; do
        cut -d ';' -f 1 "$scratch/$side.folded" | grep -v ' \[[0-9]*\]$' | sort | uniq -c |
            awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print $0 "\t" n }' | sort >"$scratch/$side.threads"
    done
    join -t "$(printf '\t')" "$scratch/before.threads" "$scratch/after.threads" |
        sort -t "$(printf '\t')" -k2,2nr -k1,1 | head -n 5 | cut -f 1
}

"$aflame" convert -q "$1" --hide onBindViewHolder --ignore decode -o "$scratch/changed.aflp"
set -- "$1" "$scratch/changed.aflp" "$@"
failed=0
checked=0
while [ $# -gt 1 ]; do
    "$aflame" convert -q "$1" --folded-unit ns -o "$scratch/before.folded"
    "$aflame" convert -q "$2" --folded-unit ns -o "$scratch/after.folded"
    list_threads >"$scratch/threads"
    while IFS= read -r thread; do
        "$aflame" diff -q "$1" "$2" --no-script --exact-names --thread "$thread" --full-depth \
            --min-width 0.5 --width 60000 -o "$scratch/diff.svg"
        list_frames "$scratch/diff.svg" >"$scratch/frames"
        awk -v thread="$thread" -v graph=59968 -f "$(dirname "$0")/diff_picture.awk" \
            "$scratch/before.folded" "$scratch/after.folded" "$scratch/frames" || {
            echo "diff_picture.sh: the picture of $thread in $1 and $2 differs" >&2
            failed=1
        }
        checked=$((checked + 1))
    done <"$scratch/threads"
    shift 2
done
[ $checked -gt 0 ] || exit 2
exit $failed
