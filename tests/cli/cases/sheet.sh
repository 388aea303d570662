# The sheet for a ticket: render --sheet.
mkdir -p folder

# one page in each format, at its default size
expect 0 aflame render app.trace --sheet -o folder/bug.png -o bug.svg -o bug.pdf
opens folder/bug.png bug.svg bug.pdf
check 'a PNG is not 2400 pixels wide' [ "$(png_width folder/bug.png)" = 2400 ]
check 'a PNG is too high' [ "$(png_height folder/bug.png)" -le 3600 ]
check 'a PDF has several pages' sh -c "pdfinfo bug.pdf | grep -q '^Pages: *1$'"
omits bug.svg '<script'

# it says what explain says, word by word, and in its alternative text
sed 's/<[^>]*>/\n/g' bug.svg | tr -s '\n' | sed 's/&amp;/\&/g; s/&#9;/ /g' >texts
tr '\n' ' ' <texts >line
expect 0 aflame explain app.trace --json
sed -n 's/^ *"text": "\(.*\)",$/\1/p' "$captured/out" >sentences
check 'there are few findings' [ "$(wc -l <sentences)" -ge 3 ]
head -n 3 sentences | while IFS= read -r sentence; do
    grep -qF "$sentence" line || echo "$sentence"
done >missing
check 'a sentence is missing' [ ! -s missing ]
check 'the alternative text lacks the first finding' \
    sh -c 'grep -o "<desc>[^<]*" bug.svg | grep -qF "$(head -n 1 sentences)"'
# the alternative text: three sentences in each format, and on standard output
expect 0 -w alt aflame render app.trace --sheet --alt
check 'the text is not a line' [ "$(wc -l <alt)" = 1 ]
check 'the text lacks a finding' sh -c 'head -n 2 sentences | while IFS= read -r s; do grep -qF "$s." alt || exit 1; done'
out_has 'What stands out in app.trace of com.example.recipes, with 5 threads over time and a flame graph.'
check 'the SVG has another text' \
    sh -c '[ "$(grep -o "<desc>[^<]*" bug.svg | sed "s/<desc>//")" = "$(cat alt)" ]'
check 'the PNG has another text' sh -c 'grep -a -q "iTXtDescription" folder/bug.png &&
    LC_ALL=C grep -a -qF "x-default\">$(cat alt)</rdf:li>" folder/bug.png'
check 'the PDF has another text' sh -c 'pdfinfo bug.pdf | grep -qF "$(cat alt)"'
expect 0 aflame render -q app.trace --sheet --alt -o also.png
check 'the text depends on an output' cmp -s "$captured/out" alt
opens also.png
expect 0 -o 'nothing changed: both sides are equal' aflame diff -q app.trace app.trace --alt
expect 2 -e '--alt prints to standard output, and so does -o -' aflame render app.trace --alt -o -
expect 2 -e 'a format needs an output' aflame diff app.trace app.trace --alt --json
expect 2 -e 'needs an output that is a picture' aflame render app.trace --alt --data none
expect 2 aflame render app.trace --alt --no-script
expect 2 -e 'needs an output that is a PNG' aflame render app.trace --alt --scale 2

# main over time, the graph with badges, tables, and the command without folders
for word in 'Threads over time' 'Most self time' 'Waiting, by method' 'LayoutInflater.inflate' \
    'aflame render app.trace --sheet -o bug.png' 'of all threads'; do
    check "the sheet lacks: $word" grep -qF "$word" line
done
omits line folder/
echo '[{"ph":"X","ts":0,"dur":30000,"name":"Loader.load","pid":1,"tid":1}]' >wall.json
expect 0 aflame render -q wall.json --sheet -o wall.svg
contains wall.svg '>none known: needs wall and CPU time<'
expect 0 aflame render -q "$PWD/app.trace" --sheet --focus onCreate -o path.svg
contains path.svg 'aflame render app.trace --sheet --focus=onCreate -o path.svg'
# of options only paths lose their folders, and only names of files that start with a hyphen get one
expect 0 aflame render -q app.trace --sheet --focus /oncreate/i --title=-x -o path.svg
contains path.svg 'aflame render app.trace --sheet --focus=/oncreate/i --title=-x -o path.svg'

# a query of a server, and a file of options
expect 0 aflame render -q app.trace --view sheet -o same.svg
sed 's/ --view=sheet -o same.svg/ --sheet -o bug.png/' same.svg >named.svg
check 'the two spellings differ' sh -c '[ "$(sed "s/<desc>.*//" named.svg | grep -c rect)" = "$(sed "s/<desc>.*//" bug.svg | grep -c rect)" ]'

# what the picture carries opens again, with the same findings about its tree
expect 0 -o 'inflating layouts' aflame explain folder/bug.png

# other inputs: without single calls the sums of threads; without anything to say; redacted
printf 'main;com.a.App.run 90\nmain;com.a.App.run;com.a.App.load 10\nworker;com.a.Pool.work 40\n' >x.folded
expect 0 aflame render -q x.folded --sheet -o folded.svg
opens folded.svg
contains folded.svg 'the input has no single calls'
printf '[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":50}]' >tiny.json
expect 0 aflame render -q tiny.json --sheet -o tiny.png -o tiny.svg
opens tiny.png tiny.svg
expect 0 aflame render -q app.trace --sheet --redact -o redacted.svg
check 'a name is left' sh -c '! grep -q "com.example\|LayoutInflater.inflateApp" redacted.svg'

# the options apply
expect 0 aflame render -q app.trace --sheet --width 600 --height 700 --scale 1 -o small.png
check 'sizes do not apply' [ "$(png_width small.png)" = 600 ]
expect 0 aflame render -q app.trace --sheet --thread OkHttp -o thread.svg
contains thread.svg 'aria-label="OkHttp Dispatcher"'
expect 2 -e '--no-script' aflame render app.trace --sheet --no-script -o x.svg
expect 2 -e 'needs --view chart' aflame render app.trace --sheet --mark onCreate -o x.svg

# the places where it is shown: width, height and scale
while read -r medium width height scale; do
    expect 0 aflame render -q app.trace --sheet --for $medium -o $medium.png
    check "$medium: wrong width" [ "$(png_width $medium.png)" = $((width * scale)) ]
    check "$medium: too high" [ "$(png_height $medium.png)" -le $((height * scale)) ]
done <<'END'
github 800 1200 2
jira 680 1000 2
slack 480 600 3
slide 960 540 2
print 680 1000 3
END
opens slack.png slide.png
expect 0 aflame render -q app.trace --sheet --for slack --width 600 --scale 1 -o own.png
check 'an option has no priority' [ "$(png_width own.png)" = 600 ]
expect 0 aflame render -q app.trace --for github -o graph.png
check 'too high a graph' [ "$(png_height graph.png)" -le 2400 ]
{ # many names below a graph of few rows
    echo '['
    for t in $(seq 20); do
        printf '{"ph":"M","name":"thread_name","pid":1,"tid":%d,' "$t"
        printf '"args":{"name":"a pool for slow work, number %d"}},\n' "$t"
        d=0
        for name in android.os.A.a androidx.b.B.b kotlin.c.C.c java.util.D.d com.example.app.E.e \
            okhttp3.F.f java.lang.Object.wait com.example.app.G.g; do
            d=$((d + 1))
            printf '{"ph":"X","pid":1,"tid":%d,"name":"%s","ts":%d,"dur":%d},\n' \
                "$t" "$name" "$d" $((1000 - 100 * d))
        done
    done
    echo '{"ph":"X","pid":1,"tid":1,"name":"last","ts":2000,"dur":1}]'
} >pools.json
expect 0 aflame render -q pools.json --for slack -o pools.png
check 'too high a graph of many threads' [ "$(png_height pools.png)" -le 1800 ]
expect 0 aflame render -q app.trace --for print -o print.svg
contains print.svg ' width="680" '
expect 0 aflame diff -q app.trace app.trace --for slide -o slide.diff.png
check 'a comparison ignores the medium' [ "$(png_width slide.diff.png)" = 1920 ]
expect 2 -e '--for takes one of' aflame render app.trace --for paper -o x.png
expect 2 aflame render app.trace --startup --for slack -o x.png
expect 2 aflame diff app.trace app.trace --for slack -o x.json

# a limit of bytes: colours, then height, then scale; reported in a line
bytes() { wc -c <"$1"; }
expect 0 -e '' aflame render app.trace --data none -o free.png
expect 0 -e '' aflame render app.trace --data none --max-bytes 2M -o loose.png
check 'a limit that is met changes the picture' cmp -s loose.png free.png
for limit in 150 100 50 30; do
    expect 0 -l 1 aflame render app.trace --sheet --data none --max-bytes ${limit}K -o tight.png
    err_has 'aflame: tight.png: reduced to '
    check "more than $limit KB" [ "$(bytes tight.png)" -le $((limit * 1024)) ]
    opens tight.png
done
err_has 'reduced to 32 colours, at most 506 px high, at scale '
expect 0 aflame render app.trace --max-bytes 40K -o tight.png
check 'the profile is over the limit' [ "$(bytes tight.png)" -le $((40 * 1024)) ]
expect 0 aflame diff app.trace app.trace --max-bytes 60K -o tight.png
check 'a comparison is over the limit' [ "$(bytes tight.png)" -le $((60 * 1024)) ]
expect 0 aflame diff app.trace app.trace --view chart --max-bytes 60K -o tight.png
check 'charts are over the limit' [ "$(bytes tight.png)" -le $((60 * 1024)) ]
expect 2 -e 'the smallest picture has ' aflame render app.trace --sheet --data full --max-bytes 10K -o none.png
check 'a picture is left' [ ! -e none.png ]
expect 2 -e 'takes a size from 10K up' aflame render app.trace --max-bytes 9K -o x.png
expect 2 -e 'needs an output that is a PNG' aflame render app.trace --max-bytes 50K -o x.svg

# a comment to paste: the picture, what explain writes, a table, the command
expect 0 -w comment.md aflame render -q app.trace --sheet --markdown -o 'folder/my bug.png'
contains comment.md '](my%20bug.png)'
check 'the alternative text is missing' grep -q '^!\[What stands out in app.trace' comment.md
expect 0 aflame explain app.trace --markdown
check 'findings differ from explain' sh -c 'grep -vxFf comment.md "$1" | grep -q . && exit 1 || :' - "$captured/out"
check 'the table differs from the sheet' sh -c 'grep -qF "| \`java.lang.Object.wait\` | 80.6 ms | 7.3 % |" comment.md'
check 'the table has not five rows' [ "$(grep -c '^| `.*` | .* | .* |$' comment.md)" = 5 ]
check 'the command is missing' grep -qxF "\`aflame render app.trace --sheet -o 'my bug.png'\`" comment.md
expect 0 aflame render app.trace --markdown
check 'a picture is drawn' [ ! -e app.svg ]
out_lacks '!['
out_has '`aflame render app.trace`'
expect 0 aflame render -q app.trace --markdown --redact
out_lacks 'com.example' 'aflame calls'
expect 0 -o '[x.pdf](x.pdf)' aflame render -q x.folded --markdown -o x.pdf
expect 2 -e 'not both' aflame render app.trace --markdown --alt
expect 2 -e '--markdown prints to standard output' aflame render app.trace --markdown -o -
expect 2 -e 'leave out --frames' aflame render app.trace --markdown --frames

# ---- comparisons ----
expect 0 aflame diff before.trace after.trace --sheet -o cmp.png -o cmp.svg -o cmp.pdf
opens cmp.png cmp.svg cmp.pdf
check 'a sheet is not 2400 pixels wide' [ "$(png_width cmp.png)" = 2400 ]
check 'a sheet is too high' [ "$(png_height cmp.png)" -le 3600 ]
check 'a comparison has several pages' sh -c "pdfinfo cmp.pdf | grep -q '^Pages: *1$'"
omits cmp.svg '<script'
sed 's/<[^>]*>/\n/g' cmp.svg | tr -s '\n' | sed 's/&amp;/\&/g; s/&#9;/ /g' | tr '\n' ' ' >line
# the causes are those of the text, the command draws it again, both sides lie on one axis
expect 0 aflame diff before.trace after.trace
grep '^main: ' "$captured/out" >causes
check 'there are no causes' [ -s causes ]
check 'a cause is missing' sh -c 'while IFS= read -r c; do grep -qF "$c" line || exit 1; done <causes'
for word in 'After takes 44.2 ms more than before (+30.3 %): 190.2 ms' 'main over time' \
    'aflame diff before.trace after.trace --sheet -o cmp.png'; do
    check "the sheet lacks: $word" grep -qF "$word" line
done
expect 0 aflame diff before.trace after.trace --sheet --alt
check 'the text of a comparison differs' \
    sh -c '[ "$(grep -o "<desc>[^<]*" cmp.svg | sed "s/<desc>//; s/&gt;/>/g")" = "$(cat "$1")" ]' - "$captured/out"
out_has '. After takes 44.2 ms more'
expect 0 -o 'com.example' aflame report cmp.png --side before --top 1
# several runs, a saved comparison and other inputs have sums; equal sides say so
expect 0 aflame diff -q --before before.trace --before after.trace --after after.trace --sheet -o many.svg
contains many.svg 'main in sum'
expect 0 aflame diff -q cmp.png --sheet -o again.svg
contains again.svg 'Sums of main: the inputs have no single calls'
expect 0 aflame diff -q x.folded x.folded --sheet -o equal.svg
contains equal.svg 'Nothing changed: both sides are equal'
expect 0 aflame diff -q before.trace after.trace --sheet --redact -o redacted.svg
check 'a name is left' sh -c '! grep -q "com.example\|before.trace" redacted.svg'
expect 2 -e 'needs an output that is a picture' aflame diff before.trace after.trace --sheet
expect 2 aflame diff before.trace after.trace --sheet --no-script -o x.svg
expect 2 aflame diff before.trace after.trace --sheet --align run -o x.svg
