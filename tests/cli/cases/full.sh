# A full disk at any point leaves no partial file, keeps the old file, and exits with 5. A limit on
# the file size truncates the write that exceeds it and fails the next one.

# write_at_most BLOCKS COMMAND...: blocks of 512 bytes, as in every POSIX shell
write_at_most() {
    expect_sh "$1" "ulimit -f $2; $3"
}

cuts=0
for target in graph.svg graph.png graph.pdf app.folded app.html; do
    case $target in
    graph.*) make="aflame render app.trace" ;;
    *.folded) make="aflame convert app.trace" ;;
    *.html) make="aflame report app.trace" ;;
    esac
    $make -o "whole-$target"
    size=$(wc -c <"whole-$target")
    echo old >"$target"
    cp "$target" old.copy
    blocks=$((size / 512 + 1))
    for cut in 0 1 $((blocks / 2)) $((blocks - 1)); do
        write_at_most 5 $cut "$make -o $target"
        # at 0 even the message does not fit
        [ $cut -eq 0 ] || err_is "aflame: $target: cannot write: File too large"
        same "$target" old.copy
        absent '.aflame-*'
        cuts=$((cuts + 1))
    done
    write_at_most 0 $blocks "$make -o $target"
    same "$target" "whole-$target"
done
check 'the number of truncated files is wrong' [ $cuts -eq 20 ]

# one output that is too large cancels the others
echo old >small.svg
cp small.svg old.copy
write_at_most 5 $(($(wc -c <whole-graph.svg) / 512 + 2)) \
    'aflame render app.trace --scale 4 -o small.svg -o large.png'
err_is 'aflame: large.png: cannot write: File too large'
same small.svg old.copy
absent large.png '.aflame-*'
write_at_most 5 8 'aflame render app.trace -o - >started.svg'
err_is 'aflame: standard output: cannot write: File too large'

# a real disk that is full, if this machine allows creating one
cat >fill.sh <<'END'
mount -t tmpfs -o size=96k none disk || exit 77
echo old >disk/old.png
cp disk/old.png old.copy
for output in disk/old.png 'disk/a.svg -o disk/b.svg -o disk/c.svg'; do
    aflame render app.trace --width 4000 -o $output
    [ $? -eq 5 ] || exit 1
    cmp disk/old.png old.copy || exit 1
    [ "$(ls -A disk)" = old.png ] || exit 1
done
END
mkdir disk
unshare=unshare
[ "$(id -u)" = 0 ] || unshare='unshare -r'
if $unshare -m true 2>/dev/null; then
    expect 0 -e 'No space left on device' -l 2 $unshare -m sh fill.sh
else
    echo "no disk of 96 kB: this user may not mount"
fi
