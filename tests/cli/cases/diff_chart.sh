# diff --view chart: two recordings below each other, on one axis.

# The x of each tick of a page, as "X TEXT".
ticks() { # PAGE
    awk -v RS='<g id="page' -v page="$1" 'NR == page + 1 {
        n = split($0, texts, "<text ")
        for (i = 2; i <= n; i++) {
            text = texts[i]
            sub(/^[^>]*>/, "", text)
            sub(/<.*/, "", text)
            if (text ~ /^[0-9]+ m?s$/) {
                match(texts[i], / x="[0-9.]*"/)
                print substr(texts[i], RSTART + 4, RLENGTH - 5), text
            }
        } }' chart.svg
}

# The left edge of the first frame of a method on a page.
edge() { # PAGE NAME
    awk -v RS='<g id="page' -v page="$1" -v name="$2" 'NR == page + 1 {
        rest = substr($0, index($0, "<title>" name))
        match(rest, / x="[0-9.]*"/)
        print substr(rest, RSTART + 4, RLENGTH - 5) }' chart.svg
}

expect 0 -l 2 aflame diff before.trace after.trace --view chart -o chart.svg -o chart.png -o chart.pdf
err_has 'chart.png: carries the profiles of both sides, 1 KB; --data none leaves them out'
opens chart.svg chart.png chart.pdf
expect_sh 0 -o 2 'pdfinfo chart.pdf | grep Pages:'
ticks 1 >one
ticks 2 >two
check 'there are ticks' [ "$(grep -c . one)" -gt 5 ]
same one two
check 'both start at 0' sh -c 'head -n 1 one | grep -q "^19 0 s"'
check 'ids are not unique' sh -c "grep -o ' id=\"[^\"]*\"' chart.svg | sort | uniq -d | grep -c . >n; [ \$(cat n) = 0 ]"
expect 0 -o 'before: before.trace' cat chart.svg
out_has 'after: after.trace'
check 'the sides differ' [ "$(edge 1 com.example.Work.slow)" != "$(edge 2 com.example.Work.slow)" ]

# ---- the first call of a method is time 0 of both ----
expect 0 aflame diff before.trace after.trace --view chart --align Same.work -o chart.svg
ticks 1 >one
ticks 2 >two
same one two
zero=$(sed -n 's/ 0 s$//p' one)
for page in 1 2; do
    x=$(edge $page com.example.Same.work)
    check "Same.work is at $x, not at the tick $zero of page $page" \
        awk -v x="$x" -v zero="$zero" 'BEGIN { exit !(x - zero + 3 < 0.05 && zero - 3 - x < 0.05) }'
done
expect 0 aflame diff before.trace before.trace --view chart --align Same.work -o same.svg
expect 0 aflame diff before.trace after.trace --view chart --align Same.work --clock cpu --thread main -o cpu.svg
expect 0 aflame diff "$made/sampled.trace" "$made/sampled.trace" --view chart -o samples.svg
opens same.svg cpu.svg samples.svg

# ---- what cannot be drawn ----
expect 2 aflame diff --before before.trace --before before.trace --after after.trace --view chart -o x.svg
err_is 'aflame: --view chart draws one recording of each side, not 2'
expect 2 aflame diff before.trace after.trace --view chart -o x.svg -o x.txt
err_is 'aflame: x.txt: --view chart draws pictures; write tables in another run'
expect 1 -e 'did you mean' aflame diff before.trace after.trace --view chart --align Work.slwo -o x.svg
expect 1 aflame diff before.trace after.trace --view chart --align Pool.run --thread main -o x.svg
err_is 'aflame: no drawn thread of before calls Pool.run'
expect 0 aflame convert -q before.trace -o before.aflp
expect 2 aflame diff before.aflp after.trace --view chart -o x.svg
err_has 'aflame: before: the input does not record when its calls began and ended'
expect 2 aflame diff after.trace before.aflp --view chart -o x.svg
err_has 'aflame: after: the input does not record when its calls began and ended'
expect 2 aflame diff before.trace after.trace --view chart --focus slow -o x.svg
expect 2 -e 'compare recordings of the same kind' aflame diff before.trace "$made/sampled.trace" --view chart -o x.svg
expect 2 aflame diff before.trace after.trace --view sandwich -o x.svg
absent x.svg x.txt
