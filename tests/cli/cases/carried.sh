# Pictures and pages carry the profile: every verb opens them, also after other programs.
expect 0 -l 2 aflame render app.trace -o bug.svg -o bug.png -o bug.pdf
err_has 'bug.png: carries the profile of 11 threads, 14 KB; --data none leaves it out'
err_has 'bug.pdf: carries the profile of 11 threads'
expect 0 aflame render app.trace --static -o static.svg
expect 0 aflame report app.trace -o bug.html
opens bug.svg bug.png bug.pdf static.svg
expect 0 aflame convert app.trace -o app.aflp

# ---- every verb ----
expect 0 -w report.txt aflame report app.trace
for file in bug.svg bug.png bug.pdf bug.html static.svg; do
    expect 0 -s report.txt -e '' aflame report $file
    expect 0 -o "$file, saved by aflame " aflame info $file
    out_has 'without single'
    expect 0 -o '"input": "app.trace"' aflame info --json $file
    out_has '"carrier": "'
    expect 0 aflame convert $file -o again.aflp
    same app.aflp again.aflp
    expect 0 aflame render -q $file --focus onCreate -o zoom.svg
    expect 0 aflame render -q $file -o other.png
    same bug.png other.png
    expect_sh 0 -s report.txt "aflame report - <$file"
    in_part || continue
    gzip -c $file >packed.gz
    expect 0 -s report.txt aflame report packed.gz
    expect 2 -e 'a saved profile holds no single calls' aflame calls $file onCreate
done
mkdir folder
cp bug.png bug.html folder
expect 0 -o 'PNG picture bug.png' aflame info -q folder/*
out_has 'HTML page bug.html'

# ---- steps: the picture carries what it shows ----
expect 0 aflame render -q app.trace --focus onCreate -o zoom.png -o zoom.svg
expect 0 aflame render -q zoom.png -o again.svg
same zoom.svg again.svg
expect 0 aflame render -q app.trace --from 100ms --to 300ms -o part.png
expect 0 -o '100 ms to 300 ms' aflame info part.png

# ---- without ----
for data_option in '--data none'; do
    expect 0 -e '' aflame render app.trace $data_option -o none.svg -o none.png -o none.pdf
    expect 0 aflame report app.trace $data_option -o none.html
done
for file in none.svg none.png none.pdf none.html; do
    expect 3 -l 1 -e "aflame wrote this " aflame info $file
    err_has "but it carries no profile: it shows several inputs, it was made with --data none, or the program"
done
expect 0 aflame report -q app.trace bug.png -o two.html
expect 3 aflame info two.html

# ---- comparisons: the picture carries both sides ----
expect 0 -l 2 aflame diff before.trace after.trace -o diff.svg -o diff.png -o diff.pdf -o diff.html -o diff.json
err_has 'diff.png: carries the profiles of both sides, 1 KB; --data none leaves them out'
err_has 'diff.pdf: carries the profiles of both sides'
opens diff.svg diff.png diff.pdf
expect 0 aflame diff before.trace after.trace --static -o diff-static.svg
expect 0 aflame diff -q before.trace after.trace --view chart -o diff-chart.png
for side in before after; do
    expect 0 aflame convert $side.trace -o $side.aflp
    expect 0 aflame report $side.trace -o $side.txt
done
for file in diff.svg diff.png diff.pdf diff.html diff-static.svg diff-chart.png; do
    expect 0 aflame diff $file -o again.json
    same diff.json again.json
    err_empty
    for side in before after; do
        in_part || continue
        expect 0 aflame convert $file --side $side -o again.aflp
        same $side.aflp again.aflp
        expect 0 aflame report $file --side $side -o again.txt
        same $side.txt again.txt
        err_empty
        expect_sh 0 -o "\"side\": \"$side\"" "aflame info --json --side $side - <$file"
    done
    expect 0 -o after.trace -l 1 aflame report $file
    err_has "aflame: $file: the file holds both sides of a comparison; after is read, --side before reads the other"
    expect 0 -o 'after of a comparison, from the ' aflame info $file
    in_part || continue
    # the warning is about this file, not about the recording
    expect 0 aflame convert -q $file -o again.aflp
    same after.aflp again.aflp
done
expect 0 aflame diff -q diff.png -o again.svg
same diff.svg again.svg
expect 0 aflame diff -q --before before.trace --after before.trace --after after.trace -o runs.png -o runs.json
expect 0 aflame diff runs.png -o again.json
sed 's/"inputs": \[[^]]*\]//g' runs.json >runs.txt
sed 's/"inputs": \[[^]]*\]//g' again.json >again.txt
same runs.txt again.txt
expect 0 aflame diff -q before.trace after.trace --thread main -o main.png
expect 0 -n Watch aflame report -q main.png --by threads
for words in 'diff app.trace' 'diff bug.png' 'report bug.svg --side after' 'merge app.trace --side after -o m.aflp'; do
    expect 2 -l 1 aflame $words
    err_has 'this file holds one recording; only pictures and HTML pages of aflame diff hold both sides of a comparison'
done
expect 2 -e 'reads one side, and aflame diff diff.svg compares both' aflame diff diff.svg --side before
expect_sh 2 -e 'save it to a file first' 'aflame diff - <diff.svg'
expect 0 -e '' aflame diff before.trace after.trace --data none -o none.svg -o none.png -o none.pdf -o none.html
for file in none.svg none.png none.pdf none.html; do
    expect 3 aflame diff $file
done

# ---- limits ----
expect 0 aflame render "$data/real/local-art11__sampling.trace" -o big.svg --data auto -q
expect 0 aflame info --json big.svg

# ---- damage ----
size() {
    wc -c <"$1"
}
for file in bug.svg bug.png bug.pdf bug.html static.svg diff.svg diff.png diff.pdf diff.html; do
    for percent in 10 30 50 70 90 99; do
        in_part || continue
        head -c $(($(size $file) * percent / 100)) $file >cut
        expect 4 -l 1 -e 'truncated or damaged' aflame info cut
    done
    head -c $(($(size $file) - 20)) $file >cut
    expect 4 aflame info cut
done
# flip FILE OFFSET OUTPUT
flip() {
    byte=$(dd if="$1" bs=1 skip="$2" count=1 2>/dev/null | od -An -tu1 | tr -d ' ')
    cp "$1" "$3"
    printf "\\$(printf %03o $((byte ^ 1)))" | dd of="$3" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
for place in 2000 7000 13000; do
    at=$(($(LC_ALL=C grep -abo afLp bug.png | cut -d: -f1) + place))
    flip bug.png $at flipped.png
    expect 4 aflame info flipped.png
    at=$(($(LC_ALL=C grep -abo AFLP bug.pdf | head -n 1 | cut -d: -f1) + place))
    flip bug.pdf $at flipped.pdf
    expect 4 aflame info flipped.pdf
    for file in bug.svg bug.html static.svg; do
        in_part || continue
        at=$(($(LC_ALL=C grep -abo iUFGTFANCh $file | cut -d: -f1) + place))
        flip $file $at flipped
        expect 4 aflame info flipped
    done
done

# ---- other programs ----
has() {
    command -v "$1" >/dev/null 2>&1
}
# survives FILE: it carries the same bytes still
survives() {
    expect 0 aflame convert "$1" -o again.aflp
    same app.aflp again.aflp
}
# compares FILE: it carries both sides still
compares() {
    expect 0 aflame diff "$1" -o again.json
    same diff.json again.json
}
for tool in optipng qpdf scour; do
    check "$tool is missing" has $tool
done
expect 0 pdfdetach -saveall bug.pdf
same app.aflp profile.aflp
if has optipng; then
    optipng -quiet -o1 -out opt.png bug.png
    survives opt.png
    optipng -quiet -o1 -out opt-diff.png diff.png
    compares opt-diff.png
    optipng -quiet -o0 -out bare.png -strip all bug.png
    expect 3 aflame info bare.png
fi
if has qpdf; then
    check 'the PDF has faults' qpdf --check none.pdf
    check 'the PDF with a profile has faults' qpdf --check bug.pdf
    qpdf --stream-data=compress --object-streams=generate --recompress-flate bug.pdf packed.pdf 2>/dev/null || true
    survives packed.pdf
    qpdf --linearize bug.pdf linear.pdf 2>/dev/null || true
    survives linear.pdf
    qpdf --stream-data=compress --object-streams=generate --recompress-flate diff.pdf packed.pdf 2>/dev/null || true
    compares packed.pdf
    qpdf --object-streams=generate none.pdf lost.pdf 2>/dev/null || true
    expect 3 -e 'aflame wrote this PDF document, but it carries no profile' aflame info lost.pdf
fi
if has mutool; then
    mutool clean -gggg -z bug.pdf clean.pdf 2>/dev/null
    survives clean.pdf
fi
# minifiers: other quotes, and breaks in the data
sed -e "s/ data-profile=\"\([^\"]*\)\"/ data-profile='\1'/" bug.svg | fold -w 4000 >folded.svg
survives folded.svg
sed 's/iUFGTFANCh/iUFGTFBNCh/' bug.svg >broken.svg
expect 4 aflame info broken.svg
for file in bug.svg static.svg; do
    if has scour; then
        scour -q --enable-comment-stripping --enable-id-stripping --indent=none -i $file -o small.svg
        survives small.svg
        scour -q --enable-comment-stripping --enable-id-stripping --indent=none -i diff.svg -o small.svg
        compares small.svg
    fi
    if has minify; then
        minify -o small.svg $file 2>/dev/null
        survives small.svg
    fi
done

# ---- a picture of one thread carries that thread only ----
expect 0 aflame render app.trace --thread main -o main.png -o main.pdf -o main.svg
err_has 'main.png: carries the profile of 1 of 11 threads, ' '; --data full adds the others'
for file in main.png main.pdf main.svg; do
    expect 0 -o 'threads of the recording were not saved; open the recording for them (10 times)' aflame info $file
    expect 2 aflame report -q $file --thread RenderThread
    expect 0 -o 'warning: threads of the recording were not saved' aflame report -q $file --thread main
    sed '1,/^$/d' "$captured/out" >of_picture.txt
    expect_sh 0 -s of_picture.txt "aflame report -q app.trace --thread main | sed '1,/^\$/d'"
done
expect 0 aflame render app.trace --thread main --data full -o full.png -o full.svg
err_has 'full.png: carries the profile of 11 threads, '
expect 0 -e '' aflame report full.png --thread RenderThread
for format in png svg; do
    check "a $format of one thread is not smaller" \
        [ "$(wc -c <main.$format)" -lt "$(wc -c <full.$format)" ]
done
