# Valid and invalid inputs.
aflame render app.trace -o graph.svg

expect 3 -m 'aflame: missing.trace: cannot open: No such file or directory' aflame render missing.trace -o x.svg
expect 3 -e 'No such file' aflame missing.trace
mkdir directory.trace
expect 3 -e 'directory.trace: ' aflame render directory.trace -o x.svg
err_has 'directory'
err_lines 1
: >empty.trace
for verb in render info convert; do
    expect 3 -e 'empty.trace: ' aflame $verb empty.trace
    err_has 'empty'
    err_lines 1
    out_empty
done
expect 3 -m 'aflame: "": cannot open: No such file or directory' aflame info ''
for line in 'info - -' 'diff - -' 'merge - - -o x.aflp' 'diff --before - --after -'; do
    expect 2 -m 'aflame: standard input can be read only once' aflame $line
done
expect_sh 3 -e 'standard input: ' 'aflame render - -o x.svg </dev/null'
expect_sh 3 -e 'standard input: ' 'aflame render - -o x.svg <&-'
echo 'this is a shopping list' >list.trace
expect 3 -l 1 aflame info list.trace
printf '\037\213 not really gzip' >broken.trace.gz
expect 4 -l 1 aflame info broken.trace.gz
absent x.svg empty.svg

# gzip, once and twice
gzip -cn app.trace >app.trace.gz
gzip -cn app.trace.gz >twice.gz
expect 0 -e 'drawn as app.svg' aflame app.trace.gz
expect 0 -e 'drawn as twice.svg' aflame twice.gz
rm app.svg twice.svg
aflame convert app.trace -o app.folded
expect 0 -s app.folded aflame convert app.trace.gz
expect 0 -s app.folded aflame convert twice.gz

# the halves of a pair, in either order, or just one
end=$(LC_ALL=C grep -abo '^\*end$' app.trace | cut -d: -f1)
head -c $((end + 5)) app.trace >half.key
tail -c +$((end + 6)) app.trace >half.data
for halves in 'half.key half.data' 'half.data half.key' half.key half.data; do
    expect 0 -s app.folded aflame convert $halves
done
# the name without its end, as for Traceview
mkdir sub
cp half.key half.data sub
expect 0 -s app.folded aflame convert sub/half
cp app.trace sub/calc.trace
expect 0 -s app.folded aflame convert sub/calc
expect 3 -e 'sub/none: ' aflame convert sub/none
rm -r sub
expect 0 -e 'half.svg' aflame half.data half.key
opens half.svg
rm half.svg
cp half.key other.key
cp half.data other.data
expect 0 -l 2 aflame render half.key other.data other.key half.data
present half.svg other.svg
mv half.key away.key
expect 0 -s app.folded aflame convert half.data away.key
expect 3 -l 1 aflame convert half.data
mv away.key half.key
expect 2 -e 'would overwrite the input' aflame render half.key half.data -o half.data --format svg
rm -f half.svg other.svg

# several traces: one picture each, distinct file names, and a bad trace does not stop the others
mkdir one two
cp app.trace one/app.trace
cp app.trace two/app.trace
expect 3 aflame one/app.trace missing.trace two/app.trace app.trace.gz
err_has 'one/app.trace: drawn as app.svg' 'two/app.trace: drawn as app-2.svg'
err_has 'app.trace.gz: drawn as app-3.svg' 'missing.trace: '
present app.svg app-2.svg app-3.svg
same app.svg app-2.svg

# names in a trace cannot control the terminal
odd=$(printf 'a\033[31mb\n\342\200\256.trace')
cp app.trace "$odd"
expect 3 -e 'a\x1b[31mb\x0a\u202e.trace-missing' -l 1 aflame info "$odd-missing"
expect 0 aflame info "$odd"
check 'the output has an escape character' sh -c "! LC_ALL=C grep -q '$(printf '\033')' '$captured/out'"
expect 0 -o '\u001b[31mb\u000a' aflame info --json "$odd"

# a folder stands for the traces directly in it, sorted by name
mkdir -p folder/below
cp "$data/sample.trace" folder/b.trace
cp "$data/sample.trace" folder/a.trace
cp "$data/sample.trace" folder/.hidden.trace
cp "$data/sample.trace" folder/below/c.trace
echo 'a list of things to buy' >folder/list.txt
expect 0 aflame info --json folder
check 'the output does not list exactly the two traces' [ "$(grep -o '"folder/[^"]*"' "$captured/out" | tr '\n' ' ')" = \
    '"folder/a.trace" "folder/b.trace" ' ]
mkdir drawn
expect_sh 0 'cd drawn && aflame ../folder'
present drawn/a.svg drawn/b.svg
absent drawn/c.svg
mkdir empty
for verb in info render report convert; do
    expect 3 aflame $verb empty
    err_is 'aflame: empty: this folder contains no trace that aflame reads (aflame does not search its subfolders, and reads pictures only if you name them)'
done

# a second run finds the same recordings, not the pictures, pages and exports of the first
mkdir again
cp "$data/sample.trace" again/a.trace
cp "$made/compare_before.trace" again/b.trace
for run in 1 2; do
    expect_sh 0 -l 2 'cd again && aflame .'
    absent again/a.svg.svg again/a-2.svg
done
expect 0 aflame render -q again/a.trace -o again/a.png -o again/a.pdf
expect 0 aflame report -q again/a.trace -o again/a.html
for export in a.speedscope.json a.firefox.json a.callgrind a.chrome.json a.json a.pftrace a.pb.gz a.gecko.json \
    a.spall a.folded a.json.gz a.folded.gz; do
    expect 0 aflame convert -q again/a.trace -o again/$export
done
for export in cpu.json:"--clock cpu --format chrome" cpu.pftrace:"--clock cpu" waits.pb.gz:"--clock wait"; do
    expect 0 aflame convert -q again/a.trace ${export#*:} -o again/${export%%:*}
done
listed() { # COMMAND...: the names of the inputs in its output
    expect 0 "$@"
    sed -n 's/^ *{\{0,1\} *"input": "\([^"]*\)".*/\1/p' "$captured/out" | tr '\n' ' '
}
check 'a folder lists more than its recordings' [ "$(listed aflame info --json again)" = 'again/a.trace again/b.trace ' ]
for name in a.svg a.png a.pdf a.html a.callgrind a.pftrace a.json a.folded; do
    expect 0 aflame report again/$name
done
# a page that Android wrote is a recording
cp "$made/systrace_page.trace" again/c.html
check 'a recording in a page is missing' [ "$(listed aflame info --json again)" = 'again/a.trace again/b.trace again/c.html ' ]
mkdir pictures
cp again/a.svg pictures
expect 3 -e 'reads pictures only if you name them' aflame report pictures

# the name of the picture has none of the extensions that traces have
for name in a.speedscope.json b.txt c.stacks.gz d.PERF e.trace.old; do
    cp app.trace $name
    expect 0 aflame $name
    rm $name
done
present a.svg b.svg c.svg d.svg e.trace.old.svg
rm [a-d].svg e.trace.old.svg

# without -o aflame replaces only files that it wrote
cp app.trace "it's mine.trace"
expect 0 aflame "it's mine.trace"
err_is "aflame: it's mine.trace: drawn as it's mine.svg (this was: aflame render 'it'\\''s mine.trace' -o 'it'\\''s mine.svg')"
# names with control characters are quoted so that the shell understands them
odd=$(printf "a\nb'c\t\\.trace")
cp app.trace "$odd"
expect 0 aflame "$odd"
again=$(sed -n 's/.*this was: aflame render \(.*\) -o .*/\1/p' "$captured/err")
check "not quoted for the shell" [ "$(bash -c "printf %s $again")" = "$odd" ]
rm "$odd" "${odd%.trace}.svg"
for format in svg png pdf 'svg --static'; do
    rm -f "it's mine".*[gf]
    expect 0 aflame render "it's mine.trace" --format $format
    expect 0 aflame render "it's mine.trace" --format $format
    echo 'drawn by hand' >"it's mine.${format%% *}"
    expect 2 aflame render "it's mine.trace" --format $format
    err_is "aflame: it's mine.${format%% *}: aflame did not write this file and does not replace it without -o; nothing was written"
    check 'the file changed' grep -qx 'drawn by hand' "it's mine.${format%% *}"
    expect 0 aflame render "it's mine.trace" --format $format -o "it's mine.${format%% *}"
done

# --json with each verb that writes JSON
expect 0 -w report.json aflame report app.trace --format json
expect 0 -s report.json aflame report app.trace --json
expect 0 -o '"' aflame calls app.trace --json main
absent '.aflame-*'

# a table of codes is no file of folded stacks: no count begins with 0
printf 'LATIN CAPITAL A;0100 0300\nLATIN SMALL A;0101 0300\n' >codes.txt
expect 3 -m 'aflame: codes.txt: this is text, not a method trace' aflame info codes.txt
expect 0 aflame info --format-in folded codes.txt

# --format-in: reads any content in this format, for every verb, compressed and in an archive too
printf 'main 3\nidle 4\n' >flat.txt
expect 3 aflame info flat.txt
for verb in info report 'convert -o -' 'render -o flat.svg' 'merge -o flat.aflp'; do
    expect 0 aflame $verb --format-in folded flat.txt
done
expect 0 aflame diff --format-in folded flat.txt flat.txt
gzip -c flat.txt >flat.gz
expect_sh 0 -o 'main 3' 'aflame convert -q --format-in folded - -o - <flat.gz'
expect 3 aflame info --entry version.txt "$made/zip_bugreport.trace"
err_has 'aflame does not read the entry version.txt of this zip archive'
expect 0 -o 'folded stacks' aflame info --entry version.txt --format-in folded "$made/zip_bugreport.trace"
expect 2 -e '--format-in takes one of aflp, v1, ' aflame info --format-in fold flat.txt
err_has 'did you mean folded?'
expect 4 -e 'flat.txt: read as v2: ' aflame info --format-in v2 flat.txt
expect 0 aflame info --format-in v1 app.trace
# the name decides for stacks of one frame
for file in flat.folded flat.collapsed; do
    cp flat.txt $file
    expect_sh 0 -o 'main 3' "aflame convert -q $file -o -"
    out_has 'idle 4'
done

# in a folder and a glob: a file of folded stacks or Spall is no export if no recording has its name;
# the saved profile next to its recording is used once
mkdir marked
cp "$data/sample.trace" marked/a.trace
expect 0 aflame convert -q marked/a.trace -o marked/a.aflp -o marked/a.folded -o marked/b.folded
expect_sh 0 -o 3 'aflame info --json marked | grep -c "\"input\": "'
set -f
for operand in marked/a.trace 'marked/a.trace marked/a.aflp' 'marked/a.*'; do
    expect 0 aflame merge $operand -o once.aflp
    expect_sh 0 'aflame report -q --json once.aflp --by threads | grep -v "\"input\"\|title\|profiles" >once.json'
    [ -e first.json ] || cp once.json first.json
    same once.json first.json
done
set +f

# a hand-made file of folded stacks next to a recording counts like it
mkdir hand
cp "$data/sample.trace" hand/a.trace
printf 'main;hand;made 5\n' >hand/b.folded
check 'a hand-made file does not count' [ "$(listed aflame info --json hand)" = 'hand/a.trace hand/b.folded ' ]
expect_sh 0 'cd hand && aflame .'
present hand/a.svg hand/b.svg
check 'pictures count' [ "$(listed aflame info --json hand)" = 'hand/a.trace hand/b.folded ' ]
for run in 1 2 3; do
    printf 'main;hand;made %s\n' "$run" >hand/run$run.folded
done
rm hand/a.* hand/b.*
expect_sh 0 -o '3 and 3 runs' 'aflame diff --before hand --after "hand/*.folded"'

# a sum takes equal contents once, and says so
mkdir sum
printf 'main;a 5\n' >sum/a.folded
printf 'main;b 2\n' >sum/b.folded
cp sum/a.folded sum/c.folded
gzip -c sum/b.folded >sum/d.folded.gz
for operands in sum 'sum/a.folded sum/b.folded sum/c.folded sum/d.folded.gz'; do
    expect 0 aflame convert $operands -o -
    check 'a repeated input counts' [ "$(cat "$captured/out")" = 'main;a 5
main;b 2' ]
    err_has 'an input has the content of an earlier one; skipped (2 times)'
    err_lines 1
done
expect 0 -e 'an input has the content of an earlier one' aflame render sum -o sum.svg
