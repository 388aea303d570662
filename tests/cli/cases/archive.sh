# Zip archives: the best entry is read, --entry chooses another one, info lists them all.
cp "$made/zip.trace" app.zip
expect 0 -o 'entry       folder/' aflame info app.zip
out_has 'other entry old.trace (Android method trace' 'the archive holds other traces; not read'
expect 0 -n 'other entry old.trace' -o 'entry       old.trace' aflame info --entry old.trace app.zip
reported='aflame: app.zip: the archive holds other traces; not read: aflame info lists them, --entry chooses one'
for verb in 'render -o from_zip.svg' 'convert -o x.folded' report 'calls a' 'explain' 'check --budget b.ini' \
    'merge -o x.aflp'; do
    printf '[main]\nmeasure = inclusive wall\nmethod = a.A.a\nlimit = 1 s\n' >b.ini
    # shellcheck disable=SC2086
    expect 0 -e "$reported" aflame ${verb%% *} app.zip $(echo "$verb " | cut -s -d' ' -f2-)
done
expect 0 -e "$reported" aflame diff app.zip app.zip
expect 4 -e "$reported" aflame render --strict app.zip -o strict.svg
expect 0 -e '' aflame render --strict --entry old.trace app.zip -o strict.svg
opens from_zip.svg
expect_sh 0 -o 'main;a.A.a 4' 'aflame convert --entry old.trace --format folded - <app.zip'

expect 2 aflame info --entry none.trace app.zip
err_is 'aflame: app.zip: this zip archive has no entry none.trace; `aflame info` lists the traces inside'
expect 2 aflame render --entry old.trace "$data/sample.trace" -o x.svg
err_has '--entry needs a zip archive, and this file is not one'
absent x.svg
expect 3 aflame render "$made/refused/zip_other.trace" -o x.svg
err_has 'this zip archive holds no trace that aflame reads (2 entries)'
expect 3 -e 'aflame does not read the entry notes.json' aflame info --entry notes.json "$made/refused/zip_other.trace"

# every truncation of an archive is refused or read, and nothing else
size=$(wc -c <app.zip)
for left in 0 3 4 30 60 100 150 $((size - 60)) $((size - 22)); do
    head -c $left app.zip >cut.zip
    [ $left -lt 4 ] && status=3 || status=4
    expect $status -l 1 aflame info cut.zip
done

# an entry that is changed has another checksum
LC_ALL=C sed 's/a\.A/a.B/' app.zip >changed.zip
expect 0 -n 'truncated or damaged' aflame info --entry old.trace app.zip
expect 0 -o 'the compressed data is truncated or damaged' aflame info --entry old.trace changed.zip

# zstd around the file, also behind gzip and in a pipe
expect_sh 0 -o 'main;a.A.a 4' 'aflame convert --format folded - <"'"$made/zstd.trace"'"'
