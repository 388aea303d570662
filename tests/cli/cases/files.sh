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
expect 4 env AFLAME_TEST_CUT_AT=2 "$interposed" info changing.trace.gz
err_has 'the file changed while it was read'
expect 0 env AFLAME_TEST_CUT_AT=10000 "$interposed" info "$data/sample.trace"
