# Call graphs: --view callgraph, and convert to Graphviz' language.

# ---- a language that Graphviz reads ----
expect 0 -e '' aflame convert app.trace -o all.dot --top 0 --min-percent 0
expect 0 -e '--min-percent and --top change that' aflame convert app.trace -o few.dot --top 5
check 'Graphviz counts other methods' test "$(dot -Tplain few.dot | grep -c '^node ')" = 5
check 'Graphviz counts other edges' \
    test "$(dot -Tplain few.dot | grep -c '^edge ')" = "$(grep -c -- ' -> ' few.dot)"
expect 0 aflame convert app.trace -q -o tenth.dot --top 0 --min-percent 10
expect_sh 0 "sed -n 's/.* total=\([0-9]*\) .*/\1/p' tenth.dot; sed -n 's/.* inclusive=\([0-9]*\) .*/\1/p' tenth.dot"
check 'a method below a tenth of the time is kept' awk 'NR == 1 { all = $1 } NR > 1 && $1 * 10 < all { bad = 1 }
    END { exit bad || NR < 2 }' "$captured/out"
expect 0 aflame convert "$made/names.trace" -q -o names.dot
expect 0 -o '"a.A.sem;colon\nself' dot -Tplain names.dot
printf '{"traceEvents":[{"ph":"X","pid":1,"tid":1,"name":"say \\"hi\\" \\\\n <b>","ts":0,"dur":5}]}' >quotes.json
expect 0 aflame convert -q quotes.json -o quotes.dot
expect 0 -o 'tooltip="say \"hi\" \\n <b>"' cat quotes.dot
expect 0 dot -Tplain quotes.dot

# ---- pictures, if this build has the module that lays them out ----
if [ -e "$(dirname "$(readlink -f "$(command -v aflame)")")/aflame-graphviz.so" ]; then
expect 0 aflame render app.trace --view callgraph -o g.svg -o g.png -o g.pdf
err_has 'g.svg: 338 methods with self 767.6 ms (20.6 %) are left out; --min-percent and --top change that'
opens g.svg g.png g.pdf
expect 0 -o 'data-view="callgraph"' cat g.svg
out_has '<title>android.graphics.BitmapFactory.nativeDecodeStream' 'dashed arrows pass through them'
check 'a method lacks its box' test "$(grep -c '<g id="method-' g.svg)" = 40
check 'an arrow leads nowhere' sh -c "grep -o 'href=\"#method-[0-9]*\"' g.svg | sed 's/href=\"#/id=\"/' |
    sort -u >targets && [ -s targets ] && while read -r target; do grep -q \"\$target\" g.svg || exit 1; done <targets"
check 'Graphviz gets other colours than the picture' sh -c "grep -o 'fillcolor=\"#[0-9a-f]*' few.dot |
    sed 's/.*#/#/' | sort -u >colours && [ -s colours ] && while read -r colour; do grep -q \"\$colour\" g.svg || exit 1; done <colours"
expect 0 aflame render -q app.trace --view callgraph -o again.svg -o again.png -o again.pdf
same g.svg again.svg
same g.png again.png
same g.pdf again.pdf
expect 0 aflame render -q g.png --view callgraph -o carried.svg --data none
expect 0 aflame render -q app.trace --view callgraph -o plain.svg --data none
same plain.svg carried.svg
expect 0 -o 'nativeDecodeStream' pdftotext g.pdf -
expect 0 aflame render -q app.trace --view callgraph --static --theme dark --clock cpu -o s.svg
opens s.svg
expect 0 aflame render -q "$made/recursion.trace" --view callgraph -o loop.svg --data none
expect 0 -o '<title>a.B.walk() calls a.B.walk()' cat loop.svg
out_has 'nested: 0.020 ms, 3 calls'
# calls within calls of the same method add up to 500 times the total: the loop stays narrow
awk 'BEGIN { printf "["; for (i = 0; i < 1000; i++)
    printf "%s{\"ph\":\"X\",\"name\":\"down\",\"ts\":%d,\"dur\":%d}", i ? "," : "", i, 2000 - 2 * i; print "]" }' >nested.json
expect 0 aflame convert -q nested.json -o nested.dot
check 'the line of the loop is wide' grep -q 'n0 -> n0 .label="nested .* penwidth=5 ' nested.dot
expect 0 aflame render -q nested.json --view callgraph -o nested.svg --data none
check 'the loop leaves the picture' sh -c '! grep -q " d=\"[^\"]* -[0-9]" nested.svg'
for name in names long_name perfetto_heap sampled no_records; do
    expect 0 aflame render -q "$made/$name.trace" --view callgraph -o $name.svg -o $name.png
    opens $name.svg $name.png
done

# ---- a graph of everything is bounded ----
awk 'BEGIN { srand(7); for (i = 0; i < 4000; i++) { line = "main"
    for (j = 0; j < 9; j++) line = line ";a.C" int(rand() * 40) ".m" int(rand() * 30)
    print line " " 1 + int(rand() * 99) } }' >dense.folded
expect 0 aflame render dense.folded --view callgraph --top 0 --min-percent 0 --data none -o dense.svg
err_has 'methods with self ' ' arrows are left out'
check 'more than 150 methods' test "$(grep -c '<g id="method-' dense.svg)" = 150
fi

# ---- what has no effect ----
for option in '--width 500' --inverted '--min-width 3' --full-depth --no-script; do
    expect 2 -e 'has no effect with ' aflame render app.trace --view callgraph -o x.svg $option
    err_has '--view callgraph'
done
for option in '--top 3' '--min-percent 2'; do
    expect 2 -e 'needs --view callgraph' aflame render app.trace -o x.svg $option
    expect 2 -e 'needs an output in the format dot' aflame convert app.trace -o x.folded $option
done
absent x.svg x.folded

# ---- without the module ----
mkdir alone
cp "$(command -v aflame)" alone/aflame
expect 2 alone/aflame render app.trace --view callgraph -o x.svg
err_is 'aflame: call graph layout is not available: aflame-graphviz.so is missing; build it with the packages listed in the README and put it next to aflame'
absent x.svg
expect 0 alone/aflame convert app.trace -q -o alone.dot

# alone in a folder it draws everything else
expect 0 alone/aflame render app.trace -q -o alone.svg -o alone.png -o alone.pdf
opens alone.svg alone.png alone.pdf

# Graphviz refuses strings of more than 16,384 bytes
awk 'BEGIN { name = "é"; while (length(name) < 30000) name = name "\\\\\\\"" name; printf "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":9,\"name\":\"%s\"}]", name }' >long.json
expect 0 aflame convert -q long.json -o long.dot
check 'Graphviz does not read a long name' dot -Tplain long.dot -o /dev/null
check 'the name is not UTF-8' iconv -f UTF-8 -t UTF-8 -o /dev/null long.dot
contains long.dot '…'

expect 0 -e 'the PNG has only 1 of the methods, to fit into 800 x 426 pixels' \
    aflame render app.trace --view callgraph --height 426 -o small.png
