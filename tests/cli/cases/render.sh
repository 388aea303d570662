# The outputs of render, their names, and the effect of the options.

expect 0 aflame render app.trace -o graph.svg -o graph.png -o graph.pdf
err_carries 2
out_empty
opens graph.svg graph.png graph.pdf
absent '.aflame-*'

# the verb is optional; the picture is then in this directory, wherever the trace is
mkdir sub
expect 0 -m 'aflame: app.trace: drawn as app.svg (this was: aflame render app.trace -o app.svg)' aflame app.trace
expect 0 aflame app.trace -t main --title="it's" --no-script
err_is "aflame: app.trace: drawn as app.svg (this was: aflame render app.trace --thread=main --title='it'\\''s' --no-script -o app.svg)"
cp app.svg typed.svg
eval "$(sed -n 's/.*(this was: \(.*\))$/\1/p' "$captured/err")" 2>/dev/null
same app.svg typed.svg
rm typed.svg
expect 0 aflame app.trace
same app.svg graph.svg
(cd sub && aflame ../app.trace 2>/dev/null)
same sub/app.svg graph.svg
rm app.svg
expect 0 -m 'aflame: app.trace: drawn as app.svg' aflame render app.trace
expect 0 -e '' aflame -q app.trace
same app.svg graph.svg
expect 0 aflame app.trace --format png
opens app.png
rm app.png app.svg

# options and operands in any order
expect 0 aflame render -o a.svg app.trace
expect 0 aflame render --output=b.svg -- app.trace
expect 0 aflame -o c.svg app.trace
same a.svg graph.svg
same b.svg graph.svg
same c.svg graph.svg
cp app.trace ./-odd.trace
expect 0 aflame render -o d.svg -- -odd.trace
expect 3 aflame render -o d2.svg -- -missing.trace
opens d.svg

# standard streams
expect 0 -s graph.svg aflame render app.trace -o -
expect 0 -s graph.png aflame render app.trace -o - --format png
expect 0 -s graph.svg aflame render app.trace -o /dev/stdout
expect_sh 0 'aflame render - -o piped.svg <app.trace'
opens piped.svg
expect_sh 0 'cat app.trace | aflame render - --title app.trace -o piped.png'
opens piped.png
expect_sh 0 -e 'standard input: drawn as stdin.svg' 'aflame - <app.trace'
opens stdin.svg

# the extension decides, --format overrides it, case does not matter
expect 0 aflame render app.trace -o wrong.svg --format png
same wrong.svg graph.png
expect 0 aflame render app.trace -o UPPER.PNG
same UPPER.PNG graph.png
expect 0 aflame render app.trace -o plain --format pdf
same plain graph.pdf

# the same bytes again, with any number of jobs; ../../sameness.sh has other environments
expect 0 aflame render app.trace -o again.svg -o again.png -o again.pdf --jobs 1
same again.svg graph.svg
same again.png graph.png
same again.pdf graph.pdf
expect 0 aflame render app.trace -qj7 -oagain.svg -oagain.pdf
same again.svg graph.svg
same again.pdf graph.pdf
expect 0 env SOURCE_DATE_EPOCH=1700000000 aflame render app.trace -o dated.pdf
check 'the PDF does not use SOURCE_DATE_EPOCH' \
    sh -c 'TZ=UTC pdfinfo -isodates dated.pdf | grep -q "CreationDate:.*2023-11-14T22:13:20"'
check 'the PDF of an undated trace has a date' sh -c '! pdfinfo graph.pdf | grep Date'
check 'the PDF is not tagged' \
    sh -c 'pdfinfo -struct graph.pdf | tr -d " \n" | grep -q "^DocumentSectH1(block)P(block)Sect.*SectH2(block)P"'
check 'a cut label of the PDF is not searchable' \
    sh -c 'pdftotext graph.pdf - | grep -q "RecyclerView\$Recycler.tryGetViewHolderForPositionByDeadline()"'

# options
expect 0 aflame render app.trace --static -o static.svg
omits static.svg '<text' '<script'
expect 0 aflame render app.trace --scale 1 -o one.png
differ one.png graph.png
check 'scale 1 is not 800 pixels wide' [ "$(png_width one.png)" -eq 800 ]
expect 0 aflame render app.trace --theme dark -o dark.png
differ dark.png graph.png
expect 0 aflame render app.trace --clock wall --theme auto --names class --scale 2.0 --data auto \
    --min-width 1 -o default.svg -o default.png
same default.svg graph.svg
same default.png graph.png
expect 0 aflame render app.trace --width 1200 -o fixed.svg
expect 0 aflame render app.trace --width 800 -o fixed.png
same fixed.png graph.png
# a PNG keeps within its height: it leaves out rows and threads, and its footer says so
expect 0 aflame render app.trace --scale 1 --height 560 -o low.png
check 'low.png exceeds its height' [ "$(png_height low.png)" -le 560 ]
for option in '--height none' --full-depth; do
    expect 0 aflame render app.trace --scale 1 $option -o high.png
    check "$option does not lift the limit" [ "$(png_height high.png)" -gt 560 ]
done
# a PNG keeps within its height: a call graph, a chart with many counters, a comparison
awk 'BEGIN { printf "["
    for (t = 1; t < 13; t++) for (d = 0; d < 12; d++) printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"name\":\"m%d\"},\n", t, d, 1000 - 50 * d, t * 100 + d
    for (c = 0; c < 60; c++) for (v = 1; v < 4; v++) printf "{\"ph\":\"C\",\"pid\":1,\"name\":\"counter %d\",\"ts\":%d,\"args\":{\"v\":%d}},\n", c, v * 100, v
    print "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":2000,\"dur\":500,\"name\":\"rest\"}]" }' >many.json
sed 's/"m\(...\)"/"n\1"/' many.json >others.json
expect 0 aflame render -q many.json --view chart --scale 1 -o counters.png -o counters.svg
check 'the counters exceed the height' [ "$(png_height counters.png)" -le 1800 ]
contains counters.svg 'counter 15'
expect 0 aflame render -q many.json --view chart --scale 1 --height none -o all.png
check '--height none draws no more counters' [ "$(png_height all.png)" -gt 1800 ]
expect 0 aflame diff -q many.json others.json --scale 1 -o compared.png
check 'the comparison exceeds the height' [ "$(png_height compared.png)" -le 1800 ]
for option in '--height none' --full-depth; do
    expect 0 aflame diff -q many.json others.json --scale 1 $option -o whole.png
    check "$option draws no more of a comparison" [ "$(png_height whole.png)" -gt 1800 ]
done
expect 0 aflame diff -q many.json others.json --view chart --scale 1 -o charts.png
check 'the charts exceed the height' [ "$(png_height charts.png)" -le 1800 ]
expect 0 aflame render -q many.json --view callgraph --scale 1 -o graph.png
check 'the call graph exceeds the width' [ "$(png_width graph.png)" -le 800 ]
check 'the call graph exceeds the height' [ "$(png_height graph.png)" -le 1800 ]

expect 2 -e '--height takes a number from 200 to 100000, not "100"' aflame render app.trace --height 100 -o low.png
expect 2 -e 'needs an output that is a PNG' aflame render app.trace --height 900 -o low.svg
check 'the width of fixed.svg is not fixed' grep -q '^<svg [^>]* width="1200" [^>]* data-fixed="1"' fixed.svg
check 'the width of graph.svg is fixed' grep -q '^<svg [^>]* class="aflame fluid"' graph.svg
check 'the width of fixed.svg is not fixed' grep -q '^<svg [^>]* class="aflame"' fixed.svg

# the script and the data that it draws
script() {
    xmllint --xpath 'string(//*[local-name()="script"])' "$1" | head -c -1
}
count() {
    LC_ALL=C grep -o "$1" "$2" | wc -l
}
check 'there is not exactly one script' [ "$(count '<script' graph.svg)" -eq 1 ]
check 'there is not exactly one data block' [ "$(count '<metadata id="af-block"' graph.svg)" -eq 1 ]
check 'there are inline handlers' sh -c '! grep -qE "[ \"]on[a-z]+=\"" graph.svg'
expect 0 -e '' aflame render --csp-hash
check 'the output is not two lines' [ "$(wc -l <"$captured/out")" -eq 2 ]
hash_of() { # LINE
    sed -n "$1s/^sha256-//p" "$captured/out" | base64 -d | od -An -tx1 -v | tr -d ' \n'
}
# a file without calls has no chart, and so the shorter script
echo 'main;run 7' | aflame render -q - -o small.svg
aflame render -q app.trace --view chart -o with_chart.svg
script small.svg >small.js
script graph.svg >script.js
check 'the hash does not match the script' [ "$(sha256sum <small.js | cut -d' ' -f1)" = "$(hash_of 1)" ]
check 'the hash does not match the script of charts' [ "$(script with_chart.svg | sha256sum | cut -d' ' -f1)" = "$(hash_of 2)" ]
check 'the script of graphs is as long as that of charts' [ "$(wc -c <small.js)" -lt $(($(script with_chart.svg | wc -c) * 4 / 5)) ]
for option in '--title </script>]]>' '--clock cpu' '--view chart' '--width 300'; do
    expect 0 aflame render app.trace $option -o option.svg
    script option.svg >other.js
    same other.js script.js
done
expect 0 aflame render app.trace --data none -o option.svg
script option.svg >other.js
same other.js small.js
expect 2 aflame render --csp-hash app.trace
err_is 'aflame: --csp-hash takes no trace: the scripts are the same in every picture'
expect 0 aflame render app.trace --no-script -o bare.svg
opens bare.svg
check 'there is a script' [ "$(count '<script' bare.svg)" -eq 0 ]
check 'there is a data block' [ "$(count '<metadata' bare.svg)" -eq 0 ]
check 'the picture without a script is not fluid' grep -q '^<svg [^>]* class="aflame fluid"' bare.svg
expect 0 aflame render app.trace --data none -o none.svg
opens none.svg
check 'the script is missing' [ "$(count '<script' none.svg)" -eq 1 ]
check 'there is a data block' [ "$(count '<metadata' none.svg)" -eq 0 ]
expect 0 aflame render app.trace --data full -o full.svg
same full.svg graph.svg
expect 2 aflame render app.trace --data ful -o full.svg
err_is 'aflame: --data takes one of auto, full, none; did you mean full?'
expect 0 aflame render app.trace --system-fonts -o system.svg -o system.png
# a graph that shows little suggests options
{
    printf 'main'
    i=0
    while [ $i -lt 300 ]; do
        printf ';com.app.Main.rec'
        i=$((i + 1))
    done
    echo ' 100'
} >recursion.folded
sed 's/ 100$/;com.app.Main.leaf 7/; s/main;com.app.Main.rec;com.app.Main.rec;/&/' recursion.folded >leaves.folded
sed 's/com.app.Main.rec;com.app.Main.leaf/com.app.Main.leaf/' leaves.folded >>recursion.folded
cat leaves.folded >>recursion.folded
expect 0 aflame render recursion.folded -o recursion.svg
frames() {
    xmllint --xpath '//*[local-name()="g"]/*[local-name()="title"]/text()' "$1" |
        awk '/^com/ { name = $0 } name != "" && / of the thread/ { print name ": " $0 }'
}
check 'deep recursion is not one frame' [ "$(frames recursion.svg | sort)" = \
    "com.app.Main.leaf: 14 samples, self 14 samples, 12.3 % of the thread
com.app.Main.rec × 300: 114 samples, self 100 samples, 100.0 % of the thread" ]
contains recursion.svg 'Main.rec calls itself up to 300 times in a row, drawn as one frame: --full-depth draws each call'
expect 0 aflame render recursion.folded --full-depth -o recursion.svg
check 'recursion is one frame with --full-depth' [ "$(frames recursion.svg | grep -c '^com.app.Main.rec: ')" -eq 300 ]
contains recursion.svg 'Main.rec calls itself up to 300 times in a row: --collapse-recursion makes that one frame'
expect 0 aflame render recursion.folded --collapse-recursion -o recursion.svg
omits recursion.svg 'calls itself'
awk 'BEGIN { for (i = 0; i < 3000; i++) print "main;task-" i " 1" }' >narrow.folded
expect 0 aflame render narrow.folded -o narrow.svg
check 'numbered names are not offered as one' grep -q -- '--merge-numbers draws task-0 and the like as task-#' narrow.svg
expect 0 aflame render narrow.folded --merge-numbers -o narrow.svg
contains narrow.svg 'task-#'
omits narrow.svg 'and the like'
awk 'BEGIN { for (i = 0; i < 3000; i++) print "main;task" i " 1" }' >narrow.folded
expect 0 aflame render narrow.folded -o narrow.svg
check 'there is advice without an option that helps' sh -c '! grep -qE "over half|and the like" narrow.svg'
awk 'BEGIN { print "["; for (i = 0; i < 3000; i++) printf "%s{\"ph\":\"X\",\"name\":\"frame %d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1}", i ? "," : "", i, i; print "]" }' >narrow.json
expect 0 aflame render narrow.json -o narrow.svg
contains narrow.svg 'over half of the time is in frames too narrow to draw: --view chart shows single calls'
expect 0 aflame render narrow.json --view chart -o narrow.svg
omits narrow.svg 'over half'
# characters that the bundled face lacks: one line, not for outputs whose viewer has fonts
printf 'main;漢字.run 60\nmain;漢字.run;漢字.run 20\nmain;仮名 20\n' >kanji.folded
expect 0 -e '' aflame render kanji.folded -o kanji.svg
expect 0 aflame render kanji.folded --data none -o kanji.png
err_is 'aflame: kanji.png: 2 names have characters that the bundled face lacks, drawn as boxes; --system-fonts draws them with this machine'"'"'s fonts'
# fontconfig never frees some of the fonts that it found
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 \
    expect 0 aflame render kanji.folded --data none --system-fonts -o kanji.png
err_empty
printf 'main;Ж 60\n' >cyrillic.folded
expect 0 -e '' aflame render cyrillic.folded --data none -o cyrillic.png
opens system.svg system.png

# selected threads
expect 0 aflame render app.trace -t main -t RenderThread -o two.svg
opens two.svg
contains two.svg main
expect 0 aflame render app.trace --thread '/^Binder/' -o binder.pdf
check 'the PDF does not have two pages' sh -c 'pdfinfo binder.pdf | grep -q "^Pages: *2$"'
expect 0 aflame render app.trace --thread '/renderthread/i' -o case.svg
opens case.svg

# a title is plain text with any characters
expect 0 aflame render app.trace --title '</script>]]>&<b>"' -o title.svg -o title.pdf -o title.png
opens title.svg title.pdf title.png
expect 0 aflame render app.trace --title "$(printf 'a\033[31m\nb\377\342\200\256')" -o title.svg \
    -o title.png -o title.pdf
opens title.svg title.png title.pdf
absent '.aflame-*'

# names of threads are cut like those of methods, wherever a picture holds them
long=$(printf 'T%.0s' $(seq 20000))
copy_sample long_thread.trace "s/^\([0-9]*\)	main\$/\1	$long/"
contains long_thread.trace TTTTTTTT
expect 0 aflame render -q long_thread.trace -o long_thread.svg -o long_thread.pdf
opens long_thread.svg long_thread.pdf
check 'the whole name is in the picture' [ "$(grep -o 'T\{1,\}' long_thread.svg | wc -L)" -le 4097 ]
check 'the name is not in the picture' [ "$(grep -o 'T\{1,\}' long_thread.svg | wc -L)" -ge 4000 ]

# an odd number of pixels
expect 0 aflame render -q --width 701 --scale 1 "$data/sample.trace" -o odd.png
opens odd.png
