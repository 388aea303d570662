#!/bin/sh
# diff.sh AFLAME BEFORE AFTER...: recomputes every number of `aflame diff --format json` and of its folded
# stacks, for pairs of inputs and for the first one and itself without some methods, from what `convert`
# and `report` give for each side; each pair also with swapped sides.
set -eu
aflame=$(realpath "$1")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Folded stacks in ns, or in the unit of the input.
fold() {
    "$aflame" convert -q "$1" --folded-unit ns -o "$2" 2>/dev/null || "$aflame" convert -q "$1" -o "$2"
}

# Both sides as "SIDE THREAD;FRAME;... NS" and "SIDE METHOD<tab>CALLS", and the rows of the JSON as
# "KEY=VALUE<tab>...": what awk compares.
collect() {
    fold "$2" "$scratch/$1.folded"
    "$aflame" report -q "$2" --by methods --top 0 --format json -o "$scratch/$1.json"
}

# Rows of a table, with ns in place of another unit.
rows() {
    sed -n "/^  \"$1\": \[/,/^  \]/p" "$2" | sed -n 's/^ *{\(.*\)},*$/\1/p' |
        sed -E 's/"(self_|inclusive_|)(before|after|common|grown|shrunk|by_calls|by_mean)_[a-z]+": /"\1\2_ns": /g'
}

# Numbers of a compiler or a run, as the manual lists them.
mask() {
    sed -E -e 's,\$\$Lambda\$[0-9]+(/(0x)?[0-9a-f]+)?,$$Lambda$#,g' \
        -e 's,(ExternalSynthetic[A-Za-z]+)[0-9]+,\1#,g' -e 's,^0x[0-9a-f]+ \[unknown\],0x# [unknown],' \
        -e 's,;0x[0-9a-f]+ \[unknown\],;0x# [unknown],g' -e 's,"0x[0-9a-f]+ \[unknown\],"0x# [unknown],g' \
        -e 's,(-\$\$Nest\$|access\$|lambda\$[A-Za-z_]+\$|\$Proxy)[0-9]+,\1#,g' "$1"
}

# Anonymous classes: if only one method of each side differs from the methods of the other side and has
# the same name but for numbers of anonymous classes, both get the name with #. Arguments: masked stacks
# of both sides, then the file to change.
join_anonymous() {
    LC_ALL=C awk -v OFS=';' '
        function mask(name,    head) {
            head = ""
            while (match(name, /\$[0-9]+[.$]/)) {
                head = head substr(name, 1, RSTART) "#"
                name = substr(name, RSTART + RLENGTH - 1)
            }
            return head name
        }
        FNR == 1 { file++ }
        file <= 2 {
            sub(/ [0-9]+$/, "")
            n = split($0, frame, ";")
            for (i = 2; i <= n; i++) has[file, frame[i]] = names[frame[i]] = 1
            next
        }
        file == 3 && FNR == 1 {
            for (name in names) {
                if ((1, name) in has != (2, name) in has) {
                    side = (1, name) in has ? 1 : 2
                    lonely[side, mask(name)]++
                }
            }
            for (name in names) {
                masked = mask(name)
                if (masked != name && (1, name) in has != (2, name) in has &&
                    lonely[1, masked] == 1 && lonely[2, masked] == 1) becomes[name] = masked
            }
        }
        /^"/ {
            for (name in becomes) {
                at = index($0, "\"name\": \"" name "\"")
                if (at > 0) $0 = substr($0, 1, at + 8) becomes[name] substr($0, at + 9 + length(name))
            }
            print
            next
        }
        {
            count = $0
            sub(/.* /, "", count)
            sub(/ [0-9]+$/, "")
            n = split($0, frame, ";")
            line = frame[1]
            for (i = 2; i <= n; i++) line = line ";" (frame[i] in becomes ? becomes[frame[i]] : frame[i])
            print line " " count
        }' "$@"
}

# The same without --exact-names: names with such numbers are one, and threads without a partner.
check_numbers() {
    "$aflame" diff -q "$1" "$2" --paths --top 0 --format json >"$scratch/diff.json"
    for table in threads methods paths; do
        rows $table "$scratch/diff.json" | mask - >"$scratch/$table"
    done
    for side in before after; do
        other=after
        [ $side = before ] || other=before
        awk -F ';' -v OFS=';' 'FNR == NR { has[$1] = 1; next }
            !($1 in has) { gsub(/[0-9]+/, "#", $1) }
            1' "$scratch/$other.folded" "$scratch/$side.folded" | mask - >"$scratch/$side.masked"
        mask "$scratch/report.$side" >"$scratch/calls.$side"
    done
    for file in before.masked after.masked calls.before calls.after; do
        join_anonymous "$scratch/before.masked" "$scratch/after.masked" "$scratch/$file" >"$scratch/$file.joined"
    done
    for file in before.masked after.masked calls.before calls.after; do
        mv "$scratch/$file.joined" "$scratch/$file"
    done
    LC_ALL=C awk -f "$(dirname "$0")/diff.awk" "$scratch/before.masked" "$scratch/after.masked" \
        "$scratch/calls.before" "$scratch/calls.after" "$scratch/threads" "$scratch/methods" \
        "$scratch/paths" || complain 'the numbers with masked names differ from their recomputation'
}

complain() {
    echo "diff.sh: $first and $second: $1" >&2
    failed=1
}

# Each column of the folded stacks is what convert gives for its side.
check_columns() {
    "$aflame" diff -q "$1" "$2" --exact-names -o "$scratch/both.folded"
    column=1
    for side in "$1" "$2"; do
        "$aflame" convert -q "$side" -o - --format folded | LC_ALL=C sort >"$scratch/want"
        awk -v column=$column '{
            number = column == 1 ? $(NF - 1) : $NF
            sub(/ [0-9]+ [0-9]+$/, "")
            if (number > 0) print $0 " " number
        }' "$scratch/both.folded" | LC_ALL=C sort >"$scratch/got"
        [ -s "$scratch/want" ] && cmp -s "$scratch/want" "$scratch/got" ||
            complain "column $column of the folded stacks differs"
        column=2
    done
}

# the same recording without some methods, as a saved profile: those of the sample, or the busiest one
fold "$1" "$scratch/first.folded"
if grep -q onBindViewHolder "$scratch/first.folded"; then
    "$aflame" convert -q "$1" --hide onBindViewHolder --ignore decode -o "$scratch/changed.aflp"
else
    busiest=$("$aflame" report -q "$1" --by methods --top 1 --format json |
        sed -n 's/.*{"name": "\([^"]*\)".*/\1/p')
    "$aflame" convert -q "$1" --hide "=$busiest" -o "$scratch/changed.aflp"
fi
set -- "$1" "$scratch/changed.aflp" "$@"
# the sample with methods in anonymous classes: one has a partner, one has two candidates on a side
put_into_classes() {
    LC_ALL=C sed -E -e "s/(RecipeAdapter)(\tonBindViewHolder\t)/\1\$$2\2/" \
        -e "s/(StreamingJsonDecoder)\tdecodeElementIndex\t/\1\$$3\tdecode\t/" \
        -e "s/(StreamingJsonDecoder)\tdecode$4\t/\1\$$5\tdecode\t/" "$1"
}
if LC_ALL=C grep -aq RecipeAdapter "$1"; then
    put_into_classes "$1" 1 3 StringElement 4 >"$scratch/anonymous1.trace"
    put_into_classes "$1" 2 5 NoMethod 6 >"$scratch/anonymous2.trace"
    set -- "$scratch/anonymous1.trace" "$scratch/anonymous2.trace" "$@"
fi
check_pair() {
    first=$1 second=$2
    collect before "$1"
    collect after "$2"
    "$aflame" diff -q "$1" "$2" --exact-names --paths --top 0 --format json >"$scratch/diff.json"
    for table in threads methods paths; do
        rows $table "$scratch/diff.json" >"$scratch/$table"
    done
    rows methods "$scratch/before.json" >"$scratch/report.before"
    rows methods "$scratch/after.json" >"$scratch/report.after"
    LC_ALL=C awk -f "$(dirname "$0")/diff.awk" "$scratch/before.folded" "$scratch/after.folded" \
        "$scratch/report.before" "$scratch/report.after" "$scratch/threads" "$scratch/methods" \
        "$scratch/paths" || complain 'the numbers differ from their recomputation'
    check_columns "$1" "$2"
    check_numbers "$1" "$2"
}
failed=0
while [ $# -gt 1 ]; do
    check_pair "$1" "$2"
    check_pair "$2" "$1"
    shift 2
done
[ $# -eq 0 ] || { echo "diff.sh: an odd number of inputs" >&2; exit 2; }
exit $failed
