# Files that change while they are read.
interposed=${AFLAME_INTERPOSED:?the command with orders from the environment}
echo old >old.svg
cp old.svg old.copy

for order in CUT_AT WRITE_AT; do
    for read in 1 2 3; do
        cp "$data/sample.trace" changing.trace
        expect 4 env AFLAME_TEST_$order=$read "$interposed" render -q changing.trace -o old.svg
        err_is 'aflame: changing.trace: the file changed while it was read; try again when nothing writes to it'
        same old.svg old.copy
        absent '.aflame-*'
    done
done
cp "$data/sample.trace" changing.trace
gzip changing.trace
expect 4 -e 'the file changed while it was read' env AFLAME_TEST_CUT_AT=2 "$interposed" info changing.trace.gz
expect 0 env AFLAME_TEST_CUT_AT=10000 "$interposed" info "$data/sample.trace"

# several inputs are listed before the first one is read
mkdir listed
cp "$data/sample.trace" listed/a.trace
cp "$data/sample.trace" listed/b.trace
expect 0 env AFLAME_TEST_CUT_AT=100000 "$interposed" merge -q listed -o merged.aflp
for order in CUT_AT WRITE_AT; do
    for read in 1 2 3 4 5 6; do
        cp "$data/sample.trace" listed/a.trace
        cp "$data/sample.trace" listed/b.trace
        expect 4 env AFLAME_TEST_$order=$read "$interposed" merge -q listed/a.trace listed/b.trace -o changed.aflp
        err_has 'the file changed while it was read; try again when nothing writes to it'
        absent changed.aflp '.aflame-*'
    done
done

# An output has no name until it is complete, so that even SIGKILL leaves nothing. Files in memory
# have no names on every Linux; other file systems may not know such files.
cp "$data/sample.trace" kept.trace
ram=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$ram"' EXIT
expect 0 "$interposed" render -q kept.trace -o usual.svg
opens usual.svg
echo old >"$ram/old.svg"
for at in 1 3; do
    # the shell reports the signal on its own
    expect_sh 137 "exec 2>/dev/null; AFLAME_TEST_KILL_AT=$at '$interposed' render -q kept.trace -o '$ram/old.svg' -o '$ram/new.pdf'"
    check 'SIGKILL left something' [ "$(ls -A "$ram")" = old.svg ]
    check 'the old file was changed' [ "$(cat "$ram/old.svg")" = old ]
done
expect 0 "$interposed" render -q kept.trace -o "$ram/old.svg" -o "$ram/new.svg"
same "$ram/old.svg" usual.svg
same "$ram/new.svg" usual.svg
check 'a temporary name is left' [ "$(ls -A "$ram" | wc -l)" -eq 2 ]

# where that is impossible, a temporary file has a name
expect_sh 137 "exec 2>/dev/null; AFLAME_TEST_NO_TMPFILE=1 AFLAME_TEST_KILL_AT=1 '$interposed' render -q kept.trace -o killed.svg"
absent killed.svg
check 'no file had a name' sh -c 'ls .aflame-* >/dev/null'
rm -f .aflame-*
for lack in NO_TMPFILE NO_PROC; do
    for file in old.svg new.$lack.svg; do
        umask 027
        expect 0 env AFLAME_TEST_$lack=1 "$interposed" render -q kept.trace -o $file
        same $file usual.svg
    done
    check 'umask does not count' [ "$(stat -c %a new.$lack.svg)" = 640 ]
    check 'the mode of the old file changed' [ "$(stat -c %a old.svg)" = "$(stat -c %a old.copy)" ]
    absent '.aflame-*'
done

# where modes cannot be set, a file keeps its mode or stays as it is
for lack in NO_CHMOD NO_PROC; do
    cp new.NO_PROC.svg moded.svg
    expect 0 env AFLAME_TEST_NO_CHMOD=1 AFLAME_TEST_$lack=1 "$interposed" render -q kept.trace -o moded.svg
    same moded.svg usual.svg
done
echo old >moded.svg
chmod 600 moded.svg
cp moded.svg moded.copy
expect 5 env AFLAME_TEST_NO_CHMOD=1 "$interposed" render -q kept.trace -o moded.svg
err_is 'aflame: moded.svg: cannot write: Operation not permitted'
same moded.svg moded.copy
absent '.aflame-*'

# a system that grants no threads
for option in '--format svg' '--format svg --static' '--format png' '--format pdf'; do
    expect 0 env AFLAME_TEST_NO_THREADS=1 "$interposed" render -q kept.trace $option -o threadless
    expect 0 "$interposed" render -q --jobs 1 kept.trace $option -o usual
    same threadless usual
done
rm -f system.png
status=0
AFLAME_TEST_NO_THREADS=1 "$interposed" render -q --system-fonts kept.trace -o system.png 2>"$captured/err" ||
    status=$?
case $status in
0) opens system.png ;; # no text needed another font
*)
    check "status $status" [ $status -eq 4 ]
    err_is 'aflame: cannot start a thread, which --system-fonts needs; leave out --system-fonts'
    absent system.png '.aflame-*'
    ;;
esac

# temporary files of readers, where the file system has no O_TMPFILE or the folder does not exist
{ printf '['; seq 1 60000 | sed 's/.*/{"ph":"X","pid":1,"tid":1,"name":"m","ts":&,"dur":1},/'; echo '{}]'; } >many.json
expect 0 aflame convert -q --max-memory 4M many.json -o usual.folded
mkdir spare
expect 0 env TMPDIR="$PWD/spare" AFLAME_TEST_NO_TMPFILE=1 "$interposed" convert -q --max-memory 4M many.json -o named.folded
same named.folded usual.folded
check 'a temporary file is left' [ -z "$(ls -A spare)" ]
expect 0 env TMPDIR="$PWD/missing" aflame convert -q --max-memory 4M many.json -o held.folded
same held.folded usual.folded
